// The v3.5 routes: actions by POST with a JSON body and a Bearer token; every refusal has the shape of v3.
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { listArchives } from '#contract/list-archives.ts';
import { complaints } from '#contract/query.ts';
import type { ServiceAccount } from './account.ts';
import { callerOf, demand, type ServiceCaller } from './callers.ts';
import { refuse } from './refusals.ts';
import { threadScopes } from './scopes.ts';
import { threadsPage } from './threads/answer.ts';
import { answerText } from './wire.ts';

interface Action {
  scopes: readonly string[];
  answer: (body: unknown, caller: ServiceCaller) => unknown;
}

const actionsOf = (account: ServiceAccount): ReadonlyMap<string, Action> =>
  new Map([
    [
      'list_archives',
      {
        scopes: threadScopes,
        answer: (body, caller) => threadsPage(account, read(listArchives.args, body), caller),
      },
    ],
  ]);

/** Whether errors of this path use the v3 format. */
export const isV3 = (path: string): boolean => /^\/(v3\.\d+\/)?agent\/action\//.test(path);

export function addActions(app: Hono, account: ServiceAccount, before: () => void): void {
  const actions = actionsOf(account);
  const answer = async (context: Context): Promise<Response> => {
    const { method, headers } = context.req.raw;
    const action = actions.get(context.req.param('action') ?? '');
    if (!action) throw refuse.v3('not_found');
    if (method !== 'POST') throw refuse.v3('validation', `actions are sent with POST, not with ${method}`);
    if (!/^bearer /i.test(headers.get('authorization') ?? '')) throw refuse.v3('authentication', 'No Bearer token');
    const caller = callerOf(account, headers);
    demand(caller, action.scopes);
    const body = await bodyOf(context);
    before();
    return answerText(200, await action.answer(body, caller), new URLSearchParams());
  };
  app.all('/v3.5/agent/action/:action', answer);
  app.all('/agent/action/:action', (context) => {
    const version = context.req.header('x-api-version');
    if (version !== '3.5')
      throw refuse.v3('unsupported_version', `X-API-Version: must be 3.5, not ${version ?? 'missing'}`);
    return answer(context);
  });
  app.all('/:version{v3\\.\\d+}/agent/action/:action', () => {
    throw refuse.v3('unsupported_version');
  });
}

async function bodyOf(context: Context): Promise<unknown> {
  try {
    return JSON.parse(await context.req.text()) as unknown;
  } catch {
    throw refuse.v3('validation', 'the body must be JSON, at least {}');
  }
}

function read<T>(args: z.ZodType<T>, body: unknown): T {
  const parsed = args.safeParse(body);
  if (!parsed.success) throw refuse.v3('validation', complaints(parsed.error).join('; '));
  return parsed.data;
}
