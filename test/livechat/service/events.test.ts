// Reports that go by their own instant: queue, goals and sales, greetings, tickets.
import { describe, expect, it } from 'vitest';
import type { ChatGoal } from '#service/records.ts';
import { at, bob, chat, ticket, tinyAccount } from './tiny.ts';

const day = '2026-05-04';
const next = '2026-05-05';
const range = `date_from=${day}&date_to=${next}`;
const now = '2026-05-10T00:00:00Z';

describe('the queue', () => {
  const waited = (queue_seconds: number | null, own: object = {}) =>
    chat(`${day}T10:00:00Z`, `${day}T10:10:00Z`, { queue_seconds, ...own });
  const { ask } = tinyAccount({
    now,
    chats: [waited(0), waited(21, { groups: [1, 2] }), waited(null)],
    departures: [{ visitor_id: 'S', group: 2, queued: at(`${day}T23:59:00Z`), left: at(`${next}T00:00:30Z`) }],
  });
  it('counts who entered by the start of the chat, also after no wait, and who left by the leaving', async () => {
    expect(await ask('queued_visitors', range)).toEqual({
      [day]: { queued: { count: 2 }, left_queue: { count: 0 }, entered_chat: { count: 2 } },
      [next]: { queued: { count: 1 }, left_queue: { count: 1 }, entered_chat: { count: 0 } },
    });
  });
  it('counts a chat in each of its groups', async () => {
    const of = async (group: number) =>
      (await ask('queued_visitors', `${range}&group=${group}&group_by=month`))['2026-05']!;
    const [first, second] = [await of(1), await of(2)];
    expect([first.queued.count, second.queued.count, second.left_queue.count]).toEqual([2, 2, 1]);
  });
  it('pools unrounded waits into whole seconds, and says 0 of nobody', async () => {
    const { queued, left_queue, entered_chat } = (await ask('waiting_times', `${range}&group_by=month`))['2026-05']!;
    const seconds = (min: number, max: number, average: number) => ({
      min: { seconds: min },
      max: { seconds: max },
      average: { seconds: average },
    });
    expect(queued).toEqual({ count: 3, ...seconds(0, 90, 37) });
    expect(left_queue).toEqual({ count: 1, ...seconds(90, 90, 90) });
    expect(entered_chat).toEqual({ count: 2, ...seconds(0, 21, 11) });
    expect((await ask('waiting_times', `${range}&group=9`))[day]!.queued).toEqual({ count: 0, ...seconds(0, 0, 0) });
  });
});

describe('goals and sales', () => {
  const goal = (when: string, own: Partial<ChatGoal> = {}): ChatGoal => ({
    id: 71,
    name: 'goal',
    at: at(when),
    order: { id: '', description: '', price: '0', currency: '' },
    ...own,
  });
  const sale = (when: string, price: string | number, currency: string): ChatGoal =>
    goal(when, { id: 9, type: 'sales_tracker', order: { id: 'A', description: '', price, currency } });
  const { ask, clock } = tinyAccount({
    now,
    chats: [
      chat(`${day}T10:00:00Z`, `${day}T10:10:00Z`, {
        goals: [
          goal(`${day}T10:05:00Z`, { order: { id: '', description: '', price: '5', currency: 'USD' } }),
          goal(`${day}T10:06:00Z`, { id: 72 }),
          sale(`${day}T10:07:00Z`, '199', 'USD'),
          sale(`${next}T09:00:00Z`, 0.1, 'EUR'),
          sale(`${next}T09:01:00Z`, '0.2', 'EUR'),
          sale(`${next}T09:02:00Z`, '10', ''),
        ],
      }),
    ],
  });
  it('keep goals and sales apart, by their own day, and currencies too', async () => {
    expect(await ask('goals', range)).toEqual({
      [day]: { goals: 2, value: { USD: { sales_count: 1, value: 5 } } },
      [next]: { goals: 0, value: {} },
    });
    expect(await ask('goals', `${range}&sales_tracker=1`)).toEqual({
      [day]: { goals: 1, value: { USD: { sales_count: 1, value: 199 } } },
      [next]: { goals: 3, value: { EUR: { sales_count: 2, value: 0.3 } } },
    });
  });
  it('are narrowed by goal; a currency narrows only the money', async () => {
    expect((await ask('goals', `${range}&goal=72`))[day]).toEqual({ goals: 1, value: {} });
    expect((await ask('goals', `${range}&sales_tracker=1&currency=EUR`))[day]).toEqual({ goals: 1, value: {} });
  });
  it('say the clipped month', async () => {
    expect((await ask('goals', `${range}&group_by=month`))['2026-05']).toMatchObject({
      begin: day,
      end: next,
      goals: 2,
    });
  });
  it('come with the clock', async () => {
    clock.now = at(`${next}T08:00:00Z`);
    expect((await ask('goals', `${range}&sales_tracker=1`))[next]).toEqual({ goals: 0, value: {} });
  });
});

