// The audit: what is kept of whom, that nothing in it can be changed unnoticed, and what it leaves out.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import { endpointAt } from '#api/guard.ts';
import { aboutFor } from '#api/own-figures.ts';
import { actingAs } from '#auth/actor.ts';
import { auditActions, auditIn, type AuditRecord } from '#auth/audit.ts';
import { openAuth } from '#auth/auth.ts';
import { prepareTables } from '#auth/schema.ts';
import { userFrom } from '#auth/user-shape.ts';
import { keepAudit } from '#server/audit-keeping.ts';
import { readEnvironment } from '#server/config.ts';
import { recordSettings } from '#server/settings-audit.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account } from '../warehouse/account.ts';
import { openDoors, password } from './api.ts';

function opened() {
  const database = new DatabaseSync(':memory:');
  prepareTables(database);
  return { database, audit: auditIn(database, () => Date.parse('2026-11-01T08:00:00Z')) };
}
/** Any characters, also halves of them, and more than a row holds. */
const text = fc.string({ unit: 'binary', maxLength: 1200, size: 'max' });
const row = (about: string) => ({ action: 'chat.read', about }) as const;

it.each([
  ['/receipts/csat?agent=b%40x.test&from=2026-05-01', '/receipts/csat?from=2026-05-01'],
  [
    '/receipts/csat?agent=a%40x.test&agent=b%40x.test&from=2026-05-01',
    '/receipts/csat?agent=a%40x.test&from=2026-05-01',
  ],
  ['/agents.csv?agent=b%40x.test', '/agents.csv'],
  ['account default, from 2026-05-01', 'account default, from 2026-05-01'],
])('an agent is told of %s without the colleagues', (about, told) => {
  expect(aboutFor('a@x.test', about)).toBe(told);
});

