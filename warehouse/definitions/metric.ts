// Structure of a metric's definition. Each file of metrics/ defines one; compile.ts turns them into SQL.
import type { MetricCheck } from './check.ts';
import type { Dialect, Grain } from '../dialect.ts';
import type { Row, Value } from '../engine.ts';
import type { Recipe } from './recipe.ts';
import type { Uses } from './uses.ts';

/** Everything a metric can be split by, as the API names it; by `account` where a question is about several. */
export const splitNames = [
  ...(['account', 'agent', 'group', 'tag', 'country', 'variable', 'goal', 'currency', 'weekday'] as const),
  ...(['hour_of_day'] as const),
] as const;
export type Split = (typeof splitNames)[number];

/** Everything a metric can be narrowed by. Several values of one kind: any of them; several kinds: all of them. */
export const filterNames = ['group', 'agent', 'tag', 'country', 'variable', 'goal', 'currency'] as const;
export type Filter = (typeof filterNames)[number];

type MetricUnit =
  | 'chats'
  | 'agents'
  | 'visitors'
  | 'tickets'
  | 'seconds'
  | 'hours'
  | 'share'
  | 'goals'
  | 'sales'
  | 'score'
  | 'money'
  | 'greetings';

/** What engines spell differently in a part. */
export type PartTerms = Pick<Dialect, 'quantile' | 'rounded'>;

/** An aggregate over rows, and how partial results of it are merged. */
export interface MeasurePart {
  sql: string | ((terms: PartTerms) => string);
  /** `rows`: cannot be merged from parts (a percentile), and is computed over the rows themselves. */
  merge: 'sum' | 'min' | 'max' | 'rows';
  /** For percentiles: the quantile and its expression. All quantiles of one expression are computed together. */
  quantile?: { of: string; q: number };
}

/** Recomputed from archived chats. Rows are `facts.chats as c` or `facts.chat_goals as g`. */
export interface Archived {
  rows: 'chats' | 'goals';
  /**
   * The role of an agent in filters and splits: took part in the chat, sent its first response, or closed turns (then `seconds` is the
   * mean over those turns; without an agent, over all turns of the chat).
   */
  agent: 'took_part' | 'first_response' | 'turns';
  /** Rows that count at all. */
  where?: string;
  /** Rows that contribute to a part; the others only show which split values exist. */
  brings?: string;
  /**
   * For money: which records of `facts.chat_goals as g` are sales. Over chats, `sold` has what a chat contributed: `chat_id` (null for
   * none) and `turnover`.
   */
  sale?: string;
  /** Split by tag, chats without a tag are a row too. */
  untagged?: true;
  /**
   * Over chats: waits of this kind are measured in business hours. `:seconds` is then a chat's mean over the waits that overlap them,
   * null if none does; `:outside` is true if there are waits but none overlaps.
   */
  businessHours?: 'queue' | 'first_response' | 'turns';
  /** Over chats: `c.next_second` is when the same visitor starts the next chat, looked for this many days ahead. */
  nextWithin?: number;
  parts: Readonly<Record<string, MeasurePart>>;
  /**
   * Instead of counting rows: the chats are laid over each other in time. `end` is the second at which one closes.
   * Parts are then aggregates over stretches: `level` chats open for `length` seconds.
   */
  sweep?: { end: string };
}

/** Added up from stored answers of the source: `reports.<table> as r`. */
export interface ReportedSource {
  table: string;
  /** A second table of the same shape, added with union; its missing columns are 0. */
  beside?: string;
  /** Splits for which the report is pulled, in addition to the whole account. */
  splits: readonly ('agent' | 'group')[];
  /** Splits that are columns of the stored rows, as the agent of a ranking. */
  own?: Readonly<Partial<Record<Split, string>>>;
  where?: string;
  /**
   * Without an agent filter, the rows of all agents are added up, and for a group those of its members. If the metric also covers chats,
   * it is computed per agent with a report, over all of the agent's chats, before being added up.
   */
  each?: 'agent';
  /** An agent's reported numbers are the same in every group: by agent, a group filter selects its members. */
  isOfMembers?: true;
  parts: Readonly<Record<string, MeasurePart>>;
}

interface MeasureDefinition {
  title: string;
  unit: MetricUnit;
  /** Over the parts, by their names. */
  sql: string;
  /** The value without events: 0 for a count, null for a mean. */
  empty: 0 | null;
  /** Which sources it needs. By default all that the metric has. */
  needs?: readonly MetricSource[];
}

export type MetricSource = 'archived' | 'reported';

/** Parts of a chat that may change when it is received again. */
export const aspects = [
  ...(['times', 'rating', 'tags', 'goals', 'messages', 'agents', 'groups', 'queue', 'engagement', 'visitor'] as const),
] as const;
export type Aspect = (typeof aspects)[number];

