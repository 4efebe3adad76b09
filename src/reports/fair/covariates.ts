// Covariates for the expected outcome: circumstances of a chat that agents do not control, and how large each effect may be. Excludes the
// agent's own speed and the tags that agents set.
import type { Numbers } from '#warehouse/engine.ts';
import type { TimeSlice } from '#warehouse/time-slice.ts';
import { choleskyOf, inverseOf } from './cholesky.ts';

/** Cells of chats with equal circumstances and one agent each, stored by column. */
export interface Covariates {
  /** Logins; `agent` holds each cell's index into this list. */
  agents: readonly string[];
  agent: Numbers;
  /** The lowest and highest group id. */
  firstGroup: Numbers;
  lastGroup: Numbers;
  /** Hour of the week: 0 (Monday 00:00) to 167. */
  hourOfWeek: Numbers;
  /** Class of the wait in the queue; -1 without a queue. */
  wait: Numbers;
  /** Class of the number of chats open at the start. */
  load: Numbers;
  /** 1 or 0. */
  isReturning: Numbers;
}

interface Covariate {
  id: 'all' | 'group' | 'weekday' | 'part_of_day' | 'hour' | 'hour_of_week' | 'wait' | 'load' | 'returning';
  /** Maps the factor's value to the covariate's value. */
  valueOf: (value: number) => number;
  /**
   * Prior standard deviation of the effects, in log odds of a share or in logarithms of seconds: two effects in three are expected to be
   * smaller. The ridge penalty of a value is one over its square.
   */
  spread: number;
}

/** Covariates derived from the same number of a cell, so that cells are summed once per value of that number. */
type FactorOf = (cells: Covariates) => { valueOf: (cell: number) => number; covariates: readonly Covariate[] };

const itself = (value: number): number => value;

const ofGroup: FactorOf = ({ firstGroup, lastGroup }) => {
  const places = new Map<string, number>();
  let [first, last, place] = [NaN, NaN, 0];
  return {
    valueOf: (cell) => {
      // Cells of one group are adjacent, so the text is rarely rebuilt.
      if (firstGroup[cell] === first && lastGroup[cell] === last) return place;
      [first, last] = [firstGroup[cell] ?? 0, lastGroup[cell] ?? 0];
      const groups = `${first} ${last}`;
      place = places.get(groups) ?? places.size;
      places.set(groups, place);
      return place;
    },
    covariates: [
      // The intercept may be almost anything; without a limit it would diverge where every rating is good.
      { id: 'all', valueOf: () => 0, spread: 10 },
      { id: 'group', valueOf: itself, spread: 1 },
    ],
  };
};

const ofTime: FactorOf = ({ hourOfWeek }) => ({
  valueOf: (cell) => hourOfWeek[cell] ?? 0,
  covariates: [
    { id: 'weekday', valueOf: (hour) => Math.floor(hour / 24), spread: 0.3 },
    { id: 'part_of_day', valueOf: (hour) => Math.floor((hour % 24) / 6), spread: 0.5 },
    { id: 'hour', valueOf: (hour) => hour % 24, spread: 0.35 },
    { id: 'hour_of_week', valueOf: itself, spread: 0.25 },
  ],
});

/** More than the number of classes of either. */
const classes = 32;

const ofQueue: FactorOf = ({ wait, load, isReturning }) => ({
  valueOf: (cell) => (((wait[cell] ?? 0) + 1) * classes + (load[cell] ?? 0)) * 2 + (isReturning[cell] ?? 0),
  covariates: [
    { id: 'wait', valueOf: (value) => Math.floor(value / 2 / classes), spread: 0.5 },
    { id: 'load', valueOf: (value) => Math.floor(value / 2) % classes, spread: 0.5 },
    { id: 'returning', valueOf: (value) => value % 2, spread: 0.5 },
  ],
});

/**
 * Prior spread of agents while effects are estimated. Each agent has a level of their own, so that no agent's chats influence what is
 * expected of them.
 */
export const spread_of_agents = 0.5;

export interface Factor {
  /** Value of the factor in each cell, numbered from 0. */
  places: Int32Array;
  /** Number of values. */
  size: number;
  /** `width` column indices per value, ascending. */
  columns: Int32Array;
  width: number;
  /** The factor's columns are those from `first` up to `end`, which the next factor follows. */
  first: number;
  end: number;
}

