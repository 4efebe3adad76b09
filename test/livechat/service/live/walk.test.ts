// The 69 actions of the two chat APIs, walked by the contract: each answers, and refuses arguments that are missing, wrong, empty or over a limit, and callers without right.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ActionV3 } from '#contract/actions.ts';
import { agentActions } from '#contract/agent-chat.ts';
import { customerChat, openToAnybody, type CustomerActionName } from '#contract/customer-chat.ts';
import { ann } from '../tiny.ts';
import { message, parties } from './parties.ts';

type Body = Record<string, unknown>;
let world: Awaited<ReturnType<typeof parties>>;
let page: Server;
let page_url: string;
beforeAll(async () => {
  page = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<title>Page</title>'));
  await new Promise<void>((ready) => page.listen(0, '127.0.0.1', ready));
  const { port } = page.address() as AddressInfo;
  page_url = `http://127.0.0.1:${port}/`;
  const reach = { hosts: [{ name: '127.0.0.1', port }], setting: 'a test' };
  world = await parties({}, { sendMail: () => Promise.resolve(), reach });
});
afterAll(async () => {
  page.close();
  await world.end();
});

const mary = () => world.customer({ name: 'Mary', email: 'mary@example.com' });
const properties = { own: { a: 1 } };
const names = { own: ['a'] };
const buttons = [{ text: 'B', postback_id: 'b', user_ids: [] }];
const rich = { type: 'rich_message', template_id: 'cards', elements: [{ title: 'T', buttons }] };

/** A chat of Ann with a customer and a rich message in it. */
async function talk() {
  const customer = mary();
  const asAnn = world.agent(ann);
  const { body } = await asAnn('start_chat', { chat: { users: [{ id: customer.id, type: 'customer' }] } });
  const { event_id } = (await asAnn('send_event', { chat_id: body.chat_id, event: rich })).body;
  await asAnn('tag_thread', { ...body, tag: 'a' });
  return { customer, ...body, event_id };
}
type Talk = Awaited<ReturnType<typeof talk>>;

const ofChat = ({ chat_id }: Talk): Body => ({ chat_id });
const byId = ({ chat_id: id }: Talk): Body => ({ id });
const ofThread = ({ chat_id, thread_id }: Talk): Body => ({ chat_id, thread_id });
const ofEvent = ({ chat_id, thread_id, event_id }: Talk): Body => ({ chat_id, thread_id, event_id });
const ofCustomer = ({ customer: { id } }: Talk): Body => ({ id });
const said = (it_: Talk): Body => ({ ...ofChat(it_), event: message('Hello') });
const pressed = (it_: Talk): Body => ({ ...ofEvent(it_), postback: { id: 'b', toggled: true } });
const seen = (it_: Talk): Body => ({ ...ofChat(it_), seen_up_to: '2026-05-06T12:00:00.000000Z' });

/** Bodies that are taken, of what takes more than nothing. */
const ofBoth: Record<string, (it_: Talk) => Body> = {
  list_threads: ofChat,
  get_chat: ofChat,
  deactivate_chat: byId,
  send_event: said,
  send_rich_message_postback: pressed,
  update_chat_properties: (it_) => ({ ...byId(it_), properties }),
  delete_chat_properties: (it_) => ({ ...byId(it_), properties: names }),
  update_thread_properties: (it_) => ({ ...ofThread(it_), properties }),
  delete_thread_properties: (it_) => ({ ...ofThread(it_), properties: names }),
  update_event_properties: (it_) => ({ ...ofEvent(it_), properties }),
  delete_event_properties: (it_) => ({ ...ofEvent(it_), properties: names }),
  mark_events_as_seen: seen,
  resume_chat: ({ chat_id }) => ({ chat: { id: chat_id } }),
};
const ofAgents: typeof ofBoth = {
  ...ofBoth,
  follow_chat: byId,
  unfollow_chat: byId,
  transfer_chat: (it_) => ({ ...byId(it_), target: { type: 'agent', ids: [ann] } }),
  add_user_to_chat: (it_) => ({ ...ofChat(it_), user_id: 'bob@example.com', user_type: 'agent', visibility: 'all' }),
  remove_user_from_chat: (it_) => ({ ...ofChat(it_), user_id: ann, user_type: 'agent' }),
  list_agents_for_transfer: ofChat,
  tag_thread: (it_) => ({ ...ofThread(it_), tag: 'b' }),
  untag_thread: (it_) => ({ ...ofThread(it_), tag: 'a' }),
  send_typing_indicator: (it_) => ({ ...ofChat(it_), is_typing: true }),
  multicast: () => ({ recipients: { agents: { all: true } }, content: 1 }),
  get_customer: ofCustomer,
  update_customer: (it_) => ({ ...ofCustomer(it_), name: 'Maria' }),
  ban_customer: (it_) => ({ ...ofCustomer(it_), ban: { days: 1 } }),
  follow_customer: ofCustomer,
  unfollow_customer: ofCustomer,
  set_routing_status: () => ({ status: 'accepting_chats' }),
};
const ofCustomers: typeof ofBoth = {
  ...ofBoth,
  send_sneak_peek: (it_) => ({ ...ofChat(it_), sneak_peek_text: 'Hel' }),
  list_group_properties: () => ({ id: 1 }),
  update_customer: () => ({ name: 'Maria' }),
  set_customer_session_fields: () => ({ session_fields: [{ a: 'b' }] }),
  list_group_statuses: () => ({ all: true }),
  check_goals: () => ({ session_fields: [], group_id: 1, page_url: 'https://e.com' }),
  get_form: () => ({ group_id: 1, type: 'prechat' }),
  get_url_info: () => ({ url: page_url }),
  accept_greeting: () => ({ greeting_id: 5, unique_id: 'u' }),
  cancel_greeting: () => ({ unique_id: 'u' }),
  request_email_verification: () => ({ callback_uri: page_url }),
};

