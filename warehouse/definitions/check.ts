// Which numbers are compared: those that both a metric and a report of the source provide, and where to find them.

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
  /** The recomputed metric, if it is a different one. */
  recomputed?: string;
  /** Rows of the table that this check is about. */
  where?: string;
  /** Both sides are divided further by this column and split. */
  by?: 'currency';
  /** A cell is a day with all its agents, each of whom must appear with the same figures. */
  isRanking?: true;
}

/** Measures that have the same names in the report. */
export const counts = (...names: readonly string[]): CheckedNumber[] =>
  names.map((name) => ({ measure: name, column: name, digits: null }));
export const rounded = (name: string, digits: number): CheckedNumber => ({ measure: name, column: name, digits });

export const everybody = ['account', 'group', 'agent'] as const;
export const daysAndHours = ['day', 'hour'] as const;
