// Estimates the effects of covariates by ridge regression over cells of similar chats (logistic for shares, linear for logarithms of
// seconds), with a level per agent.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import { choleskyOf, solved } from './cholesky.ts';
import { spread_of_agents, type Design } from './covariates.ts';
import { add, columnsAt, sumsAt, type OutcomeKind, type CellSums, type Sums } from './sums.ts';

/** Effects of the covariates, fitted over the chats of all agents. */
export interface MixedFit {
  sums: Sums;
  /** Curvature of the columns after the agents' levels are eliminated; lower half. */
  curvature: Float64Array;
  /** Effect of each column. */
  effects: Float64Array;
  /** Level of each cell, including its agent's level. */
  levels: Float64Array;
}

const most_rounds = 30;
const precise_enough = 1e-6;
/** Longest step: far from the optimum a full Newton step may diverge. */
const longest_step = 3;
export const ridge_of_agents = 1 / spread_of_agents ** 2;

/** Curvature of the columns after the agents' levels are eliminated; lower half. */
async function curvatureOf({ columns, agents, ridge }: Design, sums: Sums, turn: TimeSlice): Promise<Float64Array> {
  const many = agents.length;
  const left = sums.columns.slice();
  for (let row = 0; row < columns; row += 1) {
    if (turn.isOver()) await turn.next();
    add(left, row * columns + row, ridge[row] ?? 0);
    const taken = sums.agents.map(
      (weight, agent) => (sums.between[row * many + agent] ?? 0) / (weight + ridge_of_agents),
    );
    for (let column = 0; column <= row; column += 1) {
      let both = 0;
      for (let agent = 0; agent < many; agent += 1)
        both += (taken[agent] ?? 0) * (sums.between[column * many + agent] ?? 0);
      add(left, row * columns + column, -both);
    }
  }
  return left;
}

/** Errors: Cancelled. */
export async function fitted(
  design: Design,
  outcomes: CellSums,
  kind: OutcomeKind,
  turn: TimeSlice,
): Promise<MixedFit> {
  const { columns, agents, agentOf, ridge } = design;
  const effects = new Float64Array(columns);
  const agentEffects = new Float64Array(agents.length);
  const levels = new Float64Array(agentOf.length);
  for (let round = 0; ; round += 1) {
    const sums = await sumsAt(design, outcomes, levels, kind, turn);
    const curvature = await curvatureOf(design, sums, turn);
    if (round === most_rounds) throw new Error(`circumstances cannot be weighed in ${most_rounds} rounds`);
    for (let column = 0; column < columns; column += 1)
      add(sums.slopes, column, -(ridge[column] ?? 0) * (effects[column] ?? 0));
    for (let agent = 0; agent < agents.length; agent += 1)
      add(sums.agentSlopes, agent, -ridge_of_agents * (agentEffects[agent] ?? 0));
    const largest = step(choleskyOf(curvature, columns), sums, effects, agentEffects);
    if (largest < precise_enough) return { sums, curvature, effects, levels };
    const byPlace = levelsOf(design, effects);
    for (let cell = 0; cell < agentOf.length; cell += 1)
      levels[cell] = levelOf(design, cell, byPlace) + (agentEffects[agentOf[cell] ?? 0] ?? 0);
  }
}

/** The summed effects of the columns of each value, per factor. */
export const levelsOf = ({ factors }: Design, effects: Float64Array): Float64Array[] =>
  factors.map((factor) =>
    Float64Array.from({ length: factor.size }, (_, place) =>
      columnsAt(factor, place).reduce((sum, column) => sum + (effects[column] ?? 0), 0),
    ),
  );

/** The level of a cell, from the levels of its values. */
export function levelOf({ factors }: Design, cell: number, byPlace: readonly Float64Array[]): number {
  let level = 0;
  for (let at = 0; at < factors.length; at += 1) level += byPlace[at]?.[factors[at]?.places[cell] ?? 0] ?? 0;
  return level;
}

/** Applies a Newton step, shortened to the trusted length; returns its largest component. */
function step(factor: Float64Array, sums: Sums, effects: Float64Array, agentEffects: Float64Array): number {
  const [columns, many] = [effects.length, agentEffects.length];
  const right = sums.slopes.slice();
  const part = Float64Array.from(
    sums.agents,
    (weight, agent) => (sums.agentSlopes[agent] ?? 0) / (weight + ridge_of_agents),
  );
  for (let column = 0; column < columns; column += 1)
    for (let agent = 0; agent < many; agent += 1)
      add(right, column, -(sums.between[column * many + agent] ?? 0) * (part[agent] ?? 0));
  const moves = solved(factor, right);
  const agentMoves = sums.agents.map((weight, agent) => {
    let slope = sums.agentSlopes[agent] ?? 0;
    for (let column = 0; column < columns; column += 1)
      slope -= (sums.between[column * many + agent] ?? 0) * (moves[column] ?? 0);
    return slope / (weight + ridge_of_agents);
  });
  const largest = [...moves, ...agentMoves].reduce((most, move) => Math.max(most, Math.abs(move)), 0);
  const trusted = largest > longest_step ? longest_step / largest : 1;
  for (const [column, move] of moves.entries()) add(effects, column, move * trusted);
  for (const [agent, move] of agentMoves.entries()) add(agentEffects, agent, move * trusted);
  return largest;
}