type Api = 'agent' | 'customer';
const all = [
  ...Object.entries<ActionV3>(agentActions).map(([name, action]) => ({ api: 'agent' as Api, name, action })),
  ...Object.entries<ActionV3>(customerChat).map(([name, action]) => ({ api: 'customer' as Api, name, action })),
];
type Each = (typeof all)[number];

async function send({ api, name, action }: Each, token: string | undefined, body: unknown, own: RequestInit = {}) {
  const version = api === 'agent' ? 'v3.5' : 'v3.3';
  const query = api === 'customer' ? `?license_id=${world.license}` : '';
  const form = new FormData();
  for (const [field, value] of Object.entries((body ?? {}) as Body)) form.append(field, value as string);
  const answer = await fetch(`${world.service().url}/${version}/${api}/action/${name}${query}`, {
    method: 'POST',
    body: action.is_upload ? form : typeof body === 'string' ? body : JSON.stringify(body),
    ...own,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...own.headers },
  });
  const json = (await answer.json()) as { error?: { type: string; message: string } };
  return { status: answer.status, body: json, type: json.error?.type, words: json.error?.message ?? '' };
}

const tokenOf = (scopes: readonly string[] | 'all', more: { seconds?: number; region?: 'dal' | 'fra' } = {}): string =>
  world.minted({ agent: ann, scopes, ...more }, world.clock.now);

/** A chat as the action wants it, who asks, and a body that is taken. */
async function prepared({ api, name, action }: Each) {
  const it_ = await talk();
  const is_new = api === 'customer' && name === 'start_chat';
  if (name === 'resume_chat' || name === 'unfollow_chat') await world.agent(ann)('deactivate_chat', byId(it_));
  const token = api === 'agent' ? tokenOf('all') : is_new ? mary().token : it_.customer.token;
  const file = { file: new File(['x'], 'x.txt', { type: 'text/plain' }) };
  const bodies = api === 'agent' ? ofAgents : ofCustomers;
  const body: Body = action.is_upload ? file : (bodies[name]?.(it_) ?? {});
  if (name === 'get_configuration' || name === 'get_localization') {
    const { config_version, localization_version } = (await it_.customer('get_dynamic_configuration')).body;
    if (name === 'get_configuration') Object.assign(body, { group_id: 0, version: config_version });
    else Object.assign(body, { group_id: 0, language: 'en', version: localization_version });
  }
  const done = () => world.agent(ann)('deactivate_chat', { ...byId(it_), ignore_requester_presence: true });
  return { token, body, done };
}

/** Values among which each argument refuses some: of other types, empty, and beyond any limit. */
const candidates = {
  'wrong type': [7, 'x', true, ['x'], { x: 7 }, null],
  empty: ['', [], {}],
  'over the limit': [
    'x'.repeat(20_001),
    -1,
    0,
    1e9,
    Array.from({ length: 1001 }, (_, n) => n),
    { ['x'.repeat(300)]: 1 },
  ],
};

