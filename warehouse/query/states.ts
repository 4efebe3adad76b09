// How final a number is: complete, settling, open, not pulled, or not given by the source.
import type { Coverage } from './coverage.ts';
import type { Piece, Slot } from '../periods.ts';

/** From best to worst; a cell made of several parts takes the worst of their states. */
export const states = [
  ...(['complete', 'settling', 'open', 'not_pulled', 'not_given'] as const),
  // Figures of single agents that this reader is not told (few-chats.ts).
  ...(['too_few', 'withheld'] as const),
] as const;
export type PeriodState = (typeof states)[number];

export const worst = (one: PeriodState, other: PeriodState): PeriodState =>
  states.indexOf(one) >= states.indexOf(other) ? one : other;

/** Index of the last day that begins at or before a second; -1 if there is none. */
function dayAt(coverage: Coverage, second: number): number {
  let low = 0;
  let high = coverage.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((coverage[middle]?.from ?? Infinity) <= second) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The Unix second up to which all time from `from` on is complete; `from` or earlier if none is. */
export function completeUntil(from: number, coverage: Coverage, now: number, settlingDays: number): number {
  const settled = now - settlingDays * 86_400;
  let reached = from;
  for (let at = Math.max(0, dayAt(coverage, from)); reached < settled; at++) {
    const day = coverage[at];
    if (!day || day.from > reached || day.until <= reached) break;
    if (day.pulled < day.until) return Math.min(settled, Math.max(reached, day.pulled));
    reached = day.until;
  }
  // TRICKY: not cut to `from`: an hour skipped at `from` has an empty piece, which is not complete before it has settled.
  return Math.min(reached, settled);
}

function stateOfPiece(piece: Piece, coverage: Coverage, now: number, settlingSeconds: number): PeriodState {
  if (piece.from >= now && piece.until >= now) return 'open';
  const end = Math.min(piece.until, now);
  let isOpen = piece.until > now;
  let reached = piece.from;
  for (let at = Math.max(0, dayAt(coverage, piece.from)); reached < end; at++) {
    const day = coverage[at];
    if (!day || day.from > reached || day.until <= reached) return 'not_pulled';
    reached = day.until;
    // TRICKY: pulled while the day was still running: events after that pull are missing.
    if (day.pulled < Math.min(day.until, piece.until)) isOpen = true;
  }
  if (isOpen) return 'open';
  return piece.until + settlingSeconds > now ? 'settling' : 'complete';
}

/** The state of a cell. `now` in Unix seconds. An hour that a clock change skipped has an empty piece and is complete. */
export function stateOf(pieces: readonly Piece[], coverage: Coverage, now: number, settlingDays: number): PeriodState {
  let state: PeriodState = 'complete';
  for (const piece of pieces) {
    state = worst(state, stateOfPiece(piece, coverage, now, settlingDays * 86_400));
    if (state === 'not_pulled') return state;
  }
  return state;
}

/** `missing`: how many of several accounts the cell does not hold whole. */
export interface CellState {
  state: PeriodState;
  missing?: number;
}

export type StateOfSlot = (slot: Slot) => PeriodState;

/** States for one list of pulled days: most cells lie within complete time; for the others each piece is checked. */
export function statesBy(from: number, coverage: Coverage, now: number, settlingDays: number): StateOfSlot {
  const complete = completeUntil(from, coverage, now, settlingDays);
  return (slot) => stateOf(slot.pieces(complete), coverage, now, settlingDays);
}
