// Migrations: forward only, on a copy that takes the place of the file when it is whole.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnsOf, type ConversationLine } from '#etl/decode/conversation.ts';
import { open as openFile } from '#warehouse/engines/default.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { NewerWarehouse } from '#warehouse/errors.ts';
import type { Migration } from '#warehouse/store/migrations.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { beforeOf } from '#warehouse/store/swap.ts';
import { until } from '../server/program.ts';
import { addChats, insert, second, type Chat } from './account.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'chatledger-migrate-'));
const now = Date.parse('2026-11-21T08:00:00Z') / 1000;

/** A step that a later release might take. */
const next: Migration = {
  version: 1000,
  statements: () => [
    'alter table account.status add column seen integer',
    "update account.status set seen = 7 where status = 'online'",
  ],
};
/** Tables that versions 5 and 6 added. */
const addedLater = [
  ...['facts.chat_turns', 'account.business_hours', 'account.open_hours'],
  ...['facts.chat_variables', 'facts.chat_dimensions', 'account.variables'],
];
const silent = { author_name: null, event_type: null, is_welcome: false, text: '', files: null };
const responses = ['first_response_seconds', 'response_seconds'];
const status = (text: string) =>
  `insert into account.status values ('default', 0, '${text}', timestamptz '2026-11-21 08:00:00+00')`;

async function fileWith(text: string): Promise<string> {
  const file = join(folder(), 'w.duckdb');
  const engine = await openWarehouse(file, { now });
  await engine.exec(status(text));
  await engine.close();
  return file;
}

/** A file as the program of version 1 made it. */
async function fileOfVersionOne(): Promise<string> {
  const file = join(folder(), 'w.duckdb');
  const engine = await openFile(file);
  await engine.exec(readFileSync(join(import.meta.dirname, 'version-1.sql'), 'utf8'));
  await engine.exec(`insert into ledger.versions values (1, timestamptz '2026-11-01 08:00:00+00')`);
  await engine.exec(status('offline'));
  await engine.exec(
    `insert into ledger.pulls values
       ('default', 'p1', timestamptz '2026-11-01 08:00:00+00', null, 'running', 3, 1, 0, 0, null)`,
  );
  await engine.close();
  return file;
}

const columnsOf = (engine: Store): Promise<Row[]> =>
  engine.query(
    `select c.schema_name, c.table_name, c.column_name, c.data_type, c.is_nullable, c.comment, t.comment as of_table
     from duckdb_columns() as c
     join duckdb_tables() as t using (database_name, schema_name, table_name)
     where c.schema_name not in ('main')
     order by all`,
  );

test('a file of version 1 becomes what this program makes afresh: the same tables, columns and comments', async () => {
  const migrated = await openWarehouse(await fileOfVersionOne(), { now });
  const fresh = await openWarehouse(join(folder(), 'w.duckdb'), { now });
  expect(await columnsOf(migrated)).toEqual(await columnsOf(fresh));
  expect(await migrated.query('select status from account.status')).toEqual([{ status: 'offline' }]);
  expect(await migrated.query('select pull_id, requests, faults from ledger.pulls')).toEqual([
    { pull_id: 'p1', requests: 3, faults: null },
  ]);
  await migrated.close();
  await fresh.close();
});

test('the comment of a column that is about a person says so, and no other does', async () => {
  const engine = await openWarehouse(join(folder(), 'w.duckdb'), { now });
  const said = (await columnsOf(engine)).filter(({ comment }) => String(comment).endsWith('[personal data]'));
  const names = said.map(({ table_name, column_name }) => `${String(table_name)}.${String(column_name)}`);
  expect(names).toEqual(
    expect.arrayContaining(['chats.visitor_id', 'chats.visitor_name', 'messages.text', 'chat_surveys.answer']),
  );
  expect(names).not.toContain('chat_agents.agent');
  const marked = tables.flatMap(({ columns }) =>
    Object.values(columns).filter(({ personal, erased }) => personal ?? erased),
  );
  expect(said.length).toBe(marked.length);
  await engine.close();
});

