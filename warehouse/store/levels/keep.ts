// Keeps the levels by quarter hour (query/levels.ts): only the days whose chats are others than when it was done last are counted again.
import type { Dialect } from '../../dialect.ts';
import type { Store } from '../../engine.ts';
import {
  keptColumns,
  lastQuarter,
  levelColumns,
  levelDaysTable,
  levelTables,
  type LevelColumn,
  type LevelsOf,
} from '../../query/levels.ts';
import { changedDays, cut, daysKept, daysNow, spansOf, type Day } from './days.ts';
import { levelsOf, opened } from './fill.ts';
import { createStatements } from './tables.ts';

/**
 * A chat of years is a row in each of its quarter hours, for each of its agents and groups: an account whose long chats are
 * more rows than this keeps no levels.
 */
const most_rows = { per_chat: 20, in_any_case: 300_000 };
const long_seconds = 86_400;

async function accountsBeyond(
  engine: Store,
  columns: readonly LevelColumn[],
  days: readonly Day[],
): Promise<ReadonlySet<string>> {
  const { dialect } = engine;
  const open = `${lastQuarter(columns, dialect)} - c.started_quarter + 1`;
  const long = `where c.ended_second - c.started_second > ${long_seconds}`;
  const rowsOf = ({ whose }: (typeof levelTables)[LevelsOf]): string =>
    `select c.account, ${open} as rows from facts.chats as c${whose ? `\n  join ${whose.table} as b using (account, started_quarter, chat_id)` : ''} ${long}`;
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

/** Brings the levels of the file up to date with its chats. A crash in between leaves days to be done again. */
export async function keepLevels(engine: Store): Promise<void> {
  const { dialect } = engine;
  const columns = levelColumns(dialect);
  if (JSON.stringify(await keptColumns(engine)) !== JSON.stringify(columns))
    await engine.transaction(async () => {
      for (const statement of createStatements(columns, dialect)) await engine.exec(statement);
    });
  const now = await daysNow(engine, columns);
  const beyond = await accountsBeyond(engine, columns, now);
  const changed = changedDays(
    await daysKept(engine),
    now.filter(({ account }) => !beyond.has(account)),
  );
  for (const [account, days] of Map.groupBy(changed, (day) => day.account)) {
    const which = `account = ${dialect.literal(account, 'text')}`;
    const own = now.filter((day) => day.account === account);
    for (const span of cut(spansOf(days), new Map(own.map(({ day, chats }) => [day, chats]))))
      await engine.transaction(async () => {
        const whole = await opened(engine, account, span);
        for (const of of Object.keys(levelTables) as LevelsOf[]) {
          const within = `quarter >= ${span.first} and quarter < ${span.last}`;
          await engine.exec(`delete from ${levelTables[of].table} where ${which} and ${within}`);
          if (!beyond.has(account)) await engine.exec(levelsOf(of, account, whole, columns, dialect));
        }
      });
    await engine.transaction(async () => {
      const numbers = [...new Set(days.map(({ day }) => day))];
      await engine.exec(`delete from ${levelDaysTable} where ${which} and day in (${numbers.join(', ')})`);
      const kept = beyond.has(account) ? [] : own.filter(({ day }) => numbers.includes(day));
      for (let from = 0; from < kept.length; from += 500)
        await engine.exec(
          `insert into ${levelDaysTable} values ${kept
            .slice(from, from + 500)
            .map(valuesOf(dialect))
            .join(', ')}`,
        );
    });
  }
}

const valuesOf =
  ({ literal }: Dialect) =>
  ({ account, day, chats, fingerprint, until_quarter }: Day): string =>
    `(${literal(account, 'text')}, ${day}, ${chats}, ${literal(fingerprint, 'text')}, ${until_quarter})`;
