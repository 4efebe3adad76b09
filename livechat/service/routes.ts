// The service's routes: which paths exist, who may ask, how arguments are read and how a request is refused.
import { Hono } from 'hono';
import type { z } from 'zod';
import { chatStatus, listIds, lists } from '#contract/account.ts';
import { archive } from '#contract/archive.ts';
import type { Reach } from '#network/reach.ts';
import { complaints, queryOf } from '#contract/query.ts';
import { reportIds, reports } from '#contract/reports.ts';
import { restMethodIds, restMethods } from '#contract/rest-v2.ts';
import type { ServiceAccount } from './account.ts';
import type { SendMail } from './mail.ts';
import { HungUp, whileAsked } from './asking.ts';
import { archivedChat, archivePage } from './archive/answer.ts';
import { agentOf, demand, type ServiceCaller } from './callers.ts';
import { addAuthorization } from './authorization/routes.ts';
import { addConfiguration } from './configuration/routes.ts';
import { addCustomerChat } from './customer-chat/routes.ts';
import { addActions, isV3 } from './routes-v3.ts';
import { addPage } from './face/page.ts';
import { lifecycleOf, type Lifecycle } from './lifecycle.ts';
import { listsOf } from './lists.ts';
import { groupPresence } from './presence.ts';
import { inV3, refuse, Refusal } from './refusals.ts';
import { openApiNamed } from './openapi/interfaces.ts';
import { answersOf } from './reports/answers.ts';
import { writeHandlers } from './writes.ts';
import { answerText, refuseForeign, refuseVersion } from './wire.ts';

interface RouteRequest {
  query: Record<string, string | string[]>;
  /** Names in the path. */
  name: string;
  caller: ServiceCaller;
}

type ReadHandler = (asked: RouteRequest) => unknown;
type FindItem = (name: string, caller: string) => unknown;

/** Called with an error that is not a refusal, and the method and path that it came from; the caller of the request learns nothing of it. */
export type OnMistake = (error: unknown, where: string) => void;

interface RouteOptions {
  lifecycle?: Lifecycle | undefined;
  sendMail?: SendMail | undefined;
  onMistake?: OnMistake | undefined;
  reach: Reach;
  /** The host that the service is bound to. */
  host?: string | undefined;
}

/** The application; `before` runs ahead of every answer. */
export function createRoutes(
  account: ServiceAccount,
  before: () => void,
  { lifecycle = {}, sendMail, onMistake, reach, host = '127.0.0.1' }: RouteOptions,
): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    // Nobody is told of what a crash of the machine may undo.
    await account.store.settled();
    const now = account.now();
    context.res.headers.set('date', new Date(now * 1000).toUTCString());
    for (const [name, date] of lifecycleOf(context.req.path, lifecycle, now)) context.res.headers.set(name, date);
  });
  app.use(async (context, next) => {
    refuseForeign(context.req.raw, host);
    await next();
  });
  const written = writeHandlers(account, sendMail);
  const read = new Map([...readsOf(account)].map(([path, allowed, answer]) => [path, { allowed, answer }]));
  for (const path of new Set([...read.keys(), ...written.keys()])) {
    app.all(path, async (context) => {
      const { method, headers, url } = context.req.raw;
      const search = new URL(url).searchParams;
      const is_reading = method === 'GET' || method === 'HEAD';
      const reading = is_reading ? read.get(path) : undefined;
      const writing = is_reading ? undefined : written.get(path)?.[method];
      if (!reading && !writing) throw is_reading ? refuse.missing() : refuse.verb(method);
      refuseVersion(headers);
      const caller = agentOf(account, headers);
      const name = context.req.param('name') ?? '';
      if (writing)
        return answerText(200, await writing(context.req.raw, { caller, name }, before), new URLSearchParams());
      demand(caller, reading!.allowed);
      before();
      const asked = { query: queryOf(search), name, caller };
      return answerText(200, await whileAsked(context.req.raw, () => reading!.answer(asked)), search);
    });
  }
  addActions(app, account, before);
  addCustomerChat(app, account, { before, reach, sendMail });
  addConfiguration(app, account, reach);
  addAuthorization(app, account);
  app.get('/openapi/:file{.+\\.json}', (context) => {
    const document = openApiNamed(context.req.param('file').slice(0, -'.json'.length));
    if (!document) throw refuse.missing();
    return answerText(200, document, new URLSearchParams());
  });
  addPage(app, account, host);
  app.notFound(() => {
    throw refuse.missing();
  });
  app.onError((error, context) => {
    if (!(error instanceof Refusal) && !(error instanceof HungUp))
      onMistake?.(error, `${context.req.method} ${context.req.path}`);
    const refusal = error instanceof Refusal ? error : refuse.mistake();
    const { status, body } = isV3(context.req.path) ? inV3(refusal) : refusal;
    return answerText(status, body, new URL(context.req.url).searchParams);
  });
  return app;
}

function* readsOf(account: ServiceAccount): Generator<[path: string, scopes: readonly string[], answer: ReadHandler]> {
  const answers = answersOf(account);
  for (const id of reportIds) {
    const { path, args } = reports[id];
    yield [path, [], ({ query }) => answers[id](withoutRemoved(account, read(args, query)))];
  }
  const listed = listsOf(account);
  for (const id of listIds) {
    const { path, args } = lists[id];
    // TypeScript cannot infer that the arguments of a list match its own handler.
    const { all, one } = listed[id] as { all: (args: unknown) => unknown; one?: FindItem };
    yield [path, scopesOf(path), ({ query }) => all(read<unknown>(args, query))];
    const single = `${path}/:name`;
    if (one) yield [single, scopesOf(single), ({ name, caller }) => one(name, caller.agent) ?? missing()];
  }
  yield [archive.path, scopesOf(archive.path), ({ query }) => archivePage(account, read(archive.args, query))];
  const { path, scopes, query: pending } = restMethods.get_chat;
  yield [
    path,
    scopes,
    ({ name, query }) => archivedChat(account, name, read(pending, query).include_pending === '1') ?? missing(),
  ];
  const status = (query: RouteRequest['query']) => {
    const { group = 0 } = read(chatStatus.args, query);
    if (!account.staff.groups.some((each) => each.id === group)) throw refuse.missing();
    return { status: groupPresence(account, group) === 'accepting chats' ? 'online' : 'offline' };
  };
  yield [chatStatus.path, [], ({ query }) => status(query)];
  yield [`${chatStatus.path}/:name`, [], ({ name }) => status({ group: name })];
}

/** The scopes of the method that reads this path. */
function scopesOf(path: string): readonly string[] {
  const id = restMethodIds.find((each) => restMethods[each].verb === 'GET' && restMethods[each].path === path);
  if (!id) throw new Error(`no method of the contract reads ${path}`);
  return restMethods[id].scopes;
}

/** All statistics of a removed agent are lost: a request for such an agent matches nobody. */
function withoutRemoved<A>({ removed }: ServiceAccount, args: A): A {
  if (removed.size === 0 || typeof args !== 'object' || args === null || !('agents' in args)) return args;
  return { ...args, agents: (args.agents as string[]).map((login) => (removed.has(login) ? '' : login)) };
}

function read<T>(args: z.ZodType<T>, query: RouteRequest['query']): T {
  const parsed = args.safeParse(query);
  if (!parsed.success) throw refuse.arguments(...complaints(parsed.error));
  return parsed.data;
}

function missing(): never {
  throw refuse.missing();
}
