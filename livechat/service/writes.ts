// Handles HTTP requests that change something: parses the body, checks rights and scopes, runs one transaction and answers.
import { bodyOf } from '#contract/body.ts';
import { bodySchema, readBody } from '#contract/fields.ts';
import { restMethodIds, restMethods, type RestMethod, type RestMethodId } from '#contract/rest-v2.ts';
import { renew, type ServiceAccount } from './account.ts';
import { isAdministrator } from './actions/action.ts';
import type { SendMail } from './mail.ts';
import { withHashedPassword } from './actions/passwords.ts';
import { actions } from './actions/actions.ts';
import { sendTranscript } from './actions/chats.ts';
import { demand, type ServiceCaller } from './callers.ts';
import { refuse } from './refusals.ts';
import { textWithin } from './wire.ts';

type WriteHandler = (
  request: Request,
  asked: { caller: ServiceCaller; name: string },
  before: () => void,
) => Promise<unknown>;

/** Largest accepted body, in bytes. */
const longest = 512 * 1024;

/** Alternative verbs that the documentation or published clients use for a method. */
const aliases: Partial<Record<RestMethodId, string>> = { update_canned_response: 'POST', reset_api_key: 'PUT' };

/** Handlers keyed by path and verb. */
export function writeHandlers(
  account: ServiceAccount,
  sendMail: SendMail | undefined,
): Map<string, Record<string, WriteHandler>> {
  const found = new Map<string, Record<string, WriteHandler>>();
  for (const id of restMethodIds) {
    const method = restMethods[id];
    if (method.verb === 'GET') continue;
    const handler = handlerOf(account, id, method, sendMail);
    const alias = aliases[id];
    found.set(method.path, {
      ...found.get(method.path),
      [method.verb]: handler,
      ...(alias !== undefined && { [alias]: handler }),
    });
  }
  return found;
}

function handlerOf(
  account: ServiceAccount,
  id: RestMethodId,
  method: RestMethod,
  sendMail: SendMail | undefined,
): WriteHandler {
  const schema = bodySchema(method.body ?? {});
  return async (request, { caller, name }, before) => {
    demand(caller, method.scopes);
    const text = await textWithin(request, longest);
    if (text === undefined) throw refuse.arguments(`request: the body must have at most ${longest} bytes`);
    before();
    demandRights(account, method, caller, name);
    const body = readBody(schema, read(text, request.headers.get('content-type') ?? ''));
    if ('errors' in body) throw refuse.arguments(...body.errors);
    const asked = await withHashedPassword({ account, caller, name, args: body.args, sendMail });
    if (id === 'send_transcript') return sendTranscript(asked);
    const shown = account.store.transact(() => actions[id as keyof typeof actions](asked));
    renew(account);
    return shown();
  };
}

function demandRights(account: ServiceAccount, method: RestMethod, caller: ServiceCaller, name: string): void {
  const is_own = method.who === 'own profile' && caller.agent === name;
  if (method.who === 'anybody' || is_own) return;
  if (!isAdministrator({ account, caller })) throw refuse.rights('do this');
  // A token limited to the agent's own profile must not reach another agent's.
  if (method.who === 'own profile')
    demand(
      caller,
      method.scopes.filter((scope) => !scope.includes('--my')),
    );
}

function read(text: string, type: string): unknown {
  try {
    return bodyOf(text, type);
  } catch (error) {
    throw refuse.arguments(`request: ${error instanceof SyntaxError ? error.message : 'the body cannot be read'}`);
  }
}
