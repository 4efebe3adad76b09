// One reconciled cell: the source's number, the archive's number, the difference and the first matching reason.
import type { Value } from '#warehouse/engine.ts';

export const reasons = [
  'not_pulled',
  'settling',
  'capped',
  'changed_after',
  'agent_removed',
  'equal',
  'rounding',
  'edge',
  'unexplained',
] as const;
export type DifferenceReason = (typeof reasons)[number];

export interface ReconciledCell {
  account: string;
  metric: string;
  timezone: string;
  grain: 'day' | 'hour';
  split: 'account' | 'group' | 'agent';
  /** Group id or login; empty for the whole account. */
  split_value: string;
  /** `YYYY-MM-DD` or `YYYY-MM-DD HH:00`. */
  period: string;
  /** The deciding number: the first that differs, otherwise the first. A currency follows after a colon. */
  measure: string;
  /** As in the report. */
  reported: number | null;
  /** Recomputed and rounded as the report rounds. */
  recomputed: number | null;
  difference: number | null;
  reason: DifferenceReason;
}

/** Two values of one number. `digits` null: a count. */
export interface ComparedPair {
  measure: string;
  reported: number | null;
  recomputed: number | null;
  digits: number | null;
}

/** The rounding of the reports, as docs/counting.md has it. */
export const roundedTo = (value: number | null, digits: number | null): number | null =>
  value === null || digits === null ? value : Math.floor(value * 10 ** digits + 0.5 + 1e-7) / 10 ** digits;

export const numberOf = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** How far apart they are, after rounding; null against a number is as far as the number. */
export const apart = ({ reported, recomputed, digits }: ComparedPair): number => {
  const ours = roundedTo(recomputed, digits);
  if (reported === null && ours === null) return 0;
  if (reported === null || ours === null) return Infinity;
  return Math.abs(reported - ours);
};

/** Facts about a cell besides its numbers. */
export interface CellFacts {
  is_pulled: boolean;
  is_complete: boolean;
  is_capped: boolean;
  is_changed_after: boolean;
  is_agent_removed: boolean;
  /** Records of the period may belong to chats of days that are not pulled. */
  may_lack_chats?: boolean;
}

/**
 * The first matching reason. Excuses apply only where there is a difference: a complete cell that agrees is `equal`, whatever happened to
 * its chats since. `edge` needs neighbouring cells and is set in edges.ts.
 */
export function reasonFor(pairs: readonly ComparedPair[], about: CellFacts): DifferenceReason {
  if (!about.is_pulled) return 'not_pulled';
  if (!about.is_complete) return 'settling';
  const worst = pairs.reduce((most, pair) => Math.max(most, unitsApart(pair)), 0);
  if (worst === 0) return 'equal';
  if (about.is_capped) return 'capped';
  if (about.is_changed_after) return 'changed_after';
  if (about.is_agent_removed) return 'agent_removed';
  if (worst <= 1) return 'rounding';
  return about.may_lack_chats && pairs.every(isAtLeastOurs) ? 'not_pulled' : 'unexplained';
}

const isAtLeastOurs = ({ reported, recomputed }: ComparedPair): boolean =>
  reported !== null && reported >= (recomputed ?? 0);

/** Difference in units of the last reported digit; a count has no decimals, so a difference of one is already large. */
function unitsApart(pair: ComparedPair): number {
  const difference = apart(pair);
  if (difference < 1e-9) return 0;
  if (pair.digits === null || difference === Infinity) return Infinity;
  return Math.round(difference * 10 ** pair.digits * 1e6) / 1e6;
}

/** The number that a reader should see: the first that differs, else the first. */
export const deciding = (pairs: readonly ComparedPair[]): ComparedPair | undefined =>
  pairs.find((pair) => unitsApart(pair) > 0) ?? pairs[0];
