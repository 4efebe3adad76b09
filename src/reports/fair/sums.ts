// Sums over cells at given levels by the columns of a design: first by the values of its factors and by pairs of values, which are few,
// then by the columns derived from each value.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import type { Design, Factor } from './covariates.ts';
import type { MeasuredCells, PerFactor } from './measured.ts';

/** Shares, or logarithms of seconds with the variance of one of them around its level. */
export type OutcomeKind = { of: 'shares' } | { of: 'logarithms'; variance: number };

/** The level of a cell is the sum of those of its values and of its agent. */
export interface Levels {
  byPlace: PerFactor<Float64Array>;
  byAgent: Float64Array;
}

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

export const add = (to: Float64Array, place: number, what: number): void => {
  to[place] = (to[place] ?? 0) + what;
};

/** Sums by value of each factor, and by pairs of values. */
export interface PlaceSums {
  weights: PerFactor<Float64Array>;
  /** How far outcomes lie above their levels. */
  slopes: PerFactor<Float64Array>;
  /** Weights by value of the second, third and third factor, each with one entry per value of the first, first and second. */
  pairs: PerFactor<Float64Array>;
}

const perFactor = (
  { factors: [first, second, third] }: Design,
  of: (factor: Factor) => Float64Array,
): PerFactor<Float64Array> => [of(first), of(second), of(third)];

export function noSums(design: Design): PlaceSums {
  const [first, second, third] = design.factors;
  const byPair = (later: Factor, earlier: Factor): Float64Array => new Float64Array(later.size * earlier.size);
  return {
    weights: perFactor(design, ({ size }) => new Float64Array(size)),
    slopes: perFactor(design, ({ size }) => new Float64Array(size)),
    pairs: [byPair(second, first), byPair(third, first), byPair(third, second)],
  };
}

/** Cells of one agent, from `from` up to `to`. */
interface Span {
  agent: number;
  from: number;
  to: number;
}

/**
 * Adds cells to `sums`; returns their weight and slope as a whole. TRICKY: a call that is not inlined allocates each number that it takes,
 * so that this loop, the longest of all, calls nothing.
 */
export function addCells(
  { design, places, count, sum }: MeasuredCells,
  { agent, from, to }: Span,
  { byPlace, byAgent }: Levels,
  kind: OutcomeKind,
  { weights, slopes, pairs }: PlaceSums,
): { weight: number; slope: number } {
  const [firsts, seconds, thirds] = places;
  const [ofFirst, ofSecond, ofThird] = byPlace;
  const [firstWeights, secondWeights, thirdWeights] = weights;
  const [firstSlopes, secondSlopes, thirdSlopes] = slopes;
  const [secondFirst, thirdFirst, thirdSecond] = pairs;
  const firstSize = design.factors[0].size;
  const secondSize = design.factors[1].size;
  const isShare = kind.of === 'shares';
  const certainty = isShare ? 1 : 1 / kind.variance;
  const ofAgent = byAgent[agent] ?? 0;
  let weighed = 0;
  let above = 0;
  for (let cell = from; cell < to; cell += 1) {
    const first = firsts[cell] ?? 0;
    const second = seconds[cell] ?? 0;
    const third = thirds[cell] ?? 0;
    const many = count[cell] ?? 0;
    const level = (ofFirst[first] ?? 0) + (ofSecond[second] ?? 0) + (ofThird[third] ?? 0) + ofAgent;
    const expected = isShare ? 1 / (1 + Math.exp(-level)) : level;
    const weight = many * (isShare ? expected * (1 - expected) : certainty);
    const slope = ((sum[cell] ?? 0) - many * expected) * certainty;
    weighed += weight;
    above += slope;
    firstWeights[first] = (firstWeights[first] ?? 0) + weight;
    secondWeights[second] = (secondWeights[second] ?? 0) + weight;
    thirdWeights[third] = (thirdWeights[third] ?? 0) + weight;
    firstSlopes[first] = (firstSlopes[first] ?? 0) + slope;
    secondSlopes[second] = (secondSlopes[second] ?? 0) + slope;
    thirdSlopes[third] = (thirdSlopes[third] ?? 0) + slope;
    const inSecond = second * firstSize + first;
    secondFirst[inSecond] = (secondFirst[inSecond] ?? 0) + weight;
    const inThird = third * firstSize + first;
    thirdFirst[inThird] = (thirdFirst[inThird] ?? 0) + weight;
    const inBoth = third * secondSize + second;
    thirdSecond[inBoth] = (thirdSecond[inBoth] ?? 0) + weight;
  }
  return { weight: weighed, slope: above };
}

/** Cells added before it is asked whether others wait. */
const at_once = 16_384;

