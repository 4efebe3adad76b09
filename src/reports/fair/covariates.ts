// The covariates by which an outcome is expected: what agents do not decide of a chat, and how far each may move it.
// Never an agent's own speed, nor tags that the agent sets.
import type { TimeSlice } from '#warehouse/time-slice.ts';

/** Chats that are alike in all circumstances, of one agent. */
export interface Covariates {
  group: string;
  /** 1 (Monday) to 7. */
  weekday: number;
  hour: number;
  /** Class of the wait in the queue; -1 without one. */
  wait: number;
  /** Class of how many chats were open at the start. */
  load: number;
  is_returning: boolean;
}

interface Covariate {
  id: 'group' | 'weekday' | 'part_of_day' | 'hour' | 'hour_of_week' | 'wait' | 'load' | 'returning';
  valueOf: (chats: Covariates) => string | number | boolean;
  /**
   * What the effects of its values are thought to be at most, two times in three, before anything was counted: in log odds of a
   * share, in logarithms of seconds. The ridge of the value is one over its square.
   */
  spread: number;
}

export const covariates: readonly Covariate[] = [
  { id: 'group', valueOf: ({ group }) => group, spread: 1 },
  { id: 'weekday', valueOf: ({ weekday }) => weekday, spread: 0.3 },
  { id: 'part_of_day', valueOf: ({ hour }) => Math.floor(hour / 6), spread: 0.5 },
  { id: 'hour', valueOf: ({ hour }) => hour, spread: 0.35 },
  { id: 'hour_of_week', valueOf: ({ weekday, hour }) => weekday * 24 + hour, spread: 0.25 },
  { id: 'wait', valueOf: ({ wait }) => wait, spread: 0.5 },
  { id: 'load', valueOf: ({ load }) => load, spread: 0.5 },
  { id: 'returning', valueOf: ({ is_returning }) => is_returning, spread: 0.5 },
];

/**
 * The spread of agents while circumstances are weighed. Every agent has an own level there, so that no agent's chats decide
 * what is expected of that agent.
 */
export const spread_of_agents = 0.5;

/** What is common to all chats may be nearly anything; where every rating is good, it would be without end otherwise. */
const spread_of_all = 10;

/** Circumstances as columns of numbers: of each cell its agent and the column of each of its values; column 0 is of all chats. */
export interface Design {
  agents: readonly string[];
  agentOf: Int32Array;
  /** `width` of them for each cell. */
  columnsOf: Int32Array;
  width: number;
  columns: number;
  /** Of each column. */
  ridge: Float64Array;
}

/** Errors: Cancelled. */
export async function designOf(cells: readonly (Covariates & { agent: string })[], turn: TimeSlice): Promise<Design> {
  const width = covariates.length + 1;
  const agents = [...new Set(cells.map(({ agent }) => agent))].sort();
  const placeOf = new Map(agents.map((agent, place) => [agent, place]));
  const columnsOf = new Int32Array(cells.length * width);
  const ridge = [1 / spread_of_all ** 2];
  for (const [place, { valueOf, spread }] of covariates.entries()) {
    const columns = new Map<string | number | boolean, number>();
    for (const [index, cell] of cells.entries()) {
      if (index % 4096 === 0 && turn.isOver()) await turn.next();
      const value = valueOf(cell);
      let column = columns.get(value);
      if (column === undefined) {
        column = ridge.push(1 / spread ** 2) - 1;
        columns.set(value, column);
      }
      columnsOf[index * width + place + 1] = column;
    }
  }
  return {
    ...{ agents, agentOf: Int32Array.from(cells, ({ agent }) => placeOf.get(agent) ?? 0) },
    ...{ columnsOf, width, columns: ridge.length, ridge: Float64Array.from(ridge) },
  };
}
