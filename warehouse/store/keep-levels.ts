// Fills the tables of levels by quarter hour (query/levels.ts): only the days whose chats are others than when it was done last.
import type { Dialect } from '../dialect.ts';
import type { Row, Store } from '../engine.ts';
import {
  keptColumns,
  levelColumns,
  levelDaysTable,
  levelPartsTable,
  levelTables,
  type LevelColumn,
  type LevelsOf,
} from '../query/levels.ts';
import { quarterSeconds } from '../query/time-buckets.ts';

/** Chats that are laid over each other by one statement, about. */
const at_once = 60_000;
const quarters_a_day = 86_400 / quarterSeconds;

/** Chats of years would be rows in each of their quarter hours: an account of many such chats keeps no levels. */
const most_quarters = { per_chat: 20, in_any_case: 1_000_000 };

/** The chats of an account that started on a day of UTC: what they are, and until when the last of them was open. */
interface Day {
  account: string;
  day: number;
  chats: number;
  fingerprint: string;
  /** The first quarter hour in which none of them is open. */
  until_quarter: number;
  /** Quarter hours in which they are open, each chat for itself. */
  open_quarters: number;
}

/** Quarter hours from `first` up to, not including, `last`. */
interface Span {
  first: number;
  last: number;
}

/** A span, and when the first chat began that is open in it: where nothing has to be looked for before. */
interface Opened extends Span {
  earliest: number;
}

async function opened(engine: Store, account: string, span: Span): Promise<Opened> {
  const [found] = await engine.query(
    'select min(started_quarter) as earliest from facts.chats\n' +
      `where account = ${engine.dialect.literal(account, 'text')} and started_quarter < ${span.last}` +
      ` and ended_second >= ${span.first * quarterSeconds}`,
  );
  return { ...span, earliest: Number(found?.earliest ?? span.first) };
}

const keyOf = ({ account, day }: Day): string => `${day} ${account}`;

const endOf = (columns: readonly LevelColumn[]): string =>
  `greatest(c.started_second + 1, ${[...new Set(columns.map(({ end }) => end))].join(', ')})`;

async function daysNow(engine: Store, columns: readonly LevelColumn[]): Promise<Day[]> {
  const { quarterOf, wholes, fingerprint } = engine.dialect;
  const last = quarterOf(`(${endOf(columns)} - 1)`);
  const rows = await engine.query(
    `select c.account, ${wholes('c.started_quarter', quarters_a_day)} as day, count(*) as chats,\n` +
      `  ${fingerprint(['c.chat_id', 'c.content_hash', 'c.started_second', 'c.ended_second'])} as fingerprint,\n` +
      `  max(${last}) + 1 as until_quarter, sum(${last} - c.started_quarter + 1) as open_quarters\n` +
      'from facts.chats as c\ngroup by 1, 2\norder by 1, 2',
  );
  return rows.map(dayOf);
}

const dayOf = (row: Row): Day => ({
  ...{ account: String(row.account), day: Number(row.day), chats: Number(row.chats) },
  ...{ fingerprint: String(row.fingerprint), until_quarter: Number(row.until_quarter) },
  open_quarters: Number(row.open_quarters),
});

/** Accounts whose chats are open for so long that their levels are not kept. */
function accountsBeyond(days: readonly Day[]): Set<string> {
  const beyond = new Set<string>();
  for (const [account, own] of Map.groupBy(days, (day) => day.account)) {
    const chats = own.reduce((sum, day) => sum + day.chats, 0);
    const open = own.reduce((sum, day) => sum + day.open_quarters, 0);
    if (open > Math.max(most_quarters.in_any_case, most_quarters.per_chat * chats)) beyond.add(account);
  }
  return beyond;
}

/** Days whose chats are others than those that were kept, as they were and as they are. */
function changedDays(before: readonly Day[], now: readonly Day[]): Day[] {
  const known = new Map(before.map((day) => [keyOf(day), day]));
  const changed: Day[] = [];
  for (const day of now) {
    const old = known.get(keyOf(day));
    known.delete(keyOf(day));
    if (old?.fingerprint === day.fingerprint && old.chats === day.chats) continue;
    changed.push(day, ...(old ? [old] : []));
  }
  return [...changed, ...known.values()];
}

