// The API questions of a panel; the caller adds the filters of the page.
import type { Panel, Span } from './panel.ts';

export interface Question {
  metric: string;
  split: string[];
  grain: 'asked' | 'total' | 'hour';
  /** As the page compares, or always with the days before. */
  compare: boolean | 'previous';
  /** Other days than those of the filters. */
  span?: Span;
}

/** The questions of a panel in order: its own metric first, then those of measures from elsewhere; a tile adds its spark. */
export function questions(panel: Panel): Question[] {
  const split = panel.split ?? [];
  if (panel.span === 'today') return today(panel, split);
  if (panel.picture === 'tile') {
    const total: Question = { metric: panel.metric, split, grain: 'total', compare: true };
    return [total, { metric: panel.metric, split, grain: 'asked', compare: true }];
  }
  const metrics = [...new Set([panel.metric, ...panel.measures.map((it) => it.metric ?? panel.metric)])];
  const rest = { grain: panel.grain, compare: panel.compare ?? false, ...(panel.span ? { span: panel.span } : {}) };
  if (panel.picture === 'split') return divided(panel, metrics);
  if (panel.picture !== 'changes') return metrics.map((metric) => ({ metric, split, ...rest }));
  // Its periods tell whether the change of the whole is more than chance.
  return metrics.flatMap((metric): Question[] => [
    ...[[], ...(panel.by ?? []).map((it) => [it])].map((split) => ({ metric, split, ...rest, compare: true })),
    { metric, split: [], grain: 'asked', compare: true },
  ]);
}

/** By period, and over the whole range to rank the values: by the basis, or by chats if there is none. */
function divided({ split = [], grain, unit, basis }: Panel, metrics: string[]): Question[] {
  const of = (metric: string, grain: Question['grain']): Question => ({ metric, split, grain, compare: false });
  const isCounted = basis !== undefined || unit === 'count' || unit === 'hours';
  return [
    ...metrics.flatMap((metric) => [of(metric, grain), of(metric, 'total')]),
    ...(isCounted ? [] : [of('total_chats', 'total')]),
  ];
}

/**
 * Today so far beside the same weekday a week ago up to the same time, and of a count also that day by hour, for what is otherwise known by
 * whole days.
 */
function today({ metric, unit }: Panel, split: string[]): Question[] {
  const now: Question = { metric, split, grain: 'total', compare: 'previous', span: 'today' };
  return [now, ...(unit === 'count' ? [{ ...now, grain: 'hour', compare: false, span: 'week_ago' } as const] : [])];
}
