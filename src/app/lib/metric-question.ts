// A question about a metric under the filters of a page: its address, and what came of it.
import type { MetricAnswer as Answered, Metric } from '#api/contract/metrics.ts';
import type { Answer } from '#dashboards/answer.ts';
import type { Grain } from '#dashboards/panel.ts';
import type { Question } from '#dashboards/questions.ts';
import { addressOf, outcomeOf, type Outcome } from './api.ts';
import { spanOf } from './dates.ts';
import type { Filters } from './filters.ts';

/** What came of a question, as panels read it. */
export type MetricOutcome = Outcome<Answer>;

const coarseness: Grain[] = ['hour', 'day', 'week', 'month'];

/** The asked grain, or the next coarser one that the metric has. */
export function grainFor(metric: Metric | undefined, asked: Grain): Grain {
  if (!metric || metric.grains.includes(asked)) return asked;
  return coarseness.slice(coarseness.indexOf(asked) + 1).find((grain) => metric.grains.includes(grain)) ?? asked;
}

/** The address of a question under the page's filters. */
export function questionAddress(
  question: Question,
  account: string,
  filters: Filters,
  metric: Metric | undefined,
): string {
  const query = new URLSearchParams({ account, ...spanOf(question.span, filters), timezone: filters.timezone });
  query.set('grain', question.grain === 'asked' ? grainFor(metric, filters.grain) : question.grain);
  if (question.split.length) query.set('split', question.split.join(','));
  for (const kind of ['group', 'agent', 'tag'] as const) for (const value of filters[kind]) query.append(kind, value);
  if (question.compare && filters.compare !== 'none') query.set('compare', filters.compare);
  if (metric?.target !== undefined) query.set('target', String(filters.target));
  return addressOf('GET /metrics/{id}', { params: { id: question.metric }, query });
}

/** A refusal with the titles of metrics in place of their ids. */
export function inTitles(text: string, metrics: Metric[]): string {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b|^[a-z]+\b/g, (id) => {
    const found = metrics.find((metric) => metric.id === id);
    return found ? `“${found.title}”` : id;
  });
}

/** Asks at the address of a question. */
export const ask = (fetch: typeof globalThis.fetch, address: string): Promise<MetricOutcome> =>
  outcomeOf<Answered>(fetch, 'GET /metrics/{id}', address);
