// Several accounts of one chatledger.json: each is pulled by its own address and zone, and none waits for a broken one.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { apiDeps } from '../api/deps.ts';
import { isWhole, testInDrill } from '../chance.ts';
import { newFolder, runToEnd } from './program.ts';
import { promisedApi } from '../api/promised-api.ts';
import { refusalOf } from './refusal.ts';
import { dayBefore, stillAt } from './still.ts';

const key = 'ab'.repeat(16);
const services: Service[] = [];
beforeAll(async () => {
  for (const [seed, zone] of [
    [1, 'Europe/Warsaw'],
    [2, 'America/St_Johns'],
  ] as const)
    services.push(
      await startService({
        file: join(newFolder(), 's.sqlite'),
        days: 3,
        port: 0,
        apiKey: key,
        clock: () => stillAt,
        seed,
        zone,
        world: thirdOfSmallWorld,
      }),
    );
});
afterAll(() => Promise.all(services.map((service) => service.close())));

const written = (id: string, service: Service | undefined, differs: object = {}): object => ({
  ...{ id, base_url: service?.url, login: 'owner@example.com', api_key_env: 'SHOP_KEY' },
  ...{ since: dayBefore(2), requests_per_second: 1000, ...differs },
});
function folderWith(accounts: unknown): string {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'chatledger.json'),
    typeof accounts === 'string' ? accounts : JSON.stringify({ accounts }),
  );
  return folder;
}

describe('a pull of several accounts', () => {
  const folder = (): string =>
    folderWith([
      written('shop-eu', services[0], { timezone: 'Europe/Warsaw' }),
      written('broken', undefined, { base_url: 'http://127.0.0.1:9' }),
      written('shop-ca', services[1], { timezone: 'America/St_Johns' }),
    ]);

  test('brings each whole, names the one that cannot be reached, and ends with its exit code', async () => {
    const here = folder();
    // Reports of the account, of groups, of agents and in hours; with the drill every report.
    const only = isWhole ? [] : ['--only', 'archive,total_chats,chat_ratings,chat_ranking,response_time'];
    const { code, said, complained } = await runToEnd(['pull', '--json', ...only], { SHOP_KEY: key }, here);
    expect(code).toBe(3);
    expect(complained).toContain('chatledger: broken: nothing answers at http://127.0.0.1:9');
    expect(complained).toContain('base_url of broken in chatledger.json');
    const ends = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { account: string; chats_new?: number });
    expect(ends.map(({ account }) => account)).toEqual(['shop-eu', 'broken', 'shop-ca']);

    const engine = await openWarehouse(join(here, 'data', 'published', 'chatledger.duckdb'), { readOnly: true });
    const found = await engine.query(
      'select account, count(*) as chats, count(distinct chat_id) as ids from facts.chats group by account order by account',
    );
    expect(found.map(({ account }) => account)).toEqual(['shop-ca', 'shop-eu']);
    for (const { account, chats, ids } of found) {
      expect(chats).toBe(ids);
      expect(chats).toBe(ends.find((end) => end.account === account)?.chats_new);
      expect(chats).toBeGreaterThan(10);
    }
    const zones = await engine.query('select distinct account, timezone from ledger.periods order by account');
    expect(zones).toEqual([
      { account: 'shop-ca', timezone: 'America/St_Johns' },
      { account: 'shop-eu', timezone: 'Europe/Warsaw' },
    ]);
    const accounts = () => [
      { id: 'shop-eu', timezone: 'Europe/Warsaw', since: dayBefore(2) },
      { id: 'shop-ca', timezone: 'America/St_Johns', since: dayBefore(2) },
    ];
    const api = promisedApi(apiDeps(engine, { accounts, clock: () => stillAt * 1000 }));
    const ask = async (path: string): Promise<[number, unknown]> => {
      const response = await api.request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1' } });
      return [response.status, await response.json()];
    };
    const total = `/api/metrics/total_chats?from=${dayBefore(2)}&to=${dayBefore(1)}&grain=total`;
    expect(await ask(total)).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ choices: ['shop-eu', 'shop-ca'] }) }),
    ]);
    const chatsOf = async (account: string): Promise<unknown> =>
      ((await ask(`${total}&account=${account}`))[1] as { rows: { chats: number }[] }).rows[0]?.chats;
    expect([await chatsOf('shop-eu'), await chatsOf('shop-ca')]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await chatsOf('shop-eu')).not.toBe(await chatsOf('shop-ca'));
    const [, pulls] = (await ask('/api/pulls?account=shop-ca')) as [number, { pulls: object[]; failed: object[] }];
    expect(pulls.pulls).toEqual([expect.objectContaining({ account: 'shop-ca' })]);
    expect(pulls.failed).toEqual([]);
    await engine.close();

    const reconciled = await runToEnd(['reconcile', '--json'], { SHOP_KEY: key }, here);
    expect(reconciled.code, reconciled.complained).toBe(0);
    expect(JSON.parse(reconciled.said).unexplained).toEqual([]);
    const none = await runToEnd(
      ['reconcile', '--until', '2020-01-02', '--since', '2020-01-01'],
      { SHOP_KEY: key },
      here,
    );
    expect([none.code, none.said]).toEqual([1, '']);
    expect(none.complained).toContain('nothing was compared: of the account shop-ca nothing is there');
  });

  testInDrill('one that begins later does not keep the others', async () => {
    const here = folderWith([
      written('shop-eu', services[0]),
      written('planned', services[1], { since: '2099-01-01' }),
    ]);
    const { code, said, complained } = await runToEnd(['pull', '--only', 'total_chats'], { SHOP_KEY: key }, here);
    expect([code, said]).toEqual([2, expect.stringContaining('shop-eu: ')]);
    expect(complained).toContain('planned: the first day to pull, 2099-01-01, set for planned, lies in the future');
  });

  test('--account takes one of them, and names the choices when it is none', async () => {
    const here = folder();
    const one = await runToEnd(['pull', '--account', 'shop-eu', '--dry', '--json'], { SHOP_KEY: key }, here);
    expect(JSON.parse(one.said)).toMatchObject({ account: 'shop-eu' });
    const none = await runToEnd(['pull', '--account', 'shop'], { SHOP_KEY: key }, here);
    expect([none.code, none.complained]).toEqual([2, expect.stringContaining('choose from shop-eu, broken, shop-ca')]);
  });
});

