// What is expected of the chats of one agent when nothing that came of them is known: circumstances as they weigh over the chats
// of everybody else, one step of Newton from where they weigh over all.
import { choleskyOf, forwards, solved } from './cholesky.ts';
import type { Design } from './covariates.ts';
import { levelOf, levelsOf, ridge_of_agents, type MixedFit } from './fit.ts';
import { add, weighed, type OutcomeKind, type CellSums } from './sums.ts';

export interface ExpectedLevels {
  /** Of each of the agent's cells, in their order: the level of an average colleague, as log odds or logarithm. */
  levels: Float64Array;
  /** The variance of the mean of these levels: how unsure it is what to expect. */
  uncertainty: number;
}

interface AgentSums {
  /** Curvature that the agent's chats bring; lower half. */
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
      // Columns of a cell rise from place to place: the lower half is filled.
      for (let other = 0; other <= place; other += 1)
        add(own.squares, column * columns + (columnsOf[other] ?? 0), weight);
    }
  }
  return own;
}

/** What the levels of all agents together depend on. */
interface MovedAgents {
  /** How far they move against an effect of each column. */
  columns: Float64Array;
  /** The sum of their variances while effects are known. */
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

/** `cells`: the agent's. There must be others. `moved`: of all agents. */
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
  // The mean level of the agent's chats beside that of the average colleague, who is as far known as each colleague is.
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
