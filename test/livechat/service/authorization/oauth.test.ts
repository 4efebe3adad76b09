// The OAuth code flow over HTTP: what the page shows and refuses, codes used once, refresh tokens that rotate, tokens withdrawn.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, wrongRedirect } from '#service/authorization/clients.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { usualLifetime } from '#service/tokens.ts';
import { ann, basic, staff, tinyService } from '../tiny.ts';
import { authorizePath, broughtBack, challengePair, redirect_uri, signIn } from './browser.ts';

const owner = 'owner@example.com';
const scopes = ['agents--all:ro', 'webhooks.configuration:rw', 'webhooks.state:rw'];
let it_runs: Awaited<ReturnType<typeof tinyService>>;
let store: ChatStore;
let client_id = '';
let { verifier, challenge } = challengePair();
const base = () => it_runs.service().url;

beforeAll(async () => {
  it_runs = await tinyService({ now: '2026-05-06T00:00:00Z' });
  store = openStore(it_runs.options.file);
  ({ client_id } = addClient(store, {
    name: 'App <b>',
    redirect_uris: [redirect_uri],
    scopes,
    is_confidential: false,
  }));
});
beforeEach(() => ({ verifier, challenge } = challengePair()));
afterAll(async () => {
  store.close();
  await it_runs.end();
});