describe('the chain', () => {
  it('is whole as it was written, whatever was written', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ about: text, agents: fc.option(text) })), (rows) => {
        const { audit } = opened();
        for (const one of rows) audit.record({ action: 'agents.read', ...one });
        expect(audit.verify()).toEqual({ ...audit.head(), broken: [] });
        expect(audit.head().rows).toBe(rows.length);
      }),
      { numRuns: 50 },
    );
  });

  it('shows every change of a text, and every row that was taken out or put in', () => {
    const columns = ['at', 'who', 'user', 'address', 'action', 'about', 'agents', 'is_refused', 'hash'];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.constantFrom('delete', 'swap', ...columns), (n, what) => {
        const { database, audit } = opened();
        for (const about of ['a', 'b', 'c', 'd', 'e', 'f']) audit.record(row(about));
        const { hash } = audit.head();
        // Whoever has the file can take the locks off.
        database.exec('drop trigger audit_keeps_rows; drop trigger audit_keeps_texts; drop trigger audit_counts');
        if (what === 'delete') database.prepare('delete from audit where n = ?').run(n);
        else if (what === 'swap') {
          database.exec(`update audit set n = 100 where n = ${n}`);
          database.exec(`update audit set n = ${n} where n = ${(n % 6) + 1}`);
          database.exec(`update audit set n = ${(n % 6) + 1} where n = 100`);
        } else database.prepare(`update audit set ${what} = ? where n = ?`).run(what === 'is_refused' ? 1 : 'other', n);
        expect(audit.verify(hash).broken).not.toEqual([]);
      }),
    );
  });

  it('shows with a head that was noted that its end was cut off, or everything written again', () => {
    const { database, audit } = opened();
    audit.record(row('a'));
    audit.record(row('b'));
    const { hash } = audit.head();
    expect(audit.verify(hash).broken).toEqual([]);
    audit.record(row('c'));
    expect(audit.verify(hash).broken).toEqual([]);
    database.exec('drop trigger audit_keeps_rows; delete from audit where n >= 2');
    expect(audit.verify().broken).toEqual([]);
    expect(audit.verify(hash).broken).toMatchObject([{ n: 2, why: expect.stringContaining('no row has the hash') }]);
  });

  it('refuses every change and removal', () => {
    const { database, audit } = opened();
    audit.record(row('a'));
    expect(() => database.exec("update audit set about = 'b'")).toThrow('append-only');
    expect(() => database.exec('delete from audit')).toThrow('append-only');
    const values = "(1, '', '', null, '', 'chat.read', 'forged', null, 0, '')";
    expect(() => database.exec(`insert or replace into audit values ${values}`)).toThrow('append-only');
    expect(audit.list({}, 10)).toMatchObject([{ about: 'a' }]);
  });

  /** One row each hour from 1 October on. */
  function hourly(count: number) {
    const database = new DatabaseSync(':memory:');
    prepareTables(database);
    let now = Date.parse('2026-10-01T00:00:00Z');
    const audit = auditIn(database, () => (now += 3_600_000));
    const heads = Array.from({ length: count }, (_, index) => {
      audit.record(row(`row ${index + 1}`));
      return audit.head().hash;
    });
    return { database, audit, heads };
  }
  const atHour = (hours: number) => new Date(Date.parse('2026-10-01T00:00:00Z') + hours * 3_600_000).toISOString();

  it('begins later when old rows go, and is as whole and as locked as before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4 }),
        (count, cuts) => {
          const { database, audit, heads } = hourly(count);
          for (const hours of cuts) {
            // What is old is in the past.
            const before = [atHour(hours), audit.list({}, 1)[0]?.at ?? ''].sort()[0] ?? '';
            const old = audit.list({}, 100).filter(({ at }) => at < before);
            const { rows } = audit.head();
            expect(audit.shorten(before)).toBe(old.length);
            expect(audit.head().rows).toBe(rows + Number(old.length > 0));
            expect(audit.list({}, 100).every(({ at }) => at >= before)).toBe(true);
            if (old.length > 0)
              expect(audit.list({}, 1)).toMatchObject([
                { action: 'audit.shortened', about: expect.stringContaining(` to ${old[0]?.n}, `) },
              ]);
            expect(audit.verify().broken).toEqual([]);
            expect(() => database.exec('delete from audit')).toThrow('append-only');
          }
          const kept = audit.list({}, 100).map(({ hash }) => hash);
          for (const hash of heads) if (kept.includes(hash)) expect(audit.verify(hash).broken).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tells a head that went because of its age from one that is nowhere, and knows the last that went', () => {
    const { audit, heads } = hourly(6);
    audit.shorten(atHour(4));
    expect(audit.verify(heads[2]).broken).toEqual([]);
    expect(audit.verify(heads[4]).broken).toEqual([]);
    expect(audit.verify(heads[0]).broken).toMatchObject([
      { why: expect.stringContaining('rows up to 3, which were too old') },
    ]);
  });

  it('shows that its beginning was cut off by whoever took the locks off', () => {
    const { database, audit, heads } = hourly(6);
    database.exec(`insert into audit_starts values (3, '${heads[2]}'); delete from audit where n <= 3`);
    expect(audit.verify().broken).toMatchObject([{ n: 3, why: expect.stringContaining('no row tells') }]);
    expect(() => database.exec(`insert into audit_starts values (5, 'other')`)).toThrow('append-only');
    expect(() => database.exec('delete from audit_starts')).toThrow('append-only');
  });

  it('of a file from before lets nothing go but by its age', () => {
    const { database } = opened();
    database.exec(
      "drop trigger audit_keeps_rows; create trigger audit_keeps_rows before delete on audit begin select raise(abort, 'never'); end",
    );
    prepareTables(database);
    const audit = auditIn(database, () => Date.parse('2026-11-01T08:00:00Z'));
    audit.record(row('a'));
    expect(() => database.exec('delete from audit')).toThrow('append-only');
    expect(audit.shorten('2026-12-01')).toBe(1);
    expect(audit.list({}, 9).map(({ action }) => action)).toEqual(['audit.shortened']);
  });

  it('is kept for whole months, as the setting says', async () => {
    const { audit } = hourly(24 * 40);
    expect(await keepAudit(audit, null, Date.parse('2027-06-01T00:00:00Z') / 1000)).toBe(0);
    expect(await keepAudit(audit, 2, Date.parse('2026-12-31T00:00:00Z') / 1000)).toBe(0);
    expect(await keepAudit(audit, 2, Date.parse('2027-01-01T00:00:00Z') / 1000)).toBe(31 * 24 - 1);
    expect(audit.list({ to: '2026-11-01' }, 5)).toEqual([]);
    expect(audit.list({}, 1)).toMatchObject([{ who: 'CHATLEDGER_KEEP_AUDIT' }]);
    expect(audit.verify().broken).toEqual([]);
  });

  it('grows in two processes at once without a gap', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    try {
      const file = join(folder, 'app.sqlite');
      const open = () => {
        const database = new DatabaseSync(file);
        database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal');
        prepareTables(database);
        return auditIn(database, Date.now);
      };
      const own = open();
      const program = `
        import { DatabaseSync } from 'node:sqlite';
        import { auditIn } from '#auth/audit.ts';
        const database = new DatabaseSync(${JSON.stringify(file)});
        database.exec('pragma busy_timeout = 5000');
        const audit = auditIn(database, Date.now);
        for (let n = 0; n < 200; n += 1) audit.record({ action: 'chat.read', about: String(n) });`;
      const children = [0, 1].map(() =>
        promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: process.cwd() }),
      );
      await Promise.all(children);
      expect(own.verify()).toMatchObject({ rows: 400, broken: [] });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what changes', () => {
  it('is kept with whoever changed it, from the command line too', async () => {
    const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
    const anna = await actingAs({ who: 'command line', user: null, address: '' }, () =>
      auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password }),
    );
    const bob = await auth.users.add(userFrom({ email: 'bob@example.com', name: 'Bob', role: 'viewer' }), password);
    auth.users.change(bob.id, userFrom({ email: bob.email, name: 'Bob', role: 'manager', rows: { groups: [1, 2] } }));
    const { token } = auth.tokens.add(anna, { name: 'sheet', rights: ['numbers:read'], days: 5 });
    auth.tokens.remove(token.id);
    await auth.users.setPassword(bob.id, 'another battery staple', { andTokens: true });
    auth.users.remove(bob.id);
    expect(auth.audit.list({}, 20).map(({ who, action, about }) => [who, action, about])).toEqual([
      ['chatledger', 'user.removed', 'bob@example.com'],
      ['chatledger', 'password.changed', 'bob@example.com, and tokens and shared links are revoked'],
      ['chatledger', 'token.revoked', 'sheet of anna@example.com'],
      ['chatledger', 'token.added', expect.stringMatching(/^sheet of anna@example.com: numbers:read, until /)],
      ['chatledger', 'user.changed', 'bob@example.com: viewer -> manager, groups 1 2'],
      ['chatledger', 'user.added', 'bob@example.com: viewer'],
      ['command line', 'user.added', 'anna@example.com: admin'],
    ]);
    expect(auth.audit.verify().broken).toEqual([]);
  });

  it('is not kept when it is refused', async () => {
    const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
    const anna = await auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    expect(() => auth.users.remove(anna.id)).toThrow('nobody else');
    expect(auth.audit.head().rows).toBe(1);
  });

  it('of settings is told by name, of secrets only that they changed', () => {
    const { database, audit } = opened();
    const start = (env: Record<string, string>) => recordSettings(database, audit, readEnvironment(env, tmpdir()));
    start({ CHATLEDGER_PORT: '3001', CHATLEDGER_API_TOKEN: 'first secret' });
    start({ CHATLEDGER_PORT: '3001', CHATLEDGER_API_TOKEN: 'first secret' });
    start({ CHATLEDGER_API_TOKEN: 'second secret' });
    expect(audit.list({}, 20).map(({ about }) => about)).toEqual([
      'CHATLEDGER_PORT: 3001 -> unset',
      'CHATLEDGER_API_TOKEN: (set) -> (set)',
      'CHATLEDGER_PORT: unset -> 3001',
      'CHATLEDGER_API_TOKEN: unset -> (set)',
    ]);
    expect(JSON.stringify(database.prepare('select * from last_settings').all())).not.toContain('secret');
  });
});

