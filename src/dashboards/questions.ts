// Which questions a panel asks of the API; the filters of the page are added by whoever asks.
import type { Panel } from './panel.ts';

export interface Question {
  metric: string;
  split: string[];
  grain: 'asked' | 'total';
  compare: boolean;
}

/** The questions of a panel in order: its own metric first, then those of measures from elsewhere; a tile adds its spark. */
export function questions(panel: Panel): Question[] {
  const split = panel.split ?? [];
  if (panel.picture === 'tile') {
    const total: Question = { metric: panel.metric, split, grain: 'total', compare: true };
    return split.length ? [total] : [total, { metric: panel.metric, split, grain: 'asked', compare: false }];
  }
  const metrics = new Set([panel.metric, ...panel.measures.map((it) => it.metric ?? panel.metric)]);
  return [...metrics].map((metric) => ({ metric, split, grain: panel.grain, compare: panel.compare ?? false }));
}