const path = (own?: Record<string, string | undefined>) => authorizePath(client_id, challenge, own);
const asOwner = { login: owner, secret: 'secret' };
async function post(to: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(base() + to, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
const exchange = (code: string, own: Record<string, string> = {}, headers?: Record<string, string>) =>
  post(
    '/oauth/token',
    { grant_type: 'authorization_code', client_id, code, redirect_uri, code_verifier: verifier, ...own },
    headers,
  );
const refresh = (refresh_token: string, own: Record<string, string> = {}) =>
  post('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token, ...own });
const codeOf = async (own?: Record<string, string | undefined>) =>
  broughtBack(await signIn(base(), path(own), asOwner)).code!;
const tokensOf = async (own?: Record<string, string | undefined>) => (await exchange(await codeOf(own))).body;
const status = async (token: string, headers = {}) =>
  (await it_runs.ask('/agents', { authorization: `Bearer ${token}`, ...headers })).status;
const refusalOf = ({ status, body }: { status: number; body: Record<string, string> }) => [status, body.error];

describe('the page', () => {
  it('shows the client and the scopes, loads nothing and cannot be framed', async () => {
    const page = await fetch(base() + path({ scope: 'agents--all:ro' }), {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    });
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('App &lt;b&gt;');
    expect(html).not.toContain('<b>');
    expect(html).toContain('agents--all:ro');
    expect(html).not.toContain('webhooks.state:rw');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(page.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  });
  it('sends nobody to an address that is not exactly a registered one', async () => {
    for (const wrong of [
      undefined,
      '',
      'https://app.example/callback/',
      'https://app.example/callback?x=1',
      'https://app.example:443/callback',
      'https://APP.example/callback',
      'https://evil.example/callback',
      'javascript:alert(1)',
    ]) {
      const page = await fetch(base() + path({ redirect_uri: wrong }), { redirect: 'manual' });
      expect([wrong, page.status, page.headers.get('location')]).toEqual([wrong, 400, null]);
    }
    const strange = await fetch(base() + path({ client_id: 'nobody' }), { redirect: 'manual' });
    expect([strange.status, strange.headers.get('location')]).toEqual([400, null]);
    const doubled = await fetch(`${base()}${path()}&redirect_uri=https%3A%2F%2Fevil.example`, { redirect: 'manual' });
    expect([doubled.status, doubled.headers.get('location')]).toEqual([400, null]);
  });
  it('tells the client what is wrong with its request, with its state', async () => {
    const cases: [Record<string, string | undefined>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ scope: 'agents--all:rw' }, 'invalid_scope'],
    ];
    for (const [own, error] of cases) {
      const answer = await fetch(base() + path(own), { redirect: 'manual' });
      expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?/);
      expect(broughtBack(answer), JSON.stringify(own)).toMatchObject({ error, state: 'state of the client' });
    }
  });
});

describe('signing in', () => {
  it('brings the browser back with a code and the state', async () => {
    const answer = await signIn(base(), path(), asOwner);
    expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([303, 'no-referrer']);
    expect(broughtBack(answer)).toEqual({ code: expect.any(String), state: 'state of the client' });
  });
  it('takes the password as well as the key, and no one else in their place', async () => {
    const changed = await fetch(`${base()}/agents/${owner}`, {
      method: 'PUT',
      headers: { ...basic(owner, 'secret'), 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'correct horse', current_password: 'none yet' }),
    });
    expect(changed.status).toBe(200);
    expect((await signIn(base(), path(), { login: owner, secret: 'correct horse' })).status).toBe(303);
    expect((await signIn(base(), path(), { login: ann, secret: staff.agents[0]!.api_key })).status).toBe(303);
    for (const wrong of [
      { login: owner, secret: 'wrong' },
      { login: owner, secret: '' },
      { login: ann, secret: 'correct horse' },
      { login: ann, secret: '' },
      { login: 'nobody@example.com', secret: 'secret' },
      { login: '', secret: '' },
    ])
      expect((await signIn(base(), path(), wrong)).status, JSON.stringify(wrong)).toBe(401);
  });
  it('that is denied tells the client so, without a password', async () => {
    const answer = await signIn(base(), path(), { decision: 'deny' });
    expect(broughtBack(answer)).toMatchObject({ error: 'access_denied', state: 'state of the client' });
  });
  it('takes no form that the browser was not given, and none of another page', async () => {
    expect((await signIn(base(), path(), asOwner, { form: '' })).status).toBe(403);
    expect((await signIn(base(), path(), asOwner, { form: '9999999999.x' })).status).toBe(403);
    expect((await signIn(base(), path(), asOwner, { without_cookie: true })).status).toBe(403);
    expect((await signIn(base(), path(), asOwner, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await signIn(base(), path(), asOwner, { headers: { origin: 'null' } })).status).toBe(403);
    const other = await fetch(base() + path({ state: 'other' }));
    const form = /name="form" value="([^"]+)"/.exec(await other.text())![1]!;
    const cookie = other.headers.get('set-cookie')!.split(';')[0]!;
    expect((await signIn(base(), path(), asOwner, { form, headers: { cookie } })).status).toBe(403);
  });
  it('takes no form after half an hour', async () => {
    const page = await fetch(base() + path());
    const form = /name="form" value="([^"]+)"/.exec(await page.text())![1]!;
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    it_runs.clock.now += 1800;
    expect((await signIn(base(), path(), asOwner, { form, headers: { cookie } })).status).toBe(403);
  });
  it('is slowed down for who guesses, also where nobody has the login', async () => {
    for (const login of ['bob@example.com', 'nobody2@example.com']) {
      for (let guess = 0; guess < 10; guess += 1)
        expect((await signIn(base(), path(), { login, secret: `guess ${guess}` })).status).toBe(401);
      expect((await signIn(base(), path(), { login, secret: staff.agents[1]!.api_key })).status).toBe(429);
    }
    it_runs.clock.now += 900;
    expect((await signIn(base(), path(), { login: 'bob@example.com', secret: staff.agents[1]!.api_key })).status).toBe(
      303,
    );
  });
});

