// The covariates by which an outcome is expected: what agents do not decide of a chat, and how far each may move it.
// Never an agent's own speed, nor tags that the agent sets.
import type { Numbers } from '#warehouse/engine.ts';
import type { TimeSlice } from '#warehouse/time-slice.ts';

/** Cells of chats that are alike in all circumstances, each of one agent, column by column. */
export interface Covariates {
  /** Logins; `agent` is the place of each cell's. */
  agents: readonly string[];
  agent: Numbers;
  /** The first and the last group by id. */
  firstGroup: Numbers;
  lastGroup: Numbers;
  /** From Monday 00:00: 0 to 167. */
  hourOfWeek: Numbers;
  /** Class of the wait in the queue; -1 without one. */
  wait: Numbers;
  /** Class of how many chats were open at the start. */
  load: Numbers;
  /** 1 or 0. */
  isReturning: Numbers;
}

interface Covariate {
  id: 'group' | 'weekday' | 'part_of_day' | 'hour' | 'hour_of_week' | 'wait' | 'load' | 'returning';
  /** Of the value of its factor. */
  valueOf: (value: number) => number;
  /**
   * What the effects of its values are thought to be at most, two times in three, before anything was counted: in log odds of a
   * share, in logarithms of seconds. The ridge of the value is one over its square.
   */
  spread: number;
}

/** Covariates that follow from one number of a cell, so that what is summed over cells is summed by that number first. */
type FactorOf = (cells: Covariates) => { valueOf: (cell: number) => number; covariates: readonly Covariate[] };

const itself = (value: number): number => value;

const ofGroup: FactorOf = ({ firstGroup, lastGroup }) => {
  const places = new Map<string, number>();
  let [first, last, place] = [NaN, NaN, 0];
  return {
    valueOf: (cell) => {
      // Cells come one group after another: a text is made seldom.
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

/** More than there are of each. */
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
 * The spread of agents while circumstances are weighed. Every agent has an own level there, so that no agent's chats decide
 * what is expected of that agent.
 */
export const spread_of_agents = 0.5;

/** What is common to all chats may be nearly anything; where every rating is good, it would be without end otherwise. */
const spread_of_all = 10;

export interface Factor {
  /** Of each cell, numbered from 0. */
  places: Int32Array;
  /** How many there are. */
  size: number;
  /** `width` of them for each place, rising; those of a factor lie after those of the one before. */
  columns: Int32Array;
  width: number;
}

/** Circumstances as columns of numbers: the agent of each cell, and its place in each factor; column 0 is of all chats. */
export interface Design {
  agents: readonly string[];
  agentOf: Int32Array;
  factors: readonly Factor[];
  columns: number;
  /** Of each column. */
  ridge: Float64Array;
}

/** Places of values in the order in which they come. */
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

/** Agents without a cell are none. Errors: Cancelled. */
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
