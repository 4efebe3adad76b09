// Updates the levels by quarter hour (query/levels.ts): recounts only days whose chats have changed since the last time.
import type { Store } from '../../engine.ts';
import {
  levelColumnsOf,
  kindsOfLevels,
  lastQuarter,
  levelColumns,
  levelDaysTable,
  levelTables,
  type LevelColumn,
  type KindOfLevels,
} from '../../query/levels.ts';
import { changedDays, chatsIn, cutByChats, daysKept, daysNow, spansOf, type LevelDay, type DaySpan } from './days.ts';
import { levelsOf, withEarliest } from './fill.ts';
import { createStatements } from './tables.ts';

/**
 * A chat of several years is a row in each of its quarter hours, for each of its agents and groups: accounts whose long chats exceed this
 * number of rows have no stored levels.
 */
const most_rows = { per_chat: 20, in_any_case: 300_000 };
const long_seconds = 86_400;

async function accountsBeyond(
  engine: Store,
  columns: readonly LevelColumn[],
  days: readonly LevelDay[],
): Promise<ReadonlySet<string>> {
  const { dialect } = engine;
  const open = `${lastQuarter(columns, dialect)} - c.started_quarter + 1`;
  const long = `where c.ended_second - c.started_second > ${long_seconds}`;
  const rowsOf = ({ whose }: (typeof levelTables)[KindOfLevels]): string =>
    `select c.account, ${open} as rows from facts.chats as c${whose ? `\n  join ${whose.table} as b using (account, started_quarter, chat_id)` : ''} ${long}`;
  // Most accounts have none, and bridges need not be joined to see that.
  const [any] = await engine.query(`select count(*) as chats from facts.chats as c ${long}`);
  if (Number(any?.chats) === 0) return new Set();
  const found = await engine.query(
    `select account, sum(rows) as rows from (\n  ${Object.values(levelTables).map(rowsOf).join('\n  union all\n  ')}\n) as long group by account`,
  );
  const chats = new Map<string, number>();
  for (const day of days) chats.set(day.account, (chats.get(day.account) ?? 0) + day.chats);
  return new Set(
    found
      .map(({ account, rows }) => ({ account: String(account), rows: Number(rows) }))
      .filter(
        ({ account, rows }) => rows > Math.max(most_rows.in_any_case, most_rows.per_chat * (chats.get(account) ?? 0)),
      )
      .map(({ account }) => account),
  );
}

/**
 * Brings the levels of the file up to date by checking all chats. TRICKY: interrupted work is repeated, whatever changes in between: days
 * are marked first, with the quarter hours affected by either version.
 */
export async function keepLevels(engine: Store): Promise<void> {
  const { dialect } = engine;
  const columns = levelColumns(dialect);
  if (!(await keepsColumns(engine, columns)))
    await engine.transaction(async () => {
      for (const statement of createStatements(columns, dialect)) await engine.exec(statement);
    });
  await keep(engine, columns, await daysKept(engine), await daysNow(engine, columns));
}

/**
 * The same if no other days have changed; nothing else is read. Returns false without doing anything if the file has more or fewer chats
 * than that implies, or if the stored levels have another definition or lack an account.
 */
export async function keepLevelsOf(engine: Store, changed: ReadonlySet<number>): Promise<boolean> {
  const columns = levelColumns(engine.dialect);
  if (!(await keepsColumns(engine, columns))) return false;
  const before = await daysKept(engine);
  const others = before.filter(({ day }) => !changed.has(day));
  const now = [...others, ...(await daysNow(engine, columns, changed))];
  if (now.reduce((sum, { chats }) => sum + chats, 0) !== (await chatsIn(engine))) return false;
  if (changed.size > 0) await keep(engine, columns, before, now);
  return true;
}

const keepsColumns = async (engine: Store, columns: readonly LevelColumn[]): Promise<boolean> =>
  JSON.stringify(await levelColumnsOf(engine)) === JSON.stringify(columns);

async function keep(
  engine: Store,
  columns: readonly LevelColumn[],
  before: readonly LevelDay[],
  now: readonly LevelDay[],
): Promise<void> {
  const beyond = await accountsBeyond(engine, columns, now);
  const kept = now.filter(({ account }) => !beyond.has(account));
  for (const [account, changed] of Map.groupBy(changedDays(before, kept), ({ account }) => account)) {
    await writeDays(engine, account, changed, changed);
    const own = kept.filter((day) => day.account === account);
    const chatsOn = new Map(own.map(({ day, chats }) => [day, chats]));
    for (const span of cutByChats(spansOf(changed), chatsOn))
      await engine.transaction(() => countAgain(engine, account, span, beyond.has(account) ? [] : columns));
    const numbers = new Set(changed.map(({ day }) => day));
    await writeDays(
      engine,
      account,
      changed,
      own.filter(({ day }) => numbers.has(day)),
    );
  }
}

/** The levels of a span, from its chats; without columns none. */
async function countAgain(
  engine: Store,
  account: string,
  span: DaySpan,
  columns: readonly LevelColumn[],
): Promise<void> {
  const { literal } = engine.dialect;
  const opened = await withEarliest(engine, account, span);
  for (const kind of kindsOfLevels) {
    await engine.exec(
      `delete from ${levelTables[kind].table}\n` +
        `where account = ${literal(account, 'text')} and quarter >= ${span.first} and quarter < ${span.last}`,
    );
    if (columns.length > 0) await engine.exec(levelsOf(kind, account, opened, columns, engine.dialect));
  }
}

/** Rows that are inserted by one statement. */
const rows_at_once = 500;

/** Replaces the stored entries of the same days as `replaced` with `days`. */
async function writeDays(
  engine: Store,
  account: string,
  replaced: readonly LevelDay[],
  days: readonly LevelDay[],
): Promise<void> {
  const { literal } = engine.dialect;
  const whose = literal(account, 'text');
  const rows = days.map(
    ({ day, chats, fingerprint, until_quarter }) =>
      `(${whose}, ${day}, ${chats}, ${literal(fingerprint, 'text')}, ${until_quarter})`,
  );
  await engine.transaction(async () => {
    const numbers = replaced.map(({ day }) => day).join(', ');
    await engine.exec(`delete from ${levelDaysTable} where account = ${whose} and day in (${numbers})`);
    for (let from = 0; from < rows.length; from += rows_at_once)
      await engine.exec(`insert into ${levelDaysTable} values ${rows.slice(from, from + rows_at_once).join(', ')}`);
  });
}
