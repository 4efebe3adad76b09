// For each metric that the archive gives: the report that must say the same, and how its numbers are read from both.
import type { Row } from '#warehouse/engine.ts';
import type { ReportId } from '#contract/reports.ts';

/** The vendor's rounding, as docs/counting.md has it. */
export const rounded = (value: unknown, digits: number): number | null =>
  value === null || value === undefined ? null : Math.floor(Number(value) * 10 ** digits + 0.5 + 1e-7) / 10 ** digits;

export interface Pair {
  metric: string;
  report: ReportId;
  query?: Record<string, string>;
  split?: string;
  /** The numbers of one cell of the answer of the metric; several rows when it is split. */
  ours: (rows: readonly Row[]) => unknown;
  /** The same numbers of one period of the report. */
  theirs: (each: never) => unknown;
  takes: readonly ('group' | 'agent' | 'tag')[];
}

const all = ['group', 'agent', 'tag'] as const;
const only = (rows: readonly Row[]): Row => rows[0] ?? {};
type Counts = Record<string, number>;
type Wait = { count: number; min: { seconds: number }; max: { seconds: number }; average: { seconds: number } };

const same = (metric: ReportId, measures: readonly string[]): Pair => ({
  metric,
  report: metric,
  ours: (rows) => measures.map((name) => only(rows)[name]),
  theirs: (each: Counts) => measures.map((name) => each[name]),
  takes: all,
});

const response = (metric: 'first_response_time' | 'response_time', key: string): Pair => ({
  metric,
  report: metric,
  ours: (rows) => [only(rows).count, rounded(only(rows).seconds, 2)],
  theirs: (each: Record<string, { count: number; seconds: number | null }>) => [each[key]?.count, each[key]?.seconds],
  takes: all,
});

export const pairs: readonly Pair[] = [
  same('total_chats', ['chats']),
  same('engagement', ['chats_from_auto_invite', 'chats_from_manual_invite', 'chats_from_immediate_start']),
  same('not_replied_chats', ['not_replied']),
  same('chat_ratings', ['good', 'bad', 'chats']),
  response('first_response_time', 'first_response_time'),
  response('response_time', 'avg_response_time'),
  {
    metric: 'chatting_time',
    report: 'chatting_time',
    ours: (rows) => rounded(only(rows).hours, 2),
    theirs: (each: { hours: number }) => each.hours,
    takes: all,
  },
  {
    metric: 'queued_visitors',
    report: 'queued_visitors',
    ours: (rows) => only(rows).entered_chat,
    theirs: (each: { entered_chat: { count: number } }) => each.entered_chat.count,
    takes: ['group'],
  },
  {
    metric: 'waiting_times',
    report: 'waiting_times',
    ours: (rows) => {
      const { entered_chat_count: count, entered_chat_min, entered_chat_max, entered_chat_average } = only(rows);
      return [
        count,
        ...[entered_chat_min, entered_chat_max, entered_chat_average].map((x) => (count ? rounded(x, 0) : 0)),
      ];
    },
    theirs: ({ entered_chat: w }: { entered_chat: Wait }) => [w.count, w.min.seconds, w.max.seconds, w.average.seconds],
    takes: ['group'],
  },
  {
    metric: 'goals',
    report: 'goals',
    query: { sales_tracker: '0' },
    ours: (rows) => only(rows).goals,
    theirs: (each: { goals: number }) => each.goals,
    takes: all,
  },
  {
    metric: 'goals',
    report: 'goals',
    query: { sales_tracker: '1' },
    split: 'currency',
    ours: (rows) =>
      rows
        .filter((row) => Number(row.sales_count) > 0)
        .map((row) => [row.currency, row.sales_count, rounded(row.value, 2)])
        .sort(),
    theirs: (each: { value: Record<string, { sales_count: number; value: number }> }) =>
      Object.entries(each.value)
        .map(([currency, sold]) => [currency, sold.sales_count, sold.value])
        .sort(),
    takes: all,
  },
];
