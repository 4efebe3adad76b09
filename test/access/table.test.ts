// Every route times who asks, over HTTP: nobody, each role, each right taken away, another's rows, tokens and sessions that are over.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import type { Endpoint } from '#api/contract/endpoint.ts';
import { neededAt } from '#api/guard.ts';
import { openAuth } from '#auth/auth.ts';
import { requires, rightNames, roleNames, roles, type Right, type Role } from '#auth/rights.ts';
import { webServer } from '#server/web-server.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { portOf } from '../server/raw.ts';
import { account } from '../warehouse/account.ts';
import { openDoors, type Doors } from './api.ts';
import { routes, type Needed, type Route } from './routes.ts';

const day = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'doors-'));
const client = new Agent({ connections: 8 });
let engine: Store;
let doors: Doors;
let server: Server;

type Shown = Record<string, string>;
/** What each of them sends with a request. */
const cookies: Partial<Record<Role, Shown>> = {};
const tokens: { alone: Partial<Record<Right, Shown>>; without: Partial<Record<Right, Shown>> } = {
  alone: {},
  without: {},
};
/** What was good once. */
const over: Record<string, Shown> = {};
let link: Shown = {};
let foreign: Shown = {};

/** A right, and what it is worth nothing without. */
function withNeeded(right: Right): Right[] {
  const needed = requires[right];
  return needed ? [right, ...withNeeded(needed)] : [right];
}

const bearer = (secret: string): Shown => ({ authorization: `Bearer ${secret}` });
/** A text that is in whatever is told of the account. */
const marks = ['a@x.test', 'C000000', '"default"'];

