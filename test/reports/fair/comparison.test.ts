// The comparison of agents with what was expected: who is named, who is not, and the arithmetic under it.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { below, distance, reachOf, type Alike } from '#reports/fair/chance.ts';
import { choleskyOf, solved } from '#reports/fair/cholesky.ts';
import { limitsOf } from '#reports/fair/comparison.ts';
import { dispersionOf } from '#reports/fair/dispersion.ts';
import { random } from '../../drills/random.ts';
import { correlations, covered, isNamed, played, type Played, type World } from './worlds.ts';

const some = 16;
const worlds = (of: World['of'], skills: number) =>
  Promise.all(Array.from({ length: some }, (_, at) => played({ seed: 5000 + at, of, skills, agents: 12 })));

/** `npm run drill:fair` plays 400 of each and holds them to one in a hundred, 93 to 97 % and 0.1. */
describe('in teams whose skills are known', () => {
  let unequal: Played[];
  beforeAll(async () => {
    unequal = await worlds('shares', 0.5);
  });

  it('names nobody where all are equal and their chats are not', async () => {
    const equal = [...(await worlds('shares', 0)), ...(await worlds('logarithms', 0))];
    expect(equal.filter(({ agents }) => agents.some(isNamed))).toEqual([]);
  });

  it('says intervals that hold the truth, and comes nearer to the true order than the score of the vendor', () => {
    expect(covered(unequal)).toBeGreaterThan(0.91);
    expect(covered(unequal)).toBeLessThan(0.985);
    const { ours, score } = correlations(unequal);
    expect(ours - score).toBeGreaterThan(0.1);
    const named = unequal.flatMap(({ agents }) => agents.filter(isNamed));
    expect(named.length).toBeGreaterThan(some / 2);
    const wrong = named.filter(({ told, truth }) => (told.verdict === 'above') !== truth > 0);
    expect(wrong.length).toBeLessThanOrEqual(1);
  });

  it('says nothing of anybody of whom fewer than five good or five bad ratings are expected', () => {
    const all = unequal.flatMap(({ agents }) => agents.map(({ told }) => told));
    for (const { verdict, expected, count, likely } of all) {
      const isFew = Math.min(expected, 1 - expected) * count < 5;
      expect([verdict === 'few_expected', likely === null]).toEqual([isFew, isFew]);
    }
  });
});

describe('chance', () => {
  it('is counted to a factor of two in the far tails of sums of unequal shares', () => {
    const alike = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 12 }), level: fc.double({ min: -3, max: 3, noNaN: true }) }),
      {
        ...{ minLength: 3, maxLength: 8 },
      },
    );
    fc.assert(
      fc.property(alike, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (each: Alike[], at) => {
        let chances = [1];
        for (const { count, level } of each)
          for (let one = 0; one < count; one += 1) {
            const share = 1 / (1 + Math.exp(-level));
            chances = Array.from(
              { length: chances.length + 1 },
              (_, sum) => (chances[sum] ?? 0) * (1 - share) + (chances[sum - 1] ?? 0) * share,
            );
          }
        const most = chances.length - 1;
        const sum = Math.min(Math.max(Math.round(most * at), 1), most - 1);
        // Half of the sum itself counts to either side.
        const under = chances.slice(0, sum).reduce((all, it) => all + it, 0) + (chances[sum] ?? 0) / 2;
        fc.pre(under > 1e-6 && under < 1 - 1e-6 && most >= 12);
        const z = distance(each, sum);
        expect(Math.abs(below(z) - under)).toBeLessThan(0.05);
        if (under < 0.02) expect(Math.abs(Math.log2(below(z) / under))).toBeLessThan(1);
      }),
    );
  });

  it('has the reach that tables give', () => {
    expect(below(1.959963984540054)).toBeCloseTo(0.975, 12);
    expect(below(-8) / 6.220960574271785e-16).toBeCloseTo(1, 7);
    expect(reachOf(0.05)).toBeCloseTo(1.959963984540054, 9);
    expect(reachOf(0.002)).toBeCloseTo(3.090232306167813, 9);
    expect(limitsOf(2).verdict).toBeCloseTo(3.0902, 4);
    expect(limitsOf(200).verdict).toBeGreaterThan(limitsOf(20).verdict);
  });

  it('is not narrower than days are: bad days of many chats widen it, days that differ by chance do not', () => {
    const draw = random(7);
    const dispersionIn = (days: readonly { agent: string; count: number; sum: number; squares: number }[]): number => {
      const agents = [...new Set(days.map(({ agent }) => agent))];
      const column = (valueOf: (day: (typeof days)[number]) => number): Float64Array =>
        Float64Array.from(days, valueOf);
      const agent = column((day) => agents.indexOf(day.agent));
      const sums = { count: column(({ count }) => count), sum: column(({ sum }) => sum) };
      return dispersionOf({ agent, ...sums, squares: column(({ squares }) => squares) }, 'shares').dispersion;
    };
    const daysOf = (swing: number) =>
      Array.from({ length: 600 }, (_, at) => {
        const share = 0.8 + (at % 2 ? swing : -swing);
        const sum = Array.from({ length: 20 }, () => Number(draw() < share)).reduce((all, it) => all + it, 0);
        return { agent: `a${at % 10}`, count: 20, sum, squares: sum };
      });
    expect(dispersionIn(daysOf(0))).toBeLessThan(1.15);
    // Agents of even places have good days only: between agents is not within them.
    expect(dispersionIn(daysOf(0.15))).toBeLessThan(1.15);
    const swinging = daysOf(0.15).map((day, at) => ({ ...day, agent: `a${Math.floor(at / 60)}` }));
    expect(dispersionIn(swinging)).toBeGreaterThan(2);
  });
});

it('a factor gives its matrix back, of whatever size, and what is not positive definite has none', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 23 }), fc.array(number, { minLength: 529, maxLength: 529 }), (size, of) => {
      const at = (row: number, column: number): number => of[row * 23 + column] ?? 0;
      const places = Array.from({ length: size }, (_, place) => place);
      // What is multiplied with itself, and a little more, is positive definite.
      const matrix = Float64Array.from(
        places.flatMap((row) =>
          places.map((column) => places.reduce((sum, k) => sum + at(row, k) * at(column, k), row === column ? 0.1 : 0)),
        ),
      );
      const lower = choleskyOf(matrix.slice(), size);
      for (const row of places)
        for (const column of places) {
          const back = places.reduce(
            (sum, k) => sum + (lower[row * size + k] ?? 0) * (lower[column * size + k] ?? 0),
            0,
          );
          expect(Math.abs(back - (matrix[row * size + column] ?? 0))).toBeLessThan(1e-12);
          if (column > row) expect(lower[row * size + column]).toBe(0);
        }
      matrix[size * size - 1] = -1;
      expect(() => choleskyOf(matrix, size)).toThrow('not positive definite');
    }),
  );
});

it('a system is solved', () => {
  const matrix = Float64Array.from([4, 0, 0, 2, 5, 0, 1, 3, 6]);
  const right = Float64Array.from([4 + 4 + 3, 2 + 10 + 9, 1 + 6 + 18]);
  expect([...solved(choleskyOf(matrix, 3), right)].map((it) => Number(it.toFixed(12)))).toEqual([1, 2, 3]);
});
