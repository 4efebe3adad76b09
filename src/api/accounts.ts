// The accounts and what can be chosen in them: agents, groups, tags, goals.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { accountOf, accountsOf, nowOf, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { problem } from './metrics.ts';
import { onlyOne, questionIn, wantedTagsOf } from './question.ts';
import { contextIn, type QueryContext } from '#warehouse/context.ts';
import { listOf, tagsOf, type WantedTags } from '#warehouse/read/account-lists.ts';
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
        more_tags: z.boolean().openapi({ description: 'There are more than were asked for' }),
        goals: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    ),
  })
  .openapi('Accounts');

async function described(context: QueryContext, { most, find }: WantedTags): Promise<object> {
  const { id, timezone, since } = context.account;
  const [agents, groups, tags, goals] = await Promise.all([
    listOf(context, 'agents'),
    listOf(context, 'groups'),
    tagsOf(context, { most: most === undefined ? undefined : most + 1, find }),
    listOf(context, 'goals'),
  ]);
  return {
    ...{ id, timezone, since, agents: agents.map(({ id: login, name }) => ({ login, name })), groups },
    ...{ tags: tags.slice(0, most), more_tags: tags.length > (most ?? Infinity), goals },
  };
}

export function addAccounts(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/accounts',
    summary: 'Accounts with their agents, groups, tags and goals',
    request: {
      query: z.object({
        account: z.string().optional().openapi({ description: 'This one only' }),
        tags: z.string().optional().openapi({ description: 'At most so many tags; all of them without' }),
        find: z.string().optional().openapi({ description: 'Tags that hold this text, in any case' }),
      }),
    },
    responses: {
      200: { description: 'The accounts', content: { 'application/json': { schema: Accounts } } },
      304: { description: 'What you have is still right' },
      400: problem('What is wrong with the question'),
    },
  });
  app.get('/accounts', (c) => {
    const reader = readerOf(deps, c);
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const wanted = wantedTagsOf(parameters);
    const asked = onlyOne(parameters, 'account');
    const [snapshot, now] = [snapshotOf(deps), nowOf(deps)];
    const accounts = asked === undefined ? accountsOf(deps, reader) : [accountOf(deps, reader, asked)];
    const of = async (account: (typeof accounts)[number]): Promise<object> =>
      described(await contextIn(reader, snapshot, account, now), wanted);
    const key = JSON.stringify([readerKey(reader), snapshot.id, 'accounts', accounts, wanted]);
    return answers.answerAs(c, key, async () => ({ accounts: await Promise.all(accounts.map(of)) }));
  });
}
