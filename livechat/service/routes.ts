// The service's routes: which paths exist, who may ask, how arguments are read and how a request is refused.
import { Hono } from 'hono';
import { z } from 'zod';
import { chatStatus, listIds, lists } from '#contract/account.ts';
import { archive } from '#contract/archive.ts';
import { complaints, flag, queryOf } from '#contract/query.ts';
import { reportIds, reports } from '#contract/reports.ts';
import type { ServiceAccount } from './account.ts';
import { archivedChat, archivePage } from './archive/answer.ts';
import { callerOf, demand, type ServiceCaller } from './callers.ts';
import { addActions, isV3 } from './routes-v3.ts';
import { lifecycleOf, type Lifecycle } from './lifecycle.ts';
import { listsOf } from './lists.ts';
import { groupPresence } from './presence.ts';
import { inV3, refuse, Refusal } from './refusals.ts';
import { answersOf } from './reports/answers.ts';
import { scopes } from './scopes.ts';
import { answerText, refuseForeign, refuseVersion } from './wire.ts';

interface RouteRequest {
  query: Record<string, string | string[]>;
  /** Names in the path. */
  name: string;
  caller: ServiceCaller;
}

type RouteHandler = (asked: RouteRequest) => unknown;
type FindItem = (name: string, caller: string) => unknown;

/** The application; `before` runs ahead of every answer. */
export function createRoutes(account: ServiceAccount, before: () => void, lifecycle: Lifecycle = {}): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('date', new Date(account.now() * 1000).toUTCString());
    for (const [name, date] of lifecycleOf(context.req.path, lifecycle)) context.res.headers.set(name, date);
  });
  app.use(async (context, next) => {
    refuseForeign(context.req.raw.headers);
    await next();
  });
  for (const [path, allowed, answer] of routesOf(account)) {
    app.all(path, async (context) => {
      const { method, headers, url } = context.req.raw;
      const search = new URL(url).searchParams;
      if (method !== 'GET' && method !== 'HEAD') throw refuse.verb(method);
      refuseVersion(headers);
      const caller = callerOf(account, headers);
      demand(caller, allowed);
      before();
      const name = context.req.param('name') ?? '';
      return answerText(200, await answer({ query: queryOf(search), name, caller }), search);
    });
  }
  addActions(app, account, before);
  app.notFound(() => {
    throw refuse.missing();
  });
  app.onError((error, context) => {
    const refusal = error instanceof Refusal ? error : refuse.mistake();
    const { status, body } = isV3(context.req.path) ? inV3(refusal) : refusal;
    return answerText(status, body, new URL(context.req.url).searchParams);
  });
  return app;
}

function* routesOf(
  account: ServiceAccount,
): Generator<[path: string, scopes: readonly string[], answer: RouteHandler]> {
  const answers = answersOf(account);
  for (const id of reportIds) {
    const { path, args } = reports[id];
    yield [path, [], ({ query }) => answers[id](read(args, query))];
  }
  const listed = listsOf(account);
  for (const id of listIds) {
    const { path, args } = lists[id];
    // TypeScript cannot know that the arguments of a list are those of its own handler.
    const { all, one } = listed[id] as { all: (args: unknown) => unknown; one?: FindItem };
    yield [path, scopes[id].all, ({ query }) => all(read<unknown>(args, query))];
    if (one) yield [`${path}/:name`, scopes[id].one, ({ name, caller }) => one(name, caller.agent) ?? missing()];
  }
  yield [archive.path, scopes.chats.all, ({ query }) => archivePage(account, read(archive.args, query))];
  const pending = z.object({ include_pending: flag });
  yield [
    `${archive.path}/:name`,
    scopes.chats.one,
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

function read<T>(args: z.ZodType<T>, query: RouteRequest['query']): T {
  const parsed = args.safeParse(query);
  if (!parsed.success) throw refuse.arguments(...complaints(parsed.error));
  return parsed.data;
}

function missing(): never {
  throw refuse.missing();
}
