// Tokens of customers over HTTP: the same browser is the same customer, and no token opens the interface of others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient } from '#service/authorization/clients.ts';
import { customerCallerOf } from '#service/callers.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { findToken, mintToken, usualLifetime } from '#service/tokens.ts';
import { ann, tinyAccount, tinyService } from '../tiny.ts';
import { redirect_uri } from './browser.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let store: ChatStore;
let right: Record<string, unknown> = {};

beforeAll(async () => {
  it_runs = await tinyService({ now: '2026-05-06T00:00:00Z' });
  store = openStore(it_runs.options.file);
  const { client_id } = addClient(store, {
    name: 'Shop',
    redirect_uris: [redirect_uri],
    scopes: [],
    is_confidential: false,
  });
  const { license_id } = it_runs.service().license;
  right = { client_id, license_id, grant_type: 'cookie', response_type: 'token', redirect_uri };
});
afterAll(async () => {
  store.close();
  await it_runs.end();
});

async function ask(body: unknown = right, headers: Record<string, string> = {}) {
  const answer = await fetch(`${it_runs.service().url}/customer/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const cookies = answer.headers.getSetCookie();
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, string> & { error?: { type: string } },
    cookies,
    cookie: cookies.map((each) => each.split(';')[0]).join('; '),
  };
}
const refusal = async (asked: ReturnType<typeof ask>) => {
  const { status, body, cookies } = await asked;
  return [status, body.error?.type, cookies.length];
};
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a browser', () => {
  it('without cookies becomes a customer', async () => {
    const { status, body, cookies } = await ask();
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^dal:/),
        client_id: right.client_id,
        entity_id: expect.stringMatching(uuid4),
        expires_in: usualLifetime,
        token_type: 'Bearer',
        organization_id: it_runs.service().license.organization_id,
      },
    ]);
    expect(cookies.map((each) => each.split('=')[0])).toEqual(['__lc_cid', '__lc_cst']);
    for (const each of cookies) expect(each).toMatch(/Path=\/customer; HttpOnly; SameSite=Lax$/);
    expect(findToken(store, body.access_token!, it_runs.clock.now)).toMatchObject({
      kind: 'customer',
      agent: body.entity_id,
      scopes: ['customers:own'],
      expires: it_runs.clock.now + usualLifetime,
    });
  });
  it('with its cookies is the same customer again, also after a restart, and with parts of them another', async () => {
    const first = await ask();
    await it_runs.restart();
    const again = await ask(right, { cookie: first.cookie });
    expect([again.body.entity_id, again.cookie]).toEqual([first.body.entity_id, first.cookie]);
    expect(again.body.access_token).not.toBe(first.body.access_token);
    const [cid, cst] = first.cookie.split('; ');
    const stranger = await ask();
    for (const cookie of [
      cid!,
      cst!,
      `${cid}; __lc_cst=wrong`,
      `${cid}; ${stranger.cookie.split('; ')[1]}`,
      `__lc_cid=x; ${cst}`,
    ])
      expect((await ask(right, { cookie })).body.entity_id, cookie).not.toBe(first.body.entity_id);
  });
  it('of another site gets nothing', async () => {
    const { status } = await ask(right, { origin: 'https://evil.example' });
    expect(status).toBe(403);
    expect((await ask(right, { origin: it_runs.service().url })).status).toBe(200);
  });
  it('gets the token of the region that it asks', async () => {
    expect((await ask(right, { 'x-region': 'fra' })).body.access_token).toMatch(/^fra:/);
    expect(await refusal(ask(right, { 'x-region': 'mars' }))).toEqual([422, 'validation', 0]);
  });
});

describe('a request for a token', () => {
  it('names the account by license or organization, both of them right', async () => {
    const { organization_id, license_id } = it_runs.service().license;
    const other = '11111111-1111-4111-8111-111111111111';
    const by = (own: object) => ({ ...right, license_id: undefined, ...own });
    expect((await ask(by({ organization_id }))).status).toBe(200);
    expect((await ask(by({ license_id: String(license_id) }))).status).toBe(200);
    for (const wrong of [{ license_id: 1 }, { organization_id: other }, { organization_id, license_id: 1 }])
      expect(await refusal(ask(by(wrong)))).toEqual([404, 'license_not_found', 0]);
  });
  it('with wrong arguments is refused', async () => {
    for (const wrong of [
      { client_id: undefined },
      { client_id: '' },
      { license_id: undefined },
      { license_id: 'x' },
      { license_id: 1.5 },
      { grant_type: undefined },
      { grant_type: 'password' },
      { response_type: 'code' },
      { redirect_uri: 'https://evil.example/' },
    ])
      expect(await refusal(ask({ ...right, ...wrong })), JSON.stringify(wrong)).toEqual([422, 'validation', 0]);
    expect(await refusal(ask([]))).toEqual([422, 'validation', 0]);
    expect(await refusal(ask({ ...right, x: 'x'.repeat(20_000) }))).toEqual([422, 'validation', 0]);
    expect(await refusal(ask({ ...right, client_id: 'nobody' }))).toEqual([401, 'authentication', 0]);
  });
  it('of an agent needs the scope for it', async () => {
    const asked = { ...right, grant_type: 'agent_token' };
    const bearer = (scopes: string[]) => ({ authorization: `Bearer ${mintToken(store, { agent: ann, scopes })}` });
    const { status, body } = await ask(asked, bearer(['customers:own']));
    expect([status, body.entity_id]).toEqual([200, expect.stringMatching(uuid4)]);
    expect(await refusal(ask(asked))).toEqual([401, 'authentication', 0]);
    expect(await refusal(ask(asked, { authorization: 'Bearer dal:wrong' }))).toEqual([401, 'authentication', 0]);
    expect(await refusal(ask(asked, bearer(['customers:rw'])))).toEqual([403, 'authorization', 0]);
    expect(await refusal(ask(asked, { authorization: `Bearer ${body.access_token}` }))).toEqual([
      401,
      'authentication',
      0,
    ]);
  });
});

describe('the token of a customer', () => {
  it('is refused where agents ask', async () => {
    const { body } = await ask();
    const headers = { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' };
    expect((await it_runs.ask('/agents', headers)).status).toBe(401);
    const url = `${it_runs.service().url}/v3.5/agent/action/list_archives`;
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { type: 'authentication' } }]);
  });
  it('tells who the customer is', async () => {
    const { body } = await ask();
    const { account } = tinyAccount({ now: '2026-05-06T00:00:00Z' });
    const url = new URL(`http://127.0.0.1/?license_id=${it_runs.service().license.license_id}`);
    const headers = new Headers({ authorization: `Bearer ${body.access_token}` });
    const { customer_id, region } = customerCallerOf({ ...account, store }, headers, url);
    expect([customer_id, region]).toEqual([body.entity_id, 'dal']);
  });
});
