// The scopes that admit an access token; those of the REST API v2.0 are declared with its methods.
import { restMethods } from '#contract/rest-v2.ts';

/** With only the second scope, an agent sees the chats of their own groups. */
export const threadScopes = ['chats--all:ro', 'chats--access:ro'] as const;

/** Every scope that a token can have. */
export const everyKnownScope: readonly string[] = [
  ...new Set([...Object.values(restMethods).flatMap(({ scopes }) => scopes), ...threadScopes]),
];
