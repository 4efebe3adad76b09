// The accounts and what can be chosen in them: agents, groups, tags, goals.
import type { Hono } from 'hono';
import type { AnswerCache, AsJson } from './answers.ts';
import { listAccounts, type Account as Listed } from './contract/accounts.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { accountOf, accountsOf, nowOf, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { onlyOne, questionIn, wantedTagsOf } from './question.ts';
import { contextIn, type QueryContext } from '#warehouse/query/context.ts';
import { listOf, otherGroups, tagsOf, type WantedTags } from '#warehouse/read/account-lists.ts';
import { variablesOf } from '#warehouse/read/variables.ts';
import { readerKey } from '#warehouse/query/reader.ts';

async function described(context: QueryContext, { most, find }: WantedTags): Promise<AsJson<Listed>> {
  const { id, timezone, since, simulated = false } = context.account;
  const [agents, groups, other_groups, tags, goals, variables] = await Promise.all([
    listOf(context, 'agents'),
    listOf(context, 'groups'),
    otherGroups(context),
    tagsOf(context, { most: most === undefined ? undefined : most + 1, find }),
    listOf(context, 'goals'),
    variablesOf(context),
  ]);
  return {
    ...{
      id,
      timezone,
      since,
      simulated,
      agents: agents.map(({ id: login, name }) => ({ login, name })),
      groups,
      other_groups,
    },
    ...{ tags: tags.slice(0, most), more_tags: tags.length > (most ?? Infinity), goals, variables },
  };
}

export function addAccounts(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(listAccounts.path, (c) => {
    const reader = readerOf(c);
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const wanted = wantedTagsOf(parameters);
    const asked = onlyOne(parameters, 'account');
    const [snapshot, now] = [snapshotOf(deps), nowOf(deps)];
    const accounts = asked === undefined ? accountsOf(deps, reader) : [accountOf(deps, reader, asked)];
    const of = async (account: (typeof accounts)[number]): Promise<AsJson<Listed>> =>
      described(await contextIn(reader, snapshot, account, now), wanted);
    const key = JSON.stringify([readerKey(reader), snapshot.id, 'accounts', accounts, wanted]);
    return answers.answerAs<AnswerOf<typeof listAccounts>>(c, key, async () => ({
      accounts: await Promise.all(accounts.map(of)),
    }));
  });
}
