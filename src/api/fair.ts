// Agents compared with what was expected of them, over HTTP.
import type { Hono } from 'hono';
import { fairAgents, describeOutcome } from '#reports/fair/fair.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import { compareAgents, type FairAgents } from './contract/fair.ts';
import type { ApiDeps } from './deps.ts';
import { assertNamed, questionIn, wantedOf } from './question.ts';

const names = Object.keys(compareAgents.query.shape);

export function addFair(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(compareAgents.path, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    assertNamed(parameters, names);
    const wanted = wantedOf(everyChat, parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<FairAgents>(
      c,
      asked,
      `expected of agents ${search}`,
      async (context) => {
        const { from, to, timezone, compared, hidden } = await fairAgents(wanted, context);
        const about = { snapshot: context.snapshot.id, ...(asked.as_of === undefined ? {} : { as_of: asked.as_of }) };
        const outcomes = compared.map(describeOutcome);
        return { ...about, account: context.account.id, timezone, from, to, outcomes, hidden };
      },
      () => Promise.resolve(true),
    );
  });
}
