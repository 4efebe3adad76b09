// Updates precomputed counts of chats before a publication: only days whose chats have been written since, as far as recorded.
import type { Store } from '../engine.ts';
import {
  followingQuarters,
  keepsRollup,
  rollupRows,
  rollupStatements,
  rollupTable,
  type QuarterSpan,
} from '../query/rollup.ts';
import { quarterSeconds } from '../query/time-buckets.ts';
import { spansOf } from './levels/days.ts';
import { keepLevels, keepLevelsOf } from './levels/refresh.ts';
import { beginStatements, endTouched, touchedIn, type Touched } from './touched.ts';

/**
 * Gives the same result as recounting everything. TRICKY: interrupted work is repeated, because the record of written days is deleted
 * last.
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
    for (const span of concernedBy(days)) {
      await engine.exec(
        `delete from ${rollupTable} where started_quarter >= ${span.first} and started_quarter < ${span.last}`,
      );
      await engine.exec(`insert into ${rollupTable}\n${rollupRows(engine.dialect, span)}`);
    }
  });
  await endTouched(engine, touched);
  return true;
}

/** Those days, and earlier ones whose chats are followed by theirs. */
function concernedBy(days: ReadonlySet<number>): QuarterSpan[] {
  const before = Math.ceil(followingQuarters / quarters_a_day);
  const all = new Set([...days].flatMap((day) => Array.from({ length: before + 1 }, (_, back) => day - back)));
  return spansOf([...all].map((day) => ({ day, until_quarter: 0 })));
}

const quarters_a_day = 86_400 / quarterSeconds;
/** Chats of this much time, with those that follow them, are sorted at once. */
const slice_quarters = 30 * quarters_a_day;

async function countQuarters(engine: Store): Promise<void> {
  for (const statement of rollupStatements(engine.dialect)) await engine.exec(statement);
  const slice = engine.dialect.wholes('c.started_quarter', slice_quarters);
  for (const row of await engine.query(`select distinct ${slice} as slice from facts.chats as c order by slice`)) {
    const first = Number(row.slice) * slice_quarters;
    await engine.exec(
      `insert into ${rollupTable}\n${rollupRows(engine.dialect, { first, last: first + slice_quarters })}`,
    );
  }
}

async function countEverything(engine: Store): Promise<void> {
  const run = (statements: readonly string[]): Promise<void> =>
    engine.transaction(async () => {
      for (const statement of statements) await engine.exec(statement);
    });
  await run(beginStatements(engine));
  const begun = await touchedIn(engine);
  await keepLevels(engine);
  await engine.transaction(() => countQuarters(engine));
  await endTouched(engine, begun);
}
