// The accounts and what can be chosen in them: agents, groups, tags, goals.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import type { AccountSetting, Door } from './door.ts';
import type { Engine } from '#warehouse/engine.ts';

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

async function described(engine: Engine, { id, timezone, since }: AccountSetting): Promise<object> {
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

export function addAccounts(app: OpenAPIHono, door: Door, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/accounts',
    summary: 'Accounts with their agents, groups, tags and goals',
    responses: {
      200: { description: 'The accounts', content: { 'application/json': { schema: Accounts } } },
      304: { description: 'What you have is still right' },
    },
  });
  app.get('/accounts', (c) =>
    answers.answer(c, door, `accounts ${JSON.stringify(door.accounts())}`, async ({ engine }) => ({
      accounts: await Promise.all(door.accounts().map((account) => described(engine, account))),
    })),
  );
}
