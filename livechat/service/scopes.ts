// The scopes that let an access token in: those of the REST API v2.0 stand with its methods, these are the others.
import { restMethods } from '#contract/rest-v2.ts';

/** With the second alone an agent sees the chats of the own groups. */
export const threadScopes = ['chats--all:ro', 'chats--access:ro'] as const;

/** Every scope that a token can have. */
export const everyKnownScope: readonly string[] = [
  ...new Set([...Object.values(restMethods).flatMap(({ scopes }) => scopes), ...threadScopes]),
];
