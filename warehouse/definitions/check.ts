// What is compared with what: the numbers that a metric and a report of the source both give, and where they stand.

/** One number of a cell: the metric's measure, the report's column, and the digits that the report rounds to. */
export interface CheckedNumber {
  measure: string;
  column: string;
  /** Digits after the point; null for a count, which must be equal. */
  digits: number | null;
}

export interface MetricCheck {
  /** Table of the schema `reports`. */
  table: string;
  numbers: readonly CheckedNumber[];
  splits: readonly ('account' | 'group' | 'agent')[];
  grains: readonly ('day' | 'hour')[];
  /** The metric that is recomputed, when it is another. */
  recomputed?: string;
  /** Rows of the table that this check is about. */
  where?: string;
  /** Both sides are divided further by this column and split. */
  by?: 'currency';
  /** A cell is a day with all its agents, each of whom must stand there with the same figures. */
  isRanking?: true;
}

/** Measures that stand in the report under their own names. */
export const counts = (...names: readonly string[]): CheckedNumber[] =>
  names.map((name) => ({ measure: name, column: name, digits: null }));
export const rounded = (name: string, digits: number): CheckedNumber => ({ measure: name, column: name, digits });

export const everybody = ['account', 'group', 'agent'] as const;
export const daysAndHours = ['day', 'hour'] as const;
