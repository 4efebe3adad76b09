// Single sign-on: a real provider leads somebody in, a lying one leads nobody in, and what is made of what they say.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAuth, redirectOf, type Auth, type ProviderSettings } from '#auth/auth.ts';
import { grantOf, newUserOf, type ClaimMapping } from '#auth/oidc-claims.ts';
import { userFrom } from '#auth/user-shape.ts';
import type { StoredUser } from '#auth/users.ts';
import { readConfig, readEnvironment } from '#server/config.ts';
import { apiDeps } from '../api/deps.ts';
import { password } from './api.ts';
import {
  client,
  lyingProvider,
  realProvider,
  throughPages,
  type IdentityProvider,
  type Lie,
  type LyingProvider,
} from './identity-provider.ts';
import { tmpdir } from 'node:os';
import { promisedApi } from '../api/promised-api.ts';

const url = 'http://127.0.0.1:3000';
const mapping: ClaimMapping = {
  roles: {
    claim: 'groups',
    of: [
      ['admins', 'admin'],
      ['leads', 'manager'],
    ],
  },
  groups: null,
  agent_claim: 'email',
  new_users: { domains: ['example.com'], values: ['guests'] },
};

interface Way {
  auth: Auth;
  /** Milliseconds. */
  forward(by: number): void;
  ask(path: string, cookie?: string): Promise<Response>;
  /** To the provider: its address, and the cookie of the way. */
  begin(path?: string, cookie?: string): Promise<{ url: string; cookie: string }>;
  /** The same, to link an identity. Errors: with the status of a refusal. */
  link(cookie: string, secret: string): Promise<{ url: string; cookie: string }>;
}

