// Cells with outcomes of one kind, agent by agent: what a fit goes through again and again.
import type { Numbers } from '#warehouse/engine.ts';
import type { Design } from './covariates.ts';

/** Number of outcomes in each cell, and their sum (for shares: how many happened). */
export interface CellSums<Column = Numbers> {
  count: Column;
  sum: Column;
}

/** One array for each factor of a design. */
export type PerFactor<Numbers> = readonly [Numbers, Numbers, Numbers];

export interface MeasuredCells extends CellSums<Float64Array> {
  design: Design;
  /** Cells of an agent are those from `starts[agent]` up to `starts[agent + 1]`. */
  starts: Int32Array;
  /** Value of each factor in each cell. */
  places: PerFactor<Int32Array>;
}

/** Cells of an agent keep their order. */
export function measuredCells(design: Design, { count, sum }: CellSums): MeasuredCells {
  const { agents, agentOf, factors } = design;
  const starts = new Int32Array(agents.length + 1);
  for (let cell = 0; cell < agentOf.length; cell += 1) {
    const after = (agentOf[cell] ?? 0) + 1;
    if ((count[cell] ?? 0) > 0) starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let agent = 0; agent < agents.length; agent += 1)
    starts[agent + 1] = (starts[agent + 1] ?? 0) + (starts[agent] ?? 0);
  const next = starts.slice();
  const many = starts[agents.length] ?? 0;
  const places = [new Int32Array(many), new Int32Array(many), new Int32Array(many)] as const;
  const sums = { count: new Float64Array(many), sum: new Float64Array(many) };
  for (let cell = 0; cell < agentOf.length; cell += 1) {
    if (!((count[cell] ?? 0) > 0)) continue;
    const agent = agentOf[cell] ?? 0;
    const to = next[agent] ?? 0;
    next[agent] = to + 1;
    sums.count[to] = count[cell] ?? 0;
    sums.sum[to] = sum[cell] ?? 0;
    places[0][to] = factors[0].places[cell] ?? 0;
    places[1][to] = factors[1].places[cell] ?? 0;
    places[2][to] = factors[2].places[cell] ?? 0;
  }
  return { design, starts, places, ...sums };
}
