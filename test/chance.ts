// How much the tests leave to chance: a part of it with `npm test`, all of it with `npm run drill:chance`, which runs the same code.
import fc from 'fast-check';
import { test } from 'vitest';

/** Whether everything is tried that could be. */
export const isWhole = process.env.CHANCE === 'whole';

/** So many tries with the tests, so many with the drill. */
export const tries = (with_tests: number, with_drill: number): number => (isWhole ? with_drill : with_tests);

/** A test that only the drill runs: it takes long, and what it holds is held in part by others. */
export function testInDrill(name: string, run: () => Promise<void>): void {
  if (isWhole) test(name, run);
}

// The same tries each time: a change does not fail for a defect that it did not make, and what fails, fails again. The drill takes another seed.
fc.configureGlobal({ seed: Number(process.env.CHANCE_SEED ?? 1) });
