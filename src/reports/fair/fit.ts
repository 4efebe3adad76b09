// Estimates the effects of covariates by ridge regression over cells of similar chats (logistic for shares, linear for logarithms of
// seconds), with a level per agent.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import { choleskyOf, solved } from './cholesky.ts';
import { spread_of_agents, type Design, type Factor } from './covariates.ts';
import type { MeasuredCells, PerFactor } from './measured.ts';
import { add, sumsAt, type Levels, type OutcomeKind, type Sums } from './sums.ts';

/** Effects of the covariates, fitted over the chats of all agents. */
export interface MixedFit {
  sums: Sums;
  /** Curvature of the columns after the agents' levels are eliminated; lower half. */
  curvature: Float64Array;
  /** The columns of each agent's chats, ascending: with many agents, few of all. */
  columnsOf: readonly Int32Array[];
  /** Effect of each column. */
  effects: Float64Array;
  levels: Levels;
}

const most_rounds = 30;
const precise_enough = 1e-6;
/** Longest step: far from the optimum a full Newton step may diverge. */
const longest_step = 3;
export const ridge_of_agents = 1 / spread_of_agents ** 2;

function columnsByAgent({ columns, agents }: Design, { between }: Sums): Int32Array[] {
  const many = agents.length;
  return agents.map((_, agent) =>
    Int32Array.from({ length: columns }, (_, column) => column).filter(
      (column) => between[column * many + agent] !== 0,
    ),
  );
}

/** Curvature of the columns after the agents' levels are eliminated; lower half. */
async function curvatureOf(
  { columns, agents, penalty }: Design,
  sums: Sums,
  columnsOf: readonly Int32Array[],
  turn: TimeSlice,
): Promise<Float64Array> {
  const many = agents.length;
  const taken = new Float64Array(columns * columns);
  for (const [agent, own] of columnsOf.entries()) {
    if (turn.isOver()) await turn.next();
    const weights = Float64Array.from(own, (column) => sums.between[column * many + agent] ?? 0);
    const unknown = 1 / ((sums.agents[agent] ?? 0) + ridge_of_agents);
    for (let row = 0; row < own.length; row += 1) {
      const first = (own[row] ?? 0) * columns;
      const ofRow = unknown * (weights[row] ?? 0);
      for (let at = 0; at <= row; at += 1) {
        const to = first + (own[at] ?? 0);
        taken[to] = (taken[to] ?? 0) + ofRow * (weights[at] ?? 0);
      }
    }
  }
  return sums.columns.map((own, at) => own + (penalty[at] ?? 0) - (taken[at] ?? 0));
}

/** Subtracts what the penalty takes from the slopes at these effects. */
function penalize(slopes: Float64Array, { columns, penalty }: Design, effects: Float64Array): void {
  for (let row = 0; row < columns; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const own = penalty[row * columns + column] ?? 0;
      if (own === 0) continue;
      add(slopes, row, -own * (effects[column] ?? 0));
      if (column < row) add(slopes, column, -own * (effects[row] ?? 0));
    }
}

/** Errors: Cancelled. */
export async function fitted(cells: MeasuredCells, kind: OutcomeKind, turn: TimeSlice): Promise<MixedFit> {
  const { design } = cells;
  const { columns, agents } = design;
  const effects = new Float64Array(columns);
  const byAgent = new Float64Array(agents.length);
  let columnsOf: Int32Array[] | undefined;
  for (let round = 0; ; round += 1) {
    const levels = { byPlace: levelsOf(design, effects), byAgent: byAgent.slice() };
    const sums = await sumsAt(cells, levels, kind, turn);
    columnsOf ??= columnsByAgent(design, sums);
    const curvature = await curvatureOf(design, sums, columnsOf, turn);
    if (round === most_rounds) throw new Error(`circumstances cannot be weighed in ${most_rounds} rounds`);
    penalize(sums.slopes, design, effects);
    for (let agent = 0; agent < agents.length; agent += 1)
      add(sums.agentSlopes, agent, -ridge_of_agents * (byAgent[agent] ?? 0));
    const largest = step(choleskyOf(curvature.slice(), columns), sums, effects, byAgent);
    if (largest < precise_enough) return { sums, curvature, columnsOf, effects, levels };
  }
}

/** The summed effects of the columns of each value, per factor. */
export function levelsOf({ factors: [first, second, third] }: Design, effects: Float64Array): PerFactor<Float64Array> {
  const ofFactor = ({ size, columns, width }: Factor): Float64Array => {
    const levels = new Float64Array(size);
    for (let at = 0; at < columns.length; at += 1) {
      const place = Math.floor(at / width);
      levels[place] = (levels[place] ?? 0) + (effects[columns[at] ?? 0] ?? 0);
    }
    return levels;
  };
  return [ofFactor(first), ofFactor(second), ofFactor(third)];
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
