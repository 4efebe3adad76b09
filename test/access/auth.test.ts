// Users, passwords, sessions and tokens: what is taken, what is refused, and what ends what.
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf } from '#auth/address.ts';
import { openAuth, type ProviderSettings } from '#auth/auth.ts';
import { narrowedTo, type Rows } from '#auth/caller.ts';
import { loginOptions } from '#auth/login.ts';
import { hashed, isPassword, newPassword, objectionToPassword } from '#auth/passwords.ts';
import { grantable, requires, rightNames, roleNames, roles } from '#auth/rights.ts';
import { prepareTables, schema } from '#auth/schema.ts';
import { userFrom } from '#auth/user-shape.ts';
import { authIn, letFirstAdminIn } from '#server/auth.ts';
import { readConfig, readEnvironment } from '#server/config.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import type { OpenSnapshot } from '#api/deps.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert } from '../warehouse/account.ts';
import { cookieIn, openDoors, password } from './api.ts';

const body = async (answer: Response) =>
  (await answer.json()) as Record<string, never> & { error?: { message: string } };

describe('the first admin', () => {
  const proxied = { admin: null, host: '0.0.0.0', public_url: 'https://numbers.example', provider: null };

  it('is generated where other machines may ask, and told once, with a password for choosing another', async () => {
    const { auth, signIn, ask } = openDoors(null);
    const said = await letFirstAdminIn(auth, proxied);
    const [, email = '', secret = ''] = /: (\S+) is the first admin, with the password (\S+) /.exec(said ?? '') ?? [];
    expect([email, secret.length]).toEqual(['admin@numbers.example', 23]);
    const cookie = cookieIn(await signIn(email, secret));
    expect(await body(await ask('/me', { cookie }))).toMatchObject({ owes: 'password', user: { role: 'admin' } });
    expect((await ask('/users', { cookie })).status).toBe(403);
    expect(await letFirstAdminIn(auth, proxied)).toBeUndefined();
    expect(auth.users.list().length).toBe(1);
  });

  it('is not generated for this machine alone, nor where a provider is the only way in', async () => {
    const { auth } = openDoors(null);
    const provider = { hasPasswords: false } as ProviderSettings;
    expect(await letFirstAdminIn(auth, { ...proxied, host: '127.0.0.1' })).toBeUndefined();
    expect(await letFirstAdminIn(auth, { ...proxied, provider })).toBeUndefined();
    expect(auth.isLoginRequired()).toBe(false);
    expect(await letFirstAdminIn(auth, { ...proxied, public_url: 'https://10.0.0.7' })).toContain(
      'admin@chatledger.invalid is the first admin',
    );
  });

  it('is asked for at once where it is added, and 20 ms later where another process did it', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'first-')), 'app.sqlite');
    const opened = () => openAuth(new DatabaseSync(file), { url: 'http://127.0.0.1:3000', clock: Date.now });
    const [here, elsewhere] = [opened(), opened()];
    expect([here.isLoginRequired(), elsewhere.isLoginRequired()]).toEqual([false, false]);
    await elsewhere.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    expect(elsewhere.isLoginRequired()).toBe(true);
    await pause(21);
    expect(here.isLoginRequired()).toBe(true);
  });

  it('is missing for what belongs to a user: whoever sits at the machine is told to make it, a token is not', async () => {
    const { ask } = openDoors(null, { agentFigures: { kind: 'none' } });
    const share = { title: 'May', page: 'overview/volume', filters: { preset: '7d' }, days: 30 };
    const token = { name: 'one', rights: ['numbers:read'], days: 1 };
    const change = { password, next: 'another long sentence' };
    for (const [method, path, sent] of [
      ['POST', '/shares', share],
      ['POST', '/tokens', token],
      ['PUT', '/me/password', change],
    ] as const) {
      const told = async (headers: Record<string, string>) => {
        const answer = await ask(path, headers, { method, body: sent });
        return [answer.status, (await body(answer)).error?.message];
      };
      expect([path, ...(await told({}))]).toEqual([
        ...[path, 403],
        'this needs a user, and there is none yet: make the first admin (POST /api/first-admin, or "Let others in" on the pages), then sign in',
      ]);
      expect([path, ...(await told({ authorization: 'Bearer right-token' }))]).toEqual([
        ...[path, 403],
        'this is for somebody who has signed in, not for a token',
      ]);
    }
  });

  it('closes the door: before, the owner of the machine may do everything; then everybody signs in', async () => {
    const { ask, signIn, auth } = openDoors(null);
    expect(await body(await ask('/me'))).toMatchObject({ is_login_required: false, user: null, rights: rightNames });
    expect((await ask('/users')).status).toBe(200);
    expect((await signIn('anna@example.com')).status).toBe(401);
    const wrong = { email: 'anna', name: 'Anna', password };
    expect((await ask('/first-admin', {}, { method: 'POST', body: wrong })).status).toBe(400);
    expect(auth.isLoginRequired()).toBe(false);
    const made = await ask('/first-admin', {}, { method: 'POST', body: { ...wrong, email: 'Anna@Example.com' } });
    expect(made.status).toBe(200);
    expect(made.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Lax/i);
    expect((await ask('/users')).status).toBe(401);
    expect((await ask('/users', { cookie: cookieIn(made) })).status).toBe(200);
    const again = { email: 'bob@example.com', name: 'Bob', password };
    expect((await ask('/first-admin', {}, { method: 'POST', body: again })).status).toBe(401);
    const asAdmin = await ask('/first-admin', { cookie: cookieIn(made) }, { method: 'POST', body: again });
    expect(asAdmin.status).toBe(409);
  });

  it('is an admin, and the last one stays', async () => {
    const { auth } = openDoors(null);
    const add = (email: string, role: string) => auth.users.add(userFrom({ email, name: email, role }), password);
    await expect(add('v@example.com', 'viewer')).rejects.toThrow('the first user is an admin');
    const anna = await add('anna@example.com', 'admin');
    await add('v@example.com', 'viewer');
    expect(() => auth.users.remove(anna.id)).toThrow('nobody else is an admin');
    expect(() =>
      auth.users.change(anna.id, { email: anna.email, name: 'Anna', role: 'manager', extra_rights: [], rows: {} }),
    ).toThrow('stays an admin');
    const bob = await add('bob@example.com', 'admin');
    auth.users.remove(anna.id);
    expect(() => auth.users.remove(bob.id)).toThrow('nobody else is an admin');
  });
});