async function sessionOf({ auth }: Way, user: StoredUser): Promise<string> {
  const { cookies } = await auth.sessions.start(user, { address: '127.0.0.1', browser: 'test' });
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

async function opened(issuer: string, differs: Partial<ProviderSettings> = {}): Promise<Way> {
  let now = Date.now();
  const auth = openAuth(new DatabaseSync(':memory:'), {
    ...{ url, clock: () => now, accounts: () => ['default'] },
    provider: {
      ...{ name: 'Example', provider: { issuer, ...client, scopes: 'openid email profile' }, mapping },
      ...{ isSynced: false, hasPasswords: true, ...differs },
    },
  });
  await auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
  const api = promisedApi(apiDeps(null, { auth }));
  const ask: Way['ask'] = async (path, cookie = '') => api.request(`${url}/api${path}`, { headers: { cookie } });
  return {
    ...{ auth, ask, forward: (by) => (now += by) },
    async begin(path = '/sign-on?to=/queue', cookie = '') {
      const answer = await ask(path, cookie);
      expect(answer.status).toBe(302);
      return { url: answer.headers.get('location') ?? '', cookie: cookiesIn(answer) };
    },
    async link(cookie, secret) {
      const answer = await api.request(`${url}/api/sign-on/link`, {
        ...{ method: 'POST', body: JSON.stringify({ password: secret }) },
        headers: { cookie, 'content-type': 'application/json' },
      });
      if (answer.status !== 200) throw new Error(String(answer.status));
      const { url: there } = (await answer.json()) as { url: string };
      return { url: there, cookie: cookiesIn(answer) };
    },
  };
}
const cookiesIn = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

describe('a real provider', () => {
  let provider: IdentityProvider;
  const people: Record<string, Record<string, unknown>> = {
    vera: { email: 'vera@example.com', email_verified: true, name: 'Vera', groups: ['leads'] },
    hugo: { email: 'hugo@elsewhere.com', email_verified: true, groups: [] },
    gina: { email: 'gina@elsewhere.com', email_verified: true, groups: ['guests'] },
    uma: { email: 'uma@example.com', email_verified: false },
    olga: { email: 'anna@example.com', email_verified: true, groups: ['admins'] },
  };
  beforeAll(async () => (provider = await realProvider(redirectOf(url), people)));
  afterAll(() => provider.close());

  async function comeIn(way: Way, login: string, begun?: { url: string; cookie: string }): Promise<Response> {
    const { url: there, cookie } = begun ?? (await way.begin());
    const back = await throughPages(there, login, redirectOf(url));
    return way.ask(back.pathname.replace('/api', '') + back.search, cookie);
  }

  it('begins where the provider sends browsers back to, whatever name of this machine they know', async () => {
    const way = await opened(provider.issuer);
    const api = promisedApi(apiDeps(null, { auth: way.auth }));
    const answer = await api.request('http://localhost:3000/api/sign-on?to=/queue?from=2026-05-01');
    const there = answer.headers.get('location') ?? '';
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(there).toBe(`${url}/api/sign-on?to=%2Fqueue%3Ffrom%3D2026-05-01`);
    const begun = await way.begin(there.slice(`${url}/api`.length));
    expect((await comeIn(way, 'vera', begun)).headers.get('location')).toBe('/queue?from=2026-05-01');
  });

  it('leads somebody new in, with the role of their claims, and back to where they wanted to go', async () => {
    const way = await opened(provider.issuer);
    const answer = await comeIn(way, 'vera');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/queue']);
    const me = (await (await way.ask('/me', cookiesIn(answer))).json()) as { user: unknown };
    expect(me.user).toMatchObject({ email: 'vera@example.com', name: 'Vera', role: 'manager' });
    expect((await comeIn(way, 'vera')).headers.get('location')).toBe('/queue');
    expect(way.auth.users.list()).toHaveLength(2);
    const actions = way.auth.audit.list({}, 20).map(({ who, action }) => `${who} ${action}`);
    expect(actions).toContain('Example user.added');
    expect(actions.filter((one) => one === 'vera@example.com session.started')).toHaveLength(2);
  });

  it('leads in whom a value of a claim names, and nobody else of another domain, nor an address that is not verified', async () => {
    const way = await opened(provider.issuer);
    expect((await comeIn(way, 'gina')).headers.get('location')).toBe('/queue');
    expect(way.auth.users.named('gina@elsewhere.com').role).toBe('viewer');
    for (const login of ['hugo', 'uma'])
      expect((await comeIn(way, login)).headers.get('location')).toBe('/sign-in?problem=unknown');
  });

  it('never gives a user to whoever has their e-mail address; the user links it', async () => {
    const way = await opened(provider.issuer);
    const refused = await comeIn(way, 'olga');
    expect(refused.headers.get('location')).toBe('/sign-in?problem=taken');
    expect(cookiesIn(refused)).not.toContain('session=');
    const anna = way.auth.users.named('anna@example.com');
    const session = await sessionOf(way, anna);
    const begun = await way.link(session, password);
    const linked = await comeIn(way, 'olga', { ...begun, cookie: `${begun.cookie}; ${session}` });
    expect(linked.headers.get('location')).toBe('/profile');
    expect(cookiesIn(linked)).not.toContain('session=');
    expect(way.auth.audit.list({ action: 'identity.linked' }, 1)[0]).toMatchObject({ who: anna.email, user: anna.id });
    const again = await comeIn(way, 'olga');
    expect(again.headers.get('location')).toBe('/queue');
    const me = (await (await way.ask('/me', cookiesIn(again))).json()) as { user: unknown };
    expect(me.user).toMatchObject({ id: anna.id, role: 'admin' });
    // Another user cannot link what is hers.
    const bob = await way.auth.users.add(userFrom({ email: 'b@example.com', name: 'Bob', role: 'viewer' }), password);
    const his = await sessionOf(way, bob);
    const tried = await way.link(his, password);
    const answer = await comeIn(way, 'olga', { ...tried, cookie: `${tried.cookie}; ${his}` });
    expect(answer.headers.get('location')).toBe('/profile?problem=taken');
  });

  it('is linked with the password alone, and not once the session has ended', async () => {
    const way = await opened(provider.issuer);
    const anna = way.auth.users.named('anna@example.com');
    const session = await sessionOf(way, anna);
    await expect(way.link(session, 'wrong wrong wrong')).rejects.toThrow('401');
    await expect(way.link('', password)).rejects.toThrow('401');
    const begun = await way.link(session, password);
    await way.auth.users.setPassword(anna.id, 'another battery staple', { andTokens: true });
    const late = await comeIn(way, 'olga', { ...begun, cookie: `${begun.cookie}; ${session}` });
    expect(late.headers.get('location')).toBe('/sign-in?problem=expired');
    expect(cookiesIn(late)).not.toContain('session=');
    expect(way.auth.users.identities(anna.id)).toEqual([]);
  });

  it('is refused without the cookie of the way there, with one of another way, and when it took too long', async () => {
    const way = await opened(provider.issuer);
    const [one, other] = [await way.begin(), await way.begin()];
    expect((await comeIn(way, 'vera', { ...one, cookie: '' })).headers.get('location')).toContain('expired');
    expect((await comeIn(way, 'vera', { ...one, cookie: other.cookie })).headers.get('location')).toContain('invalid');
    const late = await way.begin();
    way.forward(11 * 60_000);
    expect((await comeIn(way, 'vera', late)).headers.get('location')).toContain('expired');
    expect(way.auth.users.list()).toHaveLength(1);
  });

  it('maps again at each sign-in where that is set, and never takes the last admin', async () => {
    const way = await opened(provider.issuer, { isSynced: true });
    await comeIn(way, 'vera');
    const vera = way.auth.users.named('vera@example.com');
    people.vera = { ...people.vera, groups: [] };
    await comeIn(way, 'vera');
    expect(way.auth.users.find(vera.id)?.role).toBe('viewer');
    people.vera = { ...people.vera, groups: ['admins'] };
    await comeIn(way, 'vera');
    expect(way.auth.users.find(vera.id)?.role).toBe('admin');
    way.auth.users.remove(way.auth.users.named('anna@example.com').id);
    people.vera = { ...people.vera, groups: ['leads'] };
    expect((await comeIn(way, 'vera')).headers.get('location')).toBe('/queue');
    expect(way.auth.users.find(vera.id)?.role).toBe('admin');
    expect(way.auth.audit.list({ action: 'user.changed' }, 1)[0]).toMatchObject({ is_refused: true });
  });
});

describe('a lying provider', () => {
  let provider: LyingProvider;
  beforeEach(async () => {
    provider = await lyingProvider();
    return () => provider.close();
  });
  const fine = { email: 'vera@example.com', email_verified: true, groups: ['leads'] };

  async function comeIn(way: Way, lie: Lie): Promise<string | null> {
    provider.next = { ...lie, claims: { ...fine, ...lie.claims } };
    const { url: there, cookie } = await way.begin();
    const back = provider.through(there);
    const answer = await way.ask(back.pathname.replace('/api', '') + back.search, cookie);
    if (answer.headers.get('location') !== '/queue') expect(cookiesIn(answer)).not.toContain('chatledger-session=');
    return answer.headers.get('location');
  }

  it('is believed when it tells the truth, also with another key than before', async () => {
    const way = await opened(provider.issuer);
    expect(await comeIn(way, {})).toBe('/queue');
    await provider.rotate();
    expect(await comeIn(way, {})).toBe('/queue');
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  it.each<[string, Lie]>([
    ['for another client', { claims: { aud: 'somebody else' } }],
    ['of another issuer', { claims: { iss: 'http://127.0.0.1:1' } }],
    ['of another way', { claims: { nonce: 'another' } }],
    ['without a nonce', { without: ['nonce'] }],
    ['that has expired', { claims: { exp: past, iat: past - 300 } }],
    ['without an end', { without: ['exp'] }],
    ['without a subject', { without: ['sub'] }],
    ['that nobody signed', { isUnsigned: true }],
    ['signed with another key', { isForged: true }],
  ])('with a token %s leads nobody in', async (_, lie) => {
    const way = await opened(provider.issuer);
    expect(await comeIn(way, lie)).toBe('/sign-in?problem=invalid');
    expect(way.auth.users.list()).toHaveLength(1);
    expect(way.auth.audit.list({ action: 'session.refused' }, 5)).toHaveLength(1);
    for (let n = 0; n < 20; n += 1) await way.ask('/sign-on/callback?code=x&state=y');
    expect(way.auth.audit.list({ action: 'session.refused' }, 50)).toHaveLength(1);
  });

  it('without a token leads nobody in', async () => {
    expect(await comeIn(await opened(provider.issuer), { hasNoToken: true })).toBe('/sign-in?problem=invalid');
  });

  it('that is down at the start is asked again later, and one that goes down on the way is said to be', async () => {
    provider.isDown = true;
    const way = await opened(provider.issuer);
    expect((await way.ask('/sign-on')).headers.get('location')).toBe('/sign-in?problem=unavailable');
    provider.isDown = false;
    expect(await comeIn(way, {})).toBe('/queue');
  });

  it('says that somebody declined', async () => {
    const way = await opened(provider.issuer);
    const { url: there, cookie } = await way.begin();
    const back = provider.through(there);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const answer = await way.ask(back.pathname.replace('/api', '') + back.search, cookie);
    expect(answer.headers.get('location')).toBe('/sign-in?problem=declined');
  });

  it.each(['//evil.example', 'https://evil.example/x', '/\\evil.example', 'javascript:alert(1)', '\t//evil.example'])(
    'is no way to another place: %s',
    async (to) => {
      const way = await opened(provider.issuer);
      provider.next = { claims: fine };
      const { url: there, cookie } = await way.begin(`/sign-on?${new URLSearchParams({ to })}`);
      const back = provider.through(there);
      const answer = await way.ask(back.pathname.replace('/api', '') + back.search, cookie);
      const place = new URL(answer.headers.get('location') ?? '', url);
      expect(place.origin).toBe(url);
    },
  );
});

describe('what is made of claims', () => {
  const claims = { email: 'Vera@Example.com', email_verified: true, realm: { roles: ['b', 'a'] }, 'x.y': 'sales' };
  const of = (differs: Partial<ClaimMapping>): ClaimMapping => ({ ...mapping, roles: null, ...differs });

  it('is the first role of the setting that matches, found by any path, else viewer', () => {
    const roles = { claim: 'realm.roles', of: [['a', 'analyst'] as const, ['b', 'manager'] as const] };
    expect(grantOf(claims, of({ roles }))).toEqual({ role: 'analyst', rows: {} });
    expect(grantOf(claims, of({ roles: { ...roles, claim: 'realm.nothing' } }))).toEqual({ role: 'viewer', rows: {} });
    expect(grantOf(claims, of({ roles: { claim: 'x.y', of: [['sales', 'admin']] } })).role).toBe('admin');
    expect(grantOf(claims, of({ roles: { claim: '__proto__.x', of: [['sales', 'admin']] } })).role).toBe('viewer');
  });

  it('are the groups of all values that match; who has none is refused, but for admins', () => {
    const groups = { claim: 'realm.roles', of: [['a', [3, 2]] as const, ['b', [2]] as const] };
    expect(grantOf(claims, of({ groups }))).toEqual({ role: 'viewer', rows: { groups: [2, 3] } });
    expect(() => grantOf(claims, of({ groups: { ...groups, claim: 'none' } }))).toThrow('CHATLEDGER_OIDC_GROUPS');
    const roles = { claim: 'x.y', of: [['sales', 'admin'] as const] };
    expect(grantOf(claims, of({ roles, groups: { ...groups, claim: 'none' } }))).toEqual({ role: 'admin', rows: {} });
  });

  it('is an agent with the login that the claim names', () => {
    const roles = { claim: 'x.y', of: [['sales', 'agent'] as const] };
    expect(grantOf(claims, of({ roles }))).toEqual({ role: 'agent', rows: { agent: 'vera@example.com' } });
    const unverified = { ...claims, email_verified: false };
    expect(() => grantOf(unverified, of({ roles }))).toThrow('not verified');
    expect(() => grantOf(claims, of({ roles, agent_claim: 'login' }))).toThrow('the claim login');
  });

  it('is nobody new without a verified address or where nobody is named', () => {
    expect(newUserOf(claims, mapping)).toMatchObject({
      email: 'vera@example.com',
      name: 'Vera@Example.com'.toLowerCase(),
    });
    expect(() => newUserOf({ ...claims, email_verified: false }, mapping)).toThrow('no verified e-mail');
    expect(() => newUserOf({ ...claims, email: 'v@sub.example.com' }, mapping)).toThrow('is no user');
    expect(() => newUserOf({ ...claims, email: 'v@example.com.evil.org' }, mapping)).toThrow('is no user');
    expect(() => newUserOf(claims, of({ new_users: { domains: [], values: [] } }))).toThrow('is no user');
  });
});

describe('passwords that are switched off', () => {
  it('let nobody in but whom the command line lets in once', async () => {
    const { auth } = await opened('http://127.0.0.1:1', { hasPasswords: false });
    const anna = auth.users.named('anna@example.com');
    const attempt = { email: anna.email, password, address: '127.0.0.1', browser: 'test' };
    await expect(auth.passwords.signIn(attempt)).rejects.toThrow('passwords are switched off');
    auth.passwords.allowOnce(anna.id);
    expect((await auth.passwords.signIn(attempt)).caller.user?.id).toBe(anna.id);
    await expect(auth.passwords.signIn(attempt)).rejects.toThrow('passwords are switched off');
  });
});

describe('the settings', () => {
  const read = (env: Record<string, string>) => readConfig(readEnvironment(env, tmpdir()));
  const both = { CHATLEDGER_OIDC_ISSUER: 'https://id.example', CHATLEDGER_OIDC_CLIENT_ID: 'c' };

  it('are read into a mapping', () => {
    const config = read({
      ...both,
      CHATLEDGER_OIDC_ROLE_CLAIM: 'groups',
      CHATLEDGER_OIDC_ROLES: 'cn=admins,ou=x=admin; cn=leads,ou=x=manager',
      CHATLEDGER_OIDC_GROUP_CLAIM: 'teams',
      CHATLEDGER_OIDC_GROUPS: 'sales=2, support=3+4',
      CHATLEDGER_OIDC_NEW_USERS: '@Example.com, staff',
      CHATLEDGER_OIDC_SYNC: 'on',
    });
    expect(config.provider).toMatchObject({
      ...{ isSynced: true, hasPasswords: true, name: 'single sign-on' },
      provider: { issuer: 'https://id.example', client_id: 'c', client_secret: null, scopes: 'openid email profile' },
      mapping: {
        roles: {
          claim: 'groups',
          of: [
            ['cn=admins,ou=x', 'admin'],
            ['cn=leads,ou=x', 'manager'],
          ],
        },
        groups: {
          claim: 'teams',
          of: [
            ['sales', [2]],
            ['support', [3, 4]],
          ],
        },
        new_users: { domains: ['example.com'], values: ['staff'] },
      },
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ CHATLEDGER_OIDC_ISSUER: 'https://id.example' }, 'go together'],
    [{ ...both, CHATLEDGER_OIDC_ROLES: 'a=admin' }, 'CHATLEDGER_OIDC_ROLE_CLAIM and CHATLEDGER_OIDC_ROLES go together'],
    [{ ...both, CHATLEDGER_OIDC_ROLE_CLAIM: 'g', CHATLEDGER_OIDC_ROLES: 'a=owner' }, 'the roles are'],
    [{ ...both, CHATLEDGER_OIDC_GROUP_CLAIM: 'g', CHATLEDGER_OIDC_GROUPS: 'sales' }, 'ids of groups'],
    [{ ...both, CHATLEDGER_OIDC_SYNC: 'yes' }, 'must be on or off'],
    [{ ...both, CHATLEDGER_OIDC_SCOPES: 'email' }, 'must name openid'],
    [{ CHATLEDGER_PASSWORD_LOGIN: 'off' }, 'leaves no way to sign in'],
    [{ ...both, CHATLEDGER_OIDC_ISSUER: 'http://id.example' }, 'must begin with https://'],
    [{ ...both, CHATLEDGER_OIDC_NEW_USERS: 'chat-team' }, 'no claim is named'],
  ])('that are wrong stop the start: %j', (env, words) => {
    expect(() => read(env)).toThrow(words);
  });
});
