// How much of what could be tried the tests try: a part with `npm test`; all of it, with the same code, with the drills that set CHANCE.

/** Whether everything is tried that could be. */
export const isWhole = process.env.CHANCE === 'whole';

/** So many tries with the tests, so many with the drill. */
export const tries = (with_tests: number, with_drill: number): number => (isWhole ? with_drill : with_tests);

/** One of each `every`, from the one at `first` on; with the drill all of them. */
export const partOf = <T>(all: readonly T[], every: number, first = 0): T[] =>
  all.filter((_, place) => isWhole || place % every === first % every);
