// Wrong input gets one sentence that says what, where and what to do, and the promised exit code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openSnapshots } from '#server/snapshots.ts';
import { newFolder, runToEnd } from './program.ts';
import { partOf } from '../chance.ts';
import { refusalOf } from './refusal.ts';

let service: Service;
const key = 'cd'.repeat(16);
const account = (): Record<string, string> => ({
  CHATLEDGER_BASE_URL: service.url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
});

beforeAll(async () => {
  service = await startService({ file: join(newFolder(), 's.sqlite'), days: 2, port: 0, apiKey: key });
});
afterAll(() => service.close());

describe('settings', () => {
  test('an unknown setting is named, with what it may have meant', async () => {
    const { code, complained } = await runToEnd(
      ['pull'],
      { CHATLEDGER_TIMEZON: 'UTC', CHATLEDGER_BASEURL: 'x' },
      newFolder(),
    );
    expect(code).toBe(2);
    expect(complained).toContain('CHATLEDGER_TIMEZON is no setting');
    expect(complained).toContain('npx chatledger doctor');
  });
  test('a bad zone is named', () => {
    const words = 'CHATLEDGER_TIMEZONE=Europe/Warszawa must be a name of the TZ database';
    const settings = { CHATLEDGER_TIMEZONE: 'Europe/Warszawa' };
    expect(refusalOf(newFolder(), settings)).toEqual([2, expect.stringContaining(words)]);
  });
  test.each([
    ['CHATLEDGER_SINCE', '2026-02-30', 'must be a date like'],
    ['CHATLEDGER_PULL_CRON', '99 * * * *', 'must be a cron expression'],
  ])('%s=%s is refused', (name, value, words) => {
    expect(refusalOf(newFolder(), { ...account(), [name]: value })).toEqual([2, expect.stringContaining(words)]);
  });
  test('a first day that lies ahead is refused before anything is asked', async () => {
    const before = service.requests();
    const settings = { ...account(), CHATLEDGER_SINCE: '2099-01-01' };
    const { code, complained } = await runToEnd(['pull'], settings, newFolder());
    expect([code, complained, service.requests()]).toEqual([2, expect.stringContaining('lies in the future'), before]);
  });
  test.each([
    [
      'an address without credentials',
      { CHATLEDGER_BASE_URL: 'http://127.0.0.1:1' },
      'set CHATLEDGER_TOKEN, or CHATLEDGER_LOGIN and CHATLEDGER_API_KEY',
    ],
    [
      'an address with credentials in it, since addresses are printed,',
      { CHATLEDGER_BASE_URL: 'http://me:secret@127.0.0.1:9', CHATLEDGER_TOKEN: 'dal:x' },
      'must be an address without user and password',
    ],
    [
      'a host beyond this machine without a trusted proxy',
      { CHATLEDGER_HOST: '0.0.0.0' },
      'CHATLEDGER_HOST=0.0.0.0 must be 127.0.0.1',
    ],
  ])('%s is refused with what to give', (_, settings, words) => {
    expect(refusalOf(newFolder(), settings)).toEqual([2, expect.stringContaining(words)]);
  });
  test('doctor prints each setting with its source, never a secret, and exits 1 when something is wrong', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, '.env'), 'CHATLEDGER_PORT=99999\n');
    const { code, said } = await runToEnd(['doctor'], { CHATLEDGER_API_TOKEN: 'very-secret' }, folder);
    expect(code).toBe(1);
    expect(said).toMatch(/CHATLEDGER_PORT +99999 +\.env +WRONG: must be a whole number/);
    expect(said).toMatch(/CHATLEDGER_API_TOKEN +\(set\)/);
    expect(said).not.toContain('very-secret');
  });
});

test.each(
  partOf(
    [
      ['redated.json', '{"20261128-095159-000": "2026-11-28T0'],
      ['redated.json', '{"20261128-095159-000": "soon"}'],
      ['redated.json', '[]'],
      ['pins.json', '{"20261128-095159-000": "a dig'],
      ['lost.json', '{"20261128-095159-000": 7}'],
    ],
    2,
  ),
)('doctor says that published/%s is damaged, and what to do: %s', async (name, text) => {
  const folder = newFolder();
  mkdirSync(join(folder, 'data', 'published'), { recursive: true });
  writeFileSync(join(folder, 'data', 'published', name), text);
  const { code, said } = await runToEnd(['doctor'], {}, folder);
  expect(code).toBe(1);
  expect(said).toMatch(new RegExp(`^WRONG (the past|snapshots): .*${name}.*(backup|remove it)`, 'm'));
  expect(said.match(/^WRONG/gm)).toHaveLength(1);
});

describe('the account', () => {
  test('wrong credentials are said in one sentence', async () => {
    const { code, complained } = await runToEnd(['pull'], { ...account(), CHATLEDGER_API_KEY: 'wrong' }, newFolder());
    expect(code).toBe(3);
    expect(complained).toContain('the account refused the credentials');
    expect(complained.trim().split('\n')).toHaveLength(1);
  });
});

