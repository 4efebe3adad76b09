// Updates precomputed counts of chats before a publication: only days whose chats have been written since, as far as recorded.
import type { Store } from '../engine.ts';
import { keepsOutcomes, returning_days } from '../query/agent-outcomes.ts';
import {
  followingQuarters,
  keepsRollup,
  rollupRows,
  rollupStatements,
  rollupTable,
  type QuarterSpan,
} from '../query/rollup.ts';
import { quarterSeconds } from '../query/time-buckets.ts';
import { countOutcomes, createOutcomes } from './agent-outcomes.ts';
import { cutByChats, spansOf } from './levels/days.ts';
import { keepLevels, keepLevelsOf } from './levels/refresh.ts';
import { beginStatements, endTouched, touchedIn, type Touched } from './touched.ts';

/**
 * Gives the same result as recounting everything. TRICKY: interrupted work is repeated, because the record of written days is deleted
 * last.
 */
export async function keepCounts(engine: Store): Promise<void> {
  const touched = await touchedIn(engine);
  const isDone =
    touched.days !== undefined &&
    (await keepsRollup(engine)) &&
    (await keepsOutcomes(engine)) &&
    (await countDays(engine, touched, touched.days));
  if (!isDone) await countEverything(engine);
}

/** False when other chats are there than these days account for. */
async function countDays(engine: Store, touched: Touched, days: ReadonlySet<number>): Promise<boolean> {
  if (!(await keepLevelsOf(engine, days))) return false;
  if (days.size === 0) return true;
  await engine.transaction(async () => {
    for (const span of followedBy(days)) {
      await engine.exec(
        `delete from ${rollupTable} where started_quarter >= ${span.first} and started_quarter < ${span.last}`,
      );
      await engine.exec(`insert into ${rollupTable}\n${rollupRows(engine.dialect, span)}`);
    }
  });
  await engine.transaction(async () => {
    for (const span of await cut(engine, returningTo(days))) await countOutcomes(engine, span);
  });
  await endTouched(engine, touched);
  return true;
}

const quarters_a_day = 86_400 / quarterSeconds;

/** Those days, and earlier ones whose chats are followed by theirs. */
const followedBy = (days: ReadonlySet<number>): QuarterSpan[] =>
  spansAround(days, Math.ceil(followingQuarters / quarters_a_day), 0);

/** Those days, and later ones to which their visitors may return. */
const returningTo = (days: ReadonlySet<number>): QuarterSpan[] => spansAround(days, 0, returning_days);

function spansAround(days: ReadonlySet<number>, before: number, after: number): QuarterSpan[] {
  const all = new Set<number>();
  for (const day of days) for (let near = day - before; near <= day + after; near += 1) all.add(near);
  return spansOf([...all].map((day) => ({ day, until_quarter: 0 })));
}

/** The spans in pieces: the chats of each, with those that precede or follow them, are sorted at once. */
async function cut(engine: Store, spans: readonly QuarterSpan[]): Promise<QuarterSpan[]> {
  const day = engine.dialect.wholes('c.started_quarter', quarters_a_day);
  const each = spans.map(
    ({ first, last }) =>
      `select ${day} as day, count(*) as chats from facts.chats as c\n` +
      `where c.started_quarter >= ${first} and c.started_quarter < ${last} group by day`,
  );
  const found = each.length > 0 ? await engine.query(each.join('\nunion all\n')) : [];
  return cutByChats(spans, new Map(found.map((row) => [Number(row.day), Number(row.chats)])));
}

async function countQuarters(engine: Store): Promise<void> {
  for (const statement of [...rollupStatements(engine.dialect), ...createOutcomes(engine)])
    await engine.exec(statement);
  const day = engine.dialect.wholes('c.started_quarter', quarters_a_day);
  const [range] = await engine.query(`select min(${day}) as first, max(${day}) as last from facts.chats as c`);
  if (range?.first === null || range?.first === undefined) return;
  const whole = { first: Number(range.first) * quarters_a_day, last: (Number(range.last) + 1) * quarters_a_day };
  for (const span of await cut(engine, [whole])) {
    await engine.exec(`insert into ${rollupTable}\n${rollupRows(engine.dialect, span)}`);
    await countOutcomes(engine, span);
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
