// What callers of the v3 APIs could break or should not see: ids of events, hidden events, rights, limits, chats of the simulation that they touch.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerId, chatIdOf } from '#service/names.ts';
import { ann, at, bob, chat, lines } from '../tiny.ts';
import { message, parties } from './parties.ts';

type World = Awaited<ReturnType<typeof parties>>;
let world: World;
const began = '2026-05-06T11:50:00Z';
/** Open at noon, and would end by itself at half past; the same visitor comes back at a quarter past one. */
const open = chat(began, '2026-05-06T12:30:00Z', { events: lines(began, 'v0', 'a10') });
const again = chat('2026-05-06T13:15:00Z', '2026-05-06T13:20:00Z', {
  visitor: { ...open.visitor, city: 'Gdańsk' },
});
/** Ended before noon, and is rated at five past. */
const rated = chat('2026-05-06T11:00:00Z', '2026-05-06T11:20:00Z', {
  prechat_survey: [{ key: 'Name:', value: 'Mary', id: '1' }],
  events: lines('2026-05-06T11:00:00Z', 'v0', 'a10'),
  ratings: [{ at: at('2026-05-06T12:05:00Z'), rate: 'rated_good' }],
});
beforeAll(async () => {
  world = await parties({ chats: [open, again, rated] });
});
afterAll(() => world.end());

const eventsOf = async (as: ReturnType<World['agent']>, chat_id: string, thread_id?: string) =>
  (await as('get_chat', { chat_id, thread_id })).body.thread!.events!;
const inOne = { access: { group_ids: [1] } };

describe('event ids', () => {
  it('are unique when a form is sent to a chat with a survey and events are attached before and after a late rating', async () => {
    const mary = world.signedIn(customerId(rated.visitor.id));
    const chat_id = chatIdOf(rated.visitor.id);
    const before = await eventsOf(world.agent(ann), chat_id);
    const filled = {
      type: 'filled_form',
      form_id: 'f',
      fields: [{ id: 'q', type: 'question', label: 'Q', answer: 'A' }],
    };
    const attach = { chat_id, attach_to_last_thread: true };
    expect((await mary('send_event', { ...attach, event: filled })).status).toBe(200);
    world.clock.now = at('2026-05-06T12:06:00Z');
    expect((await mary('send_event', { ...attach, event: message('One more thing') })).status).toBe(200);
    const after = await eventsOf(world.agent(ann), chat_id);
    expect(after.slice(0, before.length).map(({ id, type }) => [id, type])).toEqual(
      before.map(({ id, type }) => [id, type]),
    );
    expect(after).toHaveLength(before.length + 3);
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    const archived = (await (await world.ask(`/chats/${rated.id}`)).json()) as { postchat_survey: unknown[] };
    expect(archived.postchat_survey).toEqual([{ key: 'Q', value: 'A', id: 'q' }]);
  });
  it('are unique in a thread that begins inactive, which ends with a closing line', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', {
      active: false,
      chat: { ...inOne, thread: { events: [message('Later')] } },
    });
    const events = await eventsOf(world.agent(ann), body.chat_id);
    expect(events.map(({ id, system_message_type }) => [id, system_message_type])).toEqual([
      [`${body.thread_id}_1`, undefined],
      [`${body.thread_id}_2`, 'manual_archived_customer'],
    ]);
    expect(body.event_ids).toEqual([`${body.thread_id}_1`]);
  });
});

describe('threads that begin within one second', () => {
  it('stand in the order in which they began, for whoever lists them, opens the chat or writes to the last one', async () => {
    for (let chats = 0; chats < 4; chats++) {
      const [mary, agent] = [world.customer(), world.agent(ann)];
      const { chat_id, thread_id } = (await mary('start_chat', { chat: inOne })).body;
      const begun = [thread_id];
      for (let times = 0; times < 4; times++) {
        expect((await mary('deactivate_chat', { id: chat_id })).status).toBe(200);
        begun.push((await mary('resume_chat', { chat: { id: chat_id } })).body.thread_id);
      }
      await mary('deactivate_chat', { id: chat_id });
      for (const [place, own] of begun.entries()) {
        const { thread } = (await agent('get_chat', { chat_id, thread_id: own })).body;
        expect([thread!.previous_thread_id, thread!.next_thread_id]).toEqual([begun[place - 1], begun[place + 1]]);
      }
      expect((await agent('get_chat', { chat_id })).body.thread!.id).toBe(begun.at(-1));
      const listed = (await agent('list_threads', { chat_id, limit: 5 })).body as unknown as {
        threads: { id: string }[];
      };
      expect(listed.threads.map(({ id }) => id)).toEqual(begun.toReversed());
      await mary('send_event', { chat_id, attach_to_last_thread: true, event: message('One more thing') });
      expect((await eventsOf(agent, chat_id, begun.at(-1))).at(-1)).toMatchObject({ text: 'One more thing' });
    }
  });
});