test('bridges of version 2 repeat from version 3 on what their chats say, one without its chat says nothing', async () => {
  const file = join(folder(), 'w.duckdb');
  const chats: Chat[] = [
    { start: '2026-03-01T08:00:00Z', agents: ['a@x.test', 'b@x.test'], groups: [1, 2], tags: ['one', 'two'] },
    { start: '2026-03-01T09:00:00Z', rate: 'rated_bad', queue: 7, isReplied: false, tags: ['two'] },
    {
      ...{ start: '2025-12-01T09:01:00Z', rate: 'rated_good', first: [31, 'a@x.test'], tags: ['one'] },
      turns: { 'a@x.test': [100, 3] },
    },
  ];
  const before = await openWarehouse(file, { now });
  await addChats(before, chats);
  const orphan = { chat_id: 'nowhere', started_at: second('2026-03-02T08:00:00Z'), rate: 'not_rated', tag: 'three' };
  await insert(before, 'facts', 'chat_tags', [orphan]);
  const names = ['chat_agents', 'chat_groups', 'chat_tags'];
  const rows = (engine: Store) =>
    Promise.all(names.map((name) => engine.query(`select * from facts.${name} order by all`)));
  const loaded = await rows(before);
  for (const name of names)
    for (const column of ['rate', 'queue_seconds', 'is_replied', ...(name === names[0] ? [] : responses)])
      await before.exec(`alter table facts.${name} drop column ${column}`);
  await before.exec('alter table facts.chats drop column redaction');
  await before.exec('alter table ledger.pulls drop column settling_days');
  for (const table of addedLater) await before.exec(`drop table ${table}`);
  await before.exec('update ledger.versions set version = 2');
  await before.close();
  const migrated = await openWarehouse(file, { now });
  expect(await rows(migrated)).toEqual(loaded);
  expect(loaded.map(({ length }) => length)).toEqual([4, 4, 5]);
  for (const name of names) {
    const inFile = await migrated.query(`select started_quarter as quarter from facts.${name} order by rowid`);
    const quarters = inFile.map(({ quarter }) => Number(quarter));
    expect(quarters).toEqual(quarters.toSorted((one, other) => one - other));
  }
  await migrated.close();
});

test('turns that version 5 makes of the lines of chats are those that decoding gives', async () => {
  const file = join(folder(), 'w.duckdb');
  const line = fc.record({
    user_type: fc.constantFrom('agent', 'visitor', 'supervisor'),
    kind: fc.constantFrom('message', 'attachment', 'event'),
    wait: fc.integer({ min: 0, max: 900 }),
    agent: fc.constantFrom('a@x.test', 'b@x.test', null),
  });
  const chats = fc
    .sample(fc.array(line, { minLength: 6, maxLength: 12, size: 'max' }), { numRuns: 40, seed: 1 })
    .map((lines, index) => {
      let at = second('2026-03-01T08:00:00Z');
      const own = { chat_id: `C${index}`, started_at: at, started_quarter: Math.floor(at / 900) };
      return { own, lines: lines.map((each) => ({ ...each, at: (at += each.wait) })) };
    });
  const before = await openWarehouse(file, { now });
  const messages = chats.flatMap(({ own, lines }) =>
    lines.map((each, position) => ({ ...own, ...each, at_second: each.at, position })),
  );
  await insert(before, 'facts', 'messages', messages);
  for (const table of addedLater) await before.exec(`drop table ${table}`);
  for (const name of ['chat_groups', 'chat_tags'])
    await before.exec(`alter table facts.${name} drop column response_seconds`);
  await before.exec('alter table ledger.pulls drop column settling_days');
  await before.exec('update ledger.versions set version = 4');
  await before.close();
  const migrated = await openWarehouse(file, { now });
  const decoded = chats.flatMap(({ own, lines }) =>
    turnsOf(lines.map((each) => ({ ...silent, ...each }) as ConversationLine)).turns.map(
      ({ agent, asked, answered }, position) => ({
        ...{ chat_id: own.chat_id, position, agent },
        ...{ asked_second: asked, answered_second: answered },
      }),
    ),
  );
  expect(decoded.length).toBeGreaterThan(20);
  expect(
    (await migrated.query('select chat_id, position, agent, asked_second, answered_second from facts.chat_turns')).sort(
      (one, other) =>
        String(one.chat_id).localeCompare(String(other.chat_id)) || Number(one.position) - Number(other.position),
    ),
  ).toEqual(decoded.sort((one, other) => one.chat_id.localeCompare(other.chat_id) || one.position - other.position));
  await migrated.close();
});

