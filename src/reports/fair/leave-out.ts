// Expected outcome of one agent's chats when their own outcomes are unknown: effects are fitted on everybody else's chats, by one Newton
// step from the fit over all.
import { choleskyOf, forwards, solved } from './cholesky.ts';
import type { Design } from './covariates.ts';
import { levelOf, levelsOf, ridge_of_agents, type MixedFit } from './fit.ts';
import { add, weighed, type OutcomeKind, type CellSums } from './sums.ts';

export interface ExpectedLevels {
  /** The level of an average colleague in each of the agent's cells, in order, in log odds or as logarithm. */
  levels: Float64Array;
  /** The variance of the mean of these levels: how uncertain the expectation is. */
  uncertainty: number;
}

interface AgentSums {
  /** Curvature that the agent's chats contribute; lower half. */
  squares: Float64Array;
  slopes: Float64Array;
}

function ownSums(
  design: Design,
  cells: readonly number[],
  outcomes: CellSums,
  kind: OutcomeKind,
  fit: MixedFit,
): AgentSums {
  const { columns, factors } = design;
  const own: AgentSums = { squares: new Float64Array(columns * columns), slopes: new Float64Array(columns) };
  const columnsOf = new Int32Array(factors.reduce((sum, { width }) => sum + width, 0));
  for (const cell of cells) {
    const { weight, above } = weighed(outcomes.count[cell] ?? 0, outcomes.sum[cell] ?? 0, fit.levels[cell] ?? 0, kind);
    let width = 0;
    for (const { places, columns: those, width: many } of factors) {
      const from = (places[cell] ?? 0) * many;
      for (let at = 0; at < many; at += 1) columnsOf[width + at] = those[from + at] ?? 0;
      width += many;
    }
    for (let place = 0; place < width; place += 1) {
      const column = columnsOf[place] ?? 0;
      add(own.slopes, column, above);
      // The columns of a cell ascend, so that only the lower half is filled.
      for (let other = 0; other <= place; other += 1)
        add(own.squares, column * columns + (columnsOf[other] ?? 0), weight);
    }
  }
  return own;
}

/** How the sum of all agents' levels depends on the effects. */
interface MovedAgents {
  /** How much the levels change with the effect of each column. */
  columns: Float64Array;
  /** The sum of the levels' variances while the effects are known. */
  unknown: number;
}

export function movedAgents({ columns, agents }: Design, { sums }: MixedFit): MovedAgents {
  const many = agents.length;
  const unknown = sums.agents.map((weight) => 1 / (weight + ridge_of_agents));
  const moved = { columns: new Float64Array(columns), unknown: unknown.reduce((sum, each) => sum + each, 0) };
  for (let column = 0; column < columns; column += 1)
    for (let agent = 0; agent < many; agent += 1)
      add(moved.columns, column, (unknown[agent] ?? 0) * (sums.between[column * many + agent] ?? 0));
  return moved;
}

/** `cells`: the agent's own. At least one other agent must exist. `moved`: over all agents. */
export function expectedWithout(
  design: Design,
  agent: number,
  cells: readonly number[],
  outcomes: CellSums,
  kind: OutcomeKind,
  fit: MixedFit,
  moved: MovedAgents,
): ExpectedLevels {
  const { columns, agents } = design;
  const many = agents.length;
  const { sums, curvature, effects } = fit;
  const own = ownSums(design, cells, outcomes, kind, fit);
  const known = sums.agents[agent] ?? 0;
  const ofAgent = Float64Array.from({ length: columns }, (_, column) => sums.between[column * many + agent] ?? 0);
  const others = own.squares;
  for (let row = 0; row < columns; row += 1) {
    const ofRow = (ofAgent[row] ?? 0) / (known + ridge_of_agents);
    for (let column = 0; column <= row; column += 1) {
      const at = row * columns + column;
      others[at] = (curvature[at] ?? 0) + ofRow * (ofAgent[column] ?? 0) - (others[at] ?? 0);
    }
  }
  const factor = choleskyOf(others, columns);
  const moves = solved(factor, own.slopes);
  const without = effects.map((effect, column) => effect - (moves[column] ?? 0));
  // The agent's mean level against that of the average colleague, which is only as certain as the levels of the colleagues.
  const share = 1 / (many - 1);
  const unknown = 1 / (known + ridge_of_agents);
  const beside = ofAgent.map((own, column) => own / known - share * ((moved.columns[column] ?? 0) - unknown * own));
  const ofColleagues = share ** 2 * (moved.unknown - unknown);
  const mix = forwards(factor, beside).reduce((sum, part) => sum + part * part, 0);
  const byPlace = levelsOf(design, without);
  return {
    levels: Float64Array.from(cells, (cell) => levelOf(design, cell, byPlace)),
    uncertainty: mix + ofColleagues,
  };
}