/** The quarter hours in which chats of those days are or were open, in order, none twice. */
function spansOf(days: readonly Day[]): Span[] {
  const spans: Span[] = [];
  for (const { day, until_quarter } of [...days].sort((one, other) => one.day - other.day)) {
    const first = day * quarters_a_day;
    const last = Math.max(until_quarter, first + quarters_a_day);
    const before = spans.at(-1);
    if (before && before.last >= first) before.last = Math.max(before.last, last);
    else spans.push({ first, last });
  }
  return spans;
}

/** The same, cut between days where there are many chats: what one statement lays over each other stays in memory. */
function cut(spans: readonly Span[], chatsOn: ReadonlyMap<number, number>): Span[] {
  const pieces: Span[] = [];
  for (const { first, last } of spans) {
    let [from, chats] = [first, 0];
    for (let day = Math.floor(first / quarters_a_day); day * quarters_a_day < last; day++) {
      const start = day * quarters_a_day;
      if (chats > at_once && start > from) {
        pieces.push({ first: from, last: start });
        [from, chats] = [start, 0];
      }
      chats += chatsOn.get(day) ?? 0;
    }
    pieces.push({ first: from, last });
  }
  return pieces;
}

function createStatements(columns: readonly LevelColumn[], dialect: Dialect): string[] {
  const { type, literal } = dialect;
  const text = (value: string): string => literal(value, 'text');
  const describe = (table: string, column: string, said: string): string =>
    `comment on column ${table}."${column}" is ${text(said)}`;
  const levels = Object.values(levelTables).flatMap(({ table, whose }) => {
    const own = columns.map(({ name }) => `"${name}" ${type('bigint', false)}`);
    const key = whose ? [`"${whose.column}" ${type(whose.type, false)}`] : [];
    const of = whose ? `each ${whose.column === 'agent' ? 'agent' : 'group'}` : 'the account';
    const about = `Chats of ${of} laid over each other, per quarter hour in which one was open; level_parts says what each column is.`;
    return [
      `drop table if exists ${table}`,
      `create table ${table} ("account" ${type('text', false)}, "quarter" ${type('int', false)}, ${[...key, ...own].join(', ')})`,
      `comment on table ${table} is ${text(about)}`,
      describe(table, 'account', 'account id'),
      describe(table, 'quarter', 'quarter hours since 1970 UTC'),
      ...(whose ? [describe(table, whose.column, whose.column === 'agent' ? 'login' : 'group id')] : []),
      ...columns.map(({ name, sql, end }) => describe(table, name, `${sql}; a chat closes at ${end}`)),
    ];
  });
  const rows = columns.map(
    ({ name, end, sql, merge }, position) => `(${position}, ${[name, end, sql, merge].map(text).join(', ')})`,
  );
  return [
    ...levels,
    `drop table if exists ${levelPartsTable}`,
    `create table ${levelPartsTable} (position ${type('int', false)}, name ${type('text', false)}, "end" ${type('text', false)}, sql ${type('text', false)}, merge ${type('text', false)})`,
    `insert into ${levelPartsTable} values ${rows.join(', ')}`,
    `comment on table ${levelPartsTable} is ${text('What the columns of the tables of levels are.')}`,
    describe(levelPartsTable, 'position', '0-based place of the column'),
    describe(levelPartsTable, 'name', 'name of the column'),
    describe(levelPartsTable, 'end', 'second at which a chat (c) closes'),
    describe(levelPartsTable, 'sql', 'aggregate over stretches of length seconds with level chats open'),
    describe(levelPartsTable, 'merge', 'how quarter hours are put together: sum or max'),
    `drop table if exists ${levelDaysTable}`,
    `create table ${levelDaysTable} (account ${type('text', false)}, day ${type('int', false)}, chats ${type('bigint', false)}, fingerprint ${type('text', false)}, until_quarter ${type('int', false)}, open_quarters ${type('bigint', false)})`,
    `comment on table ${levelDaysTable} is ${text('The chats whose levels are kept, per day (UTC) on which they started.')}`,
    describe(levelDaysTable, 'account', 'account id'),
    describe(levelDaysTable, 'day', 'days since 1970 UTC'),
    describe(levelDaysTable, 'chats', 'chats that started on the day'),
    describe(levelDaysTable, 'fingerprint', 'another one when these chats have changed'),
    describe(levelDaysTable, 'until_quarter', 'the first quarter hour in which none of them is open'),
    describe(levelDaysTable, 'open_quarters', 'quarter hours in which they are open, each chat for itself'),
  ];
}

