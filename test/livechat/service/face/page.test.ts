// The page of the service over HTTP: its files and headers, who may call with the origin of a page, and the client under which it asks for tokens.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenseOf } from '#service/license.ts';
import { openStore } from '#service/store.ts';
import { isOwnHost } from '#service/wire.ts';
import { broughtBack, challengePair, signIn } from '../authorization/browser.ts';
import { ann, basic, staff, tinyService } from '../tiny.ts';

let runs: Awaited<ReturnType<typeof tinyService>>;
const base = () => runs.service().url;
const host = () => new URL(base()).host;

beforeAll(async () => {
  runs = await tinyService({ now: '2026-05-06T12:00:00Z' });
});
afterAll(() => runs.end());

/** The status of a request with headers that `fetch` does not let a caller choose. */
const statusOf = (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(base() + path, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sent.on('error', reject);
    sent.end();
  });

describe('the page', () => {
  it('and each of its files runs nothing from elsewhere, is of its own type and cannot be framed', async () => {
    const page = await fetch(`${base()}/`);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const names = [...html.matchAll(/(?:src|href)="(\/face\/[^"]+)"/g)].map(([, name]) => name!);
    expect(names).toEqual(['/face/face.css', '/face/chat.css', '/face/face.js']);
    const all = [page, ...(await Promise.all(names.map((name) => fetch(base() + name))))];
    expect(all.map(({ headers }) => headers.get('content-type')!.split(';')[0])).toEqual([
      'text/html',
      'text/css',
      'text/css',
      'text/javascript',
    ]);
    for (const { status, headers } of all) {
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
      expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY']);
    }
    // Its policy would not let them run.
    expect(html).not.toMatch(/<style|style=|<script>|\son\w+=/);
  });
  it('has every script that its scripts import', async () => {
    const seen = new Set<string>();
    const follow = async (name: string): Promise<void> => {
      if (seen.has(name)) return;
      seen.add(name);
      const script = await fetch(`${base()}/face/${name}`);
      expect([name, script.status]).toEqual([name, 200]);
      const text = await script.text();
      expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
      await Promise.all([...text.matchAll(/from '\.\/([\w-]+\.js)'/g)].map(([, next]) => follow(next!)));
    };
    await follow('face.js');
    expect(seen.size).toBeGreaterThan(3);
  });
  it('names the license of the account, and serves no other file', async () => {
    const html = await (await fetch(`${base()}/`)).text();
    const store = openStore(runs.options.file);
    expect(html).toContain(`data-license="${licenseOf(store).license_id}"`);
    store.close();
    for (const name of ['page.ts', 'index.html', '..%2Fpage.ts', 'toString'])
      expect([name, (await fetch(`${base()}/face/${name}`)).status]).toEqual([name, 404]);
  });
});

describe('the origin of a request', () => {
  const key = basic('owner@example.com', 'secret');
  it('is let through when it is the page’s own, under each name of this machine', async () => {
    const { port } = new URL(base());
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const own = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
      expect([name, await statusOf('/agents', { ...key, ...own })]).toEqual([name, 200]);
      expect([name, await statusOf('/', own)]).toEqual([name, 200]);
    }
  });
  it('is refused when it is another page’s: of another site, port or scheme, or of nobody', async () => {
    const { port } = new URL(base());
    for (const origin of [
      'https://evil.example',
      'http://127.0.0.1:1',
      'http://127.0.0.1',
      `https://${host()}`,
      `http://localhost:${port}`,
      `http://${host()}.evil.example`,
      'null',
    ])
      expect([origin, await statusOf('/agents', { ...key, origin })]).toEqual([origin, 403]);
  });
  it('is refused when a name of others leads here', async () => {
    const { port } = new URL(base());
    for (const name of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'localhost.',
      '192.0.2.1',
    ]) {
      const rebound = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
      expect([name, await statusOf('/customer/token', rebound, 'POST')]).toEqual([name, 403]);
      expect([name, await statusOf('/', { host: rebound.host })]).toEqual([name, 403]);
    }
  });
  it('may be that of a link to the page, and of nothing else of another site', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await statusOf('/', link)).toBe(200);
    expect(await statusOf('/', link, 'POST')).toBe(403);
    expect(await statusOf('/face/face.js', link)).toBe(403);
    expect(await statusOf('/agents', { ...key, ...link })).toBe(403);
  });
  it('knows the host that the service is bound to', () => {
    expect(isOwnHost('chat.lan:4010', 'chat.lan')).toBe(true);
    expect(isOwnHost('[fd00::1]:4010', 'fd00::1')).toBe(true);
    expect(isOwnHost('other.lan:4010', 'chat.lan')).toBe(false);
    expect(isOwnHost(null, 'chat.lan')).toBe(false);
    expect(isOwnHost('a b', 'a b')).toBe(false);
  });
});

describe('the client of the page', () => {
  const scope = 'chats--all:rw agents--my:rw agents--all:ro';
  const authorize = (redirect_uri: string, challenge: string) =>
    `/oauth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: 'chatledger-page', redirect_uri, state: 'x', scope },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    }).toString()}`;
  it('lets an agent sign in for this address, also after a restart, and for no other', async () => {
    await runs.restart();
    const { verifier, challenge } = challengePair();
    const redirect_uri = `${base()}/`;
    const asAnn = { login: ann, secret: staff.agents[0]!.api_key };
    const { code } = broughtBack(await signIn(base(), authorize(redirect_uri, challenge), asAnn));
    const answer = await fetch(`${base()}/oauth/token`, {
      method: 'POST',
      headers: { origin: base() },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', client_id: 'chatledger-page', code: code!, redirect_uri },
        code_verifier: verifier,
      }),
    });
    const token = (await answer.json()) as { entity_id: string; scope: string };
    expect(token).toMatchObject({ entity_id: ann, scope });
    const elsewhere = await fetch(base() + authorize('http://127.0.0.1:1/', challenge), { redirect: 'manual' });
    expect(elsewhere.status).toBe(400);
  });
});
