// What the documents say in passing, and clients rely on: who has access by default, until when a chat is followed, when fields are set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadedChat } from '#contract/threads.ts';
import { allowedHost } from '#network/reach.ts';
import { customerId } from '#service/names.ts';
import { mintToken } from '#service/tokens.ts';
import { pngOf } from '../../../png.ts';
import { receiver, until } from '../webhooks/receiver.ts';
import { ann, at, bob, chat } from '../tiny.ts';
import { message, parties } from './parties.ts';

type World = Awaited<ReturnType<typeof parties>>;
let world: World;
let hooks: Awaited<ReturnType<typeof receiver>>;
const setting = 'CHATLEDGER_SERVICE_OUTGOING_HOSTS';
/** Of Bob’s group alone, where nobody accepts chats at noon. */
const past = chat('2026-05-06T10:00:00Z', '2026-05-06T10:20:00Z', { groups: [2] });
const statuses = [
  {
    ...{ agent: ann, status: 'accepting chats' as const },
    ...{ from: at('2026-05-06T11:00:00Z'), to: at('2026-05-06T20:00:00Z') },
  },
];

beforeAll(async () => {
  hooks = await receiver();
  world = await parties({ chats: [past], statuses }, { reach: { hosts: [allowedHost('127.0.0.1')!], setting } });
});
afterAll(async () => {
  await world.end();
  hooks.close();
});

const inOne = { access: { group_ids: [1] } };
const chatOf = async (chat_id: string, login = ann) => (await world.agent(login)('get_chat', { chat_id })).body;

/** A chat of a new customer in group 1 that has ended. */
async function ended() {
  const customer = world.customer();
  const { chat_id, thread_id } = (await customer('start_chat', { chat: inOne })).body;
  await customer('deactivate_chat', { id: chat_id });
  world.clock.now += 1;
  return { customer, chat_id, thread_id };
}

describe('access', () => {
  it('is of all agents when a chat is resumed and nothing is said of it', async () => {
    const { customer, chat_id } = await ended();
    expect((await customer('resume_chat', { chat: { id: chat_id } })).status).toBe(200);
    expect(await chatOf(chat_id)).toMatchObject({ access: { group_ids: [0] }, thread: { access: { group_ids: [0] } } });
    await customer('deactivate_chat', { id: chat_id });
    await customer('resume_chat', { chat: { id: chat_id, ...inOne } });
    expect((await chatOf(chat_id)).access).toEqual({ group_ids: [1] });
    await customer('deactivate_chat', { id: chat_id });
    expect((await world.agent(ann)('resume_chat', { chat: { id: chat_id } })).status).toBe(200);
    expect((await chatOf(chat_id)).access).toEqual({ group_ids: [0] });
  });
  it('decides who is predicted: of an active chat its groups, else all agents, whatever groups the last thread had', async () => {
    const returning = world.signedIn(customerId(past.visitor.id));
    expect((await returning('get_predicted_agent')).body).toMatchObject({ agent: { name: 'Ann' }, queue: false });
    const waiting = world.customer();
    await waiting('start_chat', { continuous: true, chat: { access: { group_ids: [2] } } });
    expect((await waiting('get_predicted_agent')).error?.type).toBe('group_offline');
    await world.agent(ann)('set_routing_status', { status: 'not_accepting_chats' });
    world.clock.now += 1;
    expect((await returning('get_predicted_agent')).error?.type).toBe('group_unavailable');
    await world.agent(ann)('set_routing_status', { status: 'accepting_chats' });
    world.clock.now += 1;
  });
});

it('a chat is followed by whom it says, in every list, until it is active again', async () => {
  const { customer, chat_id, thread_id } = await ended();
  await world.agent(bob)('follow_chat', { id: chat_id });
  const seen = async (login: string) => {
    const as = world.agent(login);
    const [listed] = (await as('list_chats', { limit: 1 })).body.chats_summary;
    const [archived] = (await as('list_archives', { filters: { thread_ids: [thread_id] } })).body.chats;
    expect(listed!.id).toBe(chat_id);
    return [listed!.is_followed, threadedChat.parse(archived).is_followed, (await chatOf(chat_id, login)).is_followed];
  };
  expect(await seen(bob)).toEqual([true, true, true]);
  expect(await seen(ann)).toEqual([false, false, false]);
  await customer('resume_chat', { chat: { id: chat_id, ...inOne } });
  expect((await chatOf(chat_id, bob)).is_followed).toBe(false);
});

it('session fields are set at once, also in an active chat, and an update that waits is over them', async () => {
  const customer = world.customer({ name: 'Mary' });
  const { chat_id, thread_id } = (await customer('start_chat', { chat: inOne })).body;
  await customer('update_customer', { name: 'Maria', session_fields: [{ plan: 'free' }] });
  await customer('set_customer_session_fields', { session_fields: [{ plan: 'gold' }, { cart: '3' }] });
  const fields = [{ plan: 'gold' }, { cart: '3' }];
  expect((await customer('get_customer')).body).toMatchObject({ name: 'Mary', session_fields: fields });
  expect((await chatOf(chat_id)).users.find(({ type }) => type === 'customer')).toMatchObject({
    session_fields: fields,
  });
  await customer('deactivate_chat', { id: chat_id });
  expect((await customer('get_customer')).body).toMatchObject({ name: 'Maria', session_fields: fields });
  const archived = (await (await world.ask(`/chats/${thread_id}`)).json()) as { custom_variables: unknown };
  expect(archived.custom_variables).toEqual([
    { key: 'plan', value: 'gold' },
    { key: 'cart', value: '3' },
  ]);
});