describe('a code', () => {
  it('becomes tokens of the agent with the scopes that were agreed to', async () => {
    const { status: said, body } = await exchange(await codeOf({ scope: 'agents--all:ro' }));
    expect([said, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^dal:/),
        refresh_token: expect.stringMatching(/^dal:/),
        token_type: 'Bearer',
        expires_in: usualLifetime,
        scope: 'agents--all:ro',
        entity_id: owner,
        ...it_runs.service().license,
      },
    ]);
    expect(await status(body.access_token!)).toBe(200);
    expect((await it_runs.ask('/tags', { authorization: `Bearer ${body.access_token}` })).status).toBe(403);
    it_runs.clock.now += usualLifetime;
    expect(await status(body.access_token!)).toBe(401);
  });
  it('becomes tokens of the region that is asked', async () => {
    const { body } = await exchange(await codeOf(), {}, { 'x-region': 'fra' });
    expect(body.access_token).toMatch(/^fra:/);
    expect(await status(body.access_token!)).toBe(421);
    expect(await status(body.access_token!, { 'x-region': 'fra' })).toBe(200);
    expect((await refresh(body.refresh_token!)).body.access_token).toMatch(/^fra:/);
    expect(refusalOf(await exchange(await codeOf(), {}, { 'x-region': 'mars' }))).toEqual([400, 'invalid_request']);
  });
  it('is refused with another verifier, address, client or time, and is still good for the right ones', async () => {
    const code = await codeOf();
    const other = addClient(store, { name: 'Other', redirect_uris: [redirect_uri], scopes, is_confidential: false });
    for (const wrong of [
      { code_verifier: '' },
      { code_verifier: challengePair().verifier },
      { code_verifier: challenge },
      { redirect_uri: 'https://app.example/other' },
      { client_id: other.client_id },
      { code: 'wrong' },
    ])
      expect(refusalOf(await exchange(code, wrong)), JSON.stringify(wrong)).toEqual([400, 'invalid_grant']);
    expect((await exchange(code)).status).toBe(200);
    const late = await codeOf();
    it_runs.clock.now += 60;
    expect(refusalOf(await exchange(late))).toEqual([400, 'invalid_grant']);
  });
  it('used twice ends what it gave', async () => {
    const code = await codeOf();
    const { access_token, refresh_token } = (await exchange(code)).body;
    expect(await status(access_token!)).toBe(200);
    expect(refusalOf(await exchange(code))).toEqual([400, 'invalid_grant']);
    expect(await status(access_token!)).toBe(401);
    expect(refusalOf(await refresh(refresh_token!))).toEqual([400, 'invalid_grant']);
  });
  it('of an agent who was removed meanwhile is worth nothing, nor are the tokens', async () => {
    const login = 'leaver@example.com';
    const headers = { ...basic(owner, 'secret'), 'content-type': 'application/json' };
    await fetch(`${base()}/agents`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ login, name: 'Leo', password: 'leaving soon' }),
    });
    const leaver = { login, secret: 'leaving soon' };
    const first = (await exchange(broughtBack(await signIn(base(), path(), leaver)).code!)).body;
    const code = broughtBack(await signIn(base(), path(), leaver)).code!;
    expect(await status(first.access_token!)).toBe(200);
    await fetch(`${base()}/agents/${login}`, { method: 'DELETE', headers });
    expect(await status(first.access_token!)).toBe(401);
    expect(refusalOf(await exchange(code))).toEqual([400, 'invalid_grant']);
    expect(refusalOf(await refresh(first.refresh_token!))).toEqual([400, 'invalid_grant']);
  });
});

describe('a refresh token', () => {
  it('gives new tokens once, with no more scopes than before', async () => {
    const first = await tokensOf();
    const second = await refresh(first.refresh_token!, { scope: 'webhooks.state:rw' });
    expect([second.status, second.body.scope]).toEqual([200, 'webhooks.state:rw']);
    expect(await status(second.body.access_token!)).toBe(403);
    const third = await refresh(second.body.refresh_token!);
    expect(third.body.scope!.split(' ').sort()).toEqual([...scopes].sort());
    expect(refusalOf(await refresh(third.body.refresh_token!, { scope: 'tags_read' }))).toEqual([400, 'invalid_scope']);
    expect(await status(first.access_token!)).toBe(200);
  });
  it('used twice ends all that came from the consent', async () => {
    const first = await tokensOf();
    const apart = await tokensOf();
    const second = (await refresh(first.refresh_token!)).body;
    expect(refusalOf(await refresh(first.refresh_token!))).toEqual([400, 'invalid_grant']);
    for (const token of [first.access_token!, second.access_token!]) expect(await status(token)).toBe(401);
    expect(refusalOf(await refresh(second.refresh_token!))).toEqual([400, 'invalid_grant']);
    expect(await status(apart.access_token!)).toBe(200);
  });
  it('is good for its client alone, for ninety days, and is no access token', async () => {
    const { refresh_token, access_token } = await tokensOf();
    const other = addClient(store, { name: 'Other', redirect_uris: [redirect_uri], scopes, is_confidential: false });
    expect(refusalOf(await refresh(refresh_token!, { client_id: other.client_id }))).toEqual([400, 'invalid_grant']);
    expect(await status(refresh_token!)).toBe(401);
    expect(refusalOf(await refresh(access_token!))).toEqual([400, 'invalid_grant']);
    it_runs.clock.now += 90 * 86_400;
    expect(refusalOf(await refresh(refresh_token!))).toEqual([400, 'invalid_grant']);
  });
});