describe('customers', () => {
  it('cannot write to events that only agents see, nor press their buttons', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    const place = { chat_id: body.chat_id, thread_id: body.thread_id };
    const [agent] = (await world.agent(ann)('get_chat', place)).body.users.filter(({ type }) => type === 'agent');
    const buttons = [{ text: 'B', postback_id: 'b', user_ids: [] }];
    const elements = [{ title: 'T', buttons }];
    const event = { type: 'rich_message', template_id: 'cards', elements, visibility: 'agents' };
    const { event_id } = (await world.agent(agent!.id)('send_event', { chat_id: body.chat_id, event })).body;
    const properties = { own: { a: 1 } };
    const asked = { ...place, event_id };
    const answers = [
      await mary('update_event_properties', { ...asked, properties }),
      await mary('delete_event_properties', { ...asked, properties: { own: ['a'] } }),
      await mary('send_rich_message_postback', { ...asked, postback: { id: 'b', toggled: true } }),
    ];
    expect(answers.map(({ error }) => error?.type)).toEqual(['not_found', 'not_found', 'not_found']);
    expect((await world.agent(ann)('update_event_properties', { ...asked, properties })).status).toBe(200);
    const press = (id: string) =>
      world.agent(ann)('send_rich_message_postback', { ...asked, postback: { id, toggled: true } });
    expect((await press('b')).status).toBe(200);
    expect((await press('c')).error).toMatchObject({
      ...{ type: 'validation', message: 'postback.id: the rich message has no button c' },
    });
  });
  it('do not learn the login of an agent who was removed', async () => {
    const gone = 'gone@example.com';
    const admin = { authorization: `Basic ${btoa('owner@example.com:secret')}`, 'content-type': 'application/json' };
    const made = await fetch(`${world.service().url}/agents`, {
      method: 'POST',
      headers: admin,
      body: JSON.stringify({ login: gone, name: 'Gone', groups: [2] }),
    });
    expect(made.status).toBe(200);
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: { access: { group_ids: [2] } } });
    const as = { chat_id: body.chat_id, user_id: gone, user_type: 'agent', visibility: 'all' };
    expect((await world.agent(ann)('add_user_to_chat', { ...as, ignore_requester_presence: true })).status).toBe(200);
    const leaving = { chat_id: body.chat_id, user_id: bob, user_type: 'agent' };
    expect((await world.agent(bob)('remove_user_from_chat', leaving)).status).toBe(200);
    expect((await world.ask(`/agents/${gone}`, undefined, 'DELETE')).status).toBe(200);
    world.clock.now += 1;
    const shown = JSON.stringify((await mary('get_chat', { chat_id: body.chat_id })).body);
    expect(shown).toContain('because Gone account had been deleted');
    expect(shown).not.toContain('gone@');
  });
  it('are told the end of version 3.3 by every response, without a date that of the year to come', async () => {
    const mary = world.customer();
    const told = async (path: string) => {
      const url = `${world.service().url}${path}?license_id=${world.license}`;
      const answer = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${mary.token}` },
        body: '{}',
      });
      return [answer.status, answer.headers.get('legacy'), answer.headers.get('deprecation')];
    };
    const customer = '/v3.3/customer/action';
    expect(await told(`${customer}/get_customer`)).toEqual([200, '2027-12-31', null]);
    expect(await told(`${customer}/get_chat`)).toEqual([422, '2027-12-31', null]);
    expect(await told('/v3.5/agent/action/list_chats')).toEqual([401, null, null]);
    world.options.lifecycle = { legacy: '2027-05-31', deprecation: '2026-12-31' };
    await world.restart();
    expect(await told(`${customer}/get_customer`)).toEqual([200, '2027-05-31', null]);
    expect(await told('/oauth/token')).toEqual([401, null, null]);
    expect(await told('/configuration/action/list_webhooks')).toEqual([400, null, null]);
    delete world.options.lifecycle;
  });
});

describe('agents', () => {
  it('attach events only to chats in which they were', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    await mary('deactivate_chat', { id: body.chat_id });
    const { users } = (await world.agent(ann)('get_chat', { chat_id: body.chat_id })).body;
    const own = users.find(({ type }) => type === 'agent')!.id;
    const asked = { chat_id: body.chat_id, attach_to_last_thread: true, event: message('Late') };
    expect((await world.agent(own)('send_event', asked)).status).toBe(200);
    expect((await world.agent('owner@example.com')('send_event', asked)).error?.type).toBe('authorization');
  });
  it('write to the chats of their groups only when that is what the token may, even if it may read all', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: { access: { group_ids: [2] } } });
    const mixed = world.agent(ann, ['chats--all:ro', 'chats--access:rw']);
    expect((await mixed('get_chat', { chat_id: body.chat_id })).status).toBe(200);
    const tag = { chat_id: body.chat_id, thread_id: body.thread_id, tag: 'a' };
    expect((await mixed('tag_thread', tag)).error?.type).toBe('missing_access');
    expect((await world.agent(bob, ['chats--access:rw'])('tag_thread', tag)).status).toBe(200);
  });
  it('cannot bring a banned customer into a chat', async () => {
    const mary = world.customer();
    const asAnn = world.agent(ann);
    const { chat_id } = (await asAnn('start_chat')).body;
    expect((await asAnn('ban_customer', { id: mary.id, ban: { days: 1 } })).status).toBe(200);
    const asked = { chat_id, user_id: mary.id, user_type: 'customer', visibility: 'all' };
    expect((await asAnn('add_user_to_chat', asked)).error?.type).toBe('authorization');
  });
  it('who send a chat to busy groups leave it to the next free agent', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: { access: { group_ids: [2] } } });
    const asBob = world.agent(bob);
    expect((await asBob('set_routing_status', { status: 'not_accepting_chats' })).status).toBe(200);
    const moved = { id: body.chat_id, target: { type: 'group', ids: [2] }, ignore_agents_availability: true };
    expect((await asBob('transfer_chat', { ...moved, ignore_agents_availability: false })).error?.type).toBe(
      'agent_offline',
    );
    expect((await asBob('transfer_chat', moved)).status).toBe(200);
    const present = async () =>
      (await asBob('get_chat', { chat_id: body.chat_id })).body.users.filter(
        (user) => user.type === 'agent' && user.present,
      );
    expect(await present()).toEqual([]);
    world.clock.now += 5;
    expect((await asBob('set_routing_status', { status: 'accepting_chats' })).status).toBe(200);
    world.clock.now += 5;
    expect((await present()).map(({ id }) => id)).toEqual([bob]);
  });
});

describe('limits and odd values', () => {
  it('refuse an address without a host, and take a file name of emoji', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    const sent = await mary('send_event', { chat_id: body.chat_id, event: { type: 'file', url: 'http://' } });
    expect(sent.error?.type).toBe('validation');
    const url = await mary.upload(new File(['x'], `x${'😀'.repeat(200)}.txt`, { type: 'text/plain' }));
    expect(await (await fetch(url)).text()).toBe('x');
  });
  it('bound what an owner of properties has, over any number of requests', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    const many = (first: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${first + n}`, { a: 1 }]));
    const put = (properties: unknown) => mary('update_chat_properties', { id: body.chat_id, properties });
    expect((await put(many(0, 50))).status).toBe(200);
    expect((await put(many(25, 25))).status).toBe(200);
    expect((await put(many(50, 1))).error?.type).toBe('validation');
    const asAnn = world.agent(ann);
    const more = await asAnn('update_chat_properties', { id: body.chat_id, properties: many(50, 1) });
    expect(more.error?.type).toBe('limit_reached');
    const long = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`n${n}`, 'x'.repeat(4_000)]));
    expect((await put({ n0: long })).error?.type).toBe('validation');
  });
  it('take `constructor` for a name like any other', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    const asAnn = world.agent(ann);
    const id = body.chat_id;
    const properties = { constructor: { name: 'own' }, toString: { length: 2 } };
    expect((await mary('update_chat_properties', { id, properties })).status).toBe(200);
    expect((await mary('get_chat', { chat_id: id })).body.properties).toMatchObject(properties);
    expect((await asAnn('delete_chat_properties', { id, properties: { toString: ['length'] } })).status).toBe(200);
    const asked = { filters: { properties: { constructor: { name: { exists: true } } } } };
    expect((await asAnn('list_chats', asked)).body.chats_summary.map((each) => each.id)).toEqual([id]);
    const proto =
      '{"chat_id":1,"__proto__":{"chat_id":"x"},"id":"' +
      id +
      '","properties":{"__proto__":{"a":1},"o":{"__proto__":1}}}';
    const answer = await mary('update_chat_properties', JSON.parse(proto));
    expect([200, 422]).toContain(answer.status);
    const phrases = await mary('get_localization', { group_id: 0, language: 'valueOf', version: 'x' });
    expect(phrases.error?.type).toBe('validation');
  });
  it('hold for page ids that somebody made', async () => {
    const mary = world.customer();
    const { body } = await mary('start_chat', { chat: inOne });
    const first = { order: 'desc', limit: 1_000_000 };
    const made = Buffer.from(
      JSON.stringify({ list: 'threads', first, beside: [0, ''], is_before: false, issued: world.clock.now }),
    ).toString('base64url');
    expect((await mary('list_threads', { chat_id: body.chat_id, page_id: made })).error?.type).toBe('validation');
  });
  it('let a page follow one that many filters made', async () => {
    const asAnn = world.agent(ann);
    world.customer();
    const values = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(255, 'x'));
    const filters = { country: { exclude_values: values }, name: { exclude_values: values } };
    const { next_page_id } = (await asAnn('list_customers', { limit: 1, filters })).body;
    expect((await asAnn('list_customers', { page_id: next_page_id })).body.customers).toHaveLength(1);
  });
});