/** Errors: Cancelled. */
export async function sumsAt(cells: MeasuredCells, levels: Levels, kind: OutcomeKind, turn: TimeSlice): Promise<Sums> {
  const { design, starts } = cells;
  const { agents, columns } = design;
  const many = agents.length;
  const all = noSums(design);
  const sums: Sums = {
    ...{ columns: new Float64Array(columns * columns), between: new Float64Array(columns * many) },
    ...{ agents: new Float64Array(many), slopes: new Float64Array(columns), agentSlopes: new Float64Array(many) },
  };
  for (let agent = 0; agent < many; agent += 1) {
    const weights = perFactor(design, ({ size }) => new Float64Array(size));
    const end = starts[agent + 1] ?? 0;
    for (let from = starts[agent] ?? 0; from < end; from += at_once) {
      if (turn.isOver()) await turn.next();
      const span = { agent, from, to: Math.min(from + at_once, end) };
      const own = addCells(cells, span, levels, kind, { ...all, weights });
      add(sums.agents, agent, own.weight);
      add(sums.agentSlopes, agent, own.slope);
    }
    for (const [at, factor] of design.factors.entries())
      addOfAgent(factor, weights[at] ?? weights[0], all.weights[at] ?? weights[0], sums.between, { agent, many });
  }
  addByColumn(design, all, sums);
  return sums;
}

/** Adds an agent's weights by value of a factor to those of all, and to the agent's own by column. */
function addOfAgent(
  { columns, width }: Factor,
  weights: Float64Array,
  all: Float64Array,
  between: Float64Array,
  { agent, many }: { agent: number; many: number },
): void {
  for (let place = 0; place < weights.length; place += 1) {
    const weight = weights[place] ?? 0;
    all[place] = (all[place] ?? 0) + weight;
    for (let of = place * width; of < (place + 1) * width; of += 1) {
      const to = (columns[of] ?? 0) * many + agent;
      between[to] = (between[to] ?? 0) + weight;
    }
  }
}

export type ColumnSums = Pick<Sums, 'columns' | 'slopes'>;

export const noColumnSums = ({ columns }: Design): ColumnSums => ({
  ...{ columns: new Float64Array(columns * columns), slopes: new Float64Array(columns) },
});

/** Adds sums per value up to sums per column, which are zero before. */
export function addByColumn(design: Design, { weights, slopes, pairs }: PlaceSums, sums: ColumnSums): void {
  const { columns, factors } = design;
  for (const [at, factor] of factors.entries())
    addOfFactor(factor, weights[at] ?? weights[0], slopes[at] ?? slopes[0], columns, sums);
  const [first, second, third] = factors;
  addPairs(sums.columns, columns, { later: second, earlier: first, weights: pairs[0] });
  addPairs(sums.columns, columns, { later: third, earlier: first, weights: pairs[1] });
  addPairs(sums.columns, columns, { later: third, earlier: second, weights: pairs[2] });
}

function addOfFactor(
  { columns, width }: Factor,
  weights: Float64Array,
  slopes: Float64Array,
  size: number,
  sums: ColumnSums,
): void {
  for (let place = 0; place < weights.length; place += 1) {
    const weight = weights[place] ?? 0;
    for (let row = place * width; row < (place + 1) * width; row += 1) {
      const own = columns[row] ?? 0;
      sums.slopes[own] = (sums.slopes[own] ?? 0) + (slopes[place] ?? 0);
      // The columns of a value ascend, so that only the lower half is filled.
      for (let of = place * width; of <= row; of += 1) {
        const to = own * size + (columns[of] ?? 0);
        sums.columns[to] = (sums.columns[to] ?? 0) + weight;
      }
    }
  }
}

interface PairSums {
  later: Factor;
  earlier: Factor;
  weights: Float64Array;
}

/** For each value of the later factor, first adds up the columns of the earlier one. */
function addPairs(to: Float64Array, size: number, { later, earlier, weights }: PairSums): void {
  const row = new Float64Array(earlier.end - earlier.first);
  const { columns, width } = earlier;
  for (let place = 0; place < later.size; place += 1) {
    row.fill(0);
    let isEmpty = true;
    for (let other = 0; other < earlier.size; other += 1) {
      const weight = weights[place * earlier.size + other] ?? 0;
      if (weight === 0) continue;
      isEmpty = false;
      for (let of = other * width; of < (other + 1) * width; of += 1) {
        const at = (columns[of] ?? 0) - earlier.first;
        row[at] = (row[at] ?? 0) + weight;
      }
    }
    if (isEmpty) continue;
    for (let of = place * later.width; of < (place + 1) * later.width; of += 1) {
      const from = (later.columns[of] ?? 0) * size + earlier.first;
      for (let at = 0; at < row.length; at += 1) to[from + at] = (to[from + at] ?? 0) + (row[at] ?? 0);
    }
  }
}
