// What is compared with what: for each number that both the archive and a report give, the two places where it stands.

/** One number of a cell: the metric's measure, the report's column, and the digits that the report rounds to. */
export interface Compared {
  measure: string;
  column: string;
  /** Digits after the point; null for a count, which must be equal. */
  digits: number | null;
}

export interface Check {
  /** The name under which its cells are filed: the metric's. */
  metric: string;
  /** The metric that is recomputed, when it is another. */
  recomputed?: string;
  /** Table of the schema `reports`. */
  table: string;
  numbers: readonly Compared[];
  splits: readonly ('account' | 'group' | 'agent')[];
  grains: readonly ('day' | 'hour')[];
  /** Rows of the table that this check is about. */
  where?: string;
  /** Both sides are divided further by this column and split. */
  by?: 'currency';
}

const counts = (...names: readonly string[]): Compared[] =>
  names.map((name) => ({ measure: name, column: name, digits: null }));
const everybody = ['account', 'group', 'agent'] as const;
const both = ['day', 'hour'] as const;
const means = [...counts('count'), { measure: 'seconds', column: 'seconds', digits: 2 }];
const wait = (name: string): Compared => ({ measure: name, column: name, digits: 0 });

/** Rankings are compared row by row (ranking.ts); everything else is declared here. */
export const checks: readonly Check[] = [
  { metric: 'total_chats', table: 'total_chats', numbers: counts('chats'), splits: everybody, grains: both },
  {
    metric: 'engagement',
    table: 'engagement',
    numbers: counts('chats_from_auto_invite', 'chats_from_manual_invite', 'chats_from_immediate_start'),
    splits: everybody,
    grains: both,
  },
  {
    metric: 'not_replied_chats',
    table: 'not_replied_chats',
    numbers: counts('not_replied'),
    splits: everybody,
    grains: both,
  },
  {
    metric: 'chat_ratings',
    table: 'chat_ratings',
    numbers: counts('good', 'bad', 'chats'),
    splits: everybody,
    grains: both,
  },
  { metric: 'first_response_time', table: 'first_response_time', numbers: means, splits: everybody, grains: both },
  { metric: 'response_time', table: 'response_time', numbers: means, splits: everybody, grains: both },
  {
    metric: 'chatting_time',
    table: 'chatting_time',
    numbers: [{ measure: 'hours', column: 'hours', digits: 2 }],
    splits: everybody,
    grains: both,
  },
  {
    metric: 'concurrent_chats',
    table: 'agents_occupancy',
    numbers: counts('most'),
    splits: ['account'],
    grains: ['hour'],
  },
  {
    metric: 'queued_visitors',
    table: 'queued_visitors',
    numbers: counts('entered_chat'),
    splits: ['account', 'group'],
    grains: both,
  },
  {
    metric: 'waiting_times',
    table: 'waiting_times',
    numbers: [
      ...counts('entered_chat_count'),
      ...['entered_chat_min', 'entered_chat_max', 'entered_chat_average'].map(wait),
    ],
    splits: ['account', 'group'],
    grains: both,
  },
  {
    metric: 'goals',
    table: 'goals',
    numbers: counts('goals'),
    splits: everybody,
    grains: both,
    where: "sales_tracker = 0 and currency = ''",
  },
  {
    metric: 'goals',
    table: 'goals',
    numbers: [...counts('sales_count'), { measure: 'value', column: 'value', digits: 2 }],
    splits: everybody,
    grains: both,
    where: "sales_tracker = 1 and currency <> ''",
    by: 'currency',
  },
  {
    metric: 'greetings',
    recomputed: 'engagement',
    table: 'greetings',
    numbers: [{ measure: 'chats_from_auto_invite', column: 'accepted', digits: null }],
    splits: ['account', 'group'],
    grains: both,
  },
];

/** Measures that are worked out of compared ones and nothing else; a percentile is not, though its mean is compared. */
const implied: Readonly<Record<string, readonly string[]>> = {
  chat_ratings: ['rated', 'csat', 'csat_low', 'csat_high', 'response_rate'],
  not_replied_chats: ['share'],
  chat_ranking: ['good', 'bad', 'total', 'score'],
};

/** For each metric the measures that the report confirms. */
export function confirmedMeasures(): Record<string, string[]> {
  const confirmed: Record<string, string[]> = {};
  for (const { metric, recomputed, numbers } of checks)
    (confirmed[metric] ??= []).push(...numbers.map(({ measure, column }) => (recomputed ? column : measure)));
  for (const [metric, measures] of Object.entries(implied)) (confirmed[metric] ??= []).push(...measures);
  return confirmed;
}