describe('what is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'audited-'));
  let engine: Store;
  beforeAll(async () => {
    const writer = await account([{ start: '2026-05-05T10:00:00Z', groups: [2], agents: ['a@x.test'] }]);
    const { file } = await publish(writer, folder, Date.parse('2026-05-12T09:00:00Z'));
    await writer.close();
    engine = await openWarehouse(file, { readOnly: true });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const range = 'from=2026-05-01&to=2026-05-10';
  const kept = (rows: readonly AuditRecord[]) =>
    rows
      .filter(({ action }) => !/^(user|session)/.test(action))
      .map(({ action, about, agents }) => [action, about, agents]);

  it('is kept once, without the words that were searched for, and of agents by their logins', async () => {
    const { ask, userWith, auth } = openDoors(engine);
    const { cookie } = await userWith('admin', { name: 'Anna' });
    const read = async (path: string) => (await ask(path, { cookie })).status;
    expect(await read(`/metrics/total_chats?${range}`)).toBe(200);
    expect(kept(auth.audit.list({}, 50))).toEqual([]);
    expect(await read(`/metrics/total_chats?${range}&agent=a@x.test`)).toBe(200);
    expect(await read(`/metrics/total_chats?${range}&agent=a@x.test&grain=week`)).toBe(200);
    expect(await read(`/metrics/total_chats?${range}&split=agent`)).toBe(200);
    expect(await read(`/chats?${range}&query=Jane%20Visitor`)).toBe(200);
    expect(await read(`/receipts/total_chats?${range}&period=2026-05-05`)).toBe(200);
    const rows = auth.audit.list({}, 50);
    expect(kept(rows).reverse()).toEqual(
      expect.arrayContaining([
        ['agents.read', 'from 2026-05-01, to 2026-05-10', 'a@x.test'],
        ['agents.read', 'from 2026-05-01, to 2026-05-10', '*'],
        [
          'chats.searched',
          '/chats?from=2026-05-01&to=2026-05-10 (the words that were searched for are not kept)',
          null,
        ],
        ['receipt.read', '/receipts/total_chats?from=2026-05-01&period=2026-05-05&to=2026-05-10', null],
      ]),
    );
    expect(kept(rows).filter(([, , agents]) => agents === 'a@x.test')).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('Jane');
    expect(rows[0]?.who).toBe('person1@example.com');
    expect(auth.audit.readsOfAgent('a@x.test', 10)).toHaveLength(2);
    expect(auth.audit.readsOfAgent('b@x.test', 10)).toHaveLength(1);
    expect(auth.audit.verify().broken).toEqual([]);
  });

  it('of chats as a file is kept with the columns that were taken, and as of all agents where they are named', async () => {
    const { ask, auth, userWith } = openDoors(engine);
    await userWith('admin');
    const { cookie } = await userWith('manager');
    const words = 'query=Jane%20Visitor';
    for (const path of [
      `/chat-rows.csv?${range}&columns=chat_id,agents`,
      `/chat-rows.xlsx?${range}&columns=rate&${words}`,
    ]) {
      const answer = await ask(path, { cookie });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.arrayBuffer();
    }
    const found = kept(auth.audit.list({ action: 'chats.exported' }, 50)).reverse();
    expect(found).toEqual([
      ['chats.exported', '/chat-rows.csv?columns=chat_id%2Cagents&from=2026-05-01&to=2026-05-10', '*'],
      [
        'chats.exported',
        '/chat-rows.xlsx?columns=rate&from=2026-05-01&to=2026-05-10 (the words that were searched for are not kept)',
        null,
      ],
    ]);
    expect(auth.audit.readsOfAgent('a@x.test', 10).filter(({ action }) => action === 'chats.exported')).toHaveLength(1);
  });

  it('is told to the agent whose figures they are, and to no other', async () => {
    const { ask, userWith } = openDoors(engine);
    const { cookie } = await userWith('admin');
    const reads = async (of: string) =>
      ((await (await ask('/own-figures/reads', { cookie: of })).json()) as { reads: { who: string }[] }).reads;
    const one = await userWith('agent', { rows: { agent: 'a@x.test' } });
    const other = await userWith('agent', { rows: { agent: 'b@x.test' } });
    await ask(`/metrics/total_chats?${range}&agent=a@x.test`, { cookie });
    expect(await reads(one.cookie)).toMatchObject([{ who: 'person1@example.com', is_of_all: false }]);
    expect(await reads(other.cookie)).toEqual([]);
    await ask(`/metrics/total_chats?${range}&split=agent`, { cookie });
    expect(await reads(other.cookie)).toMatchObject([{ who: 'person1@example.com', is_of_all: true }]);
    expect((await ask('/own-figures/reads', { cookie })).status).toBe(403);
  });

  it('is not kept of an agent who looks at their own figures, nor of whoever sits at an open machine', async () => {
    const { ask, userWith, auth } = openDoors(engine);
    expect((await ask(`/metrics/total_chats?${range}&split=agent`)).status).toBe(200);
    await userWith('admin');
    const { cookie } = await userWith('agent', { rows: { agent: 'a@x.test' } });
    expect((await ask(`/metrics/total_chats?${range}&agent=a@x.test`, { cookie })).status).toBe(200);
    expect(kept(auth.audit.list({}, 50))).toEqual([]);
  });

  it('and what was refused is kept once: a right that is missing, a wrong token, a wrong password', async () => {
    const { ask, userWith, signIn, auth } = openDoors(engine);
    await userWith('admin');
    const { cookie } = await userWith('viewer');
    for (const _ of [1, 2]) {
      expect((await ask('/users', { cookie })).status).toBe(403);
      expect((await ask('/metrics', { authorization: 'Bearer cl_wrong' })).status).toBe(401);
      expect((await ask('/metrics')).status).toBe(401);
    }
    expect((await signIn('person1@example.com', 'wrong password here')).status).toBe(401);
    expect((await signIn('my secret password', 'x')).status).toBe(401);
    const refused = auth.audit.list({}, 50).filter(({ is_refused }) => is_refused);
    expect(refused.map(({ who, action, about }) => [who, action, about])).toEqual([
      ['nobody', 'session.refused', 'unknown e-mail address'],
      ['person1@example.com', 'session.refused', 'wrong password'],
      ['nobody', 'request.refused', 'a wrong token'],
      ['person2@example.com', 'request.refused', 'GET /api/users'],
    ]);
  });

  it('is told page by page, by what, who and when, and as a file', async () => {
    const { ask, userWith, auth } = openDoors(engine);
    const { cookie } = await userWith('admin');
    for (let n = 0; n < 700; n += 1) auth.audit.record({ action: 'pull.started', about: `=${n}` });
    const rows = async (query: string) =>
      ((await (await ask(`/audit?${query}`, { cookie })).json()) as { rows: AuditRecord[] }).rows;
    const first = await rows('action=pull.started&limit=3');
    expect(first.map(({ about }) => about)).toEqual(['=699', '=698', '=697']);
    expect((await rows(`limit=2&before=${first[2]?.n}`)).map(({ about }) => about)).toEqual(['=696', '=695']);
    expect(await rows('who=PERSON1&action=session.started')).toHaveLength(1);
    const today = new Date().toISOString().slice(0, 10);
    expect(await rows(`from=${today}&to=${today}&action=user.added`)).toHaveLength(1);
    expect(await rows('to=2020-01-01')).toEqual([]);
    const file = await ask('/audit.csv?action=pull.started', { cookie });
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(701);
    expect(lines[0]).toBe('n,at,who,user,address,action,about,agents,is_refused,hash');
    expect(lines[1]).toContain("'=699");
    for (const wrong of ['action=nothing', 'from=yesterday', 'limit=0', 'limit=501', 'before=x'])
      expect((await ask(`/audit?${wrong}`, { cookie })).status).toBe(400);
  });
});

it('every endpoint that changes something, tells of conversations or hands out files says what the audit keeps of it', () => {
  // Users, sessions, tokens, shared links and settings are recorded where they are changed, tools of assistants with the questions that they put; views and
  // menus are one's own.
  const elsewhere =
    /^\/(mcp|users|password-reset|sign-on|tokens|shares|sessions|me|sign-in|sign-out|first-admin|views|pins|settings$)/;
  const silent = contract.filter(
    ({ method, needs, path, audit }) =>
      audit === undefined &&
      !elsewhere.test(path) &&
      (method !== 'get' || ['chats:read', 'names:read', 'files'].includes(needs)),
  );
  // Names of tables and columns, which the documentation lists too, limits of the caller's role, and what people saved to ask of them; a statement that is run is recorded.
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'get /sql/tables',
    'get /sql/limits',
    'get /sql/queries',
    'get /sql/queries/{id}',
  ]);
  expect(contract.filter(({ media, audit }) => media && !audit).map(({ path }) => path)).toEqual([
    '/events',
    '/brand/logo',
    '/mcp',
  ]);
  expect(new Set(auditActions).size).toBe(auditActions.length);
});

