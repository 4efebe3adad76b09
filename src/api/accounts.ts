// The accounts and what can be chosen in them: agents, groups, tags, goals.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { accountsOf, nowOf, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { contextIn, type QueryContext } from '#warehouse/context.ts';
import { listOf, tagsOf } from '#warehouse/read/account-lists.ts';
import { readerKey } from '#warehouse/reader.ts';

const Accounts = z
  .object({
    accounts: z.array(
      z.object({
        id: z.string(),
        timezone: z.string(),
        since: z.string(),
        agents: z.array(z.object({ login: z.string(), name: z.string() })),
        groups: z.array(z.object({ id: z.int(), name: z.string() })),
        tags: z.array(z.string()),
        goals: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    ),
  })
  .openapi('Accounts');

async function described(context: QueryContext): Promise<object> {
  const { id, timezone, since } = context.account;
  const [agents, groups, tags, goals] = await Promise.all([
    listOf(context, 'agents'),
    listOf(context, 'groups'),
    tagsOf(context),
    listOf(context, 'goals'),
  ]);
  return { id, timezone, since, agents: agents.map(({ id: login, name }) => ({ login, name })), groups, tags, goals };
}

export function addAccounts(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/accounts',
    summary: 'Accounts with their agents, groups, tags and goals',
    responses: {
      200: { description: 'The accounts', content: { 'application/json': { schema: Accounts } } },
      304: { description: 'What you have is still right' },
    },
  });
  app.get('/accounts', (c) => {
    const reader = readerOf(deps, c);
    const [snapshot, accounts, now] = [snapshotOf(deps), accountsOf(deps, reader), nowOf(deps)];
    const of = async (account: (typeof accounts)[number]): Promise<object> =>
      described(await contextIn(reader, snapshot, account, now));
    const key = JSON.stringify([readerKey(reader), snapshot.id, 'accounts', accounts]);
    return answers.answerAs(c, key, async () => ({ accounts: await Promise.all(accounts.map(of)) }));
  });
}
