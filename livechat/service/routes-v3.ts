// The routes of the Agent Chat Web API v3.5: actions by POST with a Bearer token, a JSON body or a file; refusals have the shape of v3.
import type { Context, Hono } from 'hono';
import type { ActionV3 } from '#contract/actions.ts';
import { agentActionNames, agentActions, type AgentActionName } from '#contract/agent-chat.ts';
import type { ServiceAccount } from './account.ts';
import { whileAsked } from './asking.ts';
import { requestOf, type AgentAction } from './agent-chat/action.ts';
import { agentHandlers } from './agent-chat/actions.ts';
import { callerOf, demand } from './callers.ts';
import { formOf, jsonOf, read } from './bodies-v3.ts';
import { servedFile } from './live/files.ts';
import { refuse } from './refusals.ts';
import { answerText } from './wire.ts';

/** Whether errors of this path use the v3 format. */
export const isV3 = (path: string): boolean =>
  /^\/(v3\.\d+\/)?(agent|customer|configuration|chatledger)\/action\//.test(path);

export function addActions(app: Hono, account: ServiceAccount, before: () => void): void {
  const answer = async (context: Context): Promise<Response> => {
    const { method, headers, url } = context.req.raw;
    const name = agentActionNames.find((each) => each === context.req.param('action'));
    if (!name) throw refuse.v3('not_found');
    const action: ActionV3 = agentActions[name];
    if (method !== 'POST') throw refuse.v3('validation', `actions are sent with POST, not with ${method}`);
    if (!/^bearer /i.test(headers.get('authorization') ?? '')) throw refuse.v3('authentication', 'No Bearer token');
    const caller = callerOf(account, headers);
    demand(caller, action.scopes);
    const body = action.is_upload ? await formOf(context) : await jsonOf(context);
    before();
    const asked = requestOf(account, name, caller, read(action.args, body) as never, new URL(url).origin);
    // TypeScript cannot infer that the arguments of an action match its own handler.
    const handle = agentHandlers[name] as AgentAction<AgentActionName>;
    return answerText(200, await whileAsked(context.req.raw, () => handle(asked)), new URLSearchParams());
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
  app.get('/files/:id/:name', (context) => servedFile(account, context.req.param('id')) ?? context.notFound());
}