describe('a chat of the simulation', () => {
  it('makes the change of its customer when it has ended, and ends when the visitor comes back', async () => {
    const asAnn = world.agent(ann);
    const id = customerId(open.visitor.id);
    const chat_id = chatIdOf(open.visitor.id);
    expect(world.clock.now).toBeLessThan(open.ended);
    expect((await asAnn('update_customer', { id, name: 'Maria' })).status).toBe(200);
    expect((await asAnn('get_customer', { id })).body.name).toBe('Mary Brown');
    world.clock.now = at('2026-05-06T12:40:00Z');
    expect((await asAnn('get_chat', { chat_id })).body.thread!.active).toBe(true);
    expect((await asAnn('send_event', { chat_id, event: message('Are you there?') })).status).toBe(200);
    world.clock.now = at('2026-05-06T13:16:00Z');
    const { threads } = (await asAnn('list_threads', { chat_id, sort_order: 'asc' })).body;
    expect(threads.map((thread) => [thread.id, thread.active])).toEqual([
      [open.id, false],
      [again.id, true],
    ]);
    expect(threads[0]!.events!.at(-1)!.system_message_type).toBe('archived_customer_disconnected');
    expect((await asAnn('get_customer', { id })).body.name).toBe('Maria');
  });
  it('that lies ahead of the clock tells nothing of its visitor', async () => {
    const later = chat('2026-05-06T19:00:00Z', '2026-05-06T19:05:00Z');
    const early = await parties({ chats: [later] });
    try {
      const asAnn = early.agent(ann);
      const id = customerId(later.visitor.id);
      expect((await asAnn('get_customer', { id })).error?.type).toBe('not_found');
      expect((await asAnn('get_chat', { chat_id: chatIdOf(later.visitor.id) })).error?.type).toBe('not_found');
      const sent = await asAnn('multicast', { recipients: { customers: { ids: [id] } }, content: 1 });
      expect(sent.error?.type).toBe('validation');
      expect((await asAnn('list_customers')).body.total_customers).toBe(0);
      expect((await asAnn('list_chats')).body.found_chats).toBe(0);
    } finally {
      await early.end();
    }
  });
});
