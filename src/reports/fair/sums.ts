// Sums over cells at given levels by the columns of a design: first by the values of its factors, which are few, then by the columns
// derived from each value.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import type { Design, Factor } from './covariates.ts';

/** Number of outcomes in each cell, and their sum (for shares: how many happened). */
export interface CellSums {
  count: Float64Array;
  sum: Float64Array;
}

/** Shares, or logarithms of seconds with the variance of one of them around its level. */
export type OutcomeKind = { of: 'shares' } | { of: 'logarithms'; variance: number };

/** Second derivatives and gradient of the fit: by column, by agent, and between them. */
export interface Sums {
  /** Lower half. */
  columns: Float64Array;
  /** Stored column by column, one entry per agent. */
  between: Float64Array;
  agents: Float64Array;
  slopes: Float64Array;
  agentSlopes: Float64Array;
}

export const shareAt = (level: number): number => 1 / (1 + Math.exp(-level));

export const add = (to: Float64Array, place: number, what: number): void => {
  to[place] = (to[place] ?? 0) + what;
};

/** Weight of a cell at a level, and how far its outcomes lie above that level. */
export function weighed(
  count: number,
  sum: number,
  level: number,
  kind: OutcomeKind,
): { weight: number; above: number } {
  if (kind.of === 'logarithms') return { weight: count / kind.variance, above: (sum - count * level) / kind.variance };
  const share = shareAt(level);
  return { weight: count * share * (1 - share), above: sum - count * share };
}

/** Cells processed per batch, before they are added by agent, by value and by pairs of values. */
const at_once = 4096;

/** Sums per value of a factor. */
interface FactorSums extends Factor {
  weights: Float64Array;
  slopes: Float64Array;
  /** Stored value by value, one entry per agent. */
  between: Float64Array;
}

/** Errors: Cancelled. */
export async function sumsAt(
  design: Design,
  outcomes: CellSums,
  levels: Float64Array,
  kind: OutcomeKind,
  turn: TimeSlice,
): Promise<Sums> {
  const { agents, agentOf } = design;
  const many = agents.length;
  const sums = { agents: new Float64Array(many), agentSlopes: new Float64Array(many) };
  const factors = design.factors.map((factor): FactorSums => {
    const { size } = factor;
    return { ...factor, ...tables(size, many) };
  });
  const pairs = factors.flatMap((later, at) =>
    factors.slice(0, at).map((earlier) => ({ later, earlier, weights: new Float64Array(later.size * earlier.size) })),
  );
  const weights = new Float64Array(at_once);
  const above = new Float64Array(at_once);
  for (let from = 0; from < agentOf.length; from += at_once) {
    if (turn.isOver()) await turn.next();
    const count = Math.min(at_once, agentOf.length - from);
    for (let at = 0; at < count; at += 1) {
      const cell = from + at;
      const own = weighed(outcomes.count[cell] ?? 0, outcomes.sum[cell] ?? 0, levels[cell] ?? 0, kind);
      weights[at] = own.weight;
      above[at] = own.above;
    }
    const agent = agentOf.subarray(from, from + count);
    addBy(sums.agents, agent, weights);
    addBy(sums.agentSlopes, agent, above);
    for (const { places, weights: byPlace, slopes, between } of factors) {
      const own = places.subarray(from, from + count);
      addBy(byPlace, own, weights);
      addBy(slopes, own, above);
      addByTwo(between, own, many, agent, weights);
    }
    for (const { later, earlier, weights: byPair } of pairs)
      addByTwo(
        byPair,
        later.places.subarray(from, from + count),
        earlier.size,
        earlier.places.subarray(from, from + count),
        weights,
      );
  }
  return { ...sums, ...byColumn(design, factors, pairs) };
}

const tables = (size: number, many: number): Pick<FactorSums, 'weights' | 'slopes' | 'between'> => ({
  ...{ weights: new Float64Array(size), slopes: new Float64Array(size), between: new Float64Array(size * many) },
});

function addBy(to: Float64Array, places: Int32Array, what: Float64Array): void {
  for (let at = 0; at < places.length; at += 1) add(to, places[at] ?? 0, what[at] ?? 0);
}

function addByTwo(to: Float64Array, rows: Int32Array, size: number, columns: Int32Array, what: Float64Array): void {
  for (let at = 0; at < rows.length; at += 1) add(to, (rows[at] ?? 0) * size + (columns[at] ?? 0), what[at] ?? 0);
}

interface PairSums {
  later: Factor;
  earlier: Factor;
  /** Stored by value of the later factor, one entry per value of the earlier one. */
  weights: Float64Array;
}

/** Adds sums per value up to sums per column. */
function byColumn(
  { columns, agents }: Design,
  factors: readonly FactorSums[],
  pairs: readonly PairSums[],
): Pick<Sums, 'columns' | 'between' | 'slopes'> {
  const many = agents.length;
  const sums = {
    ...{ columns: new Float64Array(columns * columns), between: new Float64Array(columns * many) },
    slopes: new Float64Array(columns),
  };
  for (const { size, width, columns: columnsOf, weights, slopes, between } of factors)
    for (let place = 0; place < size; place += 1) {
      const own = columnsOf.subarray(place * width, (place + 1) * width);
      for (const column of own) {
        add(sums.slopes, column, slopes[place] ?? 0);
        for (let agent = 0; agent < many; agent += 1)
          add(sums.between, column * many + agent, between[place * many + agent] ?? 0);
      }
      addSquare(sums.columns, columns, own, own, weights[place] ?? 0);
    }
  for (const { later, earlier, weights } of pairs)
    for (let row = 0; row < later.size; row += 1)
      for (let place = 0; place < earlier.size; place += 1) {
        const weight = weights[row * earlier.size + place] ?? 0;
        if (weight !== 0) addSquare(sums.columns, columns, columnsAt(later, row), columnsAt(earlier, place), weight);
      }
  return sums;
}

export const columnsAt = ({ columns, width }: Factor, place: number): Int32Array =>
  columns.subarray(place * width, (place + 1) * width);

/** Adds to the lower half of a matrix, for each row and each column that does not exceed it. */
function addSquare(to: Float64Array, size: number, rows: Int32Array, columns: Int32Array, weight: number): void {
  for (const row of rows) for (const column of columns) if (column <= row) add(to, row * size + column, weight);
}
