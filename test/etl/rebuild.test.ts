// The warehouse made again from the raw archive: the same tables, row by row, without a request.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { reportIds, reports } from '#contract/reports.ts';
import { openArchive, type RawArchive } from '#etl/raw/archive.ts';
import { pull } from '#etl/pull.ts';
import { askedUntil } from '#warehouse/ledger/periods.ts';
import { rebuild } from '#etl/rebuild/rebuild.ts';
import { replay } from '#etl/rebuild/replay.ts';
import { basic } from '#etl/source.ts';
import { startService, type Service } from '#service/service.ts';
import { smallWorld, thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { swapIn } from '#warehouse/store/swap.ts';
import { tables, type Table } from '#warehouse/tables/tables.ts';
import { apiDeps } from '../api/deps.ts';
import { promisedApi } from '../api/promised-api.ts';
import { isWhole, partOf, testInDrill } from '../chance.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A report of each kind: by period, by agent and group, with two trackers, a ranking, by weekday, and in hours. */
const only = new Set(['archive', 'total_chats', 'goals', 'chat_ranking', 'agents_occupancy', 'availability']);

const at = (instant: string): number => Date.parse(instant) / 1000;

interface Account {
  folder: string;
  file: string;
  archive: RawArchive;
  service: Service;
  pullAt(...instants: string[]): Promise<void>;
  close(): Promise<void>;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'chatledger-rebuild-'));

/** An account of a few days that goes on, pulled as often as the test says; `folder` may hold one that was closed. */
async function accountIn(folder: string, timezone = 'UTC'): Promise<Account> {
  const time = { now: at('2026-11-18T09:00:00Z') };
  const clock = (): number => time.now;
  const service = await startService({
    file: join(folder, 's.sqlite'),
    days: 4,
    port: 0,
    apiKey: 'secret',
    clock,
    world: isWhole ? smallWorld : thirdOfSmallWorld,
  });
  const file = join(folder, 'w.duckdb');
  const archive = await openArchive(join(folder, 'a.duckdb'));
  const source = {
    ...{ id: 'default', base_url: service.url, authorization: basic('owner@example.com', 'secret') },
    ...{ region: 'dal', timezone, since: '2026-11-15', requests_per_second: null },
  };
  return {
    folder,
    file,
    archive,
    service,
    async pullAt(...instants) {
      const engine = await openWarehouse(file);
      for (const instant of instants) {
        time.now = at(instant);
        await pull({ source, engine, archive, clock, only, publish: () => Promise.resolve() });
      }
      await engine.close();
    },
    async close() {
      await archive.close();
      await service.close();
    },
  };
}

/** Folders of accounts that were pulled at these instants, and closed: made when the first test wants one. */
const pulledFolders = new Map<string, Promise<string>>();

async function makePulled(instants: readonly string[]): Promise<string> {
  const account = await accountIn(newFolder());
  await account.pullAt(...instants);
  await account.close();
  return account.folder;
}

/** An account that was pulled at these instants, of the test's own. */
async function pulledAt(...instants: string[]): Promise<Account> {
  const name = instants.join();
  const made = pulledFolders.get(name) ?? makePulled(instants);
  pulledFolders.set(name, made);
  const folder = newFolder();
  cpSync(await made, folder, { recursive: true });
  const account = await accountIn(folder);
  ends.push(() => account.close());
  return account;
}

/** What asking cost is kept of the first and the last time of a day only. */
const own = ({ columns }: Table): string =>
  Object.keys(columns)
    .filter((name) => !['attempts', 'bytes', 'milliseconds'].includes(name))
    .map((name) => `"${name}"`)
    .join(', ');

/** Every row of every table but what a file says about itself. */
async function contentOf(file: string): Promise<Record<string, Row[]>> {
  const engine = await openWarehouse(file, { readOnly: true });
  const content: Record<string, Row[]> = {};
  for (const table of tables.filter(({ name }) => name !== 'versions' && name !== 'snapshot'))
    content[`${table.schema}.${table.name}`] = await engine.query(
      `select ${own(table)} from ${table.schema}.${table.name} order by all`,
    );
  await engine.close();
  return content;
}

const rebuilt = (file: string, archive: RawArchive, records: readonly string[] = [file]) =>
  rebuild({ file, archive: archive.engine, records, now: at('2026-11-30T00:00:00Z') });

