// What is counted of chats in advance, brought up to date before a publication: only days whose chats were written since, as far as that was said.
import type { Store } from '../engine.ts';
import { keepsRollup, rollupRows, rollupStatements, rollupTable } from '../query/rollup.ts';
import { spansOf, type DaySpan } from './levels/days.ts';
import { keepLevels, keepLevelsOf } from './levels/refresh.ts';
import { beginStatements, endTouched, touchedIn, type Touched } from './touched.ts';

/**
 * Gives what counting everything would give. TRICKY: what is cut off in between is done again, because what was said to be written is
 * forgotten last.
 */
export async function keepCounts(engine: Store): Promise<void> {
  const touched = await touchedIn(engine);
  const isDone =
    touched.days !== undefined && (await keepsRollup(engine)) && (await countDays(engine, touched, touched.days));
  if (!isDone) await countEverything(engine);
}

/** False when other chats are there than these days account for. */
async function countDays(engine: Store, touched: Touched, days: ReadonlySet<number>): Promise<boolean> {
  if (!(await keepLevelsOf(engine, days))) return false;
  if (days.size === 0) return true;
  await engine.transaction(async () => {
    for (const span of spansOf([...days].map((day) => ({ day, until_quarter: 0 })))) {
      await engine.exec(`delete from ${rollupTable} as c where ${within(span)}`);
      await engine.exec(`insert into ${rollupTable}\n${rollupRows(engine.dialect, within(span))}`);
    }
  });
  await endTouched(engine, touched);
  return true;
}

const within = ({ first, last }: DaySpan): string => `c.started_quarter >= ${first} and c.started_quarter < ${last}`;

async function countEverything(engine: Store): Promise<void> {
  const run = (statements: readonly string[]): Promise<void> =>
    engine.transaction(async () => {
      for (const statement of statements) await engine.exec(statement);
    });
  await run(beginStatements(engine));
  const begun = await touchedIn(engine);
  await keepLevels(engine);
  await run(rollupStatements(engine.dialect));
  await endTouched(engine, begun);
}
