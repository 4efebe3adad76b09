// How a chat is shown while it goes on: who has it, in which mode it is, and whose client began it.
import { afterEach, expect, it } from 'vitest';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { chatIdOf } from '#service/names.ts';
import { ann, chat } from '../tiny.ts';
import { message, noon, parties } from './parties.ts';

let world: Awaited<ReturnType<typeof parties>>;
afterEach(() => world.end());

it('an open chat of the simulated account is in the hands of its last agent', async () => {
  const open = chat('2026-05-06T11:55:00Z', '2026-05-06T12:20:00Z');
  world = await parties({ chats: [open] });
  const { body } = await world.agent(ann)('get_chat', { chat_id: chatIdOf(open.visitor.id) });
  expect(body.thread).toMatchObject({ active: true, properties: { routing: { unassigned: false } } });
  expect(body.users.find(({ id }) => id === ann)).toMatchObject({ present: true });
});

it('a continuous chat needs nobody online, and says so', async () => {
  world = await parties({ statuses: [] });
  const mary = world.customer();
  expect((await mary('start_chat')).error).toMatchObject({ type: 'groups_offline' });
  const { body } = await mary('start_chat', { continuous: true });
  const shown = await mary('get_chat', { chat_id: body.chat_id });
  expect(shown.body.thread!.active).toBe(true);
  expect(shown.body.properties).toMatchObject({ routing: { continuous: true } });
  const seen = await world.agent(ann)('get_chat', { chat_id: body.chat_id });
  expect(seen.body.thread!.properties).toMatchObject({ routing: { continuous: true, unassigned: true } });
});

it('a chat that a client began is that client’s', async () => {
  world = await parties({ now: noon });
  const mary = world.customer();
  const store = openStore(world.options.file);
  const token = mintToken(store, { kind: 'customer', agent: mary.id, scopes: [], client_id: 'shop' });
  store.close();
  const url = `${world.service().url}/v3.3/customer/action/start_chat?license_id=${world.license}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { chat_id } = (await (await fetch(url, { method: 'POST', headers, body: '{}' })).json()) as { chat_id: string };
  const { body } = await world.agent(ann)('get_chat', { chat_id });
  expect(body.thread!.properties).toMatchObject({ source: { client_id: 'shop', customer_client_id: 'shop' } });
});

it('a customer sees their own words to agents alone, and nobody else’s', async () => {
  world = await parties();
  const mary = world.customer();
  const { chat_id } = (await mary('start_chat', { chat: { access: { group_ids: [1] } } })).body;
  await mary('send_event', { chat_id, event: { ...message('my secret'), recipients: 'agents' } });
  const seen = (await world.agent(ann)('get_chat', { chat_id })).body;
  const holder = seen.users.find(({ type, present }) => type === 'agent' && present)!.id;
  await world.agent(holder)('send_event', { chat_id, event: { ...message('their secret'), visibility: 'agents' } });
  const own = (await mary('get_chat', { chat_id })).body.thread!.events;
  expect(own.map(({ text, recipients }) => [text, recipients])).toEqual([['my secret', 'agents']]);
});

it('a chat of agents can be resumed with a customer, and is the customer’s from then on', async () => {
  world = await parties();
  const [asAnn, mary] = [world.agent(ann), world.customer({ name: 'Mary' })];
  const { chat_id, thread_id } = (await asAnn('start_chat')).body;
  await asAnn('deactivate_chat', { id: chat_id });
  const users = [{ id: mary.id, type: 'customer' }];
  const resumed = await asAnn('resume_chat', { chat: { id: chat_id, users } });
  expect(resumed.status).toBe(200);
  expect((await mary('list_chats')).body.chats_summary.map(({ id }) => id)).toEqual([chat_id]);
  expect((await world.ask(`/chats/${resumed.body.thread_id}?include_pending=1`)).status).toBe(200);
  expect((await world.ask(`/chats/${thread_id}?include_pending=1`)).status).toBe(404);
  expect((await asAnn('start_chat', { chat: { users } })).error).toMatchObject({ type: 'limit_reached' });
});

it('a thread takes two million characters of events, and is as it was when it refuses more', async () => {
  world = await parties();
  const mary = world.customer();
  const { chat_id } = (await mary('start_chat', { chat: { access: { group_ids: [1] } } })).body;
  const long = { ...message('x'.repeat(16_384)), properties: { test: { string_property: 'y'.repeat(3_900) } } };
  let last = await mary('send_event', { chat_id, event: long });
  let sent = 0;
  for (; last.status === 200 && sent < 200; sent++) last = await mary('send_event', { chat_id, event: long });
  expect(last.error).toMatchObject({ type: 'limit_reached' });
  expect(sent).toBe(121);
  expect((await mary('get_chat', { chat_id })).body.thread!.events).toHaveLength(sent);
});

it('agents see no properties that customers alone may read, in no answer', async () => {
  world = await parties();
  const mary = world.customer();
  const hidden = { lc2: { welcome_author_id: 'bot', welcome_text: 'Hello' } };
  const { chat_id, thread_id } = (
    await mary('start_chat', {
      chat: { properties: hidden, thread: { properties: { ...hidden, routing: { ignore_bots: true } } } },
    })
  ).body;
  const own = (await mary('get_chat', { chat_id })).body;
  expect(own.properties).toMatchObject(hidden);
  expect(own.thread!.properties).toMatchObject({ ...hidden, routing: { ignore_bots: true } });
  const asAnn = world.agent(ann);
  await asAnn('deactivate_chat', { id: chat_id });
  world.clock.now += 1;
  const answers = [
    await asAnn('get_chat', { chat_id }),
    await asAnn('list_chats'),
    await asAnn('list_threads', { chat_id }),
    await asAnn('list_archives', { filters: { thread_ids: [thread_id] } }),
  ].map(({ body }) => JSON.stringify(body));
  for (const answer of answers) {
    expect(answer).toContain(thread_id);
    expect(answer).not.toMatch(/welcome_author_id|welcome_text|ignore_bots/);
  }
  const found = async (properties: object) =>
    (await asAnn('list_archives', { filters: { properties } })).body.found_chats;
  expect(await found({ routing: { continuous: { values: [false] } } })).toBe(1);
  expect(await found({ lc2: { welcome_text: { values: ['Hello'] } } })).toBe(0);
});