/** Of metrics by day and reports of the range every third, as the API writes them; with the drill all. */
async function answersOf(file: string): Promise<Record<string, string>> {
  const engine = await openWarehouse(file, { readOnly: true });
  const api = promisedApi(
    apiDeps(engine, {
      clock: () => at('2026-11-24T13:00:00Z') * 1000,
      accounts: () => [{ id: 'default', timezone: 'Europe/Warsaw', since: '2026-11-15' }],
    }),
  );
  const paths = [
    ...metrics.map(({ id }) => `/metrics/${id}?from=2026-11-15&to=2026-11-24`),
    ...reportIds.map(
      (id) => `/reports${reports[id].path.replace(/^\/reports/, '')}?date_from=2026-11-15&date_to=2026-11-24`,
    ),
  ];
  const said: Record<string, string> = {};
  for (const path of partOf(paths, 3)) {
    const headers = { authorization: 'Bearer right-token', 'x-api-version': '2' };
    const answer = await api.request(`http://127.0.0.1:3000/api${path}`, { headers });
    said[path] = `${answer.status} ${await answer.text()}`;
  }
  await engine.close();
  return said;
}

function expectSame(one: Record<string, Row[]>, other: Record<string, Row[]>): void {
  for (const [table, rows] of Object.entries(other)) expect([table, one[table]]).toEqual([table, rows]);
}