test('a file of an older version is brought forward with everything in it, and the old one is kept until the new one is published', async () => {
  const file = await fileWith('online');
  const engine = await openWarehouse(file, { now, migrations: [next] });
  expect(await engine.query('select status, seen from account.status')).toEqual([{ status: 'online', seen: 7 }]);
  expect(await engine.query('select max(version) as version from ledger.versions')).toEqual([{ version: 1000 }]);
  const old = await openFile(beforeOf(file), { readOnly: true });
  expect(await old.query('select status from account.status')).toEqual([{ status: 'online' }]);
  await old.close();
  await publish(engine, join(folder(), 'published'), now * 1000);
  expect(existsSync(beforeOf(file))).toBe(false);
  await engine.close();
  expect(readdirSync(join(file, '..'))).toEqual(['w.duckdb']);
});

test('a step that fails leaves the file as it was', async () => {
  const file = await fileWith('online');
  const broken: Migration = {
    version: 1000,
    statements: () => [...next.statements({} as never), 'alter table nowhere.none add column x integer'],
  };
  await expect(openWarehouse(file, { now, migrations: [broken] })).rejects.toThrow('nowhere');
  const engine = await openWarehouse(file, { now });
  expect(await engine.query('select * from account.status')).toMatchObject([{ status: 'online' }]);
  await engine.close();
});

test('a newer file than the program knows is refused, for reading too', async () => {
  const file = await fileWith('online');
  await (await openWarehouse(file, { now, migrations: [next] })).close();
  for (const readOnly of [false, true])
    await expect(openWarehouse(file, { now, readOnly })).rejects.toThrow(NewerWarehouse);
});

test('a kill in the middle of a migration leaves the old file, and the next start finishes it', async () => {
  const file = await fileWith('online');
  const script = join(folder(), 'migrate.mts');
  const root = join(import.meta.dirname, '..', '..');
  // The last statement takes longer than the test waits: everything before it is done, nothing has taken its place.
  writeFileSync(
    script,
    `import { openWarehouse } from '${root}/warehouse/store/open.ts';
     const statements = () => [
       'alter table account.status add column seen integer',
       'create table account.slow as select sum(a.range * b.range) as s from range(10000000) as a, range(10000000) as b',
     ];
     await openWarehouse('${file}', { now: ${now}, migrations: [{ version: 1000, statements }] });`,
  );
  const child = spawn(process.execPath, [script], { stdio: 'inherit' });
  await until(() => existsSync(`${file}.migrating.wal`), 20, 'the first statement');
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('exit', resolve));
  expect(existsSync(`${file}.migrating`)).toBe(true);
  const old = await openWarehouse(file, { now });
  expect(Object.keys((await old.query('select * from account.status'))[0] ?? {})).not.toContain('seen');
  await old.close();
  const engine = await openWarehouse(file, { now, migrations: [next] });
  expect(await engine.query('select status, seen from account.status')).toEqual([{ status: 'online', seen: 7 }]);
  await engine.close();
  expect(existsSync(`${file}.migrating`)).toBe(false);
});
