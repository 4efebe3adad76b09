// The system without one agent's chats: solved as a whole and by the agent's columns alone.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { choleskyOf, inverseOf } from '#reports/fair/cholesky.ts';
import {
  solvedAsWhole,
  solverByColumns,
  solverWithout,
  type OwnSystem,
  type WholeSystem,
} from '#reports/fair/downdate.ts';
import { random } from '../../drills/random.ts';

const ridge = 4;

interface Team {
  whole: WholeSystem;
  ownOf: (agent: number) => OwnSystem;
}

/** Agents with chats of some weight, each in two of the columns that the agent has. */
function teamOf(seed: number, size: number, shares: readonly number[]): Team {
  const next = random(seed);
  const many = (): number => Math.floor(next() * size);
  const columnsOf = shares.map((share) => {
    const own = new Set([many(), many()]);
    while (own.size < Math.min(size, Math.round(share * size))) own.add(many());
    return Int32Array.from([...own].sort((one, other) => one - other));
  });
  const chatsOf = columnsOf.map((own) =>
    [...own].map((column) => ({ column, beside: own[Math.floor(next() * own.length)] ?? 0, weight: 0.1 + next() })),
  );
  const levels = chatsOf.map((chats) => {
    const level = new Float64Array(size);
    for (const { column, beside, weight } of chats)
      for (const at of new Set([column, beside])) level[at] = (level[at] ?? 0) + weight;
    return level;
  });
  const unknown = chatsOf.map((chats) => 1 / (chats.reduce((sum, { weight }) => sum + weight, 0) + ridge));
  const matrixOf = (chats: (typeof chatsOf)[number]): Float64Array => {
    const matrix = new Float64Array(size * size);
    for (const { column, beside, weight } of chats)
      for (const row of new Set([column, beside]))
        for (const at of new Set([column, beside]))
          if (at <= row) matrix[row * size + at] = (matrix[row * size + at] ?? 0) + weight;
    return matrix;
  };
  const all = new Float64Array(size * size);
  for (const [agent, chats] of chatsOf.entries()) {
    const level = levels[agent] ?? new Float64Array(size);
    for (const [at, own] of matrixOf(chats).entries()) {
      const [row, column] = [Math.floor(at / size), at % size];
      const taken = column <= row ? (unknown[agent] ?? 0) * (level[row] ?? 0) * (level[column] ?? 0) : 0;
      all[at] = (all[at] ?? 0) + own - taken;
    }
  }
  for (let row = 0; row < size; row += 1) all[row * size + row] = (all[row * size + row] ?? 0) + 0.5 + next();
  const right = levels.map((level) => level.map((own) => (own === 0 ? 0 : next() - 0.5)));
  const none = new Float64Array(size);
  return {
    whole: { size, matrix: all, columnsOf, direction: Float64Array.from({ length: size }, () => next() - 0.5) },
    ownOf: (agent) => ({
      ...{ agent, matrix: matrixOf(chatsOf[agent] ?? []), level: levels[agent] ?? none, along: next() },
      ...{ unknown: unknown[agent] ?? 0, right: right[agent] ?? none },
    }),
  };
}

const teams = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  size: fc.integer({ min: 2, max: 40 }),
  shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
});

it('by the columns of one agent alone gives the same as by all', () => {
  fc.assert(
    fc.property(teams, ({ seed, size, shares }) => {
      const { whole, ownOf } = teamOf(seed, size, shares);
      const byColumns = solverByColumns(whole);
      const either = solverWithout(whole);
      for (const [agent, columns] of whole.columnsOf.entries()) {
        const own = ownOf(agent);
        const copy = (): OwnSystem => ({ ...own, matrix: own.matrix.slice() });
        const all = solvedAsWhole(whole, copy());
        for (const { solution, squaredLength } of [byColumns(copy()), either(copy())]) {
          for (const column of columns) expect(solution[column]).toBeCloseTo(all.solution[column] ?? NaN, 9);
          expect(squaredLength).toBeCloseTo(all.squaredLength, 9);
        }
      }
    }),
  );
});

it('as a whole solves what remains, with the squared length of the direction in its inverse', () => {
  fc.assert(
    fc.property(teams, ({ seed, size, shares }) => {
      const { whole, ownOf } = teamOf(seed, size, shares);
      const own = ownOf(0);
      const { level, unknown, right, along } = own;
      const lowerHalf = (row: number, column: number): number => Math.max(row, column) * size + Math.min(row, column);
      const left = Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (_, column) => {
          const at = lowerHalf(row, column);
          const back = unknown * (level[row] ?? 0) * (level[column] ?? 0);
          return (whole.matrix[at] ?? 0) + back - (own.matrix[at] ?? 0);
        }),
      );
      const { solution, squaredLength } = solvedAsWhole(whole, { ...own, matrix: own.matrix.slice() });
      for (const [row, entries] of left.entries())
        expect(entries.reduce((sum, entry, column) => sum + entry * (solution[column] ?? 0), 0)).toBeCloseTo(
          right[row] ?? NaN,
          9,
        );
      const inverse = inverseOf(choleskyOf(Float64Array.from(left.flat()), size), size);
      const towards = whole.direction.map((common, column) => common + along * (level[column] ?? 0));
      let squared = 0;
      for (let row = 0; row < size; row += 1)
        for (let column = 0; column < size; column += 1)
          squared += (towards[row] ?? 0) * (towards[column] ?? 0) * (inverse[lowerHalf(row, column)] ?? 0);
      expect(squaredLength).toBeCloseTo(squared, 9);
    }),
  );
});

it('an inverse times its matrix is the identity', () => {
  fc.assert(
    fc.property(teams, ({ seed, size, shares }) => {
      const { matrix } = teamOf(seed, size, shares).whole;
      const inverse = inverseOf(choleskyOf(matrix.slice(), size), size);
      const entry = (lower: Float64Array, row: number, column: number): number =>
        lower[Math.max(row, column) * size + Math.min(row, column)] ?? NaN;
      for (let row = 0; row < size; row += 1)
        for (let column = 0; column < size; column += 1) {
          let sum = 0;
          for (let at = 0; at < size; at += 1) sum += entry(matrix, row, at) * entry(inverse, at, column);
          expect(sum).toBeCloseTo(row === column ? 1 : 0, 9);
        }
    }),
  );
});
