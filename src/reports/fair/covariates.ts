// Covariates for the expected outcome: circumstances of a chat that agents do not control, and how large each effect may be. Excludes the
// agent's own speed and the tags that agents set.
import type { Numbers } from '#warehouse/engine.ts';
import type { TimeSlice } from '#warehouse/time-slice.ts';

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
  id: 'group' | 'weekday' | 'part_of_day' | 'hour' | 'hour_of_week' | 'wait' | 'load' | 'returning';
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
    covariates: [{ id: 'group', valueOf: itself, spread: 1 }],
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

/** The intercept may be almost anything; without a limit it would diverge where every rating is good. */
const spread_of_all = 10;

export interface Factor {
  /** Value of the factor in each cell, numbered from 0. */
  places: Int32Array;
  /** Number of values. */
  size: number;
  /** `width` column indices per value, ascending; the columns of a factor follow those of the one before. */
  columns: Int32Array;
  width: number;
}

/** The design matrix: each cell's agent, and its value in each factor; column 0 is the intercept. */
export interface Design {
  agents: readonly string[];
  agentOf: Int32Array;
  factors: readonly Factor[];
  columns: number;
  /** Ridge penalty of each column. */
  ridge: Float64Array;
}

/** Numbers values in the order of their first appearance. */
async function placesOf(
  count: number,
  valueOf: (index: number) => number,
  turn: TimeSlice,
): Promise<{ places: Int32Array; values: number[] }> {
  const places = new Int32Array(count);
  const known = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    if (index % 16_384 === 0 && turn.isOver()) await turn.next();
    const value = valueOf(index);
    let place = known.get(value);
    if (place === undefined) {
      place = known.size;
      known.set(value, place);
    }
    places[index] = place;
  }
  return { places, values: [...known.keys()] };
}

/** Drops agents without a cell. Errors: Cancelled. */
export async function designOf(cells: Covariates, turn: TimeSlice): Promise<Design> {
  const count = cells.agent.length;
  const ridge = [1 / spread_of_all ** 2];
  const factors: Factor[] = [];
  for (const factorOf of [ofGroup, ofTime, ofQueue]) {
    const { valueOf, covariates } = factorOf(cells);
    const { places, values } = await placesOf(count, valueOf, turn);
    const ofAll = factors.length === 0 ? 1 : 0;
    const width = covariates.length + ofAll;
    const columns = new Int32Array(values.length * width);
    for (const [at, covariate] of covariates.entries()) {
      const known = new Map<number, number>();
      for (const [place, value] of values.entries()) {
        const own = covariate.valueOf(value);
        const column = known.get(own) ?? ridge.push(1 / covariate.spread ** 2) - 1;
        known.set(own, column);
        columns[place * width + ofAll + at] = column;
      }
    }
    factors.push({ places, size: values.length, columns, width });
  }
  const { places, values } = await placesOf(count, (cell) => cells.agent[cell] ?? 0, turn);
  return {
    ...{ agents: values.map((agent) => cells.agents[agent] ?? ''), agentOf: places },
    ...{ factors, columns: ridge.length, ridge: Float64Array.from(ridge) },
  };
}