it('a new file has no rows, and any id will do', () => {
  const { audit } = opened();
  expect(audit.head()).toEqual({ rows: 0, hash: '' });
  expect(audit.verify(randomUUID()).broken).toMatchObject([{ n: 1 }]);
});

it('each address is found as its own endpoint, so that what the contract says of it counts', () => {
  for (const endpoint of contract) {
    const address = `/api${endpoint.path.replaceAll(/\{\w+\}/g, 'x1')}`;
    expect([address, endpointAt(endpoint.method.toUpperCase(), address)?.path]).toEqual([address, endpoint.path]);
  }
});

describe('who wants to fill or forge it', () => {
  it('leaves one row for wrong tokens, and none with what they wrote', async () => {
    const { ask, userWith, auth } = openDoors(null);
    await userWith('admin');
    const before = auth.audit.head().rows;
    for (let n = 0; n < 50; n += 1) await ask(`/forged-${n}%F0%9F%98%80`, { authorization: 'Bearer no' });
    for (const path of ['/me?split=agent&account=forged', '/sign-in?agent=forged', '/health?agent=forged'])
      await ask(path);
    const added = auth.audit.list({}, 100).slice(0, auth.audit.head().rows - before);
    expect(added.map(({ about }) => about)).toEqual(['a wrong token']);
    expect(auth.audit.verify().broken).toEqual([]);
  });

  it('does not hide reads of an agent behind a token with that agent’s rows', async () => {
    const { ask, userWith, auth } = openDoors(null);
    await userWith('admin');
    const manager = await userWith('manager');
    const user = auth.users.find(manager.id);
    if (!user) throw new Error('the user is gone');
    const { secret } = auth.tokens.add(user, {
      ...{ name: 'sly', rights: ['numbers:read', 'agents:read'], days: 1, rows: { agent: 'bob@x.test' } },
    });
    expect(auth.audit.list({ action: 'token.added' }, 1)[0]?.about).toContain('chats of bob@x.test');
    await ask('/audit', { authorization: `Bearer ${secret}` });
    expect(auth.audit.list({ action: 'request.refused' }, 5)).toMatchObject([
      { about: 'GET /api/audit', who: `token sly of ${user.email}`, user: user.id },
    ]);
  });
});
