// One chat told by four interfaces: a customer starts it, agents answer, transfer and close it; archives and reports have it afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ann, bob } from '../tiny.ts';
import { message, parties } from './parties.ts';

let world: Awaited<ReturnType<typeof parties>>;
beforeAll(async () => {
  world = await parties();
});
afterAll(() => world.end());

const json = async (path: string): Promise<Record<string, unknown>> =>
  (await (await world.ask(path)).json()) as Record<string, unknown>;

describe('a chat that a customer starts', () => {
  it('is routed, answered, transferred, tagged, rated and closed, and is one chat everywhere', async () => {
    const mary = world.customer({ name: 'Mary', email: 'mary@example.com' });
    const asAnn = world.agent(ann);
    const asBob = world.agent(bob);

    const started = await mary('start_chat', {
      chat: { access: { group_ids: [1] }, thread: { events: [message('Hello?')] } },
    });
    expect(started.status).toBe(200);
    const { chat_id, thread_id } = started.body;
    expect(started.body.event_ids).toHaveLength(1);

    const seen = await asAnn('get_chat', { chat_id });
    expect(seen.body.thread!.active).toBe(true);
    expect(seen.body.users.map(({ id, type }) => [id, type])).toEqual([
      [mary.id, 'customer'],
      [ann, 'agent'],
    ]);
    world.clock.now += 30;
    expect((await asAnn('send_event', { chat_id, event: message('Good day, Mary.') })).status).toBe(200);
    expect(
      (await asAnn('send_event', { chat_id, event: { ...message('She is nice'), visibility: 'agents' } })).status,
    ).toBe(200);
    world.clock.now += 10;
    expect((await mary('send_event', { chat_id, event: message('Where is my parcel?') })).status).toBe(200);
    const pending = await json(`/chats/${thread_id}?include_pending=1`);
    expect(pending.pending).toBe(true);

    world.clock.now += 20;
    expect((await asAnn('transfer_chat', { id: chat_id, target: { type: 'agent', ids: [bob] } })).status).toBe(200);
    expect((await asBob('send_event', { chat_id, event: message('On its way.') })).status).toBe(200);
    expect((await asBob('tag_thread', { chat_id, thread_id, tag: 'parcel' })).status).toBe(200);
    const rated = await mary('update_thread_properties', {
      chat_id,
      thread_id,
      properties: { rating: { score: 1, comment: 'Quick!' } },
    });
    expect(rated.status).toBe(200);
    world.clock.now += 5;
    expect((await mary('deactivate_chat', { id: chat_id })).status).toBe(200);

    // The customer sees no address of an agent and nothing that is for agents.
    const own = await mary('get_chat', { chat_id });
    expect(JSON.stringify(own.body)).not.toContain('example.com/a.png@');
    expect(JSON.stringify(own.body)).not.toContain(ann);
    expect(own.body.thread!.events.map(({ type, text }) => (type === 'message' ? text : type))).toEqual([
      'Hello?',
      'Good day, Mary.',
      'Where is my parcel?',
      'system_message',
      'On its way.',
      'system_message',
      'system_message',
      'system_message',
    ]);

    // v2.0, v3.5 and the reports have the same chat.
    const archived = await json(`/chats/${thread_id}`);
    expect(archived).toMatchObject({ id: thread_id, rate: 'rated_good', tags: ['parcel'], duration: 65, group: [1] });
    expect((archived.agents as { email: string }[]).map(({ email }) => email)).toEqual([ann, bob]);
    expect(
      (archived.messages as { text: string; user_type: string }[]).map(
        ({ text, user_type }) => `${user_type}: ${text}`,
      ),
    ).toEqual([
      'visitor: Hello?',
      'agent: Good day, Mary.',
      'supervisor: She is nice',
      'visitor: Where is my parcel?',
      'agent: On its way.',
    ]);
    const page = await asAnn('list_archives', { filters: { thread_ids: [thread_id] } });
    expect(page.body.found_chats).toBe(1);
    const day = 'date_from=2026-05-06&date_to=2026-05-06&group_by=day';
    expect(await json(`/reports/chats/total_chats?${day}`)).toEqual({ '2026-05-06': { chats: 1 } });
    expect(await json(`/reports/chats/ratings?${day}`)).toMatchObject({ '2026-05-06': { good: 1, bad: 0, chats: 1 } });
    expect(await json(`/reports/chats/first_response_time?${day}`)).toEqual({
      '2026-05-06': { first_response_time: { count: 1, seconds: 30 } },
    });
  });
});

describe('the queue', () => {
  it('gives waiting customers to whoever becomes free, in order, and counts who goes before', async () => {
    const asAnn = world.agent(ann);
    const busy = await Promise.all(
      Array.from({ length: 12 }, () => world.customer()('start_chat', { chat: { access: { group_ids: [1] } } })),
    );
    expect(busy.map(({ status }) => status)).toEqual(busy.map(() => 200));
    world.clock.now += 1;
    const [first, second] = [world.customer({ name: 'First' }), world.customer({ name: 'Second' })];
    const one = await first('start_chat', {
      chat: { access: { group_ids: [1] }, thread: { events: [message('Anybody?')] } },
    });
    world.clock.now += 1;
    const two = await second('start_chat', { chat: { access: { group_ids: [1] } } });
    const queueOf = async (chat_id: string) => (await asAnn('get_chat', { chat_id })).body.thread!.queue?.position;
    expect(await queueOf(one.body.chat_id)).toBe(1);
    expect(await queueOf(two.body.chat_id)).toBe(2);

    world.clock.now += 40;
    expect((await first('deactivate_chat', { id: one.body.chat_id })).status).toBe(200);
    world.clock.now += 1;
    expect(await queueOf(two.body.chat_id)).toBe(1);
    expect(
      (await asAnn('deactivate_chat', { id: busy[0]!.body.chat_id, ignore_requester_presence: true })).status,
    ).toBe(200);
    world.clock.now += 18;
    const served = await asAnn('get_chat', { chat_id: two.body.chat_id });
    expect(served.body.thread!.queue).toBeUndefined();
    expect(served.body.users.filter(({ type }) => type === 'agent')).toHaveLength(1);
    await second('deactivate_chat', { id: two.body.chat_id });
    const waits = await json('/reports/chats/queued_visitors?date_from=2026-05-06&date_to=2026-05-06&group_by=day');
    expect(waits).toEqual({
      '2026-05-06': { queued: { count: 2 }, left_queue: { count: 1 }, entered_chat: { count: 1 } },
    });
  });
});
