// Asks for the numbers of every agent: one question for each metric, split by agent.
import { agentQuestions, chatsOf } from '#dashboards/agent-columns.ts';
import { askExpected, soon } from '#lib/expected.ts';
import { ask, questionAddress, type MetricOutcome } from '#lib/metric-question.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { inTime, pageWait } from '#lib/page-wait.ts';
import type { PageLoad } from './$types.js';

/** From this many agents on, trends are weekly: a year of days for each would be most of the page. */
const MANY = 60;
/** Up to this many chats, expectations are computed before the page is sent; above it, the page comes first. */
const WEIGHED_AT_ONCE = 100_000;

/** The outcome of the question about a metric. */
export interface _AskedMetric {
  metric: string;
  outcome: MetricOutcome;
}

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { account, metrics } = frame;
  const filters = filtersAt(url, frame, { stays: ['sort', 'order', 'name', 'col'] });
  if (!account) return { filters, outcomes: [] as _AskedMetric[] | Promise<_AskedMetric[]>, expected: null };
  const trend =
    account.agents.length > MANY && filters.grain === 'day' ? { ...filters, grain: 'week' as const } : filters;
  const asked = agentQuestions().map((question) => {
    const metric = metrics.find(({ id }) => id === question.metric);
    const within = question.grain === 'asked' ? trend : filters;
    return { metric: question.metric, address: questionAddress(question, account.id, within, metric) };
  });
  const all = Promise.all(
    asked.map(async ({ metric, address }): Promise<_AskedMetric> => ({ metric, outcome: await ask(fetch, address) })),
  );
  const wait = pageWait(frame.page_wait_ms, url);
  const known = asked.every(({ address }) => wait.isAnswered(address)) ? await inTime(all, wait) : { late: all };
  if ('late' in known) return { filters, outcomes: known.late, expected: null };
  const outcomes = known.value;
  const chats = chatsOf(outcomes.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome.answer] : [])));
  // Requested last: it is the longest computation, and the numbers of the table would wait for it.
  const expected = chats > WEIGHED_AT_ONCE ? null : await soon(askExpected(fetch, account.id, filters));
  return { filters, outcomes, expected };
};