test('the only account of the file that cannot be reached is told with the file to look at', async () => {
  const here = folderWith([written('shop-eu', undefined, { base_url: 'http://127.0.0.1:9' })]);
  const { code, complained } = await runToEnd(['pull'], { SHOP_KEY: key }, here);
  expect([code, complained]).toEqual([3, expect.stringContaining('check base_url of shop-eu in chatledger.json')]);
});

test('settings that lead to another account are refused, and what is held stays; those of before are pulled on', async () => {
  const here = newFolder();
  const pullOf = (service: Service | undefined, more: Record<string, string> = {}) =>
    runToEnd(
      ['pull', '--only', 'archive'],
      {
        ...{ CHATLEDGER_BASE_URL: service?.url ?? '', CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: key },
        ...{ CHATLEDGER_SINCE: dayBefore(2), CHATLEDGER_REQUESTS_PER_SECOND: '1000', ...more },
      },
      here,
    );
  const held = async (): Promise<string> =>
    (await runToEnd(['sql', '--json', 'select chat_id from facts.chats order by all'], {}, here)).said;
  expect((await pullOf(services[0])).code).toBe(0);
  const before = await held();
  const { code, complained } = await pullOf(services[1]);
  expect([code, complained]).toEqual([2, expect.stringContaining('that are held, so this is another account')]);
  expect(complained).toContain(`${services[1]?.url} lists none of the `);
  expect(complained).toContain('set CHATLEDGER_BASE_URL and the credentials back, or CHATLEDGER_DATA to a new folder');
  expect(await held()).toBe(before);
  expect((await pullOf(services[0])).code).toBe(0);
});

test('the doctor tells an account from a page that answers at its address', async () => {
  const page = createServer((_request, response) => response.end('<p>Welcome')).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const base_url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const here = folderWith([written('shop-eu', services[0]), written('site', undefined, { base_url })]);
  const { code, said } = await runToEnd(['doctor'], { SHOP_KEY: key }, here);
  page.close();
  expect([code, said]).toEqual([1, expect.stringMatching(/^ok +account shop-eu: .* answers$/m)]);
  expect(said).toContain(`WRONG account site: ${base_url} answers, but not with groups: check its base address`);
});