test('after pulls over several days every table comes back row by row, without a request', async () => {
  const account = await accountIn(newFolder(), 'Europe/Warsaw');
  ends.push(() => account.close());
  const { file, archive, service, pullAt } = account;
  const instants = [
    ...['2026-11-18T09:00:00Z', '2026-11-18T09:05:00Z', '2026-11-18T18:00:00Z', '2026-11-18T23:30:00Z'],
    ...['2026-11-19T00:10:00Z', '2026-11-19T12:00:00Z', '2026-11-20T12:00:00Z'],
  ];
  await pullAt(...partOf(instants, 2), '2026-11-24T12:00:00Z');
  const before = await contentOf(file);
  const asked = service.requests();
  const { fresh, chats, lost } = await rebuilt(file, archive);
  expect(service.requests()).toBe(asked);
  expect([chats, lost]).toEqual([before['facts.chats']?.length, []]);
  expect(chats).toBeGreaterThan(isWhole ? 300 : 100);
  expectSame(await contentOf(fresh), before);
  const [said, again] = [await answersOf(file), await answersOf(fresh)];
  expect(Object.values(said).filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(isWhole ? 20 : 7);
  expect(again).toEqual(said);
});

testInDrill('cut off in the middle it goes on where it was, and the file in use is not touched', async () => {
  const { file, archive } = await pulledAt('2026-11-18T09:00:00Z', '2026-11-18T12:00:00Z');
  const before = await contentOf(file);
  const { mtimeMs } = statSync(file);
  const rebuildUntil = async (least: number): Promise<number> => {
    let most = 0;
    const onProgress = (played: number): void => {
      most = played;
      if (played >= least) throw new Error('cut off');
    };
    const setup = { file, archive: archive.engine, records: [file], now: at('2026-11-30T00:00:00Z') };
    await rebuild({ ...setup, onProgress }).catch(() => undefined);
    return most;
  };
  const whole = await rebuildUntil(Infinity);
  for (const name of readdirSync(join(file, '..')).filter((each) => each.includes('.rebuild-')))
    rmSync(join(file, '..', name));
  const first = await rebuildUntil(whole / 2);
  const rest = await rebuildUntil(Infinity);
  expect(first).toBeGreaterThanOrEqual(whole / 2);
  expect(rest).toBeLessThanOrEqual(whole - first);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expectSame(await contentOf((await rebuilt(file, archive)).fresh), before);
});

testInDrill('cut off after every single transaction it goes on, and ends with the same rows', async () => {
  const { folder, archive } = await pulledAt('2026-11-18T09:00:00Z', '2026-11-18T20:00:00Z', '2026-11-19T12:00:00Z');
  // So few pages at once that days are written in parts.
  const played = { archive: archive.engine, account: 'default', most_pages: 8 };
  const [whole, pieces] = [join(folder, 'whole.duckdb'), join(folder, 'pieces.duckdb')];
  const once = await openWarehouse(whole);
  await replay({ ...played, engine: once });
  await once.close();
  const engine = await openWarehouse(pieces);
  let cuts = 0;
  for (let isCut = true; isCut; cuts += isCut ? 1 : 0) {
    const from = await askedUntil(engine, 'default');
    const end = await replay({ ...played, from, engine: withTransactions(engine, 1) }).catch((error: unknown) => error);
    if (end !== undefined) expect(String(end)).toBe('Error: cut off');
    isCut = end !== undefined;
  }
  await engine.close();
  expect(cuts).toBeGreaterThan(9);
  expectSame(await contentOf(pieces), await contentOf(whole));
});

testInDrill('when the archive cannot be read in the middle of a day, nothing of that day is written', async () => {
  const { folder, archive } = await pulledAt('2026-11-18T09:00:00Z');
  const played = { account: 'default', most_pages: 2 };
  const [whole, pieces] = [join(folder, 'whole.duckdb'), join(folder, 'pieces.duckdb')];
  const once = await openWarehouse(whole);
  await replay({ ...played, engine: once, archive: archive.engine });
  await once.close();
  const engine = await openWarehouse(pieces);
  let failures = 0;
  for (let most = 1; ; most += 1) {
    const from = await askedUntil(engine, 'default');
    const end = await replay({ ...played, engine, from, archive: withReadsOfChats(archive.engine, most) }).catch(
      String,
    );
    if (end === undefined) break;
    expect(end).toBe('Error: cannot be read');
    failures += 1;
  }
  await engine.close();
  expect(failures).toBeGreaterThan(3);
  expectSame(await contentOf(pieces), await contentOf(whole));
});

/** The raw archive until chats were read from it so many times. */
function withReadsOfChats(engine: Store, most: number): Store {
  let reads = 0;
  const query = (sql: string, params?: Row): Promise<Row[]> =>
    sql.includes('from raw.chats') && ++reads > most
      ? Promise.reject(new Error('cannot be read'))
      : engine.query(sql, params);
  return new Proxy(engine, {
    get: (target, name) => {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The engine until so many transactions have been written; what is nested in one counts with it. */
function withTransactions(engine: Store, most: number): Store {
  let begun = 0;
  let depth = 0;
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    if (depth === 0 && ++begun > most) throw new Error('cut off');
    depth += 1;
    return engine.transaction(work).finally(() => (depth -= 1));
  };
  return new Proxy(engine, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

test('what one program could not decode is decoded by the next: it leaves the quarantine', async () => {
  const { file, archive } = await pulledAt('2026-11-18T09:00:00Z');
  // As an earlier decoder would have left it: the answer is in the archive, the day is not in the tables.
  const failure = { state: 'quarantined', status: 200, message: 'a shape that was not known yet' };
  const outcome = archive.engine.dialect.literal(JSON.stringify({ failure }), 'text');
  const before = await contentOf(file);
  await archive.engine.exec(
    `update raw.responses set state = 'quarantined', outcome = ${outcome}
     where source in ('archive', 'total_chats') and status = 200`,
  );
  const after = await contentOf((await rebuilt(file, archive)).fresh);
  for (const table of ['facts.chats', 'facts.messages', 'reports.total_chats'])
    expect([table, after[table]]).toEqual([table, before[table]]);
  expect(after['ledger.quarantine']).toEqual([]);
});

test('days that the raw archive lacks are named, not left out in silence', async () => {
  const { file, archive } = await pulledAt('2026-11-18T09:00:00Z');
  await archive.engine.exec("delete from raw.responses where source = 'total_chats' and period like '2026-11-16%'");
  const { lost } = await rebuilt(file, archive);
  expect(lost).toEqual([{ account: 'default', source: 'total_chats', days: 1, from: '2026-11-16', to: '2026-11-16' }]);
});

test('without a file that knows them, the pulls are those that the raw archive names', async () => {
  const { file, archive } = await pulledAt('2026-11-18T09:00:00Z', '2026-11-18T12:00:00Z');
  const before = await contentOf(file);
  const { fresh } = await rebuilt(file, archive, []);
  const after = await contentOf(fresh);
  const told = (rows: Row[] = []): unknown[] => rows.map(({ pull_id, started_at }) => [pull_id, started_at]);
  expect(told(after['ledger.pulls'])).toEqual(told(before['ledger.pulls']));
  expect(after['ledger.pulls']?.map(({ state }) => state)).toEqual(['cut_off', 'cut_off']);
});

test('what a killed rebuild of another version of the program left is cleared away, its spilled pages too', async () => {
  const { folder, file, archive } = await pulledAt('2026-11-18T09:00:00Z');
  const left = `${file}.rebuild-aaaaaaaa`;
  for (const ending of ['', '.wal', '.lines']) writeFileSync(`${left}${ending}`, 'of a killed process');
  mkdirSync(`${left}.tmp`);
  writeFileSync(join(`${left}.tmp`, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'spilled');
  const { fresh } = await rebuilt(file, archive);
  expect(readdirSync(folder).filter((name) => name.includes('.rebuild-aaaaaaaa'))).toEqual([]);
  mkdirSync(`${fresh}.tmp`);
  writeFileSync(join(`${fresh}.tmp`, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'spilled');
  await swapIn(fresh, join(folder, 'other.duckdb'));
  expect(readdirSync(folder).filter((name) => name.includes('.rebuild-'))).toEqual([]);
});
