// How much the tests leave to chance: a part of it with `npm test`, all of it with `npm run drill:chance`, which runs the same code.
import fc from 'fast-check';
import { test } from 'vitest';
import { isWhole } from './whole.ts';

export { isWhole, partOf, tries } from './whole.ts';

/** As `fc.array`, each length as likely as any: fast-check begins with short ones, and few tries of these hold next to nothing. */
export const arrayOfAnyLength = <Item>(
  item: fc.Arbitrary<Item>,
  { minLength = 0, maxLength }: { minLength?: number; maxLength: number },
): fc.Arbitrary<Item[]> =>
  fc
    .noBias(fc.integer({ min: minLength, max: maxLength }))
    .chain((length) => fc.array(item, { minLength: length, maxLength: length }));

/** A test that only the drill runs: it takes long, and what it holds is held in part by others. */
export function testInDrill(name: string, run: () => Promise<void>): void {
  if (isWhole) test(name, run);
}

// The same tries each time: a change does not fail for a defect that it did not make, and what fails, fails again. The drill takes another seed.
fc.configureGlobal({ seed: Number(process.env.CHANCE_SEED ?? 1) });