test('the doctor stops reading an answer that does not end', async () => {
  const part = Buffer.alloc(1024 * 1024, '[');
  let megabytes = 0;
  // It ends after all, for a doctor that reads everything.
  const more = function* () {
    for (megabytes = 0; megabytes < 300; megabytes += 1) yield part;
  };
  const endless = createServer((_request, response) => {
    Readable.from(more())
      .on('error', () => undefined)
      .pipe(response);
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const base_url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  const here = folderWith([written('site', undefined, { base_url })]);
  const { said } = await runToEnd(['doctor'], { SHOP_KEY: key }, here);
  endless.closeAllConnections();
  endless.close();
  expect(said).toContain(`WRONG account site: ${base_url} answers, but not with groups: check its base address`);
  // What was under way when it stopped counts here too.
  expect(megabytes).toBeLessThan(100);
});

describe('chatledger.json', () => {
  test.each([
    ['is not JSON', '{"accounts": [', 'chatledger.json is not JSON'],
    [
      'with a first day that no calendar has',
      [written('a', undefined, { base_url: 'http://h', since: '2026-02-30' })],
      'account a, since: must be a date',
    ],
    ['without accounts', [], 'chatledger.json: accounts: '],
    ['with an empty list', [], 'chatledger.json: accounts: must have at least 1 entry'],
    [
      'with a pace below one',
      [written('a', undefined, { base_url: 'http://h', requests_per_second: -1 })],
      'account a, requests_per_second: must be at least 1',
    ],
    [
      'with an archive that there is not',
      [written('a', undefined, { base_url: 'http://h', archive_source: 'v9' })],
      'account a, archive_source: must be one of rest_v2, agent_v3, both',
    ],
    [
      'with a word that nothing knows',
      [written('a', undefined, { base_url: 'http://h', api_key: 'x' })],
      'account a: Unrecognized key: "api_key"; choose from id, base_url, login',
    ],
    [
      'with a word of the language as id',
      [written('constructor', undefined, { base_url: 'http://h' })],
      'account constructor, id: has a meaning of its own',
    ],
    [
      'with an id twice',
      [written('a', undefined, { base_url: 'http://h' }), written('a', undefined, { base_url: 'http://i' })],
      'account a is written twice',
    ],
    [
      'with a wrong id',
      [written('A b', undefined, { base_url: 'http://h' })],
      'account A b, id: must be 1 to 64 of a-z',
    ],
    [
      'with a wrong zone',
      [written('a', undefined, { base_url: 'http://h', timezone: 'Mars/Base' })],
      'account a, timezone: must be a name of the TZ database',
    ],
    [
      'with a secret in it',
      [written('a', undefined, { base_url: 'http://h', api_key: 'x' })],
      'account a: Unrecognized key: "api_key"',
    ],
    [
      'without credentials',
      [{ id: 'a', base_url: 'http://h' }],
      'account a: needs credentials: token_env, or login and api_key_env',
    ],
    [
      'with two credentials',
      [written('a', undefined, { base_url: 'http://h', token_env: 'SHOP_TOKEN' })],
      'account a: may have one of token_env and api_key_env',
    ],
  ])('%s is refused with the place and the reason', (_, accounts, words) => {
    expect(refusalOf(folderWith(accounts), { SHOP_KEY: key })).toEqual([2, expect.stringContaining(words)]);
  });
  test('a secret that is not in the environment is named', () => {
    const folder = folderWith([written('a', undefined, { base_url: 'http://h' })]);
    const words = 'account a: the environment variable SHOP_KEY is not set';
    expect(refusalOf(folder, {})).toEqual([2, expect.stringContaining(words)]);
  });
  test('beside an account of the settings is refused', () => {
    const folder = folderWith([written('a', undefined, { base_url: 'http://h' })]);
    const settings = { SHOP_KEY: key, CHATLEDGER_BASE_URL: 'http://127.0.0.1:9', CHATLEDGER_TOKEN: 'dal:x' };
    expect(refusalOf(folder, settings)).toEqual([2, expect.stringContaining('both name accounts')]);
  });
});
