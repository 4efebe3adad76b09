// Start days of chats written since the last count; writers of chats record them in the same transaction.
import type { Store } from '../engine.ts';
import { quarterSeconds } from '../query/time-buckets.ts';
import { hasTable } from './has-table.ts';

const [schema, name] = ['facts', 'touched_days'] as const;
const table = `${schema}.${name}`;
const quarters_a_day = 86_400 / quarterSeconds;

/** For statements that change chats without recording it, or recreate a file: everything is counted again. */
export const forgetCounts = `drop table if exists ${table}`;

/** From now on writers record their days; existing chats are not counted yet. */
export function beginStatements({ dialect: { type, literal } }: Store): string[] {
  const text = (value: string): string => literal(value, 'text');
  return [
    `create or replace table ${table} (number ${type('bigint', false)}, account ${type('text', true)}, day ${type('int', true)})`,
    `insert into ${table} values (1, null, null)`,
    `comment on table ${table} is ${text('Days whose chats were written and are not counted yet: none in a published file.')}`,
    `comment on column ${table}.number is ${text('the larger, the later')}`,
    `comment on column ${table}.account is ${text('account id; null: every account')}`,
    `comment on column ${table}.day is ${text('days since 1970 UTC on which the chats started; null: every day')}`,
  ];
}

/** A chat, by the quarter hour in which it started. */
export interface TouchedQuarter {
  account: string;
  started_quarter: number;
}

/** Says that these chats are written or taken out. Part of the transaction that does it. */
export async function touch(engine: Store, chats: Iterable<TouchedQuarter>): Promise<void> {
  const { literal } = engine.dialect;
  const days = new Set<string>();
  for (const { account, started_quarter } of chats)
    days.add(`(${literal(account, 'text')}, ${Math.floor(started_quarter / quarters_a_day)})`);
  if (days.size === 0 || !(await hasTable(engine, schema, name))) return;
  await engine.exec(
    `insert into ${table}\nselect (select coalesce(max(number), 0) + 1 from ${table}), account, day\n` +
      `from (values ${[...days].join(', ')}) as written(account, day)`,
  );
}

export interface Touched {
  /** Number of the last record. */
  number: number;
  /** Days since 1970; nothing when it may be any. */
  days: ReadonlySet<number> | undefined;
}

export async function touchedIn(engine: Store): Promise<Touched> {
  if (!(await hasTable(engine, schema, name))) return { number: 0, days: undefined };
  const rows = await engine.query(`select day, max(number) as number from ${table} group by day`);
  return {
    number: rows.reduce((most, row) => Math.max(most, Number(row.number)), 0),
    days: rows.some(({ day }) => day === null) ? undefined : new Set(rows.map(({ day }) => Number(day))),
  };
}

/** Everything up to here is counted; later records stay. */
export const endTouched = (engine: Store, { number }: Touched): Promise<void> =>
  engine.exec(`delete from ${table} where number <= ${number}`);
