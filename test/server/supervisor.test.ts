// What a supervisor relies on: a start that fails ends with its exit code, a signal ends everything, and nothing is left.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { smallWorld } from '../livechat/service/small-world.ts';
import { cannotListen } from '#server/errors.ts';
import { holdServiceLock, holdStartLock, startLock } from '#server/system-locks.ts';
import { freePort, takePort } from '../ports.ts';
import { refusalOf } from './refusal.ts';
import { begin, copyProgram, endRuns, leftBehind, type Run } from './supervised.ts';
import { partOf, testInDrill } from '../chance.ts';
import { newFolder, until } from './program.ts';

let program: string;
/** One that has no pages yet, and whose build does not work. */
let unbuilt: string;
let service: Service;
let taken: Server;
let takenPort: number;
const key = 'ab'.repeat(16);

beforeAll(async () => {
  [program, unbuilt] = [copyProgram({ has_pages: true }), copyProgram({ has_pages: false })];
  service = await startService({
    file: join(newFolder(), 's.sqlite'),
    days: 30,
    port: 0,
    apiKey: key,
    world: smallWorld,
  });
  ({ taken, port: takenPort } = await takePort());
});
afterAll(async () => {
  endRuns();
  taken.close();
  await service.close();
});

const programFor = (settings?: () => Settings): string => (settings?.()['BUILD'] ? unbuilt : program);

/** A start takes seconds where many others work. */
vi.setConfig({ testTimeout: 180_000 });

type Settings = Record<string, string>;

/** An account that answers. */
const account = (): Settings => ({
  CHATLEDGER_BASE_URL: service.url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
});
/** Nothing of it is in anybody's way. */
const ports = async (): Promise<Settings> => ({
  CHATLEDGER_PORT: '0',
  CHATLEDGER_SERVICE_PORT: String(await freePort()),
  CHATLEDGER_SERVICE_DAYS: '2',
});

