// Who a request is from: agents, bots and customers, each by the tokens of their kind, and each refusal by its type.
import { beforeEach, describe, expect, it } from 'vitest';
import { agentOf, callerOf, customerCallerOf, demandLicense } from '#service/callers.ts';
import { licenseOf } from '#service/license.ts';
import { Refusal } from '#service/refusals.ts';
import { mintToken, usualLifetime } from '#service/tokens.ts';
import { ann, tinyAccount } from './tiny.ts';

const customer_id = '11111111-1111-4111-8111-111111111111';
let { account, clock } = tinyAccount({ now: '2026-05-06T00:00:00Z' });
let license = '';

beforeEach(() => {
  ({ account, clock } = tinyAccount({ now: '2026-05-06T00:00:00Z' }));
  license = `?license_id=${licenseOf(account.store).license_id}`;
  account.store.bots.add({ id: 'bot1', name: 'Robo', owner_client_id: 'mine' });
});

const bearer = (token: string, more: Record<string, string> = {}) =>
  new Headers({ authorization: `Bearer ${token}`, ...more });
const mint = (wish: Omit<Parameters<typeof mintToken>[1], 'scopes'>) =>
  mintToken(account.store, { scopes: 'all', ...wish }, clock.now);
const customerOf = (headers: Headers, query = license) =>
  customerCallerOf(account, headers, new URL(`http://127.0.0.1/v3.3/customer/action/get_customer${query}`));

/** Type, status and data of the refusal. */
function refusalOf(ask: () => unknown) {
  try {
    ask();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, body } = error;
    const { type, data } =
      'error' in body && typeof body.error === 'object' ? body.error : { type: body, data: undefined };
    return data ? [status, type, data] : [status, type];
  }
  return 'admitted';
}

describe('a customer', () => {
  it('is known by a token of the region and by the license', () => {
    const token = mint({ kind: 'customer', agent: customer_id, region: 'fra', client_id: 'mine' });
    expect(customerOf(bearer(token, { 'x-region': 'fra' }))).toEqual({
      customer_id,
      scopes: ['*'],
      region: 'fra',
      client_id: 'mine',
    });
  });
  it('is refused without, with a wrong, with an expired token and with those of agents and bots', () => {
    const expired = mintToken(
      account.store,
      { kind: 'customer', agent: customer_id, scopes: 'all', seconds: usualLifetime },
      clock.now - usualLifetime,
    );
    const refused = [
      new Headers(),
      new Headers({ authorization: 'Basic YTpi' }),
      bearer('dal:wrong'),
      bearer('wrong'),
      bearer(expired),
      bearer(mint({ agent: ann })),
      bearer(mint({ kind: 'bot', agent: 'bot1' })),
    ];
    for (const headers of refused) expect(refusalOf(() => customerOf(headers))).toEqual([401, 'authentication']);
  });
  it('is admitted up to the last second of the token', () => {
    const token = mint({ kind: 'customer', agent: customer_id, seconds: usualLifetime });
    clock.now += usualLifetime - 1;
    expect(customerOf(bearer(token)).customer_id).toBe(customer_id);
    clock.now += 1;
    expect(refusalOf(() => customerOf(bearer(token)))).toEqual([401, 'authentication']);
  });
  it('is told the region of the token', () => {
    const token = mint({ kind: 'customer', agent: customer_id, region: 'fra' });
    expect(refusalOf(() => customerOf(bearer(token)))).toEqual([421, 'misdirected_request', { region: 'fra' }]);
    expect(
      refusalOf(() => customerOf(bearer(mint({ kind: 'customer', agent: customer_id }), { 'x-region': 'fra' }))),
    ).toEqual([421, 'misdirected_request', { region: 'dal' }]);
  });
  it('must name the license, also where no token is needed', () => {
    const url = (query: string) => new URL(`http://127.0.0.1/${query}`);
    expect(refusalOf(() => demandLicense(account, url('')))).toEqual([422, 'validation']);
    for (const wrong of ['', 'x', '1.5', '-1', '1e3', '0x10', '9'.repeat(30)])
      expect(
        refusalOf(() => demandLicense(account, url(`?license_id=${wrong}`))),
        wrong,
      ).toEqual([422, 'validation']);
    expect(refusalOf(() => demandLicense(account, url('?license_id=1')))).toEqual([404, 'license_not_found']);
    expect(refusalOf(() => demandLicense(account, url(license)))).toBe('admitted');
    const token = bearer(mint({ kind: 'customer', agent: customer_id }));
    expect(refusalOf(() => customerOf(token, ''))).toEqual([422, 'validation']);
    expect(refusalOf(() => customerOf(token, '?license_id=1'))).toEqual([404, 'license_not_found']);
  });
});

describe('an agent', () => {
  it('is not known by the token of a customer, nor where there are no bots by that of a bot', () => {
    expect(refusalOf(() => callerOf(account, bearer(mint({ kind: 'customer', agent: ann }))))[0]).toBe(401);
    expect(refusalOf(() => agentOf(account, bearer(mint({ kind: 'bot', agent: 'bot1' }))))[0]).toBe(401);
    expect(agentOf(account, bearer(mint({ agent: ann })))).toEqual({ agent: ann, scopes: ['*'] });
  });
  it('acts as a bot of the client of the token, and as any with a token that has no client', () => {
    account.store.bots.add({ id: 'bot2', name: 'Other', owner_client_id: 'other' });
    const asBot = (token: string, author: string) => callerOf(account, bearer(token, { 'x-author-id': author }));
    const mine = mint({ agent: ann, client_id: 'mine' });
    expect(asBot(mine, 'bot1')).toEqual({ agent: ann, scopes: ['*'], client_id: 'mine', author_id: 'bot1' });
    expect(asBot(mint({ agent: ann }), 'bot2').author_id).toBe('bot2');
    for (const author of ['bot2', 'bot3', ann])
      expect(
        refusalOf(() => asBot(mine, author)),
        author,
      ).toEqual([403, 'authorization']);
    expect(refusalOf(() => asBot(mint({ agent: ann }), 'bot3'))).toEqual([403, 'authorization']);
  });
});

describe('a bot', () => {
  it('is known by its token as itself, and as no other', () => {
    account.store.bots.add({ id: 'bot2', name: 'Other', owner_client_id: 'mine' });
    const token = mint({ kind: 'bot', agent: 'bot1' });
    const itself = { agent: 'bot1', scopes: ['*'], author_id: 'bot1' };
    expect(callerOf(account, bearer(token))).toEqual(itself);
    expect(callerOf(account, bearer(token, { 'x-author-id': 'bot1' }))).toEqual(itself);
    expect(refusalOf(() => callerOf(account, bearer(token, { 'x-author-id': 'bot2' })))).toEqual([
      403,
      'authorization',
    ]);
  });
  it('that was deleted is nobody', () => {
    const token = mint({ kind: 'bot', agent: 'bot1' });
    account.store.bots.remove('bot1');
    expect(refusalOf(() => callerOf(account, bearer(token)))[0]).toBe(401);
  });
});