export interface MetricDefinition extends Uses {
  id: string;
  title: string;
  /** Other words by which people look for it. */
  alsoCalled?: string;
  definition: string;
  version: number;
  /** A: recomputed from archived chats; R: only the Reports API provides it; A+R: both, reconciled. */
  kind: 'A' | 'R' | 'A+R' | 'A+R / R';
  /** How a receipt makes each measure from the chats behind it. */
  recipe: Recipe;
  /** Parts of a chat that it depends on, besides existence and time; everything by default. */
  changedBy?: readonly Aspect[];
  /** Reports with the same numbers: every cell is compared. */
  checks?: readonly MetricCheck[];
  /** Measures that are worked out of compared ones and nothing else; a percentile is not, though its mean is compared. */
  implied?: readonly string[];
  archived?: Archived;
  reported?: ReportedSource;
  measures: Readonly<Record<string, MeasureDefinition>>;
  splits: readonly Split[];
  filters: readonly Filter[];
  grains: readonly Grain[];
  /** Splits that every answer has, asked or not. */
  always?: readonly Split[];
  /** Rows without anything are left out instead of filled in. */
  sparse?: boolean;
  /** Default number of seconds for `:target` in its parts. */
  target?: number;
  /** Measures that are accumulated from zero over the periods of an answer. */
  running?: readonly string[];
  /** Why a measure is not available for a question, or undefined. */
  withheld?: (split: readonly Split[], filters: Partial<Record<Filter, readonly Value[]>>) => Record<string, string>;
  /** Measures computed from the others of a row in the end, for arithmetic that must be exact to the bit. */
  finish?: Readonly<Record<string, (row: Row) => Value>>;
  /** Order within a period; by default by the values of the splits. */
  sort?: (one: Row, other: Row) => number;
}

/**
 * Splits whose values add up, because no chat counts under two of them: a chat has one start and one country, but may have several
 * agents, groups and tags. Concurrent chats never add up.
 */
export function addsUpBy({ splits, archived, running }: MetricDefinition): Split[] {
  if (archived?.sweep || running) return [];
  const apart: Split[] = ['country', 'variable', 'weekday', 'hour_of_day', ...ofOneAgent(archived)];
  return splits.filter((split) => apart.includes(split));
}

const ofOneAgent = (archived: Archived | undefined): Split[] => (archived?.agent === 'first_response' ? ['agent'] : []);

const allGrains: readonly Grain[] = ['hour', 'day', 'week', 'month', 'total'];
const chatSplits: readonly Split[] = ['agent', 'group', 'tag', 'country', 'variable', 'weekday', 'hour_of_day'];
const chatFilters: readonly Filter[] = ['group', 'agent', 'tag', 'country', 'variable'];

type Defaulted = 'version' | 'splits' | 'filters' | 'grains';
type MetricInput<Id extends string> = Omit<MetricDefinition, Defaulted> &
  Partial<Pick<MetricDefinition, Defaulted>> & { id: Id };

/** A metric over chats with the usual defaults; the definition states what differs. */
export const chatMetric = <const Id extends string>(definition: MetricInput<Id>): MetricDefinition & { id: Id } => ({
  version: 1,
  splits: chatSplits,
  filters: chatFilters,
  grains: allGrains,
  ...definition,
});

/** A metric that only the Reports API provides; it supports the splits and filters it is pulled for. */
export const reportMetric = <const Id extends string>(
  definition: MetricInput<Id> & { reported: ReportedSource },
): MetricDefinition & { id: Id } => ({
  version: 1,
  splits: [...definition.reported.splits, 'weekday', 'hour_of_day'],
  filters: definition.reported.each ? ['group', 'agent'] : definition.reported.splits,
  grains: allGrains,
  ...definition,
});

export const count = (condition?: string): MeasurePart => ({
  sql: condition ? `count(*) filter (where ${condition})` : 'count(*)',
  merge: 'sum',
});
export const sum = (sql: string): MeasurePart => ({ sql: `sum(${sql})`, merge: 'sum' });
/** Billionths, for `sumOfFractions`. */
const whole = '1000000000';
/**
 * A sum of fractions in billionths: sums of integers do not depend on the order of rows, so that a recreated warehouse answers with the
 * same bytes. Values beyond what a clock can count (127 years) are capped.
 */
export const sumOfFractions = (sql: string): MeasurePart => ({
  sql: ({ rounded }) =>
    `sum(cast(${rounded(`case when ${sql} > 4000000000 then 4000000000 else ${sql} end * ${whole}`)} as bigint))`,
  merge: 'sum',
});
/** For reports: the seconds of the cell up to the source's last answer. */
export const elapsed: MeasurePart = { sql: ':elapsed', merge: 'sum' };
export const least = (sql: string): MeasurePart => ({ sql: `min(${sql})`, merge: 'min' });
export const most = (sql: string): MeasurePart => ({ sql: `max(${sql})`, merge: 'max' });
export const quantile = (sql: string, q: number): MeasurePart => ({
  sql: (terms) => terms.quantile(sql, q),
  merge: 'rows',
  quantile: { of: sql, q },
});

/** A count: 0 where nothing happened. */
export const number = (
  title: string,
  unit: MetricUnit,
  sql: string,
  needs?: readonly MetricSource[],
): MeasureDefinition => ({
  title,
  unit,
  sql,
  empty: 0,
  ...(needs ? { needs } : {}),
});

/** A mean, a share or a percentile: null where nothing happened, never zero. */
export const mean = (
  title: string,
  unit: MetricUnit,
  sql: string,
  needs?: readonly MetricSource[],
): MeasureDefinition => ({
  ...number(title, unit, sql, needs),
  empty: null,
});

/** What `sumOfFractions` added up. */
export const fractions = (part: string): string => `cast(${part} as double precision) / ${whole}`;

/** The mean of a sum from `sumOfFractions`; null if the divisor is 0. */
export const fractionsOver = (dividend: string, divisor: string): string =>
  `cast(${dividend} as double precision) / nullif(${divisor} * cast(${whole} as double precision), 0)`;

/** A quotient that is null when the divisor is 0. */
export const over = (dividend: string, divisor: string): string =>
  `cast(${dividend} as double precision) / nullif(${divisor}, 0)`;