describe('what happens at the same time', () => {
  it('makes one first admin', async () => {
    const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
    const begin = (name: string) => auth.addFirstAdmin({ email: `${name}@example.com`, name, password });
    const begun = await Promise.allSettled(['anna', 'bob', 'cleo'].map(begin));
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(auth.users.list()).toHaveLength(1);
    expect(auth.users.list()).toHaveLength(1);
  });
});

it('saved views go to the first admin, and go with whoever is removed', async () => {
  const state = new DatabaseSync(':memory:');
  const { views } = userDataIn(state, { clock: Date.now, id: randomUUID });
  const auth = authIn(state, readConfig(readEnvironment({}, tmpdir())));
  views.save('local', { name: 'Monday', address: '/queue' });
  const first = await auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
  expect([views.list('local').length, views.list(first.id).length]).toEqual([0, 1]);
  await auth.users.add(userFrom({ email: 'bob@example.com', name: 'Bob', role: 'admin' }), password);
  auth.users.remove(first.id);
  expect(views.list(first.id)).toEqual([]);
});

describe('a user', () => {
  it.each([
    [{ role: 'agent' }, 'needs the login'],
    [{ role: 'viewer', rows: { agent: 'a@x.test' } }, 'only the role agent'],
    [{ role: 'admin', rows: { groups: [1] } }, 'an admin sees everything'],
    [{ role: 'viewer', extra_rights: ['chats:read'] }, 'chats:read needs agents:read'],
    [{ role: 'viewer', extra_rights: ['names:read'] }, 'names:read needs chats:read'],
  ])('%j is refused: %s', async (about, words) => {
    const { auth, userWith } = openDoors(null);
    await userWith('admin');
    const user = userFrom({ email: 'x@example.com', name: 'X', ...about });
    await expect(auth.users.add(user, password)).rejects.toThrow(words);
  });

  it('is refused groups and an agent whom the account does not have, and keeps what it had', async () => {
    const engine = await account([]);
    const sees: { snapshot?: OpenSnapshot; logged: unknown[] } = { logged: [] };
    const { ask, userWith, auth } = openDoors(null, {
      auth: openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now, hasSharing: true }),
      snapshot: () => sees.snapshot ?? null,
      log: (error) => sees.logged.push(error),
    });
    const { cookie } = await userWith('admin');
    const told = async (method: string, path: string, about: object) => {
      const user = { email: 'new@example.com', name: 'New', role: 'viewer', ...about };
      const answer = await ask(path, { cookie }, { method, body: user });
      const { error, ...rest } = await body(answer);
      return { status: answer.status, error, rest: rest as { user?: { id: string } } };
    };
    const agent = (login: string, groups = [1]) => ({ role: 'agent', rows: { agent: login, groups } });
    // Nothing is published yet, or the account lists none: any may be named.
    const first = await told('POST', '/users', { rows: { groups: [7] } });
    const id = first.rest.user?.id ?? '';
    expect(first.status).toBe(200);
    const snapshot = { id: 's1', published_at: '2026-06-01T00:00:00.000Z', engine };
    sees.snapshot = snapshot;
    const of = (email: string, about: object) => ({ email, ...about });
    expect((await told('POST', '/users', of('b@example.com', { rows: { groups: [8] } }))).status).toBe(200);
    await insert(engine, 'account', 'groups', [
      { group_id: 1, name: 'Sales' },
      { group_id: 2, name: 'Support' },
    ]);
    await insert(engine, 'account', 'agents', [{ login: 'ann@x.test', name: 'Ann' }]);
    await insert(engine, 'facts', 'chats', [{ chat_id: 'C1' }]);
    await insert(engine, 'facts', 'chat_agents', [{ chat_id: 'C1', agent: 'left@x.test' }]);
    await insert(engine, 'facts', 'chat_groups', [{ chat_id: 'C1', group_id: 7 }]);
    const noGroup = 'no such group in default; choose from 1 (Sales), 2 (Support)';
    const noAgent = 'agent: pria: no such agent in default; choose from ann@x.test (Ann)';
    const before = auth.users.list();
    for (const [method, path, about, message, choices] of [
      [
        'POST',
        '/users',
        of('c@example.com', { rows: { groups: [1, 98, 99] } }),
        `groups: 98, 99: ${noGroup}`,
        ['1', '2'],
      ],
      ['POST', '/users', of('c@example.com', agent('pria')), noAgent, ['ann@x.test']],
      ['PUT', `/users/${id}`, { rows: { groups: [7, 99] } }, `groups: 99: ${noGroup}`, ['1', '2']],
      ['PUT', `/users/${id}`, agent('pria', [7]), noAgent, ['ann@x.test']],
      [
        'POST',
        '/users',
        of('c@example.com', { rows: { accounts: ['default', 'nord'] } }),
        'accounts: nord: no such account; choose from default',
        ['default'],
      ],
    ] as const)
      expect(await told(method, path, about)).toMatchObject({ status: 400, error: { message, choices } });
    expect(auth.users.list()).toEqual(before);
    expect((await told('PUT', '/users/nobody', { rows: { groups: [99] } })).status).toBe(404);
    // Whoever has a group keeps it, although the account does not list it.
    for (const about of [{ rows: { groups: [7] } }, { rows: { groups: [1, 7] } }, agent('ann@x.test', [2, 7])])
      expect((await told('PUT', `/users/${id}`, about)).status).toBe(200);
    const ofGone = await userWith('viewer', { rows: { accounts: ['gone'] } });
    expect(
      (await told('PUT', `/users/${ofGone.id}`, of('gone@example.com', { rows: { accounts: ['gone'] } }))).status,
    ).toBe(200);
    // Tokens and links likewise; who sees a part is told the choices of that part.
    const { file } = await publish(engine, mkdtempSync(join(tmpdir(), 'listed-')), Date.parse(snapshot.published_at));
    const published = await openWarehouse(file, { readOnly: true });
    sees.snapshot = { ...snapshot, engine: published };
    const part = await userWith('manager', { rows: { accounts: ['default'], groups: [2] } });
    const token = { name: 'one', rights: ['numbers:read'], days: 1 };
    const share = { title: 'May', page: 'overview/volume', filters: { preset: '7d' }, days: 1, has_agents: true };
    const ofPart = '99: no such group in default; choose from 2 (Support)';
    for (const [by, path, sent, message] of [
      [cookie, '/tokens', { ...token, rows: { groups: [99] } }, `groups: 99: ${noGroup}`],
      [cookie, '/tokens', { ...token, rows: { agent: 'pria' } }, noAgent],
      [
        cookie,
        '/tokens',
        { ...token, rows: { accounts: ['nord'] } },
        'accounts: nord: no such account; choose from default',
      ],
      [cookie, '/shares', { ...share, rows: { groups: [99] } }, `groups: 99: ${noGroup}`],
      [cookie, '/shares', { ...share, filters: { preset: '7d', agent: ['pria'] } }, `filters.${noAgent}`],
      [part.cookie, '/tokens', { ...token, rows: { groups: [99] } }, `groups: ${ofPart}`],
      [part.cookie, '/shares', { ...share, filters: { preset: '7d', group: [99] } }, `filters.group: ${ofPart}`],
    ] as const) {
      const answer = await ask(path, { cookie: by }, { method: 'POST', body: sent });
      expect([path, sent, answer.status, (await body(answer)).error?.message]).toEqual([path, sent, 400, message]);
    }
    expect([auth.tokens.list(), auth.shares.list()]).toEqual([[], []]);
    for (const [by, path, sent] of [
      [part.cookie, '/tokens', { ...token, rows: { groups: [2], agent: 'ann@x.test', accounts: ['default'] } }],
      [part.cookie, '/shares', { ...share, rows: { groups: [2] }, filters: { preset: '7d', group: [2] } }],
      // On no list, and in chats.
      [cookie, '/shares', { ...share, filters: { preset: '7d', agent: ['left@x.test'], group: [7] } }],
    ] as const)
      expect([path, (await ask(path, { cookie: by }, { method: 'POST', body: sent })).status]).toEqual([path, 200]);
    expect(sees.logged).toEqual([]);
    const query = () => Promise.reject(new DamagedWarehouse('s1.duckdb', 'no such bytes'));
    sees.snapshot = { ...snapshot, engine: Object.assign(Object.create(engine) as typeof engine, { query }) };
    expect((await told('POST', '/users', of('d@example.com', { rows: { groups: [99] } }))).status).toBe(200);
    expect(sees.logged).toEqual([
      'groups and agent of a user could not be checked: s1.duckdb cannot be opened: no such bytes',
    ]);
    await published.close();
    await engine.close();
  });

  it('is added over HTTP with a password that is told once and works', async () => {
    const { ask, userWith, signIn } = openDoors(null);
    const { cookie } = await userWith('admin');
    const asked = { email: 'new@example.com', name: 'New', role: 'viewer', rows: { groups: [2] } };
    const added = (await body(await ask('/users', { cookie }, { method: 'POST', body: asked }))) as unknown as {
      user: { id: string };
      password: string;
    };
    const signed = await signIn('NEW@example.com ', added.password);
    expect(await body(signed)).toMatchObject({
      user: { role: 'viewer' },
      rows: { groups: [2] },
      ...{ rights: [], owes: 'password' },
    });
    expect((await ask('/users', { cookie }, { method: 'POST', body: asked })).status).toBe(400);
    expect((await ask('/users/nobody', { cookie }, { method: 'PUT', body: asked })).status).toBe(404);
    const reset = await body(await ask(`/users/${added.user.id}/password`, { cookie }, { method: 'POST' }));
    expect((await ask('/accounts', { cookie: cookieIn(signed) })).status).toBe(401);
    expect((await signIn('new@example.com', added.password)).status).toBe(401);
    expect((await signIn('new@example.com', String(reset.password))).status).toBe(200);
  });

  it('sees and ends the own sessions, and changes the own password', async () => {
    const { ask, userWith, signIn } = openDoors(null);
    const { cookie } = await userWith('admin');
    const other = cookieIn(await signIn('person1@example.com'));
    const list = async () =>
      ((await body(await ask('/sessions', { cookie }))).sessions ?? []) as { id: string; is_this: boolean }[];
    const [mine, theirs] = [(await list()).find((it) => it.is_this), (await list()).find((it) => !it.is_this)];
    expect(mine && theirs && (await list()).length).toBe(2);
    expect((await ask(`/sessions/${theirs?.id}`, { cookie }, { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/sessions', { cookie: other })).status).toBe(401);
    expect((await ask(`/sessions/${theirs?.id}`, { cookie }, { method: 'DELETE' })).status).toBe(404);
    const change = (old: string, next: string) =>
      ask('/me/password', { cookie }, { method: 'PUT', body: { password: old, next } });
    expect((await change('wrong wrong wrong', 'another long sentence')).status).toBe(401);
    expect((await change(password, 'short')).status).toBe(400);
    const third = cookieIn(await signIn('person1@example.com'));
    const changed = await change(password, 'another long sentence');
    expect(changed.status).toBe(204);
    expect((await ask('/me', { cookie: cookieIn(changed) }).then(body)).user).not.toBeNull();
    expect((await ask('/sessions', { cookie: third })).status).toBe(401);
    expect((await signIn('person1@example.com')).status).toBe(401);
  });
});

describe('wrong passwords', () => {
  it('are throttled, and the same is said of nobody and of somebody', async () => {
    const { signIn, userWith } = openDoors(null);
    await userWith('admin');
    const known = await body(await signIn('person1@example.com', 'wrong wrong wrong'));
    expect(await body(await signIn('nobody@example.com', 'wrong wrong wrong'))).toEqual(known);
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1)
      statuses.push((await signIn('person1@example.com', 'wrong wrong wrong')).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await signIn('person1@example.com')).status).toBe(429);
    expect(Number((await signIn('person1@example.com')).headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('from elsewhere do not lock out who has been here', async () => {
    const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
    const who = { email: 'anna@example.com', name: 'Anna' };
    await auth.addFirstAdmin({ ...who, password });
    const at = (address: string, secret: string) =>
      auth.passwords.signIn({ email: who.email, password: secret, address, browser: 'test' });
    await at('10.0.0.1', password);
    const refused = new Set<string>();
    for (let count = 0; count < 70; count += 1)
      await at(`192.0.2.${count}`, 'wrong wrong wrong').catch((error: Error) => refused.add(error.name));
    expect(refused).toEqual(new Set(['NotSignedIn', 'TooOften']));
    await expect(at('198.51.100.1', password)).rejects.toThrow('too many tries');
    expect((await at('10.0.0.1', password)).caller.user?.name).toBe('Anna');
  });
});

describe('a new password', () => {
  it('that is not taken, or is set with a wrong old one, leaves no session', async () => {
    const { auth, ask, userWith } = openDoors(null);
    const { id, cookie } = await userWith('admin');
    const change = (old: string, next: string) =>
      ask('/me/password', { cookie }, { method: 'PUT', body: { password: old, next } });
    expect([
      (await change(password, 'short')).status,
      (await change('wrong wrong', 'a long new sentence')).status,
    ]).toEqual([400, 401]);
    expect(auth.sessions.list(id)).toHaveLength(1);
  });

  it('that an admin gives ends sessions and tokens', async () => {
    const { auth, ask, userWith } = openDoors(null);
    const admin = await userWith('admin');
    const { id, cookie } = await userWith('manager');
    const user = auth.users.find(id);
    if (!user) throw new Error('the user is gone');
    const { secret } = auth.tokens.add(user, { name: 'one', rights: ['numbers:read'], days: 1 });
    const statuses = async () => [
      (await ask('/me', { cookie }).then(body)).user === null,
      (await ask('/accounts', { authorization: `Bearer ${secret}` })).status,
    ];
    expect((await statuses())[0]).toBe(false);
    expect((await ask(`/users/${id}/password`, { cookie: admin.cookie }, { method: 'POST' })).status).toBe(200);
    expect(await statuses()).toEqual([true, 401]);
  });

  it('is not overtaken by a sign-in with the old one', async () => {
    const { auth, signIn, userWith } = openDoors(null);
    const { id } = await userWith('admin');
    await Promise.all([
      auth.users.setPassword(id, 'a long new sentence'),
      ...Array.from({ length: 6 }, () => signIn('person1@example.com')),
    ]);
    expect(auth.sessions.list(id)).toEqual([]);
  });
});

describe('where a user has been', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2::5', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2:9::1', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, place) => {
    expect(placeOf(address)).toBe(place);
  });
});

describe('passwords', () => {
  it('are kept as argon2id with a salt of their own', async () => {
    const [one, other] = [await hashed(password), await hashed(password)];
    expect(one).toMatch(/^argon2id\$19456\$2\$/);
    expect(one).not.toBe(other);
    expect([await isPassword(one, password), await isPassword(one, `${password} `)]).toEqual([true, false]);
    expect(await isPassword('argon2id$8$1$AAAA$AAAA', password)).toBe(false);
  });

  it.each([
    ['short', 'at least 12'],
    ['x'.repeat(201), 'at most 200'],
    ['abababababab', 'repeats'],
    ['anna.example1', 'name or address'],
    ['Unbelievable', 'tried first'],
  ])('%s is refused: %s', async (word, words) => {
    expect(await objectionToPassword(word, ['anna.example@example.com', 'Anna'])).toContain(words);
  });

  it('that are made are good ones', async () => {
    const made = Array.from({ length: 50 }, newPassword);
    expect(new Set(made).size).toBe(50);
    for (const word of made) expect(await objectionToPassword(word, ['a@example.com', 'Anna'])).toBeNull();
  });
});

describe('the table of rights', () => {
  it('gives every right to the admin, and nothing that is of no use alone', () => {
    expect([...roles.admin].sort()).toEqual([...rightNames].sort());
    for (const role of roleNames)
      for (const right of roles[role]) {
        const needed = requires[right];
        if (needed) expect([role, right, roles[role].some((own) => own === needed)]).toEqual([role, right, true]);
      }
    for (const right of grantable) expect(rightNames).toContain(right);
  });

  it('a token sees at most what its maker sees', () => {
    const rows = fc.record(
      {
        accounts: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
        groups: fc.uniqueArray(fc.integer({ min: 0, max: 4 })),
        agent: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: [] },
    );
    const shows = ({ accounts, groups, agent }: Rows, chat: { account: string; group: number; agent: string }) =>
      (accounts?.includes(chat.account) ?? true) &&
      (groups?.includes(chat.group) ?? true) &&
      (agent === undefined || agent === chat.agent);
    const chats = ['a', 'b', 'c'].flatMap((account) =>
      [0, 1, 2, 3, 4].flatMap((group) => ['x', 'y', 'z'].map((agent) => ({ account, group, agent }))),
    );
    fc.assert(
      fc.property(rows, rows, (maker, token) => {
        const both = narrowedTo(maker, token);
        for (const chat of chats) expect(shows(both, chat)).toBe(shows(maker, chat) && shows(token, chat));
      }),
    );
  });
});

it('the tables are those that the login library would make', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(schema);
  const { getMigrations } = await import('better-auth/db/migration');
  const options = loginOptions({ database, secret: 'x'.repeat(40), url: 'http://127.0.0.1:3000' });
  const { toBeCreated, toBeAdded } = await getMigrations(options);
  expect([toBeCreated, toBeAdded]).toEqual([[], []]);
});

it('a file of an earlier version keeps its users', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(schema.replace('"extra_rights"', '"given"'));
  database.exec(`insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt", role, "given", rows)
    values ('1', 'Anna', 'anna@example.com', 1, '2026-01-01', '2026-01-01', 'viewer', '["chats:read","agents:read"]', '{}')`);
  prepareTables(database);
  const { users } = openAuth(database, { url: 'http://127.0.0.1:3000', clock: () => 0 });
  expect(users.named('anna@example.com').extra_rights).toEqual(['agents:read', 'chats:read']);
});
