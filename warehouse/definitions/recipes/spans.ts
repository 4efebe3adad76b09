// Recipes of chats laid over each other in time: how long at least one was open, and how many were at once.
import type { Row } from '../../engine.ts';
import type { Piece } from '../../periods.ts';
import type { RecipeContext, MeasureRecipe, Recipe, OpenSpan } from '../recipe.ts';
import { duration, numberOf, sumOf } from './arithmetic.ts';

const spanOf = (row: Row): OpenSpan => [numberOf(row, 'opened') ?? 0, numberOf(row, 'closed') ?? 0];

/** Index of the first piece that is not over at a second. */
function pieceAt(pieces: readonly Piece[], second: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.until ?? Infinity) <= second) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parts of a span within the cell. */
function within(pieces: readonly Piece[], [opened, closed]: OpenSpan): OpenSpan[] {
  const parts: OpenSpan[] = [];
  for (let at = pieceAt(pieces, opened); at < pieces.length; at++) {
    const piece = pieces[at];
    if (!piece || piece.from >= closed) break;
    const part: OpenSpan = [Math.max(opened, piece.from), Math.min(closed, piece.until)];
    if (part[0] < part[1]) parts.push(part);
  }
  return parts;
}

const secondsOf = (parts: readonly OpenSpan[]): number => sumOf(parts.map(([from, until]) => until - from));

/** Seconds of a span within the cell. */
export const secondsWithin = (pieces: readonly Piece[], span: OpenSpan): number => secondsOf(within(pieces, span));

const inOrder = (pieces: readonly Piece[], spans: readonly OpenSpan[]): OpenSpan[] =>
  spans.flatMap((span) => within(pieces, span)).sort((one, other) => one[0] - other[0]);

/** Seconds of the cell in which at least one was open. */
export function unionSeconds(pieces: readonly Piece[], spans: readonly OpenSpan[]): number {
  let [seconds, reached] = [0, -Infinity];
  for (const [from, until] of inOrder(pieces, spans)) {
    seconds += Math.max(0, until - Math.max(from, reached));
    reached = Math.max(reached, until);
  }
  return seconds;
}

/** The first second at which as many are open as ever in the cell, and how many. */
function busiest(about: RecipeContext): { at: number; most: number } {
  const open: number[] = [];
  let found = { at: 0, most: 0 };
  for (const [from, until] of inOrder(about.pieces, about.spans)) {
    // TRICKY: of those still open only the number matters, so the earliest end is found in a heap.
    while (open.length > 0 && (open[0] ?? Infinity) <= from) pop(open);
    push(open, until);
    if (open.length > found.most) found = { at: from, most: open.length };
  }
  return found;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] ?? 0) <= value) break;
    heap[at] = heap[parent] ?? 0;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if ((heap[child + 1] ?? Infinity) < (heap[child] ?? Infinity)) child += 1;
    if ((heap[child] ?? Infinity) >= last) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = last;
}

const open = (how: string, total: MeasureRecipe['total']): MeasureRecipe => ({
  how,
  unit: 'seconds',
  brings: (row, about) => {
    const seconds = secondsWithin(about.pieces, spanOf(row));
    return seconds > 0 ? { value: seconds, words: `open for ${duration(seconds)}` } : { left_out: 'of no length' };
  },
  total,
});

const hoursOf = (seconds: number): number => seconds / 3600;

export const chattingTime: Recipe = {
  reads: { opened: ':chat.started_second', closed: ':chat.ended_second' },
  measures: {
    hours: open('hours in which at least one of the listed chats was open, each moment once', (_, about) =>
      hoursOf(unionSeconds(about.pieces, about.spans)),
    ),
    chat_hours: open('sum of the hours that the listed chats were open', (values) => hoursOf(sumOf(values))),
  },
};

const peaks = new WeakMap<RecipeContext, { at: number; most: number }>();
function peakOf(about: RecipeContext): { at: number; most: number } {
  let peak = peaks.get(about);
  if (!peak) peaks.set(about, (peak = busiest(about)));
  return peak;
}
const instant = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');

export const concurrentChats: Recipe = {
  reads: { opened: ':chat.started_second', closed: 'greatest(:chat.ended_second, :chat.started_second + 1)' },
  measures: {
    most: {
      how: (about) =>
        peakOf(about).most === 0
          ? 'no chat was open'
          : `number of the listed chats: they were open at ${instant(peakOf(about).at)}, the busiest moment`,
      unit: 'chats',
      brings: (row, about) => {
        const [opened, closed] = spanOf(row);
        const { at } = peakOf(about);
        return opened <= at && at < closed
          ? { value: 1, words: `open at ${instant(at)}` }
          : { left_out: 'not open at the busiest moment' };
      },
      total: sumOf,
    },
    mean: open('seconds that the listed chats were open, divided by the seconds of the period', (values, about) => {
      const whole = secondsOf(about.pieces.map(({ from, until }): OpenSpan => [from, until]));
      // Without a chat in the whole range there is no mean; an empty period of somebody with chats is 0.
      return whole === 0 || !about.hasRow ? null : sumOf(values) / whole;
    }),
  },
};
