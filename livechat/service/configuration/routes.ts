// The routes of the Configuration API v3.5: the actions for webhooks, bots and the account's properties by POST with a JSON body, and one that is our own.
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { Reach } from '#network/reach.ts';
import { accountPropertyConfiguration } from '#contract/account-properties.ts';
import { botConfiguration } from '#contract/bots.ts';
import { listWebhookFailures, webhookConfiguration } from '#contract/webhook-registration.ts';
import type { ServiceAccount } from '../account.ts';
import { callerOf, demand } from '../callers.ts';
import { jsonOf, read } from '../bodies-v3.ts';
import { refuse } from '../refusals.ts';
import { answerText } from '../wire.ts';
import { accountPropertyActions } from './account-properties.ts';
import type { ConfigurationAction } from './action.ts';
import { botActions } from './bots.ts';
import { webhookConfigurationActions, webhookFailures, webhookNames } from './webhooks.ts';

interface Route {
  scopes: readonly string[];
  args: z.ZodType;
  run: ConfigurationAction<never>;
}

/** Arguments of an action match its declaration, which TypeScript does not see through a list of both. */
const routesOf = (declared: Record<string, Omit<Route, 'run'>>, runs: object): [string, Route][] =>
  Object.entries(runs as Record<string, ConfigurationAction<never>>).map(([name, run]) => [
    name,
    { ...declared[name]!, run },
  ]);
const { list_webhook_names, ...registration } = webhookConfiguration;
const actions: ReadonlyMap<string, Route> = new Map([
  ...routesOf(registration, webhookConfigurationActions),
  ...routesOf(botConfiguration, botActions),
  ...routesOf(accountPropertyConfiguration, accountPropertyActions),
]);
const own: ReadonlyMap<string, Route> = new Map(
  routesOf({ list_webhook_failures: listWebhookFailures }, { list_webhook_failures: webhookFailures }),
);

export function addConfiguration(app: Hono, account: ServiceAccount, reach: Reach): void {
  const answer = async (context: Context, routes: ReadonlyMap<string, Route>): Promise<Response> => {
    const { method, headers } = context.req.raw;
    const name = context.req.param('action') ?? '';
    const is_names = routes === actions && name === 'list_webhook_names';
    const route = routes.get(name);
    if (!route && !is_names) throw refuse.v3('not_found');
    if (method !== 'POST') throw refuse.v3('validation', `actions are sent with POST, not with ${method}`);
    if (is_names) return said(namesIn(read(list_webhook_names.args, await jsonOf(context))));
    if (!/^bearer /i.test(headers.get('authorization') ?? '')) throw refuse.v3('authentication', 'No Bearer token');
    const caller = callerOf(account, headers);
    demand(caller, route!.scopes);
    const args = read(route!.args, await jsonOf(context)) as never;
    return said(account.store.transact(() => route!.run({ account, caller, args, reach })));
  };
  app.all('/v3.5/configuration/action/:action', (context) => answer(context, actions));
  app.all('/configuration/action/:action', (context) => {
    const version = context.req.header('x-api-version');
    if (version !== '3.5')
      throw refuse.v3('unsupported_version', `X-API-Version: must be 3.5, not ${version?.slice(0, 20) ?? 'missing'}`);
    return answer(context, actions);
  });
  app.all('/:version{v3\\.\\d+}/configuration/action/:action', () => {
    throw refuse.v3('unsupported_version');
  });
  app.all('/chatledger/action/:action', (context) => answer(context, own));
}

const said = (body: unknown): Response => answerText(200, body, new URLSearchParams());

function namesIn({ version = '3.5' }: z.infer<typeof list_webhook_names.args>): object[] {
  if (version !== '3.5') throw refuse.v3('unsupported_version', 'version: must be 3.5');
  return webhookNames();
}
