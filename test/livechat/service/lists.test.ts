// The account's lists: shapes by the contract, one by one, derived statuses and what only the caller sees.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listIds, lists } from '#contract/account.ts';
import { ann, at, basic, bob, chat, staff, ticket, tinyService } from './tiny.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>>;
const body = async (path: string, headers?: Record<string, string>) => (await it_runs.ask(path, headers)).json();

beforeAll(async () => {
  it_runs = await tinyService({
    now: '2026-05-06T12:00:00Z',
    chats: [
      chat('2026-05-06T10:00:00Z', '2026-05-06T10:05:00Z', {
        tags: [{ at: at('2026-05-06T10:05:00Z'), tag: 'sales' }],
      }),
    ],
    tickets: [ticket('2026-05-06T10:00:00Z', { tags: ['sales'] }), ticket('2026-05-06T13:00:00Z', { tags: ['sales'] })],
    statuses: [
      { agent: ann, status: 'accepting chats', from: at('2026-05-06T08:00:00Z'), to: at('2026-05-06T09:00:00Z') },
      { agent: ann, status: 'not accepting chats', from: at('2026-05-06T09:00:00Z'), to: at('2026-05-06T11:00:00Z') },
      { agent: bob, status: 'accepting chats', from: at('2026-05-06T11:30:00Z'), to: at('2026-05-06T12:30:00Z') },
    ],
  });
});
afterAll(() => it_runs.end());

describe('a list', () => {
  it.each(listIds)('of %s has the shape of the contract', async (id) => {
    const items = z.array(lists[id].each as z.ZodType).parse(await body(lists[id].path));
    expect(items.length).toBeGreaterThan(0);
  });
  it('is narrowed by its arguments', async () => {
    expect(await body('/agents?status=accepting%20chats')).toEqual([expect.objectContaining({ login: bob })]);
    expect(await body('/canned_responses')).toEqual([expect.objectContaining({ id: 1 })]);
    expect(await body('/canned_responses?group=1')).toEqual([expect.objectContaining({ id: 2 })]);
    expect(await body('/goals?type=api')).toEqual([]);
    expect(await body('/greetings?group=2')).toEqual([]);
    expect(await body('/tags?group=2')).toEqual([]);
    expect((await it_runs.ask('/agents?status=asleep')).status).toBe(400);
  });
  it('counts the tags of ended chats and of tickets', async () => {
    expect(await body('/tags')).toEqual([
      expect.objectContaining({ name: 'sales', count: { inChats: 1, inTickets: 1 } }),
    ]);
  });
});

describe('an agent', () => {
  it('begins with the owner of the settings and keeps the order of keys', async () => {
    const [owner] = (await body('/agents')) as object[];
    expect(Object.entries(owner!).map(([key]) => key)).toEqual(['name', 'permission', 'avatar', 'login', 'status']);
    expect(owner).toMatchObject({ login: 'owner@example.com', permission: 'owner', status: 'offline' });
  });
  it('is read in full by the unescaped login, the API key only by the agent', async () => {
    const key = staff.agents[0]!.api_key;
    const seen = await body(`/agents/${ann}`);
    expect(lists.agents.one.parse(seen)).toEqual(seen);
    expect(seen).toMatchObject({ groups: [{ id: 1, name: 'Sales' }], last_logout: at('2026-05-06T11:00:00Z') });
    expect(seen).not.toHaveProperty('api_key');
    expect(await body(`/agents/${encodeURIComponent(ann)}`, basic(ann, key))).toHaveProperty('api_key', key);
    expect(await body(`/agents/${bob}`)).toMatchObject({ status: 'accepting chats', last_logout: 0 });
    expect((await it_runs.ask('/agents/nobody@example.com')).status).toBe(404);
  });
});

describe('a group', () => {
  it('takes its status from its agents; group 0 holds everybody and names nobody', async () => {
    expect(await body('/groups/1')).toEqual({
      id: 1,
      name: 'Sales',
      language: 'en',
      agents: [ann, bob],
      status: 'accepting chats',
    });
    expect(await body('/groups/0')).toEqual({
      id: 0,
      name: 'All operators',
      language: 'en',
      status: 'accepting chats',
    });
    it_runs.clock.now = at('2026-05-06T10:00:00Z');
    expect(await body('/groups')).toMatchObject([
      { status: 'not accepting chats' },
      { status: 'not accepting chats' },
      { status: 'offline' },
    ]);
    it_runs.clock.now = at('2026-05-06T12:00:00Z');
  });
  it('is online when it accepts chats, asked either way', async () => {
    expect(await body('/status')).toEqual({ status: 'online' });
    expect(await body('/status?group=1')).toEqual({ status: 'online' });
    expect(await body('/status/2')).toEqual({ status: 'online' });
    it_runs.clock.now = at('2026-05-06T10:00:00Z');
    expect(await body('/status')).toEqual({ status: 'offline' });
    it_runs.clock.now = at('2026-05-06T12:00:00Z');
    expect((await it_runs.ask('/status/99')).status).toBe(404);
    expect((await it_runs.ask('/status?group=x')).status).toBe(400);
  });
});

describe('single things', () => {
  it('have their own fields, or are 404', async () => {
    expect(await body('/goals/71')).toEqual({
      id: 71,
      name: 'Checkout',
      active: 1,
      type: 'url',
      match_type: 'exact',
      url: 'https://e.com',
    });
    expect(await body('/greetings/5')).toEqual({
      id: 5,
      active: true,
      name: 'Hello',
      rules: [],
      properties: { active: '1', 'greeting-message_text': 'Hi' },
    });
    expect(await body('/canned_responses/2')).toMatchObject({ id: 2, group: 1 });
    for (const path of [
      '/goals/1',
      '/greetings/x',
      '/canned_responses/9',
      '/groups/7',
      '/tags/sales',
      '/chats/NOTHING',
    ]) {
      expect([path, (await it_runs.ask(path)).status]).toEqual([path, 404]);
    }
  });
});
