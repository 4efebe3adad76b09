// What is expected of one agent, against one system of all effects and all colleagues that is solved by plain elimination.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { designOf } from '#reports/fair/covariates.ts';
import { fitted, ridge_of_agents, type MixedFit } from '#reports/fair/fit.ts';
import { expectationsOf } from '#reports/fair/leave-out.ts';
import { measuredCells, type MeasuredCells } from '#reports/fair/measured.ts';
import type { OutcomeKind } from '#reports/fair/sums.ts';
import { TimeSlice } from '#warehouse/time-slice.ts';

const cell = fc.record({
  agent: fc.integer({ min: 0, max: 5 }),
  group: fc.integer({ min: 0, max: 3 }),
  hour: fc.integer({ min: 0, max: 167 }),
  wait: fc.integer({ min: -1, max: 3 }),
  load: fc.integer({ min: 0, max: 3 }),
  isReturning: fc.integer({ min: 0, max: 1 }),
  count: fc.integer({ min: 1, max: 9 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});
/** Two agents and more than two cells; with few cells, agents have few columns of many. */
const cells = fc
  .array(cell, { minLength: 3, maxLength: 120, size: 'max' })
  .filter((all) => new Set(all.map(({ agent }) => agent)).size > 1);
const kinds = fc.constantFrom<OutcomeKind>({ of: 'shares' }, { of: 'logarithms', variance: 0.7 });

/** Effects first, then agents. */
const columnsIn = ({ design, places }: MeasuredCells, at: number, agent: number): number[] => [
  ...design.factors.flatMap(({ columns, width }, factor) => {
    const place = places[factor]?.[at] ?? 0;
    return [...columns.subarray(place * width, (place + 1) * width)];
  }),
  design.columns + agent,
];

function eliminated(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const own = rows[at] ?? [];
    for (let below = at + 1; below < size; below += 1) {
      const other = rows[below] ?? [];
      const times = (other[at] ?? 0) / (own[at] ?? 1);
      for (let column = at; column <= size; column += 1)
        other[column] = (other[column] ?? 0) - times * (own[column] ?? 0);
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at -= 1) {
    const own = rows[at] ?? [];
    const rest = found.reduce((sum, value, column) => sum + value * (own[column] ?? 0), 0);
    found[at] = ((own[size] ?? 0) - rest) / (own[at] ?? 1);
  }
  return found;
}

/** One Newton step from the fit over all, with the chats of everybody else. */
function expectedPlainly(all: MeasuredCells, agent: number, kind: OutcomeKind, { effects, levels }: MixedFit) {
  const { design, starts, count, sum } = all;
  const many = design.agents.length;
  const size = design.columns + many;
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const right = new Array<number>(size).fill(0);
  const put = (row: number, column: number, what: number): void => {
    const own = matrix[row] ?? [];
    own[column] = (own[column] ?? 0) + what;
  };
  const now = [...effects, ...levels.byAgent];
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const ofAgents = row === column && row >= design.columns ? ridge_of_agents : 0;
      const penalty = row < design.columns ? (design.penalty[row * design.columns + column] ?? 0) : ofAgents;
      put(row, column, penalty);
      if (column < row) put(column, row, penalty);
    }
  for (let row = 0; row < size; row += 1)
    right[row] = -(matrix[row] ?? []).reduce((taken, penalty, column) => taken + penalty * (now[column] ?? 0), 0);
  const direction = new Array<number>(size).fill(0);
  const ownCells: number[][] = [];
  let known = 0;
  for (let of = 0; of < many; of += 1)
    for (let at = starts[of] ?? 0; at < (starts[of + 1] ?? 0); at += 1) {
      const columns = columnsIn(all, at, of);
      const level = columns.reduce((value, column) => value + (now[column] ?? 0), 0);
      const share = 1 / (1 + Math.exp(-level));
      const times = count[at] ?? 0;
      const weight = kind.of === 'shares' ? times * share * (1 - share) : times / kind.variance;
      const above = (sum[at] ?? 0) - times * (kind.of === 'shares' ? share : level);
      if (of === agent) {
        const effectsOnly = columns.slice(0, -1);
        ownCells.push(effectsOnly);
        known += weight;
        for (const column of effectsOnly) direction[column] = (direction[column] ?? 0) + weight;
        continue;
      }
      for (const row of columns) {
        right[row] = (right[row] ?? 0) + (kind.of === 'shares' ? above : above / kind.variance);
        for (const column of columns) put(row, column, weight);
      }
    }
  const moves = eliminated(matrix, right);
  const without = now.map((effect, at) => effect + (moves[at] ?? 0));
  // The mean level of an average colleague in the agent’s chats.
  const contrast = direction.map((weight, at) => {
    if (at < design.columns) return weight / known;
    return at === design.columns + agent ? 0 : 1 / (many - 1);
  });
  const uncertain = eliminated(matrix, contrast);
  return {
    levels: ownCells.map((columns) => columns.reduce((level, column) => level + (without[column] ?? 0), 0)),
    uncertainty: contrast.reduce((variance, one, at) => variance + one * (uncertain[at] ?? 0), 0),
  };
}

it('the level and how uncertain it is are those of a system without the agent’s chats', async () => {
  const ways = { byColumns: 0, asWhole: 0 };
  await fc.assert(
    fc.asyncProperty(cells, kinds, async (all, kind) => {
      const by = (of: (cell: (typeof all)[number]) => number): Float64Array => Float64Array.from(all, of);
      const turn = new TimeSlice();
      const design = await designOf(
        {
          ...{ agents: ['a', 'b', 'c', 'd', 'e', 'f'], agent: by(({ agent }) => agent) },
          ...{ firstGroup: by(({ group }) => group), lastGroup: by(({ group }) => group) },
          ...{ hourOfWeek: by(({ hour }) => hour), wait: by(({ wait }) => wait), load: by(({ load }) => load) },
          isReturning: by((own) => own.isReturning),
        },
        turn,
      );
      const sum = by(({ count, share }) => Math.round(count * share));
      const measured = measuredCells(design, { count: by(({ count }) => count), sum });
      const fit = await fitted(measured, kind, turn);
      const expectedOf = expectationsOf(measured, kind, fit);
      for (const agent of design.agents.keys()) {
        const { levels, uncertainty } = expectedOf(agent);
        const plain = expectedPlainly(measured, agent, kind, fit);
        expect(levels.length).toBe(plain.levels.length);
        for (const [at, level] of levels.entries()) expect(level).toBeCloseTo(plain.levels[at] ?? NaN, 4);
        expect(uncertainty / plain.uncertainty).toBeCloseTo(1, 5);
        const isFew = (fit.columnsOf[agent]?.length ?? 0) <= design.columns / 2;
        ways[isFew ? 'byColumns' : 'asWhole'] += 1;
      }
    }),
  );
  expect(Math.min(ways.byColumns, ways.asWhole)).toBeGreaterThan(20);
});