describe('ports and files', () => {
  test('a data folder of a newer version is left alone', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'data'));
    const state = '{"layout": 99}';
    writeFileSync(join(folder, 'data', 'state.json'), state);
    const { code, complained } = await runToEnd(['pull'], account(), folder);
    expect(code).toBe(2);
    expect(complained).toContain('was written by a newer version (layout 99');
    expect(readFileSync(join(folder, 'data', 'state.json'), 'utf8')).toBe(state);
  });
  test('users and reports that a newer version keeps are left alone, whatever comes to them', async () => {
    const folder = newFolder();
    await runToEnd(['user', 'list'], account(), folder);
    const file = join(folder, 'data', 'app.sqlite');
    const database = new DatabaseSync(file);
    database.exec("create table of_later (word text); insert into of_later values ('kept'); pragma user_version = 99");
    database.close();
    const before = readFileSync(file);
    for (const command of [['start'], ['pull'], ['user', 'list'], ['retain'], ['digest', 'list']]) {
      const { code, complained } = await runToEnd(command, { ...account(), CHATLEDGER_KEEP_TEXTS: '12' }, folder);
      expect([command, code]).toEqual([command, 2]);
      expect(complained).toContain(`app.sqlite was written by a newer version (layout 99, this program knows 1)`);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });
  test('a corrupt warehouse file is named and kept under another name', async () => {
    const folder = newFolder();
    const file = join(folder, 'data', 'warehouse', 'chatledger.duckdb');
    mkdirSync(join(folder, 'data', 'warehouse'), { recursive: true });
    writeFileSync(file, 'no warehouse at all, '.repeat(900));
    const { complained } = await runToEnd(['pull', '--dry'], account(), folder);
    expect(complained).toContain(`${file} cannot be opened`);
    const [, aside = ''] = /set aside as (\S+\.damaged-\w+);/.exec(complained) ?? [];
    expect(readFileSync(aside, 'utf8')).toContain('no warehouse at all');
  });
  test('a damaged snapshot is set aside by name, and the one before it is served', async () => {
    const folder = newFolder();
    const published = join(folder, 'data', 'published');
    const writer = await openWarehouse(':memory:');
    const [good, bad] = [
      await publish(writer, published, 1_700_000_000_000),
      await publish(writer, published, 1_700_000_060_000),
    ];
    await writer.close();
    writeFileSync(bad.file, 'not a snapshot any more '.repeat(900));
    const snapshots = openSnapshots(published, () => new Map([['default', '2026-01-01']]));
    await snapshots.refresh();
    expect(snapshots.current()?.id).toBe(good.id);
    await snapshots.close();
    expect(readFileSync(`${bad.file}.damaged`, 'utf8')).toContain('not a snapshot any more');
  });
  test('sql before the first snapshot says what to run', async () => {
    const { code, complained } = await runToEnd(['sql', 'select 1'], {}, newFolder());
    expect(code).toBe(2);
    expect(complained).toContain('npx chatledger start');
  });
});

describe('the command line', () => {
  test.each(
    partOf<[string[], string]>(
      [
        [['pull', '--since', 'yesterday'], '--since yesterday must be a date'],
        [['pull', '--since', '2026-02-01', '--until', '2026-01-01'], 'lies after --until'],
        [['pull', '--only', 'total_chat'], 'choose from archive, total_chats'],
        [['pull', '--since', '2099-01-01'], '--since 2099-01-01 lies in the future'],
        [['pull', '--until', '2001-01-01'], '--until 2001-01-01 lies before'],
        [['pull', '--since', '2026-02-30'], '--since 2026-02-30 must be a date'],
        [['sql', 'select 1', '--limit', '0'], '--limit 0 must be a whole number'],
        [
          ['service-client', 'drop', '--name', 'A', '--redirect', 'https://a.test/'],
          'service-client drop is not known',
        ],
        [['service-client', 'add', '--name', 'A', '--redirect', 'https://a.test/#x'], 'must have no fragment'],
        [
          ['service-client', 'add', '--name', 'A', '--redirect', 'https://a.test/', '--scope', 'x'],
          '--scope x is no scope',
        ],
        [['pul'], "unknown command 'pul'"],
      ],
      3,
      1,
    ),
  )('%j is refused', async (command, sentence) => {
    const { code, complained } = await runToEnd(command, {}, newFolder());
    expect(code).toBe(2);
    expect(complained).toContain(sentence);
  });
  test.each(
    partOf(['service', 'pull', 'serve', 'sql', 'metrics', 'doctor', 'start', 'service-token', 'service-client'], 3),
  )('%s has --help', async (command) => {
    const { code, said } = await runToEnd([command, '--help'], {}, newFolder());
    expect(code).toBe(0);
    expect(said).toContain(`Usage: chatledger ${command}`);
  });
});

test('a database that --to names and that does not answer is told with --to', async () => {
  const { code, complained } = await runToEnd(['move', '--to', 'clickhouse://u:p@127.0.0.1:9/x'], {}, newFolder());
  expect([code, complained]).toEqual([3, expect.stringContaining(': look at --to and at the server')]);
});
