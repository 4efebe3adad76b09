// The band of an agent's colleagues over HTTP.
import type { Hono } from 'hono';
import { least_colleagues } from '#reports/team/band.ts';
import { least_basis, teamOf } from '#reports/team/team.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import { getTeam, type Team } from './contract/team.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { assertNamed, onlyOne, questionIn, wantedOf } from './question.ts';

const names = Object.keys(getTeam.query.shape);

export function addTeam(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(getTeam.path, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const { agent: _, ...parameters } = questionIn(searchParams);
    assertNamed(parameters, names);
    const agent = onlyOne(questionIn(searchParams), 'agent');
    if (!agent)
      throw new Declined('bad_request', 'agent is needed: the login of the one whose colleagues are asked about');
    const wanted = wantedOf(everyChat, parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<Team>(c, asked, `team ${search}`, async (context) => {
      const { from, to, timezone, days, figures } = await teamOf(agent, wanted, context);
      const about = { snapshot: context.snapshot.id, ...(asked.as_of === undefined ? {} : { as_of: asked.as_of }) };
      const least = { least_colleagues, least_basis };
      return { ...about, account: context.account.id, timezone, from, to, days, agent, ...least, figures };
    });
  });
}
