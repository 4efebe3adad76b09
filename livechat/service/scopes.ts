// The scopes that a token can have: those that the methods and actions of the APIs ask for.
import { agentActions } from '#contract/agent-chat.ts';
import type { ActionV3 } from '#contract/actions.ts';
import { botConfiguration } from '#contract/bots.ts';
import { restMethods } from '#contract/rest-v2.ts';
import { webhookConfiguration } from '#contract/webhook-registration.ts';

/** Of the token of a customer, and of an agent's token that may ask for such tokens. */
export const customerScope = 'customers:own';

/** Every scope that a token can have. */
export const everyKnownScope: readonly string[] = [
  ...new Set([
    ...Object.values(restMethods).flatMap(({ scopes }) => scopes),
    ...Object.values<ActionV3>(agentActions).flatMap(({ scopes }) => scopes),
    ...Object.values({ ...webhookConfiguration, ...botConfiguration }).flatMap(({ scopes }) => scopes ?? []),
    customerScope,
  ]),
];
