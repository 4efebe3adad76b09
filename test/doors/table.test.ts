// Every endpoint times who asks: nobody, each role, each right taken away, wrong, expired and revoked tokens, ended sessions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import { neededAt } from '#api/guard.ts';
import { requires, rightNames, roleNames, roles, type Right, type Role } from '#auth/rights.ts';
import type { Endpoint } from '#api/contract/endpoint.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account } from '../warehouse/account.ts';
import { openDoors, type Doors } from './api.ts';

const day = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'doors-'));
let engine: Store;
let doors: Doors;
const cookies: Partial<Record<Role, string>> = {};

beforeAll(async () => {
  const writer = await account([{ start: '2026-05-05T10:00:00Z', groups: [2], agents: ['a@x.test'] }]);
  const { file } = await publish(writer, folder, Date.parse('2026-05-12T09:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
  doors = openDoors(engine);
  for (const role of ['admin', ...roleNames.filter((name) => name !== 'admin')] as Role[]) {
    const rows = role === 'agent' ? { agent: 'a@x.test' } : {};
    cookies[role] = (await doors.userWith(role, { rows })).cookie;
  }
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An address of an endpoint; what is in braces is there or not, the guard does not care. */
const addressOf = ({ path }: Endpoint): string => path.replaceAll(/\{\w+\}/g, 'x1');
const ask = (endpoint: Endpoint, headers: Record<string, string>): Promise<Response> =>
  doors.ask(addressOf(endpoint), headers, { method: endpoint.method.toUpperCase() });
const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

/** A right, and what it is worth nothing without. */
function withNeeded(right: Right): Right[] {
  const needed = requires[right];
  return needed ? [right, ...withNeeded(needed)] : [right];
}

/** Whether the guard lets a request through to its endpoint, which may refuse it for what it asks. */
async function isLetIn(endpoint: Endpoint, headers: Record<string, string>): Promise<boolean> {
  const answer = await ask(endpoint, headers);
  // Events go on for ever.
  const text = answer.status === 403 ? await answer.text() : '';
  await answer.body?.cancel().catch(() => undefined);
  return answer.status !== 401 && !text.includes('it needs the right');
}

/** Those that end the caller's own session are played last, by themselves. */
const played = contract.filter(
  ({ path, method }) => path !== '/sign-out' && !(path === '/users/{id}' && method === 'delete'),
);

describe.each(played.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_, endpoint) => {
  const { needs } = endpoint;

  it('is for nobody who has not signed in, but for what tells nothing', async () => {
    expect(await isLetIn(endpoint, {})).toBe(needs === 'nothing');
  });

  it('is for the roles that have the right', async () => {
    for (const role of roleNames) {
      const may =
        needs === 'nothing' ||
        needs === 'sign_in' ||
        (needs !== 'share' && (roles[role] as readonly Right[]).includes(needs));
      expect([role, await isLetIn(endpoint, { cookie: cookies[role] ?? '' })]).toEqual([role, may]);
    }
  });

  it('is for tokens with the right alone', async () => {
    if (needs === 'nothing' || needs === 'sign_in' || needs === 'share') return;
    const maker = doors.auth.users.named('person1@example.com');
    for (const rights of [withNeeded(needs), rightNames.filter((right) => !withNeeded(right).includes(needs))]) {
      const { token, secret } = doors.auth.tokens.add(maker, { name: 'one', rights, days: 1 });
      const headers = { authorization: `Bearer ${secret}` };
      expect([rights, await isLetIn(endpoint, headers)]).toEqual([rights, rights.includes(needs)]);
      doors.auth.tokens.remove(token.id);
      expect([rights, await isLetIn(endpoint, headers)]).toEqual([rights, false]);
    }
  });
});

it('an expired token, a wrong one and an ended session open nothing', async () => {
  const { id, cookie } = await doors.userWith('manager');
  const maker = doors.auth.users.find(id);
  if (!maker) throw new Error('the user is gone');
  const { secret } = doors.auth.tokens.add(maker, { name: 'short', rights: ['numbers:read'], days: 1 });
  const status = async (headers: Record<string, string>) => (await doors.ask('/accounts', headers)).status;
  expect(await status({ authorization: `Bearer ${secret}` })).toBe(200);
  expect(await status({ authorization: `Basic ${Buffer.from(`any:${secret}`).toString('base64')}` })).toBe(200);
  expect(await status({ authorization: 'Bearer right-token' })).toBe(200);
  expect(await status({ authorization: `Bearer ${secret}x` })).toBe(401);
  expect(await status({ authorization: `Bearer ${secret}`, cookie })).toBe(200);
  expect(await status({ authorization: 'Bearer wrong', cookie })).toBe(401);
  doors.forward(day + 1);
  expect(await status({ authorization: `Bearer ${secret}` })).toBe(401);

  expect(await status({ cookie })).toBe(200);
  expect(await status({ cookie: `${cookie.slice(0, -3)}abc` })).toBe(401);
  expect((await doors.ask('/sign-out', { cookie }, { method: 'POST' })).status).toBe(204);
  expect(await status({ cookie })).toBe(401);
});

it('what a user loses, an open session and a token lose with it', async () => {
  const { id, cookie } = await doors.userWith('manager');
  const before = doors.auth.users.find(id);
  if (!before) throw new Error('the user is gone');
  const rights = ['numbers:read', 'agents:read', 'chats:read'] as const;
  const bearer = { authorization: `Bearer ${doors.auth.tokens.add(before, { name: 't', rights, days: 9 }).secret}` };
  const statuses = async (path: string) => [
    (await doors.ask(path, { cookie })).status,
    (await doors.ask(path, bearer)).status,
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
    const answer = await doors.ask('/receipts/total_chats?from=2026-05-01&to=2026-05-09&grain=total', { cookie });
    const { chats } = (await answer.json()) as { chats: { total: number; rows: unknown[] } };
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
  const { token, secret } = doors.auth.tokens.add(maker, { name: 'people', rights: ['people:write'], days: 1 });
  const headers = { authorization: `Bearer ${secret}` };
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
  doors.auth.tokens.remove(token.id);
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
  expect((await doors.ask('/nowhere')).status).toBe(401);
  expect((await doors.ask('/nowhere', { cookie: cookies.viewer ?? '' })).status).toBe(404);
  for (const path of ['/accounts/', '//accounts', '/Accounts', '/accounts%2f', '/%61ccounts'])
    expect([path, (await doors.ask(path)).status]).toEqual([path, 401]);
});
