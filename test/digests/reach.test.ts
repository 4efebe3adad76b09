// Where webhooks may go: to public addresses and to hosts that the settings name, whatever an address is written like.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post } from '#digests/channels/http.ts';
import { allowedHost, isPublic, lookupFor, refusalOf, type Lookup } from '#network/reach.ts';
import { complaintsOf } from '#server/settings-problems.ts';
import { readConfig, readEnvironment } from '#server/config.ts';
import { round } from '#digests/scheduler.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { allowing, digestDeps, digest } from './deps.ts';
import { promisedApi } from '../api/promised-api.ts';
import { freePort } from '../ports.ts';

let engine: Store;
let server: Server | undefined;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());
afterEach(() => void server?.close());

/** Counts who comes, and answers with a status and a place to go to. */
async function receiver(
  status = 204,
  headers: Record<string, string> = {},
): Promise<{ port: number; paths: string[] }> {
  const paths: string[] = [];
  const made = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume().on('end', () => response.writeHead(status, headers).end());
  }).listen(0, '127.0.0.1');
  server = made;
  await once(made, 'listening');
  return { port: (made.address() as AddressInfo).port, paths };
}

const inside = [
  ...[
    '127.0.0.1',
    '127.1.2.3',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
  ],
  ...['0.0.0.0', '0', '10.0.0.7', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...[
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a00:7]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:7]',
  ],
  ...['[64:ff9b:1::808:808]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]'],
  ...['[2002:7f00:1::]', '[2001::1]', '[100::1]', '[4000::1]', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['１２７.0.0.1', '①②⑦.0.0.1'],
];
const outside = [
  '1.1.1.1',
  '8.8.8.8',
  '[2606:4700::1111]',
  '[64:ff9b::808:808]',
  '[::ffff:8.8.8.8]',
  'hooks.example',
  '172.32.0.1',
];

describe('an address', () => {
  it.each(inside)('http://%s is refused', (host) => {
    expect(refusalOf(`http://${host}/hook`, allowing())).toMatch(
      /is no public address: allow the host in CHATLEDGER_WEBHOOK_HOSTS$/,
    );
    expect(refusalOf(`https://${host}:8443/hook`, allowing())).toBeDefined();
  });

  it.each(outside)('http://%s is taken', (host) => {
    expect(refusalOf(`http://${host}/hook`, allowing())).toBeUndefined();
  });

  it('that is none is not public', () => {
    for (const wrong of ['', 'x', '1.2.3', 'fe80::1%eth0', '999.1.1.1'])
      expect([wrong, isPublic(wrong)]).toEqual([wrong, false]);
  });

  it('is allowed by its name, with every port or with one', () => {
    expect(refusalOf('http://0x7f.1:80/', allowing('127.0.0.1'))).toBeUndefined();
    expect(refusalOf('http://127.0.0.1:8080/', allowing('127.0.0.1:8080'))).toBeUndefined();
    expect(refusalOf('http://127.0.0.1:8081/', allowing('127.0.0.1:8080'))).toBeDefined();
    expect(refusalOf('https://[::1]/', allowing('[::1]:443'))).toBeUndefined();
    expect(refusalOf('http://[::1]/', allowing('[::1]:443'))).toBeDefined();
    expect(refusalOf('http://LocalHost./', allowing('localhost'))).toBeUndefined();
    expect(refusalOf('http://a.localhost/', allowing('localhost'))).toBeDefined();
  });

  it('in the setting is a host, with or without a port, and nothing else', () => {
    expect(allowedHost('Hooks.Internal.')).toEqual({ name: 'hooks.internal', port: null });
    expect(allowedHost('10.0.0.7:8080')).toEqual({ name: '10.0.0.7', port: 8080 });
    for (const wrong of [
      '',
      'http://x',
      'x/y',
      'x:0',
      'x:65536',
      'x:y',
      '*.example',
      '*',
      '::1',
      '[::1',
      'a b',
      'u@h',
      '10.0.0.0/8',
    ])
      expect([wrong, allowedHost(wrong)]).toEqual([wrong, undefined]);
  });
});

describe('the setting', () => {
  const read = (value: string) => readEnvironment({ CHATLEDGER_WEBHOOK_HOSTS: value }, tmpdir());

  it('names hosts with commas between them', () => {
    expect(readConfig(read('hooks.internal, [::1]:8080 ,'))).toMatchObject({
      webhook_hosts: [
        { name: 'hooks.internal', port: null },
        { name: '::1', port: 8080 },
      ],
    });
    expect(readConfig(read('')).webhook_hosts).toEqual([]);
  });

  it('with anything else is told', () => {
    for (const wrong of ['*', '10.0.0.0/8', 'hooks.internal http://x', 'a,b:99999'])
      expect(complaintsOf(read(wrong)).join()).toMatch(/^CHATLEDGER_WEBHOOK_HOSTS=.* must be host names/);
  });
});

