// Asks for the numbers of every agent: one question for each metric, split by agent.
import { agentQuestions } from '#dashboards/agents.ts';
import { askExpected, soon } from '#lib/expected.ts';
import { ask, questionAddress } from '#lib/metric-question.ts';
import { filtersAt } from '#lib/filtered.ts';
import type { PageLoad } from './$types.js';

/** From so many agents on their trends are by week: a year of days of each would be most of the page. */
const MANY = 60;

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { account, metrics } = frame;
  const filters = filtersAt(url, frame);
  if (!account) return { filters, outcomes: [], expected: null };
  const trend =
    account.agents.length > MANY && filters.grain === 'day' ? { ...filters, grain: 'week' as const } : filters;
  const asked = soon(askExpected(fetch, account.id, filters));
  const outcomes = await Promise.all(
    agentQuestions().map(async (question) => {
      const metric = metrics.find(({ id }) => id === question.metric);
      const asked = question.grain === 'asked' ? trend : filters;
      return {
        metric: question.metric,
        outcome: await ask(fetch, questionAddress(question, account.id, asked, metric)),
      };
    }),
  );
  return { filters, outcomes, expected: await asked };
};
