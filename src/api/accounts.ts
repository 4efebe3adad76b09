// The accounts and what can be chosen in them: agents, groups, tags, goals.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { accountsOf, nowOf, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { contextIn, type QueryContext } from '#warehouse/context.ts';
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

async function described({ snapshot, account }: QueryContext): Promise<object> {
  const { engine } = snapshot;
  const { id, timezone, since } = account;
  const of = { account: id };
  const [agents, groups, tags, goals] = await Promise.all([
    engine.query('select login, name\nfrom account.agents\nwhere account = $account\norder by name, login', of),
    engine.query('select group_id as id, name\nfrom account.groups\nwhere account = $account\norder by group_id', of),
    engine.query(
      'select name as tag\nfrom account.tags\nwhere account = $account\nunion\nselect tag\nfrom facts.chat_tags\n' +
        'where account = $account\norder by tag',
      of,
    ),
    engine.query('select goal_id as id, name\nfrom account.goals\nwhere account = $account\norder by goal_id', of),
  ]);
  return { id, timezone, since, agents, groups, tags: tags.map((row) => row.tag), goals };
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