describe('withdrawing', () => {
  const revoke = (token: string, own: Record<string, string> = {}) =>
    post('/oauth/revoke', { client_id, token, ...own });

  it('an access token ends it alone; a refresh token ends its consent', async () => {
    const first = await tokensOf();
    expect(await revoke(first.access_token!)).toEqual({ status: 200, body: {} });
    expect(await status(first.access_token!)).toBe(401);
    const second = (await refresh(first.refresh_token!)).body;
    expect(await status(second.access_token!)).toBe(200);
    await revoke(second.refresh_token!);
    expect(await status(second.access_token!)).toBe(401);
    expect(refusalOf(await refresh(second.refresh_token!))).toEqual([400, 'invalid_grant']);
  });
  it('is not for other clients, and says nothing of what there is', async () => {
    const { access_token } = await tokensOf();
    const other = addClient(store, { name: 'Other', redirect_uris: [redirect_uri], scopes, is_confidential: false });
    expect(await revoke(access_token!, { client_id: other.client_id })).toEqual({ status: 200, body: {} });
    expect(await revoke('unknown')).toEqual({ status: 200, body: {} });
    expect(await status(access_token!)).toBe(200);
    expect(refusalOf(await post('/oauth/revoke', { client_id }))).toEqual([400, 'invalid_request']);
  });
});

describe('a client', () => {
  it('with a secret must show it, in the body or as Basic', async () => {
    const made = addClient(store, { name: 'Server', redirect_uris: [redirect_uri], scopes, is_confidential: true });
    const codes = async () =>
      broughtBack(await signIn(base(), authorizePath(made.client_id, challenge), asOwner)).code!;
    const itself = { client_id: made.client_id };
    for (const wrong of [{}, { client_secret: 'wrong' }])
      expect(refusalOf(await exchange(await codes(), { ...itself, ...wrong }))).toEqual([401, 'invalid_client']);
    expect((await exchange(await codes(), { ...itself, client_secret: made.client_secret! })).status).toBe(200);
    expect((await exchange(await codes(), {}, basic(made.client_id, made.client_secret!))).status).toBe(200);
    expect(refusalOf(await exchange(await codes(), {}, basic(made.client_id, 'wrong')))).toEqual([
      401,
      'invalid_client',
    ]);
  });
  it('that nobody knows, or that sends a secret it cannot have, is refused', async () => {
    expect(refusalOf(await exchange('x', { client_id: 'nobody' }))).toEqual([401, 'invalid_client']);
    expect(refusalOf(await exchange('x', { client_secret: 'some' }))).toEqual([401, 'invalid_client']);
    expect(refusalOf(await post('/oauth/token', { client_id, grant_type: 'password' }))).toEqual([
      400,
      'unsupported_grant_type',
    ]);
    expect(refusalOf(await post('/oauth/token', { client_id, x: 'x'.repeat(20_000) }))).toEqual([
      400,
      'invalid_request',
    ]);
  });
  it('has addresses of https, or of this machine', () => {
    for (const right of [
      'https://app.example/cb',
      'http://localhost:8080/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:1/',
    ])
      expect(wrongRedirect(right), right).toBeUndefined();
    for (const wrong of [
      'http://app.example/cb',
      'https://app.example/#x',
      'https://a@app.example/',
      'app:cb',
      '/cb',
      '',
    ])
      expect(wrongRedirect(wrong), wrong).toBeDefined();
  });
});