beforeAll(async () => {
  const writer = await account([{ start: '2026-05-05T10:00:00Z', groups: [2], agents: ['a@x.test'] }]);
  const { file } = await publish(writer, folder, Date.parse('2026-05-12T09:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
  const opened: { doors?: Doors } = {};
  const clock = (): number => opened.doors?.now() ?? Date.now();
  const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock, hasSharing: true });
  doors = opened.doors = openDoors(engine, { auth });
  server = webServer(doors.deps, (_, response) => void response.end('a page'));
  await once(server.listen(0, '127.0.0.1'), 'listening');

  // First what is over by the time that anything is asked.
  const { id, cookie } = await doors.userWith('admin');
  const tokenOf = (user: string, rights: readonly Right[], days = 9) => {
    const maker = auth.users.find(user);
    if (!maker) throw new Error('the user is gone');
    return auth.tokens.add(maker, { name: 'one', rights, days });
  };
  over['an expired token'] = bearer(tokenOf(id, rightNames, 1).secret);
  doors.forward(day + 1);
  const revoked = tokenOf(id, rightNames);
  auth.tokens.remove(revoked.token.id);
  over['a revoked token'] = bearer(revoked.secret);
  over['a wrong token'] = bearer(`${revoked.secret}x`);
  over['an ended session'] = { cookie };
  expect((await asked('POST', '/sign-out', { cookie })).status).toBe(204);

  for (const role of roleNames)
    cookies[role] = {
      cookie: (await doors.userWith(role, { rows: role === 'agent' ? { agent: 'a@x.test' } : {} })).cookie,
    };
  foreign = { cookie: (await doors.userWith('analyst', { rows: { accounts: ['other'] } })).cookie };
  const others = await doors.userWith('admin');
  for (const right of rightNames) {
    tokens.alone[right] = bearer(tokenOf(id, withNeeded(right)).secret);
    const rest = rightNames.filter((name) => !withNeeded(name).includes(right));
    tokens.without[right] = bearer(tokenOf(others.id, rest).secret);
  }
  const body = { title: 'May', page: 'overview', filters: { from: '2026-05-01', to: '2026-05-09' }, days: 30 };
  const made = await doors.ask('/shares', cookies.manager, { method: 'POST', body });
  link = bearer(((await made.json()) as { key: string }).key);
});
afterAll(async () => {
  server.close().closeAllConnections();
  await client.destroy();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answered {
  status: number;
  text: string;
}

async function asked(method: string, path: string, headers: Shown): Promise<Answered> {
  const address = `http://127.0.0.1:${portOf(server)}/api${path}`;
  const { statusCode, headers: told, body } = await request(address, { dispatcher: client, method, headers });
  // Events go on for ever.
  if (told['content-type']?.includes('event-stream')) body.on('error', () => undefined).destroy();
  return { status: statusCode, text: body.destroyed ? '' : await body.text() };
}

/** An address of an endpoint; what is in braces is there or not, the guard does not care. */
const addressOf = ({ path }: Endpoint): string => path.replaceAll(/\{\w+\}/g, 'x1');
const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;
const routeOf = (endpoint: Endpoint): Route | undefined => routes[nameOf(endpoint)];

/** Whether the guard lets a request through to its endpoint, which may refuse it for what it asks. */
async function isLetIn(endpoint: Endpoint, headers: Shown): Promise<boolean> {
  const { status, text } = await asked(endpoint.method.toUpperCase(), addressOf(endpoint), headers);
  return status !== 401 && !(status === 403 && /it needs the right|a shared link opens/.test(text));
}

/** Of each of those who ask, whether they are let in. */
async function letIn(endpoint: Endpoint, asking: Readonly<Record<string, Shown>>): Promise<Record<string, boolean>> {
  const all = Object.entries(asking).map(async ([who, headers]) => [who, await isLetIn(endpoint, headers)] as const);
  return Object.fromEntries(await Promise.all(all));
}

const isRight = (needs: Needed): needs is Right => (rightNames as readonly string[]).includes(needs);
const mayRole = (role: Role, needs: Needed): boolean =>
  needs === 'nothing' || needs === 'sign_in' || (isRight(needs) && (roles[role] as readonly Right[]).includes(needs));

it('is complete: every endpoint is in the table, with what it needs, and the table has no other', () => {
  const needed = Object.fromEntries(contract.map((one) => [nameOf(one), one.needs]));
  expect(needed).toEqual(Object.fromEntries(Object.entries(routes).map(([name, { needs }]) => [name, needs])));
});

/** What ends the caller's own session is played last, by itself. */
const played = contract.filter((one) => nameOf(one) !== 'POST /sign-out');

describe.each(played.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_, endpoint) => {
  const { needs = 'nothing', asked: address, foreign: theirs } = routeOf(endpoint) ?? {};

  it('is for those alone whom the table names', async () => {
    const seen = await letIn(endpoint, {
      ...{ nobody: {}, 'a shared link': link, ...over },
      ...Object.fromEntries(roleNames.map((role) => [role, cookies[role] ?? {}])),
      ...(isRight(needs) ? { 'the right alone': tokens.alone[needs], 'all but the right': tokens.without[needs] } : {}),
    });
    const isOpen = needs === 'nothing';
    expect(seen).toEqual({
      ...{ nobody: isOpen, 'a shared link': isOpen || needs === 'share' },
      ...Object.fromEntries(Object.keys(over).map((who) => [who, isOpen])),
      ...Object.fromEntries(roleNames.map((role) => [role, mayRole(role, needs)])),
      ...(isRight(needs) ? { 'the right alone': true, 'all but the right': false } : {}),
    });
  });

  if (address === undefined) return;
  it('tells a reader of another account nothing of this one', async () => {
    const [everything, narrowed] = await Promise.all([
      asked('GET', address, cookies.admin ?? {}),
      asked('GET', address, foreign),
    ]);
    // Of this account no reports were pulled, and there is one snapshot.
    expect([200, 400, 503]).toContain(everything.status);
    expect(narrowed.status).toBe(theirs === 'nothing of it' ? 200 : 403);
    expect(marks.filter((mark) => narrowed.text.includes(mark))).toEqual([]);
  });
});

it('signing out is for whoever asks, and ends the session that asks', async () => {
  const { cookie } = await doors.userWith('viewer');
  expect((await asked('GET', '/accounts', { cookie })).status).toBe(200);
  for (const headers of [{}, ...Object.values(over), { cookie }])
    expect((await asked('POST', '/sign-out', headers)).status).toBe(204);
  expect((await asked('GET', '/accounts', { cookie })).status).toBe(401);
});

it('a token says what it is in any of three ways, and a wrong one is worse than none', async () => {
  const { id, cookie } = await doors.userWith('manager');
  const maker = doors.auth.users.find(id);
  if (!maker) throw new Error('the user is gone');
  const { secret } = doors.auth.tokens.add(maker, { name: 'short', rights: ['numbers:read'], days: 1 });
  const status = async (headers: Shown) => (await asked('GET', '/accounts', headers)).status;
  expect(await status(bearer(secret))).toBe(200);
  expect(await status({ authorization: `Basic ${Buffer.from(`any:${secret}`).toString('base64')}` })).toBe(200);
  expect(await status(bearer('right-token'))).toBe(200);
  expect(await status({ ...bearer(secret), cookie })).toBe(200);
  expect(await status({ ...bearer('wrong'), cookie })).toBe(401);
  expect(await status({ cookie: `${cookie.slice(0, -3)}abc` })).toBe(401);
});

it('what a user loses, an open session and a token lose with it', async () => {
  const { id, cookie } = await doors.userWith('manager');
  const before = doors.auth.users.find(id);
  if (!before) throw new Error('the user is gone');
  const rights = ['numbers:read', 'agents:read', 'chats:read'] as const;
  const token = bearer(doors.auth.tokens.add(before, { name: 't', rights, days: 9 }).secret);
  const statuses = async (path: string) => [
    (await asked('GET', path, { cookie })).status,
    (await asked('GET', path, token)).status,
  ];
  expect(await statuses('/chats?from=2026-05-01&to=2026-05-09')).toEqual([200, 200]);
  doors.auth.users.change(id, { email: before.email, name: before.name, role: 'viewer', extra_rights: [], rows: {} });
  expect(await statuses('/chats?from=2026-05-01&to=2026-05-09')).toEqual([403, 403]);
  expect(await statuses('/accounts')).toEqual([200, 200]);
  doors.auth.users.remove(id);
  expect(await statuses('/accounts')).toEqual([401, 401]);
});

it('a receipt lists its chats to those alone who may read conversations', async () => {
  const manager = (await doors.userWith('manager', { rows: { groups: [2] } })).cookie;
  const extra_rights: Right[] = ['agents:read', 'chats:read', 'names:read'];
  const reading = (await doors.userWith('viewer', { rows: { groups: [2] }, extra_rights })).cookie;
  const { id, cookie: viewer } = await doors.userWith('viewer', { rows: { groups: [2] }, extra_rights });
  const listed = async (cookie: string) => {
    const answer = await asked('GET', '/receipts/total_chats?from=2026-05-01&to=2026-05-09&grain=total', { cookie });
    const { chats } = JSON.parse(answer.text) as { chats: { total: number; rows: unknown[] } };
    return [chats.total, chats.rows.length];
  };
  expect(await listed(manager)).toEqual([1, 1]);
  expect(await listed(reading)).toEqual([1, 1]);
  const { email, name } = doors.auth.users.find(id) ?? { email: '', name: '' };
  doors.auth.users.change(id, { email, name, role: 'viewer', extra_rights: [], rows: { groups: [2] } });
  expect(await listed(viewer)).toEqual([1, 0]);
});

it('a token changes no user, whatever its rights: it could make itself an admin', async () => {
  const maker = doors.auth.users.named('person1@example.com');
  const headers = tokens.alone['people:write'] ?? {};
  const body = { email: 'new@example.com', name: 'New', role: 'admin' };
  expect((await doors.ask('/users', headers)).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/users'],
    ['PUT', `/users/${maker.id}`],
    ['POST', `/users/${maker.id}/password`],
    ['DELETE', `/users/${maker.id}`],
  ] as const)
    expect([path, (await doors.ask(path, headers, { method, body })).status]).toEqual([path, 403]);
  const preset = { authorization: 'Bearer right-token' };
  expect((await doors.ask('/users', preset, { method: 'POST', body })).status).toBe(200);
});

it('two endpoints at one address need the same', () => {
  for (const one of contract)
    expect([nameOf(one), neededAt(one.method.toUpperCase(), `/api${addressOf(one)}`)]).toEqual([
      nameOf(one),
      one.needs,
    ]);
  expect(neededAt('HEAD', '/api/accounts')).toBe('numbers:read');
  expect(neededAt('GET', '/api/v2/reports/chats/total_chats')).toBe('numbers:read');
  expect(neededAt('GET', '/api/nowhere')).toBeUndefined();
});

it('an address that is none is told to nobody but who has signed in', async () => {
  expect((await asked('GET', '/nowhere', {})).status).toBe(401);
  expect((await asked('GET', '/nowhere', cookies.viewer ?? {})).status).toBe(404);
  for (const path of ['/accounts/', '//accounts', '/Accounts', '/accounts%2f', '/%61ccounts'])
    expect([path, (await asked('GET', path, {})).status]).toEqual([path, 401]);
});