it('a chat and its thread can begin with no properties', async () => {
  const chat_of_nothing = { ...inOne, properties: {}, thread: { properties: {}, events: [] } };
  expect((await world.customer()('start_chat', { chat: chat_of_nothing })).status).toBe(200);
  const { chat_id } = await ended();
  expect((await world.agent(ann)('resume_chat', { chat: { id: chat_id, ...chat_of_nothing } })).status).toBe(200);
  expect((await world.agent(ann)('update_chat_properties', { id: chat_id, properties: {} })).status).toBe(422);
});

it('a page of the threads of one chat is none of another', async () => {
  const { customer, chat_id } = await ended();
  await customer('resume_chat', { chat: { id: chat_id } });
  const other = await ended();
  const { next_page_id: page_id } = (await world.agent(ann)('list_threads', { chat_id, limit: 1 })).body;
  expect((await world.agent(ann)('list_threads', { chat_id, page_id })).body.threads).toHaveLength(1);
  expect((await world.agent(ann)('list_threads', { chat_id: other.chat_id, page_id })).error?.type).toBe('validation');
});

it('an event has a file that was uploaded here, by whatever name of this machine, and no other', async () => {
  const customer = world.customer();
  const { chat_id } = (await customer('start_chat', { chat: inOne })).body;
  const url = await customer.upload(new File(['hello'], 'a.txt', { type: 'text/plain' }));
  const send = (address: string) => customer('send_event', { chat_id, event: { type: 'file', url: address } });
  const { host } = new URL(url);
  const strange = [
    'https://example.com/a.txt',
    url.replace(host, 'files.example'),
    `${new URL(url).origin}/a.txt`,
    `https://example.com/?${url}`,
  ];
  for (const each of strange) expect((await send(each)).error?.type, each).toBe('validation');
  for (const each of [url, url.replace('127.0.0.1', 'localhost')]) expect((await send(each)).status, each).toBe(200);
  const files = (await chatOf(chat_id)).thread!.events!.filter(({ type }) => type === 'file');
  expect(files.map(({ name, content_type }) => [name, content_type])).toEqual([
    ['a.txt', 'text/plain'],
    ['a.txt', 'text/plain'],
  ]);
});

it('an image says how large it is, and a file that is none says its bytes alone', async () => {
  const customer = world.customer();
  const { chat_id } = (await customer('start_chat', { chat: inOne })).body;
  const png = new Uint8Array(pngOf(30, 20));
  for (const [bytes, type] of [
    [png, 'image/png'],
    [png.subarray(0, 10), 'image/png'],
    [png, 'text/plain'],
  ] as const) {
    const url = await customer.upload(new File([bytes], 'a', { type }));
    expect((await customer('send_event', { chat_id, event: { type: 'file', url } })).status).toBe(200);
  }
  const [image, ...others] = (await chatOf(chat_id)).thread!.events!.filter(({ type }) => type === 'file');
  const { url } = image!;
  const shown = { width: 30, height: 20, thumbnail_url: url, thumbnail2x_url: url };
  expect(image).toMatchObject({ ...shown, content_type: 'image/png', size: png.length });
  expect(others.map(({ size, width, thumbnail_url }) => ({ size, width, thumbnail_url }))).toEqual([
    { size: 10 },
    { size: png.length },
  ]);
});

it('a webhook carries the properties of the chat as get_chat shows them, whatever its thread has', async () => {
  const token = world.opened((store) => mintToken(store, { agent: 'owner@example.com', scopes: 'all' }));
  const configure = async (name: string, body: object) => {
    const url = `${world.service().url}/v3.5/configuration/action/${name}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  const hook = { url: hooks.url, action: 'incoming_event', secret_key: 's', type: 'license', owner_client_id: 'mine' };
  await configure('register_webhook', { ...hook, additional_data: ['chat_properties'] });
  await configure('enable_license_webhooks', { client_id: 'mine' });
  const customer = world.customer();
  const { chat_id, thread_id } = (await customer('start_chat', { continuous: true, chat: inOne })).body;
  const as = world.agent(ann);
  await as('update_thread_properties', { chat_id, thread_id, properties: { own: { of_thread: 1 } } });
  await as('update_chat_properties', { id: chat_id, properties: { routing: { pinned: true }, own: { of_chat: 1 } } });
  await customer('send_event', { chat_id, event: message('Hello') });
  await until(() => hooks.received.length > 0);
  const { properties } = await chatOf(chat_id);
  expect(properties).toMatchObject({ routing: { continuous: true, pinned: true }, own: { of_chat: 1 } });
  expect(hooks.received[0]!.body.additional_data).toEqual({ chat_properties: properties });
});

it('an address to call back that is not on the public internet is refused at once, unless it is allowed', async () => {
  const customer = world.customer({ email: 'mary@example.com' });
  const verify = async (callback_uri: string) => (await customer('request_email_verification', { callback_uri })).error;
  for (const host of ['10.0.0.1', 'localhost:8080', '[::ffff:127.0.0.1]'])
    expect(await verify(`http://${host}/verified`), host).toMatchObject({
      type: 'validation',
      message: expect.stringContaining(setting) as string,
    });
  for (const allowed of ['https://example.com/', 'http://127.0.0.1:1/'])
    expect((await verify(allowed))?.message).toContain('sends no mail');
});
