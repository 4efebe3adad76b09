// How the chats of a cell produce its number: what each contributes or why it contributes nothing, and how these are combined.
import type { Dialect } from '../dialect.ts';
import type { Row } from '../engine.ts';
import type { Piece } from '../periods.ts';

/** What one row contributes to the number, also in words, or the reason why it does not count. */
type ChatContribution = { value: number; words: string } | { left_out: string };

/** What the calculation may read besides the rows. */
export interface RecipeContext {
  /** Seconds, for metrics that are measured against a target. */
  target?: number | undefined;
  /** The time ranges of the cell, in order. */
  pieces: readonly Piece[];
  /** Rows of the vendor's own report for the cell, for metrics that need them. */
  stored: readonly Row[];
  /** Whether the metric's query returned a row for the cell. */
  hasRow: boolean;
  /** For metrics about overlapping chats: opened and closed (Unix seconds) of every chat of the cell. */
  spans: readonly OpenSpan[];
  hours?: OpenHours | undefined;
}

/** Business hours, for metrics measured in them. */
export interface OpenHours {
  /** The parts of [from, until) in which a chat of these groups counts, in order. Unix seconds. */
  open: (groups: readonly number[], from: number, until: number) => readonly Piece[];
  /** An instant formatted as local time of the requested zone. */
  clock: (second: number) => string;
}

/** `agent`: whose chat it is, where overlaps are counted per agent. */
export type OpenSpan = readonly [opened: number, closed: number, agent?: string];

/** How one measure is calculated. */
export interface MeasureRecipe {
  /** The calculation in one sentence. */
  how: string | ((about: RecipeContext) => string);
  /** Unit of a row's contribution. */
  unit: string;
  brings: (row: Row, about: RecipeContext) => ChatContribution;
  /** Combines all contributions. */
  total: (values: readonly number[], about: RecipeContext) => number | null;
  /** Which lines of a chat show its contribution. */
  lines?: 'first response' | 'response' | 'queue';
}

/** How the measures of one metric are calculated. */
export interface Recipe {
  /**
   * What to read for each row of the metric, as SQL: `:chat` is the chat's row in facts.chats, `:seconds` the expression that scan.ts
   * inserts. Empty for a metric that only the source provides.
   */
  reads: Readonly<Record<string, string | ((dialect: Dialect) => string)>>;
  measures: Readonly<Record<string, MeasureRecipe>>;
  /** Why a chat of the requested agent does not count: the response is somebody else's. */
  elsewhere?: (row: Row) => string;
}
