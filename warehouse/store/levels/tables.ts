// Creates the tables of levels: their columns are the measure parts of metrics, so that they are recreated when a definition changes.
import type { Dialect } from '../../dialect.ts';
import { levelDaysTable, levelPartsTable, levelTables, type LevelColumn } from '../../query/levels.ts';

/** The empty tables of levels, and the record of their definitions. */
export function createStatements(columns: readonly LevelColumn[], dialect: Dialect): string[] {
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
    `create table ${levelDaysTable} (account ${type('text', false)}, day ${type('int', false)}, chats ${type('bigint', false)}, fingerprint ${type('text', false)}, until_quarter ${type('int', false)})`,
    `comment on table ${levelDaysTable} is ${text('The chats whose levels are kept, per day (UTC) on which they started.')}`,
    describe(levelDaysTable, 'account', 'account id'),
    describe(levelDaysTable, 'day', 'days since 1970 UTC'),
    describe(levelDaysTable, 'chats', 'chats that started on the day'),
    describe(levelDaysTable, 'fingerprint', 'another one when these chats have changed'),
    describe(levelDaysTable, 'until_quarter', 'the first quarter hour in which none of them is open'),
  ];
}
