// Statements of people: what they may do, and what a hundred and twenty attacks do not.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { withoutTexts } from '#api/sql.ts';
import { withSignal } from '#warehouse/cancellation.ts';
import { ask } from '#warehouse/engines/console.ts';
import type { ParameterValues } from '#warehouse/engines/console-parameters.ts';
import { ConsoleError } from '#warehouse/engines/console-error.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import type { SqlAnswer, SqlConsole } from '#api/deps.ts';
import type { Role } from '#auth/rights.ts';
import { createSqlConsole } from '../../src/server/sql-console/sql-console.ts';
import { limitsWith } from '../sql-limits.ts';
import { descendantsOf } from '../../src/server/descendants.ts';
import { newFolder, until } from './program.ts';

const folder = newFolder();
const file = join(folder, 'snapshot.duckdb');
const scratch = newFolder();
const secret = join(folder, 'secret.csv');
const server = createServer((_, response) => {
  reached += 1;
  response.end('a,b\n1,2\n');
});
let reached = 0;
let url = '';
let before = '';

beforeAll(async () => {
  const engine = await openWarehouse(file);
  await engine.exec(
    "insert into account.tags (account, name, group_id, author, created_at, in_chats, in_tickets, pulled_at) values ('default', 'vip', 0, '', timestamptz '2026-01-01 00:00:00Z', 0, 0, timestamptz '2026-01-01 00:00:00Z')",
  );
  await engine.close();
  writeFileSync(secret, 'word\nhunter2\n');
  symlinkSync(secret, join(folder, 'link.csv'));
  mkdirSync(join(folder, 'empty'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.csv`;
  before = readFileSync(file).toString('base64');
});
afterAll(() => server.close());

const console_ = createSqlConsole(limitsWith({ seconds: 20 }));
/** As whom, with a folder that holds what does not fit into memory and that must be gone with the statement. */
const put = (
  to: SqlConsole,
  statement: string,
  reader: string,
  { parameters = {}, role = 'analyst', of = file }: { parameters?: ParameterValues; role?: Role; of?: string } = {},
): Promise<SqlAnswer> => to.ask({ file: of, statement, parameters, folder: scratch }, { reader, role });

describe('what is asked is answered', () => {
  test('with names, types and rows, in a process of its own that is gone afterwards', async () => {
    const answer = await put(
      console_,
      "select 1 as one, 'x' as word, 1.5::decimal(4, 2) as amount, null as none",
      'anna',
    );
    expect(answer).toMatchObject({
      kind: 'answered',
      columns: [
        { name: 'one', type: 'INTEGER' },
        { name: 'word', type: 'VARCHAR' },
        { name: 'amount', type: 'DECIMAL(4,2)' },
        { name: 'none', type: 'INTEGER' },
      ],
      rows: [[1, 'x', '1.50', null]],
      more: false,
    });
    await expectNobody();
  });
  it.each([
    'from account.tags select name',
    'with named as (from account.tags) select name from named',
    'describe facts.chats',
    'show all tables',
    'explain select * from facts.chats',
    'explain analyze select count(*) from facts.chats',
    'summarize account.tags',
    'values (1), (2)',
    'select comment from duckdb_columns() limit 1;',
  ])('%s', async (statement) => {
    expect((await ask(file, statement, { rows: 10 })).rows.length).toBeGreaterThan(0);
  });
  test('with days of UTC also on the command line, whatever the zone of the machine', async () => {
    const { rows } = await ask(file, "select current_setting('TimeZone'), timestamptz '2026-01-01 23:30:00-05'::date", {
      rows: 1,
    });
    expect(rows).toEqual([['UTC', '2026-01-02']]);
  });
  test('up to as many rows as are given at once, and as many characters', async () => {
    const many = await ask(file, 'from range(100)', { rows: 10 });
    expect([many.rows.length, many.more]).toEqual([10, true]);
    expect((await ask(file, 'from range(10)', { rows: 10 })).more).toBe(false);
    const long = await ask(file, "select repeat('x', 1000) from range(100)", { rows: 100, characters: 5000 });
    expect([long.rows.length, long.more]).toEqual([5, true]);
  });
  test('errors say where', async () => {
    const wrong = async (statement: string): Promise<unknown> => {
      const error: unknown = await ask(file, statement, { rows: 1 }).catch((caught: unknown) => caught);
      return error instanceof ConsoleError ? [error.message.split('\n')[0], error.place] : error;
    };
    expect(await wrong('select 1,\n  wrong_name\nfrom account.tags')).toEqual([
      expect.stringContaining('"wrong_name" not found'),
      { line: 2, column: 3 },
    ]);
    expect(await wrong('select * form account.tags')).toEqual([
      expect.stringContaining('syntax error'),
      { line: 1, column: 15 },
    ]);
    // Of a long line the engine shows a part.
    const long = `select 1 as first_of_all, ${'2 as another_name, '.repeat(8)}wrong_name, 3 as last from account.tags`;
    for (const [lines, line] of [
      [long, 1],
      [`select *\nfrom (${long}\n) where name = 'x' and name <> 'y'`, 2],
      [`${long}, ${'account.groups, '.repeat(8)}account.agents`, 1],
    ] as const) {
      const column = (lines.split('\n')[line - 1] ?? '').indexOf('wrong_name') + 1;
      expect(await wrong(lines)).toEqual([expect.stringContaining('"wrong_name" not found'), { line, column }]);
    }
    expect(await wrong('from nowhere')).toEqual([
      expect.stringContaining('nowhere does not exist'),
      { line: 1, column: 6 },
    ]);
  });
});

describe('what is no single statement is refused with what to do', () => {
  const refusal = (statement: string): Promise<string> =>
    ask(file, statement, { rows: 5 }).then(
      () => 'answered',
      (error: unknown) => (error instanceof ConsoleError ? error.message : `not told: ${String(error)}`),
    );
  const comments = ['-- select 1', '/* a */ -- b', '/* a /* b */ select 1 */;', '/* select 1', '/* a */\n;\r-- b\n;'];
  it.each(['', ' \n', ';', '; ;', '\u00a0', ...comments])('%j has none', async (statement) => {
    expect(await refusal(statement)).toMatch(/^there is no statement in it/);
  });
  it.each(['/* a */ select 1 /* b */', '-- a\rselect 1', ';;select 1;;', '/* /* */ */ select 1', "select '-- ;'"])(
    '%j has one',
    async (statement) => {
      expect(await refusal(statement)).toBe('answered');
    },
  );
  it.each(['pivot account.tags on name using count(*)', 'select * from (pivot account.tags on name)'])(
    '%s is several, as the engine collects the values first',
    async (statement) => {
      expect(await refusal(statement)).toMatch(/name the values of a pivot.*on country in \(/);
    },
  );
  it('a pivot that names its values is one', async () => {
    expect(await refusal("pivot account.tags on name in ('vip') using count(*)")).toBe('answered');
    expect(await refusal('select 1; select 2')).toBe('run one statement at a time: there are 2');
  });
});

describe('named parameters', () => {
  const asked = async (statement: string, given: ParameterValues): Promise<unknown> =>
    ask(file, statement, { rows: 5 }, given).then(
      ({ rows }) => rows,
      (error: unknown) => (error instanceof ConsoleError ? [error.message, error.parameters] : error),
    );
  const tags = 'select name from account.tags';
  it.each<[string, ParameterValues, unknown]>([
    [`${tags} where created_at >= $from and group_id = $group`, { from: '2026-01-01', group: 0 }, [['vip']]],
    [`${tags} where created_at >= $from and group_id = $group`, { from: '2026-01-02', group: '0' }, []],
    [`${tags} where name = $tag limit $n`, { tag: 'vip', n: 1 }, [['vip']]],
    // The engine tells no type here, as it may be anything that is null.
    [
      `${tags} where ($group is null or group_id = $group) and created_at >= $from`,
      { group: null, from: '2026-01-01' },
      [['vip']],
    ],
    [`${tags} where ($group is null or group_id = $group)`, { group: 1 }, []],
    ['select $day::date + 1 as day, $on as is_on', { day: '2026-02-28', on: true }, [['2026-03-01', true]]],
    // What is bound is a value, whatever it looks like.
    [`${tags} where name = $tag`, { tag: "' or true --" }, []],
    [`${tags} where name = $tag`, { tag: "'; drop table account.tags; --" }, []],
    ['select $a as a', { a: "$b, (select 'x')" }, [["$b, (select 'x')"]]],
  ])('%s with %j', async (statement, given, rows) => {
    expect(await asked(statement, given)).toEqual(rows);
  });
  it.each<[string, ParameterValues, string, string[]]>([
    [`${tags} where name = $tag`, {}, 'the parameter $tag must have a value', ['tag']],
    ['select $from, $to', { from: 'x' }, 'the parameter $to must have a value', ['to']],
    ['select $from, $to', {}, 'the parameters $from, $to must have a value', ['from', 'to']],
    ['select 1', { from: 'x' }, 'the statement has no parameter $from, and none at all', ['from']],
    ['select $to', { to: 1, form: 1 }, 'the statement has no parameter $form, only $to', ['form']],
    [
      `${tags} where created_at > $from`,
      { from: 'yesterday' },
      '$from must be TIMESTAMP WITH TIME ZONE, and is "yesterday"',
      ['from'],
    ],
    [`${tags} where group_id = $group`, { group: 1.5 }, '$group must be INTEGER, and is 1.5', ['group']],
    [`${tags} where group_id = $group`, { group: 'all' }, '$group must be INTEGER, and is "all"', ['group']],
    ['select $day::date, $x', { day: '2026-02-30', x: 1 }, '$day must be DATE, and is "2026-02-30"', ['day']],
    [`${tags} where ($day is null or created_at > $day)`, { day: 'soon' }, 'the value of $day is wrong', ['day']],
    ['select ?', {}, 'the parameter $1 must have a value', ['1']],
  ])('%s with %j is refused: %s', async (statement, given, words, names) => {
    expect(await asked(statement, given)).toEqual([expect.stringContaining(words), names]);
  });
  test('reach the process of the statement', async () => {
    const given = { from: '2026-01-01' };
    expect(await put(console_, 'select $from::date as day', 'anna', { parameters: given })).toMatchObject({
      rows: [['2026-01-01']],
    });
    expect(await put(console_, 'select $from::date, $to', 'anna', { parameters: given })).toMatchObject({
      kind: 'wrong',
      parameters: ['to'],
    });
  });
});

/** Words that must not be in an answer. */
const told = ['hunter2', 'root:', 'PATH='];

const attacks = (): string[] => [
  // Files.
  ...[
    `'${secret}'`,
    "'/etc/passwd'",
    `'${join(folder, 'link.csv')}'`,
    `'${join(folder, '*.csv')}'`,
    "'../secret.csv'",
  ].flatMap((path) => [
    `from ${path}`,
    `from read_csv(${path})`,
    `from read_text(${path})`,
    `from read_blob(${path})`,
    `from glob(${path})`,
    `select * from sniff_csv(${path})`,
    `from read_json(${path})`,
    `from parquet_scan(${path})`,
  ]),
  `from read_duckdb('${file}')`,
  `select * from parquet_metadata('${secret}')`,
  "select getenv('PATH')",
  "select getvariable('PATH')",
  "from read_csv('/dev/stdin')",
  "from read_text('/proc/self/environ')",
  `from query('from ''${secret}''')`,
  `from query_table('${secret}')`,
  `select * from query('copy (select 1) to ''${join(folder, 'empty', 'x')}''')`,
  // Network.
  `from '${url}'`,
  `from read_csv('${url}')`,
  `from read_text('${url}')`,
  "from 's3://bucket/x.parquet'",
  "from read_parquet('https://127.0.0.1:1/x.parquet')",
  // What changes something.
  'create table account.mine (n integer)',
  'create temp table mine (n integer)',
  'create table mine as select 1',
  'create view mine as select 1',
  'create macro mine() as 1',
  'create schema mine',
  'create sequence mine',
  "create type mine as enum ('a')",
  "create secret s (type s3, key_id 'k', secret 's')",
  'drop table account.tags',
  'delete from account.tags',
  "update account.tags set name = 'x'",
  "insert into account.tags (account, name) values ('default', 'x')",
  "merge into account.tags using (select 1 as n) as s on false when not matched then insert (name) values ('x')",
  'truncate account.tags',
  'alter table account.tags add column x integer',
  "comment on table account.tags is 'x'",
  'with gone as (delete from account.tags returning *) from gone',
  // Out of the file.
  `copy account.tags to '${join(folder, 'empty', 'out.csv')}'`,
  `copy (select 1) to '${join(folder, 'empty', 'out.parquet')}'`,
  `copy account.tags from '${secret}'`,
  `export database '${join(folder, 'empty')}'`,
  `import database '${join(folder, 'empty')}'`,
  `attach '${join(folder, 'empty', 'new.duckdb')}' as other`,
  "attach ':memory:' as other",
  `attach '${file}' as again (read_only)`,
  'detach snapshot',
  'use memory',
  'checkpoint',
  'force checkpoint',
  'vacuum',
  'analyze',
  // Settings and extensions.
  'set enable_external_access = true',
  'set global enable_external_access = true',
  "set memory_limit = '100GB'",
  'set lock_configuration = false',
  "set temp_directory = '/tmp'",
  'set variable x = 1',
  'reset memory_limit',
  'pragma enable_external_access = true',
  'pragma database_list',
  "pragma memory_limit = '100GB'",
  'pragma enable_profiling',
  `pragma profiling_output = '${join(folder, 'empty', 'profile')}'`,
  `from enable_profiling(save_location = '${join(folder, 'empty', 'profile')}')`,
  `from enable_logging(storage = 'file', storage_path = '${join(folder, 'empty')}')`,
  'from force_checkpoint(current_database())',
  'install httpfs',
  "install httpfs from 'http://127.0.0.1:1'",
  'load httpfs',
  `load '${join(folder, 'evil.duckdb_extension')}'`,
  'force install spatial',
  'update extensions',
  'call dbgen(sf = 1)',
  'call pragma_version()',
  // Several, and prepared.
  'select 1; select 2',
  `select 1; copy account.tags to '${join(folder, 'empty', 'two.csv')}'`,
  '',
  ';',
  '-- nothing',
  'prepare p as select 1',
  'execute p',
  'deallocate p',
  'select $1',
  'select ?',
  'begin transaction',
  'commit',
  'rollback',
  `explain copy account.tags to '${join(folder, 'empty', 'four.csv')}'`,
  `explain analyze copy account.tags to '${join(folder, 'empty', 'three.csv')}'`,
  'explain analyze create temp table x as select 1',
  'explain analyze delete from account.tags',
  "explain analyze attach ':memory:' as m",
  // What crashes others.
  "select cast('x' as integer)",
  "select '9999999999999999999999'::hugeint * 99999999999999999999999999",
  "select json('{')",
  "select 1 / 0 + error('stop')",
  `select ${'('.repeat(2000)}1${')'.repeat(2000)}`,
  `select ${Array.from({ length: 5000 }, (_, n) => n).join(' + ')}`,
  "select regexp_matches(repeat('a', 100000), '(a+)+$')",
  'select unnest(range(1000000000000))',
];

test('attacks do nothing', async () => {
  const found: [string, string][] = [];
  const all = attacks();
  expect(all.length).toBeGreaterThan(120);
  let answered = 0;
  for (const statement of all) {
    const answer = await ask(file, statement, { rows: 100, characters: 100_000, memory: '200MB', threads: 1 }).catch(
      (error: unknown) => {
        if (!(error instanceof ConsoleError)) found.push([statement, String(error)]);
        return undefined;
      },
    );
    if (answer) answered += 1;
    const text = JSON.stringify(answer?.rows ?? []);
    if (told.some((word) => text.includes(word))) found.push([statement, text]);
  }
  expect(found).toEqual([]);
  expect(answered).toBeLessThan(25);
  expect([reached, readdirSync(join(folder, 'empty'))]).toEqual([0, []]);
  expect(readFileSync(file).toString('base64') === before).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['empty', 'link.csv', 'secret.csv', 'snapshot.duckdb']);
});

/** A process that was killed is gone a moment later. */
const expectNobody = (): Promise<void> =>
  until(() => descendantsOf(process.pid).length === 0, 20, 'the end of all processes');

describe('what would go on for ever or take everything is stopped', () => {
  const endless = 'select count(*) from range(100000) as a, range(100000) as b, range(100000) as c';
  const limits = { memory_bytes: 200e6, spill_bytes: 0 };
  it.each([
    [endless, 2],
    ['with recursive endless as (select 1 as n union all select n + 1 from endless) select count(*) from endless', 2],
    ['select list(x) from range(1000000000) as t(x)', 20],
    ["select length(repeat(repeat('x', 1000000), 100000))", 20],
  ])('%s', async (statement, seconds) => {
    const answer = await put(createSqlConsole(limitsWith({ ...limits, seconds })), statement, 'anna');
    const message = expect.stringMatching(/limit of .* for your role \(analyst\)|maximum/) as string;
    expect(answer).toMatchObject({ kind: 'wrong', message });
  });
  test('others are answered meanwhile, whoever leaves ends it and gives the place free, and who is one too many is told', async () => {
    const crowded = createSqlConsole(limitsWith({ ...limits, seconds: 60 }), { waiting: 30, of_one: 2 });
    const leaving = new AbortController();
    const askAs = (reader: string): Promise<unknown> =>
      withSignal(leaving.signal, () => put(crowded, endless, reader)).catch((error: unknown) => String(error));
    const first = [askAs('anna')];
    expect(await put(crowded, 'select 1', 'olga')).toMatchObject({ kind: 'answered', rows: [[1]] });
    first.push(askAs('anna'));
    // Both places are taken by one reader, who gets no third; the others wait.
    expect(await put(crowded, 'select 1', 'anna')).toEqual({ kind: 'busy' });
    const others = Array.from({ length: 40 }, (_, number) => askAs(`reader ${number}`));
    expect(await put(crowded, 'select 1', 'olga')).toEqual({ kind: 'busy' });
    leaving.abort();
    const ends = await Promise.all([...first, ...others]);
    expect(ends.filter((end) => String(end).includes('nobody waits')).length).toBe(32);
    expect(
      ends.filter((end) => typeof end === 'object').every((end) => (end as { kind: string }).kind === 'busy'),
    ).toBe(true);
    expect(await put(crowded, 'select 1', 'anna')).toMatchObject({ kind: 'answered', rows: [[1]] });
    await expectNobody();
  });
});

describe('each limit is that of the role, and named by whoever hits it', () => {
  const limits = (role: Role) =>
    role === 'analyst'
      ? limitsWith({ seconds: 60, rows: 10, file_rows: 20, memory_bytes: 100e6, spill_bytes: 0 })(role)
      : limitsWith({ seconds: 60, rows: 30, file_rows: 40, memory_bytes: 100e6, spill_bytes: 900e6 })(role);
  const limited = createSqlConsole(limits);
  const sorted = 'select count(h) from (select distinct repeat(md5(n::varchar), 4) as h from range(1500000) as t(n))';
  test('of time', async () => {
    const endless = 'select count(*) from range(100000) as a, range(100000) as b, range(100000) as c';
    const hurried = createSqlConsole((role) => limitsWith({ seconds: role === 'admin' ? 2 : 1 })(role));
    for (const [role, seconds] of [['analyst', 1] as const, ['admin', 2] as const])
      expect(await put(hurried, endless, 'anna', { role })).toMatchObject({
        message: `it was stopped at the limit of ${seconds} s for your role (${role}): ask for less`,
      });
  });
  test('of rows', async () => {
    const [few, many] = [await put(limited, 'from range(25)', 'anna'), 'from range(25)'];
    expect(few).toMatchObject({ kind: 'answered', more: true });
    expect(few.kind === 'answered' && few.rows.length).toBe(10);
    expect(await put(limited, many, 'vera', { role: 'admin' })).toMatchObject({ more: false });
  });
  test('of rows in a file', async () => {
    const write = (role: Role, name: string) =>
      limited.write(
        {
          ...{ file, statement: 'from range(25)', parameters: {}, folder: scratch },
          ...{ path: join(scratch, name), format: 'csv', dated: '2026-05-31T22:00:00.000Z' },
        },
        { reader: role, role },
      );
    expect(await write('analyst', 'a.csv')).toMatchObject({
      message:
        'it has more rows than the limit of 20 in a file for your role (analyst): ask for fewer rows, or export whole tables',
    });
    expect(await write('admin', 'b.csv')).toEqual({ kind: 'written', rows: 25 });
  });
  test('of memory, and of the disk beside it', async () => {
    expect(await put(limited, sorted, 'anna')).toMatchObject({
      message: 'it needs more than the limit of 100 MB of memory for your role (analyst): ask for less',
    });
    const whole = await put(limited, sorted, 'vera', { role: 'admin' });
    expect(whole).toMatchObject({ kind: 'answered', rows: [['1500000']] });
    const narrow = createSqlConsole(limitsWith({ seconds: 60, memory_bytes: 100e6, spill_bytes: 20e6 }));
    expect(await put(narrow, sorted, 'anna')).toMatchObject({
      message:
        'it needs more than the limit of 20 MB on the disk, beside that of memory, for your role (analyst): ask for less',
    });
  });
  test('and what lies on the disk opens no way to files', async () => {
    const copy = (path: string): string => `explain analyze copy (select 1) to '${path}'`;
    const spill = join(scratch, 'spill');
    const narrow = createSqlConsole(limitsWith({ seconds: 20, spill_bytes: 20e6 }));
    // The engine makes the folder when it first needs it, and a statement cannot.
    expect(await put(narrow, copy(join(spill, 'x.csv')), 'anna')).toMatchObject({ kind: 'wrong' });
    for (const path of [join(folder, 'x.csv'), join(spill, '..', 'x.csv'), join(scratch, 'x.csv')])
      expect(await put(narrow, copy(path), 'anna')).toMatchObject({
        message: expect.stringContaining('disabled by configuration') as string,
      });
    for (const statement of [`from '${secret}'`, `attach '${join(spill, 'new.duckdb')}' as other`])
      expect(await put(narrow, statement, 'anna')).toMatchObject({ kind: 'wrong' });
    expect(readdirSync(folder).sort()).toEqual(['empty', 'link.csv', 'secret.csv', 'snapshot.duckdb']);
    await expectNobody();
  });
});

test.runIf(process.platform === 'linux')('where memory runs out, a statement is ended before pages', async () => {
  const leaving = new AbortController();
  const slow = 'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n';
  const answer = withSignal(leaving.signal, () => put(console_, slow, 'of memory')).catch(() => undefined);
  const score = (pid: number): number => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
  await until(() => descendantsOf(process.pid).some((pid) => score(pid) > score(process.pid)), 20, 'the statement');
  leaving.abort();
  await answer;
});

test('a file that is gone by the time of its turn is said to be, without its path', async () => {
  expect(await put(console_, 'select 1', 'anna', { of: join(folder, 'gone.duckdb') })).toEqual({
    kind: 'wrong',
    message: 'the snapshot was replaced meanwhile or is damaged: ask again',
    place: null,
    parameters: [],
  });
});

describe('the audit gets statements without the texts in them', () => {
  it.each([
    [
      "select * from facts.chats where visitor_name = 'Ann O''Neil' -- my friend Ann\n and city = $$Łódź$$",
      "select * from facts.chats where visitor_name = '…' and city = '…'",
    ],
    [`select 1 as "Ann Lee" /* Ann */, 'open`, "select 1 as '…' , '…'"],
    // What begins a comment may stand in a text, and a quote in a comment.
    ["select '--'\n, 'Ann Lee'", "select '…' , '…'"],
    ["select '/*', 'Ann', '*/'", "select '…', '…', '…'"],
    ["select 1 -- Ann's\n, 'Ann Lee'", "select 1 , '…'"],
    ["select 1 -- Ann's\r, 'Ann Lee'", "select 1 , '…'"],
    ['select $$--$$\n, "Ann Lee"', "select '…' , '…'"],
    ['select $ł$Ann Lee$ł$', "select '…'"],
    [String.raw`select e'O\'Ann Lee', 1`, "select '…', 1"],
    ['/* /* */ Ann Lee */ select 1', 'select 1'],
    ['select 1 /* Ann', 'select 1'],
  ])('%j', (statement, told_) => {
    expect(withoutTexts(statement)).toBe(told_);
  });
});
