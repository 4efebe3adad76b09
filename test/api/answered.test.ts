// Answers of endpoints that no other test of the API asks for through the contract: pulls, erasures, tokens, users and what is one's own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Eraser } from '#api/deps.ts';
import type { Store } from '#warehouse/engine.ts';
import { openDoors } from '../access/api.ts';
import { digest, digestDeps } from '../digests/deps.ts';
import { account } from '../warehouse/account.ts';
import { endpointAt } from './promised.ts';

const counts = {
  ...{ visitors: 1, chats: 1, rows: { 'facts.chats': 1 }, raw_records: 1, raw_pages: 1, raw_unreadable: 0 },
  ...{ set_aside: 0, mentions: 0, snapshots: 1, snapshots_rewritten: 1, parts_rewritten: 0 },
};
const proof = { snapshots: 1, metrics: 36, questions: 72, cells: 9, untouched: 0 };
const eraser: Eraser = {
  state: () => ({ running: { what: 'reading', done: 1, total: 2 }, problem: null }),
  plan: () => Promise.reject(new Error('one runs')),
  start: () => undefined,
};
const idle: Eraser = {
  state: () => ({ running: null, problem: 'the disk is full' }),
  plan: ({ visitor = '' }) =>
    Promise.resolve({
      ...{ visitors: [{ account: 'default', id: visitor }], names: ['Ann'], addresses: ['ann@example.com'], counts },
      ...{ notes: 0, documents: [], unused: [], not_erased: [{ what: 'a note', reason: 'people wrote it' }] },
    }),
  start: () => undefined,
};
const pulling = {
  ...{ account: 'default', stage: 'fetch', done: 30, total: 90, is_resting: false, pulled_since: '2026-05-01' },
  ...{ started_at: '2026-06-01T00:05:00.000Z', stage_began: { at: Date.parse('2026-06-01T00:06:00Z'), done: 10 } },
};
const ended = {
  ...{
    account: 'default',
    pull_id: 'P1',
    started_at: '2026-06-01T00:00:00.000Z',
    ended_at: '2026-06-01T00:04:00.000Z',
  },
  ...{ state: 'done' as const, requests: 9, chats_new: 1, chats_changed: 0, chats_unchanged: 2, error: null },
};

let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());

/** An admin who asks; an answer that the contract does not promise fails, and so does a refusal. */
async function admin(differs: Parameters<typeof openDoors>[1] = {}) {
  const doors = openDoors(engine, { pullNow: () => undefined, ...differs });
  const { id, cookie } = await doors.userWith('admin');
  return {
    id,
    async ask(method: string, path: string, body?: unknown): Promise<unknown> {
      const answer = await doors.ask(path, { cookie }, { method, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      expect(Object.keys(endpointAt(method, `/api${path}`)?.answers ?? {}), text).toContain(String(answer.status));
      return JSON.parse(text);
    },
  };
}

it('pulls that run and that ended are listed, and one is started', async () => {
  const { ask } = await admin({ pulls: () => ({ running: [pulling], ended: [ended] }) });
  expect(await ask('GET', '/pulls')).toMatchObject({
    running: [{ account: 'default', stage: 'fetch', done: 30, total: 90 }],
    accounts: [{ account: 'default', state: 'done', ended_at: ended.ended_at }],
  });
  expect(await ask('POST', '/pulls')).toEqual({ started: true });
});

it('erasures are listed with the one that runs, planned and started', async () => {
  const erasure = {
    ...{ id: 'E1', state: 'done' as const, person: 'hash', by: 'ann@example.com', counts, proof, not_erased: [] },
    ...{ begun_at: '2026-05-20T10:00:00.000Z', ended_at: '2026-05-20T10:01:00.000Z' },
  };
  const running = await admin({ erasures: () => [erasure], eraser });
  expect(await running.ask('GET', '/erasures')).toEqual({
    ...{ erasures: [erasure], running: { what: 'reading', done: 1, total: 2 }, problem: null },
  });
  const { ask } = await admin({ eraser: idle });
  expect(await ask('GET', '/erasures')).toEqual({ erasures: [], running: null, problem: 'the disk is full' });
  expect(await ask('POST', '/erasures/plan', { visitor: 'v1' })).toMatchObject({
    ...{ visitors: [{ account: 'default', id: 'v1' }], counts },
  });
  expect(await ask('POST', '/erasures', { visitor: 'v1', confirm: 'v1' })).toEqual({ started: true });
});

it('a token is made, told once and listed without its secret', async () => {
  const { ask } = await admin();
  const made = await ask('POST', '/tokens', { name: 'report', rights: ['numbers:read'], days: 30 });
  expect(made).toMatchObject({
    token: { name: 'report', rights: ['numbers:read'] },
    secret: expect.stringMatching(/^cl_/) as string,
  });
  expect(await ask('GET', '/tokens')).toMatchObject({ tokens: [{ name: 'report', last_used_at: null }] });
});

it('a user is changed, and says by which identities and factors they sign in', async () => {
  const { ask, id } = await admin();
  const about = { email: 'ann@example.com', name: 'Ann', role: 'admin', extra_rights: [], rows: {} };
  expect(await ask('PUT', `/users/${id}`, about)).toMatchObject({ id, email: 'ann@example.com', name: 'Ann' });
  expect(await ask('GET', '/me/identities')).toEqual({ identities: [] });
  expect(await ask('GET', '/me/second-factor')).toEqual({ is_on: false, recovery_codes: 0, has_password: true });
});

it('a send that failed is sent once more', async () => {
  const { ask } = await admin({ digests: digestDeps(engine, [digest()]) });
  const first = (await ask('POST', '/digests/week/run')) as {
    sends: Record<'period' | 'reader' | 'channel', string>[];
  };
  expect(first.sends).toMatchObject([{ state: expect.stringMatching(/^(failed|retrying)$/) as string }]);
  const [{ period, reader, channel } = { period: '', reader: '', channel: '' }] = first.sends;
  expect(await ask('POST', '/digests/week/again', { period, reader, channel })).toMatchObject({
    sends: [{ period, reader, channel }],
  });
});
