// Small answers for the pictures' tests.
import type { Answer, AnswerRow, State } from '#dashboards/answer.ts';
import type { Panel } from '#dashboards/panel.ts';
import { light } from '#dashboards/theme.ts';

export const setting = { theme: light, locale: 'en-GB' };

export function answer(rows: AnswerRow[], more: Partial<Answer> = {}): Answer {
  return { metric: 'm', timezone: 'UTC', from: '2026-11-01', to: '2026-11-05', grain: 'day', rows, ...more };
}

/** One row per day, by default from 1 November; a value that is not a number leaves the measure null. */
export function days(
  measure: string,
  values: (number | null)[],
  states: State[] = [],
  first = '2026-11-01',
): AnswerRow[] {
  return values.map((value, index) => ({
    period: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    [measure]: value,
    state: states[index] ?? 'complete',
  }));
}

export function panel(more: Partial<Panel> = {}): Panel {
  return {
    id: 'p',
    title: 'Title',
    sentence: 'What it means.',
    unit: 'count',
    picture: 'lines',
    metric: 'm',
    measures: [{ measure: 'n', label: 'chats' }],
    grain: 'asked',
    empty: 'What would be here.',
    ...more,
  };
}

interface Series {
  type: string;
  data: unknown[];
  lineStyle?: { type?: unknown };
}

/** The series of a chart option that carry data. */
export function series(option: unknown): Series[] {
  const held = option as { series: Series[] };
  return held.series.filter((it) => it.data.length > 0);
}

/** The numbers of a series whose points may be bare or wrapped. */
export function numbers(it: Series | undefined): unknown[] {
  return (it?.data ?? []).map((point) =>
    typeof point === 'object' && point !== null && 'value' in point ? point.value : point,
  );
}
