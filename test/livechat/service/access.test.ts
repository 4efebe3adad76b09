// The door: who may ask, what is refused and how, JSONP, versions, regions and scopes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unauthorized } from '#contract/errors.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { mintPersonalToken, mintToken } from '#service/tokens.ts';
import { ann, basic, bob, staff, tinyService } from './tiny.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let store: ChatStore;
const now = Date.parse('2026-05-06T00:00:00Z') / 1000;
const bearer = (token: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more });
const statusOf = async (path: string, headers?: Record<string, string>, method?: string) =>
  (await it_runs.ask(path, headers, method)).status;

beforeAll(async () => {
  it_runs = await tinyService({ now: '2026-05-06T00:00:00Z' });
  store = openStore(it_runs.options.file);
});
afterAll(async () => {
  store.close();
  await it_runs.end();
});

describe('a caller', () => {
  it('without or with wrong credentials is 401 in the known words', async () => {
    for (const headers of [
      {},
      basic('owner@example.com', 'wrong'),
      basic('nobody', 'secret'),
      bearer('dal:x'),
      bearer('x'),
    ]) {
      const answer = await it_runs.ask('/agents', headers);
      expect([answer.status, await answer.json()]).toEqual([401, unauthorized]);
    }
  });
  it('may be the owner or any agent with an API key', async () => {
    expect(await statusOf('/agents')).toBe(200);
    expect(await statusOf('/agents', basic(ann, staff.agents[0]!.api_key))).toBe(200);
    expect(await statusOf('/agents', basic(bob, staff.agents[0]!.api_key))).toBe(401);
  });
  it('may use a personal access token as the password, only with the own e-mail', async () => {
    const token = mintPersonalToken(store, ann);
    expect(await statusOf('/chats', basic(ann, token))).toBe(200);
    expect(await statusOf('/chats', basic(bob, token))).toBe(401);
    expect(await statusOf('/chats', bearer(token))).toBe(401);
  });
  it('reads with a token only what its scopes allow; reports and the status with any token', async () => {
    const token = mintToken(store, { agent: ann, scopes: ['agents_read', 'groups--all:rw'], seconds: 86_400 }, now);
    const seen = await Promise.all(
      ['/agents', '/groups', '/chats', '/tags', '/status', '/reports/chats/total_chats'].map((path) =>
        statusOf(path, bearer(token)),
      ),
    );
    expect(seen).toEqual([200, 200, 403, 403, 200, 200]);
    expect(await statusOf('/chats', bearer(mintToken(store, { agent: ann, scopes: 'all' })))).toBe(200);
    const greeter = mintToken(store, { agent: ann, scopes: ['greetings_read'] });
    expect([await statusOf('/greetings', bearer(greeter)), await statusOf('/greetings/5', bearer(greeter))]).toEqual([
      200, 403,
    ]);
  });
  it('is nobody once the token has expired', async () => {
    const token = mintToken(store, { agent: ann, scopes: 'all', seconds: 86_400 }, now - 86_400);
    expect(await statusOf('/agents', bearer(token))).toBe(401);
  });
  it('is sent to the region of the token', async () => {
    const token = mintToken(store, { agent: ann, scopes: 'all', region: 'fra' });
    const answer = await it_runs.ask('/agents', bearer(token));
    expect([answer.status, await answer.json()]).toEqual([
      421,
      { error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } } },
    ]);
    expect(await statusOf('/agents', bearer(token, { 'x-region': 'fra' }))).toBe(200);
    expect(
      await statusOf('/agents', bearer(mintToken(store, { agent: ann, scopes: 'all' }), { 'x-region': 'dal' })),
    ).toBe(200);
  });
});

describe('a request', () => {
  it('to an unknown path is 404 even from nobody, with an error in the body', async () => {
    for (const path of ['/nothing', '/reports', '/reports/chats/nothing', '/v3/agents', '/face', '/face/nothing.js']) {
      const answer = await it_runs.ask(path, {});
      expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([404, ['error']]);
    }
  });
  it('names version 2, in a header, in the path or not at all', async () => {
    const owner = basic('owner@example.com', 'secret');
    expect(await statusOf('/v2/agents')).toBe(200);
    expect(await statusOf('/agents', { ...owner, 'x-api-version': '2' })).toBe(200);
    expect(await statusOf('/agents', { ...owner, 'x-api-version': '3.5' })).toBe(400);
  });
  it('of a browser on another page is refused, also on localhost', async () => {
    const owner = basic('owner@example.com', 'secret');
    expect(await statusOf('/agents', { ...owner, origin: 'http://localhost:3000' })).toBe(403);
    expect(await statusOf('/agents', { ...owner, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });
  it('of another verb is refused with a body', async () => {
    const answer = await it_runs.ask('/agents', undefined, 'DELETE');
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([405, ['error']]);
  });
  it('is answered as JSONP under the asked name, also when it is refused', async () => {
    const answer = await it_runs.ask('/status?callback=jQuery1.cb_2');
    expect(answer.headers.get('content-type')).toContain('application/javascript');
    expect(await answer.text()).toBe('jQuery1.cb_2({"status":"offline"});');
    const refused = await it_runs.ask('/nothing?callback=cb');
    expect([refused.status, await refused.text()]).toEqual([404, 'cb({"error":"Not Found"});']);
    for (const name of ['alert(1)//', '', '1a', 'a'.repeat(65)]) {
      const bad = await it_runs.ask(`/status?callback=${encodeURIComponent(name)}`);
      expect([bad.status, await bad.json()]).toEqual([400, { errors: [expect.any(String)] }]);
    }
  });
  it('is counted', async () => {
    const before = it_runs.service().requests();
    await it_runs.ask('/status');
    expect(it_runs.service().requests()).toBe(before + 1);
  });
});
