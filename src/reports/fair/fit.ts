// Weighs circumstances: a ridge regression over cells of chats that are alike, logistic for shares and linear for logarithms of
// seconds, with a level of each agent's own beside them.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import { choleskyOf, solved } from './cholesky.ts';
import { spread_of_agents, type Design } from './covariates.ts';

/** Of each cell: how many outcomes, and their sum (of shares: how many happened). */
export interface OutcomeSums {
  count: Float64Array;
  sum: Float64Array;
}

/** Shares; or logarithms of seconds, with the variance of one of them around its level. */
export type OutcomeKind = { of: 'shares' } | { of: 'logarithms'; variance: number };

/** Circumstances as they weigh over the chats of all agents. */
export interface MixedFit {
  sums: Sums;
  /** Of the columns, when agents have taken their part; lower half. */
  curvature: Float64Array;
  /** Of each column. */
  effects: Float64Array;
  /** Of each cell, with its agent's own level in it. */
  levels: Float64Array;
}

const most_rounds = 30;
const precise_enough = 1e-6;
/** A step is no longer: far from the end, Newton's own may lead away. */
const longest_step = 3;
export const ridge_of_agents = 1 / spread_of_agents ** 2;

export const shareAt = (level: number): number => 1 / (1 + Math.exp(-level));

/** The second derivatives of the fit, and the slopes: by column, by agent, and between them. */
interface Sums {
  columns: Float64Array;
  /** Agents of a column one after another. */
  between: Float64Array;
  agents: Float64Array;
  slopes: Float64Array;
  agentSlopes: Float64Array;
}

export const add = (to: Float64Array, place: number, what: number): void => {
  to[place] = (to[place] ?? 0) + what;
};

/** What a cell weighs at a level, and how much its outcomes lie above it. */
export function weighed(
  count: number,
  sum: number,
  level: number,
  kind: OutcomeKind,
): { weight: number; above: number } {
  if (kind.of === 'logarithms') return { weight: count / kind.variance, above: (sum - count * level) / kind.variance };
  const share = shareAt(level);
  return { weight: count * share * (1 - share), above: sum - count * share };
}

async function sumsAt(
  design: Design,
  outcomes: OutcomeSums,
  levels: Float64Array,
  kind: OutcomeKind,
  turn: TimeSlice,
): Promise<Sums> {
  const { columns, agents, agentOf, columnsOf, width } = design;
  const many = agents.length;
  const sums: Sums = {
    ...{ columns: new Float64Array(columns * columns), between: new Float64Array(columns * many) },
    ...{ agents: new Float64Array(many), slopes: new Float64Array(columns), agentSlopes: new Float64Array(many) },
  };
  for (let cell = 0; cell < agentOf.length; cell += 1) {
    if (cell % 1024 === 0 && turn.isOver()) await turn.next();
    const count = outcomes.count[cell] ?? 0;
    if (count === 0) continue;
    const { weight, above } = weighed(count, outcomes.sum[cell] ?? 0, levels[cell] ?? 0, kind);
    const agent = agentOf[cell] ?? 0;
    add(sums.agents, agent, weight);
    add(sums.agentSlopes, agent, above);
    for (let place = 0; place < width; place += 1) {
      const column = columnsOf[cell * width + place] ?? 0;
      add(sums.slopes, column, above);
      add(sums.between, column * many + agent, weight);
      // Columns of a cell rise from place to place: the lower half is filled.
      for (let other = 0; other <= place; other += 1)
        add(sums.columns, column * columns + (columnsOf[cell * width + other] ?? 0), weight);
    }
  }
  return sums;
}

/** The curvature of the columns when agents have taken their part; lower half. */
async function curvatureOf({ columns, agents, ridge }: Design, sums: Sums, turn: TimeSlice): Promise<Float64Array> {
  const many = agents.length;
  const left = Float64Array.from(sums.columns);
  for (let row = 0; row < columns; row += 1) {
    if (turn.isOver()) await turn.next();
    add(left, row * columns + row, ridge[row] ?? 0);
    for (let column = 0; column <= row; column += 1) {
      let taken = 0;
      for (let agent = 0; agent < many; agent += 1)
        taken +=
          ((sums.between[row * many + agent] ?? 0) * (sums.between[column * many + agent] ?? 0)) /
          ((sums.agents[agent] ?? 0) + ridge_of_agents);
      add(left, row * columns + column, -taken);
    }
  }
  return left;
}

/** Errors: Cancelled. */
export async function fitted(
  design: Design,
  outcomes: OutcomeSums,
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
    for (let cell = 0; cell < agentOf.length; cell += 1)
      levels[cell] = levelOf(design, cell, effects) + (agentEffects[agentOf[cell] ?? 0] ?? 0);
  }
}

/** Of a cell, by the effects of its columns. */
export function levelOf({ columnsOf, width }: Design, cell: number, effects: Float64Array): number {
  let level = 0;
  for (let place = 0; place < width; place += 1) level += effects[columnsOf[cell * width + place] ?? 0] ?? 0;
  return level;
}

/** Newton's step, taken as far as it is trusted; the largest part of it. */
function step(factor: Float64Array, sums: Sums, effects: Float64Array, agentEffects: Float64Array): number {
  const [columns, many] = [effects.length, agentEffects.length];
  const right = Float64Array.from(sums.slopes);
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