const shapeOf = ({ args }: ActionV3): Record<string, z.ZodType> =>
  (args as z.ZodObject<Record<string, z.ZodType>>).shape;

/** What was tried of each action. */
const table = new Map<string, Record<string, string[]>>();

describe('the 69 actions', () => {
  it('are 36 and 33', () => {
    expect([Object.keys(agentActions).length, Object.keys(customerChat).length]).toEqual([36, 33]);
  });
  it.each(all)('$api $name answers, and refuses what is wrong', async (each) => {
    const { action, api, name } = each;
    const { token, body, done } = await prepared(each);
    const is_open = openToAnybody.includes(name as CustomerActionName) && api === 'customer';
    const row: Record<string, string[]> = { happy: [], arguments: [], errors: [], scopes: [] };
    table.set(`${api} ${name}`, row);
    if (!is_open) {
      expect((await send(each, undefined, body)).type).toBe('authentication');
      const other = api === 'agent' ? mary().token : tokenOf('all');
      expect((await send(each, other, body)).type).toBe('authentication');
      expect((await send(each, 'dal:nobody', body)).type).toBe('authentication');
      expect((await send(each, 'fra:nobody', body)).type).toBe('misdirected_request');
      if (api === 'agent') {
        const old = tokenOf('all', { seconds: 10 });
        world.clock.now += 11;
        expect((await send(each, old, body)).type).toBe('authentication');
        world.clock.now -= 11;
      }
      row.errors!.push('authentication', 'misdirected_request');
    }
    if (action.scopes.length > 0) {
      expect((await send(each, tokenOf(['tickets_read']), body)).type).toBe('authorization');
      row.scopes!.push(...action.scopes);
    } else row.scopes!.push('any token');
    if (!action.is_get)
      expect((await send(each, token, undefined, { method: 'GET', body: null })).type).toBe('validation');
    if (!action.is_upload) expect((await send(each, token, 'no JSON')).type).toBe('validation');
    row.errors!.push('validation');
    if (Object.keys(shapeOf(action)).length === 0) row.arguments!.push('takes none');
    for (const [argument, schema] of Object.entries(shapeOf(action))) {
      const refused = async (given: Body): Promise<void> => {
        const answer = await send(each, token, given);
        expect([argument, given[argument], answer.type]).toEqual([argument, given[argument], 'validation']);
        expect(answer.words).toContain(argument);
      };
      if (!schema.safeParse(undefined).success) {
        const { [argument]: _, ...rest } = body;
        await refused(rest);
        row.arguments!.push(`${argument} missing`);
      }
      if (action.is_upload) continue;
      for (const [kind, values] of Object.entries(candidates)) {
        const wrong = values.filter((value) => !schema.safeParse(value).success);
        for (const value of wrong.slice(0, 3)) await refused({ ...body, [argument]: value });
        if (wrong.length > 0) row.arguments!.push(`${argument} ${kind}`);
      }
      if (argument !== 'content') expect(row.arguments).toContain(`${argument} wrong type`);
    }
    const taken = await send(each, token, action.is_upload ? body : { ...body, nobody_knows: 1 });
    expect([name, taken.status, taken.words]).toEqual([name, 200, '']);
    action.answer.parse(taken.body);
    row.happy!.push('200');
    await done();
  });
  it('have a coverage without an empty cell', () => {
    expect([...table.keys()]).toEqual(all.map(({ api, name }) => `${api} ${name}`));
    const empty = [...table].flatMap(([name, row]) =>
      Object.entries(row).flatMap(([column, cells]) => (cells.length === 0 ? `${name}: ${column}` : [])),
    );
    expect(empty).toEqual([]);
    const shown = [...table].map(([name, row]) => `${name}: ${Object.values(row).flat().join(', ')}`);
    process.stdout.write(`${shown.join('\n')}\n`);
  });
  it.each(['agent', 'customer'])(
    'of the %s API are refused under a version or a name that is not there',
    async (api) => {
      const token = api === 'agent' ? tokenOf('all') : mary().token;
      const asked = async (path: string) => {
        const answer = await fetch(`${world.service().url}${path}?license_id=${world.license}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: '{}',
        });
        return ((await answer.json()) as { error: { type: string } }).error.type;
      };
      expect(await asked(`/v3.9/${api}/action/list_chats`)).toBe('unsupported_version');
      expect(await asked(`/v3.${api === 'agent' ? 5 : 3}/${api}/action/no_action`)).toBe('not_found');
    },
  );
});