/** The design matrix: each cell's agent, and its value in each factor. */
export interface Design {
  agents: readonly string[];
  agentOf: Int32Array;
  factors: readonly [Factor, Factor, Factor];
  columns: number;
  /** Ridge penalty between columns; lower half. */
  penalty: Float64Array;
}

/** Numbers values, which are small whole numbers, in the order of their first appearance. */
async function placesOf(
  count: number,
  valueOf: (index: number) => number,
  turn: TimeSlice,
): Promise<{ places: Int32Array; values: number[] }> {
  const places = new Int32Array(count);
  const known: number[] = [];
  const values: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 16_384 === 0 && turn.isOver()) await turn.next();
    const value = valueOf(index);
    let place = known[value];
    if (place === undefined) {
      place = values.push(value) - 1;
      known[value] = place;
    }
    places[index] = place;
  }
  return { places, values };
}

/** Columns of a factor, counted from its first, and the penalty between them (square, of `many` columns). */
interface FactorColumns {
  columns: Int32Array;
  width: number;
  many: number;
  penalty: Float64Array;
}

/**
 * One column for each value of each covariate. Where a covariate has a value of its own for each value of the factor, one column for each
 * value of the factor takes in all covariates: its effect is the sum of theirs, so that two effects vary together as far as they share
 * covariates. That is the same model with fewer columns.
 */
function columnsOf(values: readonly number[], covariates: readonly Covariate[]): FactorColumns {
  const own = covariates.map(({ valueOf }) => values.map(valueOf));
  if (own.some((each) => new Set(each).size === values.length)) {
    const many = values.length;
    const together = new Float64Array(many * many);
    for (const [at, each] of own.entries())
      for (let row = 0; row < many; row += 1)
        for (let column = 0; column <= row; column += 1)
          if (each[row] === each[column])
            together[row * many + column] = (together[row * many + column] ?? 0) + (covariates[at]?.spread ?? 0) ** 2;
    const penalty = inverseOf(choleskyOf(together, many), many);
    return { columns: Int32Array.from(values.keys()), width: 1, many, penalty };
  }
  const ridge: number[] = [];
  const width = covariates.length;
  const columns = new Int32Array(values.length * width);
  for (const [at, covariate] of covariates.entries()) {
    const known = new Map<number, number>();
    for (const [place, value] of own[at]?.entries() ?? []) {
      const column = known.get(value) ?? ridge.push(1 / covariate.spread ** 2) - 1;
      known.set(value, column);
      columns[place * width + at] = column;
    }
  }
  const penalty = new Float64Array(ridge.length ** 2);
  for (const [column, own] of ridge.entries()) penalty[column * ridge.length + column] = own;
  return { columns, width, many: ridge.length, penalty };
}

/** Drops agents without a cell. Errors: Cancelled. */
export async function designOf(cells: Covariates, turn: TimeSlice): Promise<Design> {
  const count = cells.agent.length;
  const penalties: { first: number; many: number; penalty: Float64Array }[] = [];
  const factorAfter = async (factorOf: FactorOf, first: number): Promise<Factor> => {
    const { valueOf, covariates } = factorOf(cells);
    const { places, values } = await placesOf(count, valueOf, turn);
    const { columns, width, many, penalty } = columnsOf(values, covariates);
    penalties.push({ first, many, penalty });
    return { places, size: values.length, columns: columns.map((own) => first + own), width, first, end: first + many };
  };
  const group = await factorAfter(ofGroup, 0);
  const time = await factorAfter(ofTime, group.end);
  const queue = await factorAfter(ofQueue, time.end);
  const all = new Float64Array(queue.end ** 2);
  for (const { first, many, penalty } of penalties)
    for (let row = 0; row < many; row += 1)
      all.set(penalty.subarray(row * many, row * many + row + 1), (first + row) * queue.end + first);
  const { places, values } = await placesOf(count, (cell) => cells.agent[cell] ?? 0, turn);
  return {
    ...{ agents: values.map((agent) => cells.agents[agent] ?? ''), agentOf: places },
    ...{ factors: [group, time, queue], columns: queue.end, penalty: all },
  };
}
