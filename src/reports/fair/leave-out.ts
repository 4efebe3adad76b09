// Expected outcome of one agent's chats when their own outcomes are unknown: effects are fitted on everybody else's chats, by one Newton
// step from the fit over all.
import type { Design } from './covariates.ts';
import { solverWithout } from './downdate.ts';
import { levelsOf, ridge_of_agents, type MixedFit } from './fit.ts';
import type { MeasuredCells } from './measured.ts';
import {
  add,
  addByColumn,
  addCells,
  noColumnSums,
  noSums,
  type ColumnSums,
  type OutcomeKind,
  type PlaceSums,
} from './sums.ts';

export interface ExpectedLevels {
  /** The level of an average colleague in each of the agent's cells, in order, in log odds or as logarithm. */
  levels: Float64Array;
  /** The variance of the mean of these levels: how uncertain the expectation is. */
  uncertainty: number;
}

/** Sums of one agent after another: allocating them for each would keep the garbage collector busy. */
interface OwnSums {
  places: PlaceSums;
  columns: ColumnSums;
}

const noOwnSums = (design: Design): OwnSums => ({ places: noSums(design), columns: noColumnSums(design) });

/** Curvature and slopes that the agent's chats contribute. */
function ownSums(
  cells: MeasuredCells,
  agent: number,
  kind: OutcomeKind,
  { levels }: MixedFit,
  { places, columns }: OwnSums,
): ColumnSums {
  const { design, starts } = cells;
  for (const sums of [...places.weights, ...places.slopes, ...places.pairs, columns.columns, columns.slopes])
    sums.fill(0);
  const span = { agent, from: starts[agent] ?? 0, to: starts[agent + 1] ?? 0 };
  addCells(cells, span, levels, kind, places);
  addByColumn(design, places, columns);
  return columns;
}

/** How the sum of all agents' levels depends on the effects. */
interface MovedAgents {
  /** How much the levels change with the effect of each column. */
  columns: Float64Array;
  /** The sum of the levels' variances while the effects are known. */
  unknown: number;
}

function movedAgents({ columns, agents }: Design, { sums }: MixedFit): MovedAgents {
  const many = agents.length;
  const unknown = sums.agents.map((weight) => 1 / (weight + ridge_of_agents));
  const moved = { columns: new Float64Array(columns), unknown: unknown.reduce((sum, each) => sum + each, 0) };
  for (let column = 0; column < columns; column += 1)
    for (let agent = 0; agent < many; agent += 1)
      add(moved.columns, column, (unknown[agent] ?? 0) * (sums.between[column * many + agent] ?? 0));
  return moved;
}

/** Returns what is expected of an agent. At least two agents must exist. */
export function expectationsOf(
  cells: MeasuredCells,
  kind: OutcomeKind,
  fit: MixedFit,
): (agent: number) => ExpectedLevels {
  const { design, starts, places } = cells;
  const { columns, agents } = design;
  const many = agents.length;
  const { sums, curvature, effects, columnsOf } = fit;
  const free = noOwnSums(design);
  const moved = movedAgents(design, fit);
  // The agent's mean level against that of the average colleague, which is only as certain as the levels of the colleagues.
  const share = 1 / (many - 1);
  const direction = moved.columns.map((own) => -share * own);
  const without = solverWithout({ size: columns, matrix: curvature, columnsOf, direction });
  const level = new Float64Array(columns);
  return (agent) => {
    const { columns: matrix, slopes } = ownSums(cells, agent, kind, fit, free);
    for (let column = 0; column < columns; column += 1) level[column] = sums.between[column * many + agent] ?? 0;
    const known = sums.agents[agent] ?? 0;
    const unknown = 1 / (known + ridge_of_agents);
    const own = { agent, matrix, level, unknown, right: slopes, along: 1 / known + share * unknown };
    const { solution, squaredLength } = without(own);
    const ofColleagues = share ** 2 * (moved.unknown - unknown);
    const [firsts, seconds, thirds] = places;
    const [ofFirst, ofSecond, ofThird] = levelsOf(
      design,
      effects.map((effect, column) => effect - (solution[column] ?? 0)),
    );
    const from = starts[agent] ?? 0;
    const levels = new Float64Array((starts[agent + 1] ?? 0) - from);
    for (let index = 0; index < levels.length; index += 1) {
      const cell = from + index;
      levels[index] =
        (ofFirst[firsts[cell] ?? 0] ?? 0) + (ofSecond[seconds[cell] ?? 0] ?? 0) + (ofThird[thirds[cell] ?? 0] ?? 0);
    }
    return { levels, uncertainty: squaredLength + ofColleagues };
  };
}