const write = (folder: string, path: string, content: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const rubbish = 'nothing that this program wrote '.repeat(600);
const busy = (): string => String(takenPort);

interface Way {
  command: string;
  prepare?: (folder: string) => void;
  settings?: () => Settings;
  code: number;
  says: RegExp;
}

/** How a start can fail: the command, what is wrong, and what comes of it. */
const ways: Record<string, Way> = {
  'start: the port is taken': {
    command: 'start',
    settings: () => ({ CHATLEDGER_PORT: busy() }),
    code: 2,
    says: /port \d+ on 127\.0\.0\.1 is in use/,
  },
  'start with an account: the port is taken': {
    command: 'start',
    settings: () => ({ ...account(), CHATLEDGER_PORT: busy() }),
    code: 2,
    says: /port \d+ on 127\.0\.0\.1 is in use/,
  },
  'start: the port of the embedded service is taken': {
    command: 'start',
    settings: () => ({ CHATLEDGER_SERVICE_PORT: busy() }),
    code: 2,
    says: /port \d+ of the embedded service is in use/,
  },
  'serve: the port is taken': {
    command: 'serve',
    settings: () => ({ CHATLEDGER_PORT: busy() }),
    code: 2,
    says: /port \d+ on 127\.0\.0\.1 is in use/,
  },
  'service: the port is taken': {
    command: 'service',
    settings: () => ({ CHATLEDGER_SERVICE_PORT: busy() }),
    code: 2,
    says: /port \d+ of the embedded service is in use/,
  },
  'start: the data folder is a file': {
    command: 'start',
    prepare: (folder) => write(folder, 'data', ''),
    code: 2,
    says: /the data folder \S+ cannot be written .*move away the file/,
  },
  'start: the data folder cannot be made': {
    command: 'start',
    settings: () => ({ CHATLEDGER_DATA: '/proc/chatledger' }),
    code: 2,
    says: /the data folder \/proc\/chatledger cannot be written/,
  },
  'serve: the data folder belongs to a newer program': {
    command: 'serve',
    prepare: (folder) => write(folder, 'data/state.json', '{"layout": 99}'),
    code: 2,
    says: /written by a newer version/,
  },
  'start: the state is no JSON': {
    command: 'start',
    prepare: (folder) => write(folder, 'data/state.json', '{"layout": 1, '),
    code: 2,
    says: /state\.json is not readable as JSON/,
  },
  'serve: the state lacks what belongs there': {
    command: 'serve',
    prepare: (folder) => write(folder, 'data/state.json', '{"layout": 1}'),
    code: 2,
    says: /state\.json is damaged/,
  },
  'start: settings are wrong': {
    command: 'start',
    settings: () => ({ CHATLEDGER_PORT: '99999', CHATLEDGER_TIMEZONE: 'Mars', CHATLEDGER_PULL_CRON: '61 * * * *' }),
    code: 2,
    says: /CHATLEDGER_PORT=99999 must be a whole number[^]*CHATLEDGER_TIMEZONE=Mars must be[^]*CHATLEDGER_PULL_CRON=61 \* \* \* \* must be a cron expression/,
  },
  'serve: what the app keeps is damaged from its first byte': {
    command: 'serve',
    prepare: (folder) => write(folder, 'data/app.sqlite', rubbish),
    code: 2,
    says: /app\.sqlite cannot be opened/,
  },
  'start: what the app keeps is damaged inside': {
    command: 'start',
    prepare: (folder) => damageInside(join(folder, 'data', 'app.sqlite')),
    code: 2,
    says: /app\.sqlite cannot be opened/,
  },
  'serve: what the app keeps belongs to something else': {
    command: 'serve',
    prepare(folder) {
      mkdirSync(join(folder, 'data'));
      const other = new DatabaseSync(join(folder, 'data', 'app.sqlite'));
      other.exec('create table views (colour text)');
      other.close();
    },
    code: 2,
    says: /app\.sqlite cannot be opened \(.*no such column/,
  },
  'start: the records of the embedded service are damaged': {
    command: 'start',
    prepare: (folder) => write(folder, 'data/service/service.sqlite', rubbish),
    code: 2,
    says: /service\.sqlite cannot be opened/,
  },
  'start: the build fails': {
    command: 'start',
    settings: () => ({ BUILD: 'fails' }),
    code: 1,
    says: /the app could not be built:\nno such colour/,
  },
  'serve: the pages are not built': {
    command: 'serve',
    settings: () => ({ BUILD: 'never' }),
    code: 2,
    says: /the app is not built: run 'npm run build'/,
  },
  'pull: nobody answers': {
    command: 'pull',
    settings: () => ({ ...account(), CHATLEDGER_BASE_URL: 'http://127.0.0.1:9' }),
    code: 3,
    says: /nothing answers at http:\/\/127\.0\.0\.1:9.*check CHATLEDGER_BASE_URL/,
  },
  'pull: the warehouse is a folder': {
    command: 'pull',
    prepare: (folder) => mkdirSync(join(folder, 'data', 'warehouse', 'chatledger.duckdb'), { recursive: true }),
    settings: account,
    code: 1,
    says: /a folder lies where this file belongs/,
  },
  'pull: the published snapshots are a file': {
    command: 'pull',
    prepare: (folder) => write(folder, 'data/published/snapshots', ''),
    settings: () => ({ ...account(), CHATLEDGER_SINCE: yesterday(), CHATLEDGER_REQUESTS_PER_SECOND: '1000' }),
    code: 1,
    says: /published\/snapshots.*a file lies where a folder belongs/,
  },
  'rebuild: there is no archive': { command: 'rebuild', code: 2, says: /holds no answers/ },
  'reconcile: there is no warehouse': { command: 'reconcile', code: 2, says: /does not exist/ },
};

/** Files of settings that every command reads first, as the wrong settings above: what they are refused with. */
test.each([
  ['.env is a folder', (folder: string) => mkdirSync(join(folder, '.env')), '.env cannot be read'],
  [
    'chatledger.json is no JSON',
    (folder: string) => write(folder, 'chatledger.json', '{"accounts": ['),
    'chatledger.json is not JSON',
  ],
])('%s is said in a sentence', (_, prepare, words) => {
  const folder = newFolder();
  prepare(folder);
  expect(refusalOf(folder, {})).toEqual([2, expect.stringContaining(words)]);
});

/** The first page stays, so that it opens; what the tables hold is gone. */
function damageInside(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec('create table views (id text primary key, user text, name text, address text, created_at text)');
  const add = database.prepare("insert into views values (?, 'me', ?, ?, '')");
  for (let number = 0; number < 300; number += 1) add.run(`${number}`, `view ${number}`, 'x'.repeat(200));
  database.close();
  const content = readFileSync(file);
  writeFileSync(file, content.fill('?', 4096));
}

const all = Object.entries(ways);
/** Also with the tests: what a child says, whoever started it says too. */
const ofChild = all.filter(([name]) => name === 'start: the port of the embedded service is taken');

describe.concurrent.each([...new Set([...partOf(all, 5), ...ofChild])])(
  '%s',
  (_, { command, prepare, settings, code, says }) => {
    test('ends by itself with its exit code, says why, and leaves nothing behind', async () => {
      const folder = newFolder();
      prepare?.(folder);
      const run = begin([programFor(settings), command], { ...(await ports()), ...settings?.() }, folder);
      const exit = await run.exit;
      expect(exit.said).toMatch(says);
      expect(exit.said).not.toMatch(/^ +at /m);
      const sentences = exit.said.split('\n').filter((line) => line.startsWith('chatledger: '));
      expect(sentences).toEqual([...new Set(sentences)]);
      expect([exit.code ?? exit.signal, await leftBehind(run)]).toEqual([code, []]);
    });
  },
);

test('a second start in a data folder is refused, whatever its ports, and the next one is let in', async () => {
  const folder = newFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  const letGo = holdStartLock(data);
  expect(() => holdStartLock(data)).toThrow(`another 'chatledger start' runs on ${data}`);
  const run = begin([program, 'start'], await ports(), folder);
  const exit = await run.exit;
  expect([exit.code ?? exit.signal, await leftBehind(run)]).toEqual([2, []]);
  expect(exit.said).toContain(`another 'chatledger start' runs on ${data}`);
  expect(existsSync(join(data, 'app.sqlite'))).toBe(false);
  letGo();
  expect(existsSync(join(data, startLock))).toBe(true);
  holdStartLock(data)();
});

test('a second embedded service in a data folder is refused, whatever its port and whoever runs it', async () => {
  const folder = newFolder();
  const data = join(folder, 'data');
  mkdirSync(join(data, 'service'), { recursive: true });
  const letGo = holdServiceLock(data);
  for (const command of ['service', 'start']) {
    const run = begin([program, command], await ports(), folder);
    const exit = await run.exit;
    expect([exit.code ?? exit.signal, await leftBehind(run)]).toEqual([2, []]);
    expect(exit.said.split(`chatledger: the embedded service of ${data} runs already`)).toHaveLength(2);
  }
  expect(existsSync(join(data, 'service', 'service.sqlite'))).toBe(false);
  letGo();
  holdServiceLock(data)();
});

test.concurrent.each([
  ['192.0.2.1', 'this machine has no such address'],
  ['no-such-name.invalid', 'the name has no address'],
])('a host that cannot be listened on (%s) is said in a sentence', async (host, words) => {
  const server = createServer().listen(0, host);
  const [error] = (await once(server, 'error')) as [NodeJS.ErrnoException];
  const said = cannotListen(error, host, 80, 'CHATLEDGER_HOST');
  expect(said).toMatchObject({ name: 'Stopped', code: 2, message: expect.stringContaining(words) });
});

/** In milliseconds from the signal to the end. */
async function ended(run: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; took: number }> {
  const began = performance.now();
  run.child.kill(signal);
  const { code } = await run.exit;
  return { code, took: performance.now() - began };
}

describe('SIGTERM', () => {
  const says = (words: RegExp) => (run: Run) => words.test(run.said());
  const exists = (path: string) => (_: Run, folder: string) => existsSync(join(folder, 'data', path));
  interface Moment {
    command: string;
    settings?: () => Settings;
    when: (run: Run, folder: string) => boolean;
    code: number;
  }
  const slow = (): Settings => ({ ...account(), CHATLEDGER_REQUESTS_PER_SECOND: '4' });
  const long = (): Settings => ({ CHATLEDGER_SERVICE_DAYS: '3650' });
  const moments: Record<string, Moment> = {
    'during the build': {
      command: 'start',
      settings: () => ({ BUILD: 'hangs' }),
      when: (run) => says(/building/)(run) && run.living().length > 2,
      code: 0,
    },
    'while an account is simulated': { command: 'start', settings: long, when: says(/simulating an/), code: 0 },
    'to the embedded service while it simulates': {
      command: 'service',
      settings: long,
      when: exists('service/service.sqlite-wal'),
      code: 0,
    },
    'to the embedded service': { command: 'service', when: says(/API key/), code: 0 },
    'during the first pull': {
      command: 'start',
      settings: slow,
      when: (run) => says(/dashboards and API/)(run) && says(/pulling \(/)(run),
      code: 0,
    },
    'to a pull': { command: 'pull', settings: slow, when: exists('warehouse/chatledger.duckdb'), code: 1 },
    'to the server alone': { command: 'serve', when: says(/http:/), code: 0 },
  };
  test.each(partOf(Object.entries(moments), 3))('%s ends everything', async (_, { command, settings, when, code }) => {
    const folder = newFolder();
    const run = begin([programFor(settings), command], { ...(await ports()), ...settings?.() }, folder);
    await until(() => when(run, folder), 60, 'the moment');
    const end = await ended(run);
    expect([end.code, await leftBehind(run), run.said()]).toEqual([code, [], expect.not.stringMatching(/^ +at /m)]);
    expect(end.took).toBeLessThan(5000);
  });

  test('a child that hangs is killed before the time is over', async () => {
    const run = begin([program, 'start'], { ...(await ports()), ...slow() }, newFolder());
    await until(() => says(/pulling \(/)(run) && says(/dashboards and API/)(run), 60, 'the first pull');
    for (const id of run.living()) if (id !== run.child.pid) process.kill(id, 'SIGSTOP');
    const end = await ended(run);
    expect([end.code, await leftBehind(run)]).toEqual([0, []]);
    expect(end.took).toBeLessThan(5000);
  });

  testInDrill('a second one ends it at once, whatever the first one waits for', async () => {
    const run = begin([program, 'start'], { ...(await ports()), ...slow() }, newFolder());
    await until(() => says(/pulling \(/)(run) && says(/dashboards and API/)(run), 60, 'the first pull');
    for (const id of run.living()) if (id !== run.child.pid) process.kill(id, 'SIGSTOP');
    run.child.kill('SIGTERM');
    await until(() => says(/stopping/)(run), 5, 'the word that it stops');
    await new Promise((done) => setTimeout(done, 500));
    const end = await ended(run, 'SIGINT');
    expect([end.code, await leftBehind(run)]).toEqual([130, []]);
    expect(end.took).toBeLessThan(2000);
  });

  testInDrill('whoever loses its parent does not stay', async () => {
    const run = begin([unbuilt, 'start'], { ...(await ports()), BUILD: 'hangs', ...long() }, newFolder());
    await until(() => says(/simulating an/)(run) && run.living().length > 2, 60, 'the children');
    await ended(run, 'SIGKILL');
    expect(await leftBehind(run)).toEqual([]);
  });

  test('an end of the embedded service ends the start that it belongs to', async () => {
    const run = begin([program, 'start'], { ...(await ports()), ...long() }, newFolder());
    await until(() => says(/simulating an/)(run) && says(/dashboards and API/)(run), 60, 'the service');
    for (const id of run.living()) if (id !== run.child.pid) process.kill(id, 'SIGKILL');
    const { code, said } = await run.exit;
    expect([code, said, await leftBehind(run)]).toEqual([
      1,
      expect.stringContaining('ended unexpectedly (exit code 137)'),
      [],
    ]);
  });
});

testInDrill('only the first start of all says that the first snapshot is published', async () => {
  const folder = newFolder();
  const said: string[] = [];
  for (const name of ['first', 'second']) {
    const run = begin([program, 'start'], await ports(), folder);
    await until(() => /pulled: /.test(run.said()), 90, `the ${name} pull`);
    await ended(run);
    said.push(run.said());
  }
  expect(said.map((words) => words.includes('the first snapshot is published'))).toEqual([true, false]);
});

describe('whatever hangs in a command', () => {
  const hanging = join(import.meta.dirname, 'hanging.ts');
  test.each([
    ['an end that never comes', 'promise', 1],
    ['a question that the engine answers in an hour', 'engine', 0],
    ['a loop without an end', 'loop', null],
  ])('%s is cut off', async (_, what, code) => {
    const run = begin([hanging, what], {}, newFolder());
    await until(() => run.said().includes('ready'), 60, 'its beginning');
    const end = await ended(run);
    expect([end.code, await leftBehind(run)]).toEqual([code, []]);
    expect(end.took).toBeLessThan(what === 'engine' ? 4000 : 8000);
  });
});
