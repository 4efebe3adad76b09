// A question about a metric under the filters of a page: its address and its outcome.
import type { MetricAnswer as Answered, Metric } from '#api/contract/metrics.ts';
import type { Answer } from '#dashboards/answer.ts';
import { narrowings, parametersOf } from '#dashboards/panel-queries.ts';
import type { Question } from '#dashboards/questions.ts';
import { asChoice } from '#dashboards/refusals.ts';
import { addressOf, outcomeOf, type ApiResult } from './api.ts';
import type { Filters } from './filters.ts';

/** The outcome of a question, in the form that panels use. */
export type MetricOutcome = ApiResult<Answer>;

/** The address of a question under the page's filters. */
export function questionAddress(
  question: Question,
  account: string,
  filters: Filters,
  metric: Metric | undefined,
): string {
  const { from, to, timezone, grain, split, compare, target, ...rest } = parametersOf(question, filters, metric);
  const query = new URLSearchParams({ account, from, to, timezone, grain });
  if (split.length) query.set('split', split.join(','));
  for (const kind of narrowings) for (const value of rest[kind]) query.append(kind, value);
  if (compare) query.set('compare', compare);
  if (target !== undefined) query.set('target', String(target));
  return addressOf('GET /metrics/{id}', { params: { id: question.metric }, query });
}

/** A refusal with the titles of metrics in place of their ids, and choices in place of parameters. */
export function inTitles(text: string, metrics: readonly Metric[]): string {
  return asChoice(text).replace(/\b[a-z]+(?:_[a-z]+)+\b|^[a-z]+\b/g, (id) => {
    const found = metrics.find((metric) => metric.id === id);
    return found ? `“${found.title}”` : id;
  });
}

export const answerOf = (outcome: MetricOutcome | undefined): Answer | undefined =>
  outcome?.kind === 'answered' ? outcome.answer : undefined;

/** Asks at the address of a question. */
export const ask = (fetch: typeof globalThis.fetch, address: string): Promise<MetricOutcome> =>
  outcomeOf<Answered>(fetch, 'GET /metrics/{id}', address);