describe('a digest', () => {
  const { id: _id, ...body } = digest();
  const put = (channels: object[], webhooks = allowing()) =>
    promisedApi(apiDeps(engine, { digests: digestDeps(engine, [], { webhooks }) })).request(
      'http://127.0.0.1:3000/api/digests/week',
      {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, channels }),
      },
    );

  it('with an address that is not public is refused, and says where it stands and what allows it', async () => {
    for (const kind of ['webhook', 'slack'])
      for (const host of ['127.0.0.1:3000', 'localhost', '[::1]', '169.254.169.254', '2130706433']) {
        const answer = await put([{ kind: 'folder' }, { kind, url: `http://${host}/` }]);
        expect([kind, host, answer.status]).toEqual([kind, host, 400]);
        const { error } = (await answer.json()) as { error: { choices: string[] } };
        expect(error.choices[0]).toMatch(
          /^channels\.1\.url: \S+ is no public address: allow the host in CHATLEDGER_WEBHOOK_HOSTS$/,
        );
      }
    expect((await put([{ kind: 'webhook', url: 'http://127.0.0.1:3000/' }], allowing('127.0.0.1:3000'))).status).toBe(
      200,
    );
  });

  it('that was kept with such an address sends nothing to it, and tells nothing of what answers there', async () => {
    const { port, paths } = await receiver(418);
    const url = `http://127.0.0.1:${port}/hook`;
    const it = digestDeps(engine, [
      digest({
        channels: [
          { kind: 'webhook', url },
          { kind: 'slack', url },
        ],
      }),
    ]);
    await round(it);
    const sends = it.store.ledger.history('week', 9);
    expect(sends.map(({ state }) => state)).toEqual(['failed', 'failed']);
    for (const { reason } of sends)
      expect(reason).toBe(`127.0.0.1:${port} is no public address: allow the host in CHATLEDGER_WEBHOOK_HOSTS`);
    expect(paths).toEqual([]);
  });
});

describe('a name', () => {
  const answering =
    (asked: string[], ...addresses: string[][]): Lookup =>
    (hostname, _options, done) => {
      const found = addresses[Math.min(asked.push(hostname), addresses.length) - 1] ?? [];
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };

  it.each([
    '127.0.0.1',
    '10.0.0.7',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '0.0.0.0',
    'fd00::1',
  ])('that leads to %s is refused without a word about it', async (address) => {
    const { port, paths } = await receiver();
    const asked: string[] = [];
    const outcome = await post(
      `http://rebound.example:${port}/x`,
      '{}',
      {},
      { ...allowing(), lookup: answering(asked, [address]) },
    );
    const reason = `rebound.example:${port} is no public address: allow the host in CHATLEDGER_WEBHOOK_HOSTS`;
    expect([outcome, paths, asked]).toEqual([{ kind: 'failed', reason }, [], ['rebound.example']]);
  });

  it('that is allowed is reached wherever it leads, and is looked up once', async () => {
    const { port, paths } = await receiver();
    const asked: string[] = [];
    const webhooks = { ...allowing('hooks.internal'), lookup: answering(asked, ['127.0.0.1'], ['127.0.0.9']) };
    expect(await post(`http://hooks.internal.:${port}/x`, '{}', {}, webhooks)).toEqual({ kind: 'sent' });
    expect([paths, asked]).toEqual([['/x'], ['hooks.internal.']]);
  });

  it('that is not known, or where nobody listens at any address, is said in words, and tried again', async () => {
    const port = await freePort();
    const closed = { ...allowing('hooks.internal'), lookup: answering([], ['127.0.0.1', '127.0.0.9']) };
    expect(await post(`http://hooks.internal:${port}/x`, '{}', {}, closed)).toEqual({
      ...{ kind: 'retry', reason: `hooks.internal:${port}: nobody listens there (ECONNREFUSED)` },
    });
    const lookup: Lookup = (name, _, done) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), []);
    expect(await post('http://nowhere.example/x', '{}', {}, { ...allowing(), lookup })).toEqual({
      ...{ kind: 'retry', reason: 'nowhere.example: the name is not known (ENOTFOUND)' },
    });
  });

  it('with public and other addresses is reached at the public ones only', () => {
    const found: unknown[] = [];
    const lookup = answering([], ['127.0.0.1', '8.8.8.8', '::1']);
    const open = lookupFor(new URL('http://mixed.example'), { ...allowing(), lookup });
    open('mixed.example', { all: true }, (...given) => found.push(given));
    open('mixed.example', {}, (...given) => found.push(given));
    expect(found).toEqual([
      [null, [{ address: '8.8.8.8', family: 4 }]],
      [null, '8.8.8.8', 4],
    ]);
  });

  it('is not followed to where it sends on', async () => {
    const inner = await receiver(204);
    const { port } = inner;
    const first = server;
    const outer = await receiver(302, { location: `http://localhost:${port}/inner` });
    const outcome = await post(`http://127.0.0.1:${outer.port}/x`, '{}', {}, allowing('127.0.0.1'));
    expect(outcome).toEqual({ kind: 'failed', reason: `127.0.0.1:${outer.port} answered with 302` });
    expect(inner.paths).toEqual([]);
    first?.close();
  });
});