/**
 * Levels of one kind in a span. Each chat is cut at quarter hours, so that nothing is open where one begins; of several
 * edges in one second only the last has a length, and its level is the sum of all of them.
 */
function levelsOf(
  of: LevelsOf,
  account: string,
  span: Opened,
  columns: readonly LevelColumn[],
  dialect: Dialect,
): string {
  const { table, whose } = levelTables[of];
  const ends = [...new Set(columns.map(({ end }) => end))];
  const own = whose ? [`"${whose.column}"`] : [];
  const keys = ['quarter', ...own];
  const within = (alias: string): string =>
    `${alias}.started_quarter >= ${span.earliest} and ${alias}.started_quarter < ${span.last}`;
  const bridge = whose
    ? `\n  join ${whose.table} as b on b.account = c.account and b.started_quarter = c.started_quarter and b.chat_id = c.chat_id and ${within('b')}`
    : '';
  const until = `least(${dialect.quarterOf(`(${endOf(columns)} - 1)`)} + 1, ${span.last})`;
  const start = `cast(quarter as bigint) * ${quarterSeconds}`;
  const deltas = (closing?: number): string[] =>
    ends.map((_, index) => `${closing === undefined ? 1 : closing === index ? -1 : 0} as delta_${index}`);
  const opening = `select ${[...keys, `greatest(opened, ${start}) as second`, ...deltas()].join(', ')} from pieces`;
  // A chat that has closed before the piece begins (one of no length) closes where it opens.
  const closing = ends.map(
    (_, index) =>
      `select ${[...keys, `least(greatest(end_${index}, opened, ${start}), ${start} + ${quarterSeconds})`, ...deltas(index)].join(', ')} from pieces`,
  );
  const line = `(partition by ${keys.join(', ')} order by second rows between unbounded preceding and current row)`;
  const sums = columns.map(({ sql, end }) => sql.replaceAll(/\blevel\b/g, `level_${ends.indexOf(end)}`));
  return (
    `insert into ${table}\nwith pieces as (\n  select ${[
      ...(whose ? [`b.${whose.column}`] : []),
      'c.started_second as opened',
      ...ends.map((end, index) => `${end} as end_${index}`),
      `${dialect.each(`greatest(c.started_quarter, ${span.first})`, until)} as quarter`,
    ].join(', ')}\n  from facts.chats as c${bridge}\n` +
    `  where c.account = ${dialect.literal(account, 'text')} and ${within('c')} and c.ended_second >= ${span.first * quarterSeconds}\n),\n` +
    `edges as (\n  ${[opening, ...closing].join('\n  union all\n  ')}\n),\n` +
    `stretches as (\n  select ${[
      ...keys,
      ...ends.map((_, index) => `sum(delta_${index}) over ${line} as level_${index}`),
      `lead(second) over (partition by ${keys.join(', ')} order by second) - second as length`,
    ].join(', ')}\n  from edges\n)\n` +
    `select ${[dialect.literal(account, 'text'), ...keys, ...sums].join(', ')}\nfrom stretches\nwhere length > 0\n` +
    `group by ${keys.join(', ')}\norder by ${keys.join(', ')}`
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
  const beyond = accountsBeyond(now);
  const before = (await engine.query(`select * from ${levelDaysTable}`)).map(dayOf);
  const changed = changedDays(
    before,
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
  ({ account, day, chats, fingerprint, until_quarter, open_quarters }: Day): string =>
    `(${literal(account, 'text')}, ${day}, ${chats}, ${literal(fingerprint, 'text')}, ${until_quarter}, ${open_quarters})`;