describe('greetings', () => {
  const invited = chat(`${day}T23:50:00Z`, `${next}T00:10:00Z`, {
    engagement: 'auto_invite',
    greeting_id: 5,
    tags: [{ at: 0, tag: 'x' }],
    goals: [
      { id: 71, name: 'g', at: at(`${next}T00:05:00Z`), order: { id: '', description: '', price: '0', currency: '' } },
    ],
  });
  const show = (greeting: number, group: number, chat_id: string | null) => ({
    greeting,
    group,
    at: at(`${day}T23:49:00Z`),
    chat_id,
  });
  const { ask } = tinyAccount({
    now,
    chats: [invited],
    displays: [show(5, 1, invited.id), show(5, 2, null), show(6, 1, null)],
  });
  const both = async (query: string) => {
    const told = await ask('greetings', `${range}${query}`);
    return [day, next].map((label) => Object.values(told[label]!));
  };
  it('count displays, chats and goals each by its own instant', async () => {
    expect(await both('')).toEqual([
      [3, 1, 0],
      [0, 0, 1],
    ]);
  });
  it('are narrowed by greeting, group, goal and tag', async () => {
    expect((await both('&greeting=5'))[0]).toEqual([2, 1, 0]);
    expect((await both('&greeting=6'))[1]).toEqual([0, 0, 0]);
    expect((await both('&group=2'))[0]).toEqual([1, 0, 0]);
    expect((await both('&goal=72'))[1]).toEqual([0, 0, 0]);
    expect((await both('&tag[]=x'))[0]).toEqual([1, 1, 0]);
  });
});

describe('tickets', () => {
  const { ask, clock } = tinyAccount({
    now,
    tickets: [
      ticket(`${day}T10:00:00Z`, {
        first_response: at(`${next}T10:30:00Z`),
        solved: [at(`${next}T12:00:00Z`), at('2026-05-08T10:00:00Z')],
        ratings: [{ at: at(`${next}T13:00:00Z`), rate: 'rated_bad' }],
      }),
      ticket(`${day}T11:00:00Z`, {
        source: 'chat',
        assignee: bob,
        groups: [2],
        tags: ['x'],
        first_response: at(`${next}T11:50:00Z`),
      }),
      ticket(`${next}T11:00:00Z`, { source: 'chat_window', assignee: null }),
    ],
  });
  it('are new on the day of creation, by source', async () => {
    expect(Object.values(await ask('new_tickets', range))).toEqual([{ new_tickets: 2 }, { new_tickets: 1 }]);
    expect((await ask('ticket_sources', range))[day]).toEqual({
      tickets_from_chat_window: 0,
      tickets_from_mail: 1,
      tickets_from_chat: 1,
    });
    expect((await ask('new_tickets', `${range}&group=2`))[day]).toEqual({ new_tickets: 1 });
  });
  it('are answered on the day of the response, in hours since creation', async () => {
    expect(Object.values(await ask('ticket_first_response_time', range))).toEqual([
      { count: 0, hours: null },
      { count: 2, hours: 24.67 },
    ]);
    expect((await ask('ticket_first_response_time', `${range}&agent=${bob}&tag[]=x`))[next]).toEqual({
      count: 1,
      hours: 24.83,
    });
  });
  it('are solved at the last solution that has come', async () => {
    expect((await ask('solved_tickets', range))[next]).toEqual({ solved_tickets: 0 });
    expect((await ask('ticket_resolution_time', 'date_from=2026-05-08&date_to=2026-05-09'))['2026-05-08']).toEqual({
      count: 1,
      hours: 96,
    });
    clock.now = at('2026-05-07T00:00:00Z');
    expect((await ask('ticket_resolution_time', range))[next]).toEqual({ count: 1, hours: 26 });
    expect((await ask('ticket_ratings', range))[next]).toEqual({ bad: 1, good: 0 });
  });
});
