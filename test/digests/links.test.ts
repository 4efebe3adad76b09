// What links in mails open: two things, on a port of their own, which a proxy may stand in front of.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLinks } from '#api/digest-links.ts';
import { fileLink, linkedTo, unsubscribeLink } from '#digests/links.ts';
import { round } from '#digests/scheduler.ts';
import { opened, signed } from '#digests/store.ts';
import { webServer, linksServer } from '#server/web-server.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { say } from '../server/raw.ts';
import { account } from '../warehouse/account.ts';
import { digestDeps, digest } from './deps.ts';

let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());

describe('links', () => {
  const it_ = () => digestDeps(engine, [digest()], { public_url: 'https://numbers.example' });

  it('open only what was signed here', () => {
    const token = signed('key', 'subject');
    expect(opened('key', token)).toBe('subject');
    for (const wrong of [token.slice(0, -1), `x${token}`, signed('other', 'subject'), '', '.'])
      expect(opened('key', wrong)).toBeUndefined();
  });

  it('unsubscribe with a POST, never with a GET, and without a login', async () => {
    const it = it_();
    const links = createLinks(apiDeps(engine, { digests: it, loopback: false }));
    const path = new URL(unsubscribeLink(it, 'week', 'ann@example.com') ?? '').pathname;
    const ask = (method: string) => links.request(`http://127.0.0.1:3001${path}`, { method });
    expect((await ask('GET')).status).toBe(200);
    expect(it.store.isUnsubscribed('week', 'ann@example.com')).toBe(false);
    expect((await ask('POST')).status).toBe(200);
    expect(it.store.isUnsubscribed('week', 'ann@example.com')).toBe(true);
    expect((await links.request('http://127.0.0.1:3001/api/digests')).status).toBe(404);
    expect(linkedTo(it, 'e30.x', 0)).toBeUndefined();
  });
});

describe('the port of links', () => {
  let it_: ReturnType<typeof digestDeps>;
  let server: Server;
  let file: string;
  let unsubscribe: string;
  beforeEach(async () => {
    const public_url = 'https://Numbers.example/stats/';
    it_ = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }] })], { public_url });
    await round(it_);
    const about = { digest: 'week', period: '2026-W19', reader: 'ann', name: 'week-2026-W19.csv.zip' };
    file = new URL(fileLink(it_, about, it_.now) ?? '').pathname;
    unsubscribe = new URL(unsubscribeLink(it_, 'week', 'ann@example.com') ?? '').pathname;
    server = linksServer(apiDeps(engine, { digests: it_ }), public_url);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => server.close().closeAllConnections());
  const ask = async (request: string, host = 'numbers.example', lines: string[] = [], version = 'HTTP/1.1') =>
    (await say(server, request, lines, { host, version })).status;

  it('opens them from a mailbox, under the public name or the one that a proxy uses, with the folder or without', async () => {
    const mailbox = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Origin: https://mailbox.example'];
    const proxy = ['X-Forwarded-For: 192.0.2.1', 'Via: 1.1 proxy'];
    expect(await ask(`GET ${file}?from=mail`)).toBe(200);
    expect(await ask(`GET ${file}`, 'NUMBERS.example:443', mailbox)).toBe(200);
    expect(await ask(`GET ${file.replace('/stats', '')}`, '127.0.0.1:3001', proxy, 'HTTP/1.0')).toBe(200);
    expect(await ask(`GET ${unsubscribe}`, 'localhost:3001', [...proxy, ...mailbox])).toBe(200);
    expect(it_.store.isUnsubscribed('week', 'ann@example.com')).toBe(false);
    expect(await ask(`POST ${unsubscribe}`, 'numbers.example', [...proxy, 'Content-Length: 0'], 'HTTP/1.0')).toBe(200);
    expect(it_.store.isUnsubscribed('week', 'ann@example.com')).toBe(true);
  });

  it('opens nothing else', async () => {
    const others = [
      '/',
      '/stats/',
      '/digests',
      '/favicon.svg',
      '/api/health',
      '/api/digests',
      '/api/metrics',
      '/api/docs',
    ];
    for (const path of [
      ...others,
      `/x${file}`,
      `${file}/..`,
      `${file}x`,
      '/stats/api/digests',
      '/stats/stats/api/health',
    ])
      for (const host of ['numbers.example', '127.0.0.1:3001'])
        expect([path, host, await ask(`GET ${path}`, host)]).toEqual([path, host, 404]);
    expect(await ask('POST /api/digests/week/run')).toBe(404);
    expect(await ask(`DELETE ${unsubscribe}`)).toBe(404);
  });

  it('answers to no other name', async () => {
    for (const host of [
      'evil.example',
      'numbers.example.evil.example',
      'numbers.example:8080',
      'x@numbers.example',
      '',
    ])
      expect([host, await ask(`GET ${file}`, host)]).toEqual([host, host === '' ? 400 : 403]);
  });

  it('says what it says with the headers of the other one', async () => {
    const { headers } = await say(server, `GET ${file}`, [], { host: 'numbers.example' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('the port of the dashboards opens no link, under no name', async () => {
    const dashboards = webServer(apiDeps(engine, { digests: it_ }), (_, response) => void response.end('page'));
    await once(dashboards.listen(0, '127.0.0.1'), 'listening');
    const path = file.replace('/stats', '');
    expect((await say(dashboards, `GET ${path}`, [], { host: 'numbers.example' })).status).toBe(403);
    expect((await say(dashboards, `GET ${path}`)).status).toBe(404);
    dashboards.close();
  });
});
