// A product that shows the accounts of all data folders that publish to a database, and has no files of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { only, type Filled } from '../server/filled.ts';
import { copyProgram } from '../server/supervised.ts';
import { copiedFolder, newFolder, runToEnd, until, type Ended } from '../server/program.ts';
import { rows } from '../server/read-folder.ts';
import { dayBefore, weekBefore } from '../server/still.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import { products, type Products } from './products.ts';
import type { RawDatabase } from './raw.ts';

const isThere = installedPeer() !== undefined;

describe.skipIf(!isThere)(isThere ? 'a product that reads all accounts of a database' : whyNoPeer, () => {
  let beside: Products;
  let pulled: Filled;
  let database: RawDatabase;
  const folders = { default: '', berg: '', reading: '' };
  let origins: Record<keyof typeof folders, string>;
  const published = (): Record<string, string> => ({ ...pulled.settings(), CHATLEDGER_WAREHOUSE: database.address });
  const reading = (): Record<string, string> => ({
    CHATLEDGER_WAREHOUSE: database.address,
    CHATLEDGER_WAREHOUSE_ACCOUNTS: 'all',
  });
  const settingsOf = (folder: keyof typeof folders): Record<string, string> => {
    if (folder === 'reading') return reading();
    if (folder === 'default') return published();
    const { CHATLEDGER_BASE_URL: _, CHATLEDGER_LOGIN: __, ...others } = published();
    return others;
  };
  const command = (folder: keyof typeof folders, ...words: string[]): Promise<Ended> =>
    runToEnd(words, settingsOf(folder), folders[folder]);
  const range = `from=${dayBefore(6)}&to=${dayBefore(1)}`;
  const shown = async (
    of: keyof typeof folders,
    address: string,
    sent: RequestInit = {},
  ): Promise<[number, string]> => {
    const answer = await fetch(origins[of] + address, { headers: { origin: origins[of] }, ...sent });
    return [answer.status, await answer.text()];
  };
  /** Without what names the snapshot and the account. */
  const figures = async (of: keyof typeof folders, address: string): Promise<unknown> => {
    const [status, text] = await shown(of, address);
    const { snapshot: _, account: __, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return [status, rest];
  };

  beforeAll(async () => {
    beside = await products();
    ({ pulled, database } = beside);
    folders.default = copiedFolder(pulled.folder);
    folders.reading = newFolder();
    folders.berg = newFolder();
    const { CHATLEDGER_BASE_URL: base_url, CHATLEDGER_LOGIN: login } = pulled.settings();
    const account = { id: 'berg', base_url, login, api_key_env: 'CHATLEDGER_API_KEY', timezone: 'Europe/Warsaw' };
    writeFileSync(join(folders.berg, 'chatledger.json'), JSON.stringify({ accounts: [account] }));
    const first = await command('default', 'snapshot');
    expect([first.code, first.complained]).toEqual([0, '']);
    const both = await command('berg', 'pull', ...only);
    expect([both.code, both.complained]).toEqual([0, '']);
    const serve = async (folder: keyof typeof folders): Promise<string> =>
      beside.ready([copyProgram({ has_pages: true }), 'serve'], settingsOf(folder), folders[folder]);
    origins = { default: await serve('default'), berg: await serve('berg'), reading: await serve('reading') };
  });
  afterAll(() => beside.end());

  test.each(['default', 'berg'] as const)('%s has the figures that its own folder shows', async (account) => {
    for (const metric of ['total_chats', 'waiting_times', 'chat_ratings'])
      for (const how of ['', '&split=group', '&split=agent&grain=total']) {
        const address = `/api/metrics/${metric}?${range}${how}`;
        const expected = await figures(account, address);
        expect([address, await figures('reading', `${address}&account=${account}`)]).toEqual([address, expected]);
      }
    const [chat] = await rows(folders[account], 'select chat_id from facts.chats order by chat_id limit 1');
    const path = `/api/chats/${String(chat?.['chat_id'])}`;
    expect((await shown(account, path))[0]).toBe(200);
    expect(await figures('reading', `${path}?account=${account}`)).toEqual(await figures(account, path));
    const pulls = JSON.parse((await shown('reading', `/api/pulls?account=${account}`))[1]) as { pulls: unknown[] };
    expect(pulls.pulls).toEqual((JSON.parse((await shown(account, '/api/pulls'))[1]) as typeof pulls).pulls);
  });

  test('accounts together are the sum of both folders, and each is compared', async () => {
    const address = `/api/metrics/total_chats?${range}&grain=total`;
    const counted = async (of: keyof typeof folders, whose: string): Promise<number[]> => {
      const { rows: found } = JSON.parse((await shown(of, `${address}&timezone=UTC${whose}`))[1]) as {
        rows: { chats: number }[];
      };
      return found.map(({ chats }) => chats);
    };
    const [[one = 0] = [], [two = 0] = []] = [await counted('default', ''), await counted('berg', '')];
    expect(one).toBeGreaterThan(0);
    expect(await counted('reading', '&account=*')).toEqual([one + two]);
    expect(await counted('reading', '&account=*&split=account')).toEqual([two, one]);
  });

  test('what is done where accounts are pulled is refused with a sentence, and not offered', async () => {
    const me = JSON.parse((await shown('reading', '/api/me'))[1]) as { rights: string[]; publishes: boolean };
    expect([me.publishes, me.rights.includes('files'), me.rights.includes('erase')]).toEqual([false, false, false]);
    const body = JSON.stringify({ statement: 'select 1' });
    const json = { 'content-type': 'application/json', origin: origins.reading };
    for (const [address, sent] of [
      ['/api/sql', { method: 'POST', body, headers: json }],
      ['/api/snapshots/current/file', {}],
      [`/api/chat-rows.parquet?account=berg&${range}`, {}],
      ['/api/variables?account=berg', { method: 'PUT', body: '{"variables":[]}', headers: json }],
      ['/api/business-hours?account=berg', { method: 'PUT', body: '{"hours":[],"groups":[]}', headers: json }],
    ] as const) {
      const [status, text] = await shown('reading', address, sent);
      expect([address, status >= 400, text]).toEqual([address, true, expect.stringContaining('several data folders')]);
    }
    for (const words of [['start'], ['pull'], ['sql', 'select 1'], ['erase', '--visitor', 'v'], ['move']]) {
      const { code, complained } = await command('reading', ...words);
      expect([words, code, complained]).toEqual([words, 2, expect.stringContaining('is for a data folder that pulls')]);
    }
    const told = await command('reading', 'doctor');
    expect(told.said).toMatch(/^ok {4}database: .*: readers see berg, default, last published at 20/m);
    expect(told.said).not.toContain('WRONG');
    const digest = ['digest', 'run', 'monday-morning', '--for', weekBefore(), '--format', 'csv'];
    const made = await command('reading', ...digest, '--out', join(folders.reading, 'out'));
    expect([made.code, made.complained]).toEqual([0, expect.stringMatching(/^Numbers are missing: .* not pulled/)]);
    expect((await shown('reading', '/'))[0]).toBe(200);
  });

  test('users are added by the accounts that are shown, and their groups are looked up in them', async () => {
    const folder = newFolder();
    const user = (...words: string[]): Promise<Ended> => runToEnd(['user', 'add', ...words], reading(), folder);
    expect((await user('a@example.com', '--role', 'admin')).code).toBe(0);
    for (const [words, sentence] of [
      [['--groups', '1'], 'there are several accounts: say which of berg, default'],
      [['--accounts', 'berg', '--groups', '999999'], '999999: no such group in berg; choose from'],
    ] as const) {
      const { code, complained } = await user('b@example.com', ...words);
      expect([words, code, complained]).toEqual([words, 2, expect.stringContaining(sentence)]);
    }
  });

  test('a publication of any folder is seen, the past stays, and an erasure in a folder reaches it', async () => {
    const before = JSON.parse((await shown('reading', '/api/snapshots'))[1]) as {
      snapshots: { id: string; published_at: string; bytes: null }[];
    };
    expect(before.snapshots.map(({ bytes }) => bytes)).toEqual(before.snapshots.map(() => null));
    const current = before.snapshots[0]!;
    const [{ visitor, name = '', chat } = {}] = await rows(
      folders.berg,
      `select visitor_id as visitor, any_value(visitor_name) as name, min(chat_id) as chat from facts.chats
       where visitor_name like '% %' group by visitor_id order by visitor limit 1`,
    );
    const chatOfVisitor = async (): Promise<string> =>
      (await shown('reading', `/api/chats/${String(chat)}?account=berg`))[1];
    expect(await chatOfVisitor()).toContain(String(name));
    const erased = await command('berg', 'erase', '--visitor', String(visitor));
    expect([erased.code, erased.complained]).toEqual([0, '']);
    await until(async () => !(await chatOfVisitor()).includes(String(name)), 100, 'the erasure');
    expect((await shown('reading', `/api/chats/${String(chat)}?account=berg`))[0]).toBe(200);
    const later = await command('default', 'snapshot');
    expect([later.code, later.complained]).toEqual([0, '']);
    const newest = async (): Promise<string | undefined> =>
      (JSON.parse((await shown('reading', '/api/health'))[1]) as { snapshot: { id: string } | null }).snapshot?.id;
    await until(async () => (await newest()) !== current.id, 100, 'the publication');
    const address = `/api/metrics/total_chats?${range}&account=default`;
    const then = await figures('reading', `${address}&as_of=${current.published_at}`);
    expect(then).toMatchObject([200, { as_of: current.published_at }]);
  });
});
