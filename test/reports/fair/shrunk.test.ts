// Differences shrunk towards each other, against plain loops over a finer grid.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shrunkTogether, type KnownDifference } from '#reports/fair/shrunk.ts';
import { TimeSlice } from '#warehouse/time-slice.ts';

interface Measured {
  likeliest: number;
  deviation: number;
}

const known = ({ likeliest, deviation }: Measured): KnownDifference => ({
  ...{ likeliest, deviation, unsure: 0 },
  likelihood: (difference) => -((difference - likeliest) ** 2) / (2 * deviation ** 2),
});

/** The 29 widths that are averaged over, and how likely each is before anything is measured. */
const widths = Array.from({ length: 29 }, (_, at) => 0.03 * 1.15 ** at);
const priorOf = (width: number): number => width * Math.exp(-(width ** 2) / 2);

/** Of normal likelihoods all is known in closed form: levels that vary by a width are measured with a deviation. */
function shrunkPlainly(all: readonly Measured[]): { means: number[]; between: number } {
  const chances = widths.map((width) =>
    all.reduce((chance, { likeliest, deviation }) => {
      const variance = width ** 2 + deviation ** 2;
      return (chance * Math.exp(-(likeliest ** 2) / (2 * variance))) / Math.sqrt(variance / deviation ** 2);
    }, priorOf(width)),
  );
  const whole = chances.reduce((sum, chance) => sum + chance, 0);
  const mean = (of: (width: number) => number): number =>
    widths.reduce((sum, width, at) => sum + (of(width) * (chances[at] ?? 0)) / whole, 0);
  const shrunkBy = ({ likeliest, deviation }: Measured, width: number): number =>
    (likeliest * width ** 2) / (width ** 2 + deviation ** 2);
  return { means: all.map((one) => mean((width) => shrunkBy(one, width))), between: mean((width) => width) };
}

it('they are what a normal distribution gives in closed form', async () => {
  const measured = fc.record({
    likeliest: fc.double({ min: -3, max: 3, noNaN: true }),
    deviation: fc.double({ min: 0.1, max: 1.5, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(measured, { minLength: 1, maxLength: 8 }), async (all) => {
      const { agents, between } = await shrunkTogether(all.map(known), new TimeSlice());
      const plain = shrunkPlainly(all);
      expect(between).toBeCloseTo(plain.between, 3);
      for (const [at, { mean, low, high }] of agents.entries()) {
        expect(mean).toBeCloseTo(plain.means[at] ?? NaN, 3);
        expect([low <= mean, mean <= high]).toEqual([true, true]);
      }
    }),
  );
});
