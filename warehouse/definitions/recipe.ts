// How the chats of a cell make its number: what each brings or why it brings nothing, and the sum that is done with it.
import type { Row } from '../engine.ts';
import type { Piece } from '../periods.ts';

/** What one row brings to the number, in words too; or the reason why it does not count. */
type ChatContribution = { value: number; words: string } | { left_out: string };

/** What the arithmetic may look at besides the rows. */
export interface RecipeContext {
  /** Seconds, of a metric that has one. */
  target?: number | undefined;
  /** Real time of the cell, in order. */
  pieces: readonly Piece[];
  /** Rows of the source's own report that belong to the cell, for metrics that need them. */
  stored: readonly Row[];
  /** The metric's statement has a row for the cell. */
  hasRow: boolean;
  /** For metrics that lay chats over each other: opened and closed (Unix seconds) of every chat of the cell. */
  spans: readonly OpenSpan[];
  hours?: OpenHours | undefined;
}

/** Business hours, for metrics that are measured in them. */
export interface OpenHours {
  /** The real time within [from, until) in which a chat of these groups is open, in order. Unix seconds. */
  open: (groups: readonly number[], from: number, until: number) => readonly Piece[];
  /** An instant as clocks of the asked zone show it. */
  clock: (second: number) => string;
}

/** `agent`: whose it is, where chats are laid over each other agent by agent. */
export type OpenSpan = readonly [opened: number, closed: number, agent?: string];

/** How one measure is made. */
export interface MeasureRecipe {
  /** The sum in one sentence. */
  how: string | ((about: RecipeContext) => string);
  /** Of what a row brings. */
  unit: string;
  brings: (row: Row, about: RecipeContext) => ChatContribution;
  /** From everything that was brought. */
  total: (values: readonly number[], about: RecipeContext) => number | null;
  /** Which lines of a chat show what it brings. */
  lines?: 'first response' | 'response' | 'queue';
}

/** How the measures of one metric are made. */
export interface Recipe {
  /**
   * What is read of each row of the metric, as SQL over it: `:chat` is the chat's row in facts.chats, `:seconds` what
   * scan.ts puts there. Nothing for a metric that only the source gives.
   */
  reads: Readonly<Record<string, string>>;
  measures: Readonly<Record<string, MeasureRecipe>>;
  /** Why a chat of the asked agent is not the metric's: somebody else's response. */
  elsewhere?: (row: Row) => string;
}
