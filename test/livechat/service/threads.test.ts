// list_archives of v3.5: who may ask, what a thread says, which threads a filter means, and how pages follow each other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadedChat, type ThreadedChat, type ThreadsPage } from '#contract/threads.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { mintPersonalToken, mintToken } from '#service/tokens.ts';
import { ann, at, basic, bob, chat, lines, tinyService } from './tiny.ts';

const path = '/v3.5/agent/action/list_archives';
const started = '2026-05-04T10:00:00Z';
const full = chat(started, '2026-05-04T10:20:00Z', {
  id: 'FULL000001',
  visitor: { ...chat(started, started).visitor, id: 'S1', name: 'Zoë Brown', email: 'zoe@example.com' },
  supervisors: [{ display_name: 'Sue', email: 'sue@example.com' }],
  groups: [1, 2],
  engagement: 'auto_invite',
  greeting_id: 5,
  referrer: 'https://example.com/from',
  queue_seconds: 20,
  events: [
    ...lines(started, 'a0', 'v9', 'f12', 's980'),
    { at: at('2026-05-04T10:20:00Z'), type: 'event', event_type: 'closed', user_type: 'visitor', text: 'Zoë closed.' },
  ],
  ratings: [{ at: at('2026-05-05T09:00:00Z'), rate: 'rated_good', comment: 'thanks' }],
  tags: [
    { at: at(started), tag: 'sales' },
    { at: at('2026-05-05T08:00:00Z'), tag: 'late' },
  ],
  goals: [
    { id: 71, name: 'g', at: at(started), order: { id: '', description: '', price: '0', currency: '' } },
    {
      id: 9,
      name: 's',
      type: 'sales_tracker',
      at: at(started),
      order: { id: 'A', description: 'x', price: '199', currency: 'EUR' },
    },
  ],
  prechat_survey: [
    { key: 'Name:', value: 'Zoë', id: 'pre1' },
    { key: 'E-mail:', value: '', id: 'pre2' },
  ],
  postchat_survey: [{ key: 'Good?', value: 'Yes', id: 'post1', at: at('2026-05-04T10:21:00Z') }],
  custom_variables: [{ key: 'plan', value: 'free' }],
});
const again = chat('2026-05-04T12:00:00Z', '2026-05-04T12:10:00Z', {
  id: 'AGAIN00001',
  visitor: { ...full.visitor, country_code: 'DE' },
  agents: [{ display_name: 'Bob', email: bob }],
  groups: [2],
  engagement: 'manual_invite',
  events: lines('2026-05-04T12:00:00Z', 'b0'),
  ratings: [{ at: at('2026-05-04T12:11:00Z'), rate: 'rated_bad' }],
});
const pending = chat('2026-05-05T23:00:00Z', '2026-05-06T09:00:00Z', { id: 'PENDING001', visitor: full.visitor });
const quiet = Array.from({ length: 23 }, (_, index) =>
  chat('2026-05-04T08:00:00Z', '2026-05-04T08:05:00Z', {
    id: `QUIET${String(index).padStart(5, '0')}`,
    groups: [0],
    agents: [],
    visitor: { ...full.visitor, id: `S9${index}`, name: '', email: '', country_code: 'FR' },
  }),
);

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let store: ChatStore;
let token: string;
const bearer = (value: string) => ({ authorization: `Bearer ${value}`, 'content-type': 'application/json' });
const post = (body: unknown, headers: Record<string, string> = bearer(token), where = path) =>
  fetch(it_runs.service().url + where, { method: 'POST', headers, body: JSON.stringify(body) });
const pageOf = async (body: unknown, headers?: Record<string, string>): Promise<ThreadsPage> => {
  const answer = await post(body, headers);
  expect([answer.status, body]).toEqual([200, body]);
  return (await answer.json()) as ThreadsPage;
};
const idsOf = ({ chats }: ThreadsPage): string[] => chats.map(({ thread }) => thread.id);
const found = async (filters: object): Promise<string[]> =>
  idsOf(await pageOf('thread_ids' in filters ? { filters } : { filters, limit: 100 })).filter(
    (id) => !id.startsWith('QUIET'),
  );
const refusal = async (answer: Response): Promise<[number, string]> => {
  const { error } = (await answer.json()) as { error: { type: string; message: string } };
  return [answer.status, error.type];
};
const one = async (id: string): Promise<ThreadedChat> => (await pageOf({ filters: { thread_ids: [id] } })).chats[0]!;

beforeAll(async () => {
  it_runs = await tinyService({ now: '2026-05-06T00:00:00Z', days: 3, chats: [full, again, pending, ...quiet] });
  store = openStore(it_runs.options.file);
  token = mintToken(store, { agent: ann, scopes: ['chats--all:ro'] });
});
afterAll(async () => {
  store.close();
  await it_runs.end();
});

describe('a caller of list_archives', () => {
  it('needs a Bearer token with a chat scope, and hears a no in the words of v3', async () => {
    const strange = mintToken(store, { agent: ann, scopes: ['archives_read'] });
    const personal = mintPersonalToken(store, ann);
    expect(await refusal(await post({}, {}))).toEqual([401, 'authentication']);
    expect(await refusal(await post({}, bearer('dal:x')))).toEqual([401, 'authentication']);
    expect(await refusal(await post({}, basic('owner@example.com', 'secret')))).toEqual([401, 'authentication']);
    expect(await refusal(await post({}, basic(ann, personal)))).toEqual([401, 'authentication']);
    expect(await refusal(await post({}, bearer(strange)))).toEqual([403, 'authorization']);
    expect(await refusal(await post({}, { ...bearer(token), origin: 'http://x' }))).toEqual([403, 'authorization']);
    const elsewhere = mintToken(store, { agent: ann, scopes: 'all', region: 'fra' });
    expect(await (await post({}, bearer(elsewhere))).json()).toEqual({
      error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } },
    });
    for (const scope of ['chats--all:rw', 'chats--access:ro', 'chats--access:rw'])
      expect((await post({}, bearer(mintToken(store, { agent: ann, scopes: [scope] })))).status).toBe(200);
  });
  it('with access only sees the chats of the own groups, and group 0 is everybody’s', async () => {
    const narrow = bearer(mintToken(store, { agent: ann, scopes: ['chats--access:ro'] }));
    const page = await pageOf({ limit: 100 }, narrow);
    expect(idsOf(page).filter((id) => !id.startsWith('QUIET'))).toEqual(['FULL000001']);
    expect(page.found_chats).toBe(24);
    const { thread } = page.chats[0]!;
    expect([thread.next_thread_id, thread.next_accessible_thread_id]).toEqual(['AGAIN00001', undefined]);
  });
  it('names version 3.5 in the path or in the header, uses POST and sends JSON', async () => {
    const here = '/agent/action/list_archives';
    expect((await post({}, { ...bearer(token), 'x-api-version': '3.5' }, here)).status).toBe(200);
    expect(await refusal(await post({}, bearer(token), here))).toEqual([400, 'unsupported_version']);
    expect(await refusal(await post({}, bearer(token), path.replace('3.5', '3.4')))).toEqual([
      400,
      'unsupported_version',
    ]);
    for (const action of ['nothing', 'constructor', 'toString'])
      expect(await refusal(await post({}, bearer(token), `/v3.5/agent/action/${action}`))).toEqual([404, 'not_found']);
    expect(await refusal(await it_runs.ask(path, bearer(token)))).toEqual([422, 'validation']);
    const empty = await fetch(it_runs.service().url + path, { method: 'POST', headers: bearer(token) });
    expect(await refusal(empty)).toEqual([422, 'validation']);
  });
});

describe('a thread', () => {
  it('has the shape of the contract, nothing more and nothing less', async () => {
    for (const each of (await pageOf({ limit: 100 })).chats) expect(threadedChat.parse(each)).toEqual(each);
  });
  it('shares its chat and its customer with the other threads of the same visitor', async () => {
    const [first, second, other] = [await one('FULL000001'), await one('AGAIN00001'), await one('QUIET00000')];
    expect(second.id).toBe(first.id);
    expect(first.id).toMatch(/^[0-9A-Z]{10}$/);
    expect(other.id).not.toBe(first.id);
    expect(second.users[0]!.id).toBe(first.users[0]!.id);
    expect(first.users[0]!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([first.thread.next_thread_id, second.thread.previous_thread_id]).toEqual(['AGAIN00001', 'FULL000001']);
    expect(second.thread).not.toHaveProperty('next_thread_id');
  });
  it('says who took part, what was said to whom, which forms were filled in, and how it ended', async () => {
    const { users, thread } = await one('FULL000001');
    const customer = users[0]!.id;
    expect(users.map(({ id, type }) => [type, id])).toEqual([
      ['customer', customer],
      ['agent', ann],
      ['agent', 'sue@example.com'],
    ]);
    expect(thread.user_ids).toEqual([customer, ann, 'sue@example.com']);
    expect(thread.events!.map(({ type, visibility, author_id }) => [type, visibility, author_id])).toEqual([
      ['filled_form', 'all', customer],
      ['message', 'all', ann],
      ['message', 'all', customer],
      ['file', 'all', ann],
      ['message', 'agents', 'sue@example.com'],
      ['system_message', 'all', undefined],
      ['filled_form', 'all', customer],
      ['system_message', 'all', undefined],
      ['system_message', 'all', undefined],
    ]);
    expect(thread.events!.map(({ id }) => id)).toEqual(
      Array.from({ length: 9 }, (_, place) => `FULL000001_${place + 1}`),
    );
    expect(thread.events![0]).toMatchObject({
      created_at: '2026-05-04T10:00:00.000000Z',
      fields: [
        { id: 'pre1', type: 'name', label: 'Name:', answer: 'Zoë' },
        { id: 'pre2', type: 'email' },
      ],
    });
    expect(thread.events![1]).toMatchObject({ text: 'line a0', properties: { lc2: { welcome_message: true } } });
    expect(thread.events![3]).toMatchObject({ url: 'https://example.com/f.pdf', name: 'f.pdf' });
    expect(thread.events![5]).toMatchObject({ system_message_type: 'manual_archived_customer', text: 'Zoë closed.' });
    expect(thread.events![7]).toMatchObject({ system_message_type: 'rating.chat_rated' });
  });
  it('carries rating, start page, greeting, tags and the wait in the queue', async () => {
    const { thread, access } = await one('FULL000001');
    expect(thread).toMatchObject({
      active: false,
      tags: ['sales', 'late'],
      queues_duration: 20,
      access: { group_ids: [1, 2] },
    });
    expect(access).toEqual({ group_ids: [1, 2] });
    expect(thread.properties).toMatchObject({
      rating: { score: 1, comment: 'thanks' },
      lc2: { greeting_id: 5 },
      routing: { start_url: 'https://example.com', referrer: 'https://example.com/from', unreplied: false },
    });
    const other = (await one('AGAIN00001')).thread;
    expect(other).not.toHaveProperty('tags');
    expect(other).not.toHaveProperty('queues_duration');
    expect(other.properties?.routing?.unreplied).toBe(true);
    expect(other.properties?.source?.client_id).not.toBe(other.properties?.source?.customer_client_id);
    expect((await one('QUIET00000')).thread.events).toMatchObject([
      { type: 'system_message', created_at: '2026-05-04T08:05:00.000000Z' },
    ]);
  });
  it('lacks what has not happened yet, and is not there before it has ended', async () => {
    it_runs.clock.now = at('2026-05-04T10:30:00Z');
    const { thread } = await one('FULL000001');
    expect(thread.tags).toEqual(['sales']);
    expect(thread.properties).not.toHaveProperty('rating');
    expect(thread.events).toHaveLength(7);
    expect(thread).not.toHaveProperty('next_thread_id');
    expect(await found({})).toEqual(['FULL000001']);
    it_runs.clock.now = at('2026-05-06T00:00:00Z');
    expect(await found({})).toEqual(['AGAIN00001', 'FULL000001']);
  });
});

const [F, A] = ['FULL000001', 'AGAIN00001'];
describe('a filter', () => {
  it.each<[object, string[]]>([
    [{ from: '2026-05-04T12:00:00.000000Z' }, [A]],
    [{ from: '2026-05-04T14:00:00.000000+02:00' }, [A]],
    [{ to: '2026-05-04T11:59:59.999999Z' }, [F]],
    [{ query: 'ZOË' }, [A, F]],
    [{ query: 'line v9' }, [F]],
    [{ thread_ids: [A, 'NOTHING001'] }, [A]],
    [{ group_ids: [1] }, [F]],
    [{ group_ids: [2, 9] }, [A, F]],
    [{ properties: { rating: { score: { values: [1] } } } }, [F]],
    [{ properties: { rating: { score: { exclude_values: [1] } } } }, [A]],
    [{ properties: { rating: { comment: { exists: true } }, lc2: { greeting_id: { values: [5, 6] } } } }, [F]],
    [{ agents: { exists: true } }, [A, F]],
    [{ agents: { exists: false } }, []],
    [{ agents: { values: [bob] } }, [A]],
    [{ agents: { exclude_values: [bob] } }, [F]],
    [{ tags: { values: ['sales', 'other'] } }, [F]],
    [{ tags: { values: ['sales', 'other'], require_every_value: true } }, []],
    [{ tags: { exists: false } }, [A]],
    [{ sales: { values: [9] } }, [F]],
    [{ goals: { values: ['71'] } }, [F]],
    [{ goals: { exists: false } }, [A]],
    [{ surveys: [{ type: 'post_chat', answer_id: 'post1' }] }, [F]],
    [{ surveys: { quality: [{ type: 'pre_chat', answer_id: 'post1' }] } }, []],
    [{ event_types: { values: ['file'] } }, [F]],
    [{ event_types: { exclude_values: ['file'] } }, [A]],
    [{ greetings: { exists: true } }, [F]],
    [{ greetings: { values: [5], groups: { values: [1] } } }, [F]],
    [{ greetings: { from: '2026-05-04T11:00:00.000000Z' } }, []],
    [{ greetings: { groups: { exclude_values: [1] } } }, [A]],
    [{ agent_response: { exists: true } }, [F]],
    [{ agent_response: { exists: true, first: true, agents: { values: [ann] } } }, [F]],
    [{ agent_response: { agents: { values: [bob] } } }, []],
    [{ agent_response: { groups: { values: [2] } } }, [F]],
    [{ customer_countries: { values: ['de'] } }, [A]],
    [{ customer_countries: { exclude_values: ['FR', 'DE'] } }, [F]],
  ])('%j finds what it says', async (filters, ids) => {
    expect(await found(filters)).toEqual(ids);
  });
  it.each([
    { filters: { unknown: 1 } },
    { filters: [] },
    { filters: { from: 'yesterday' } },
    { filters: { agents: { exists: true, values: [ann] } } },
    { filters: { thread_ids: [F], group_ids: [1] } },
    { filters: { thread_ids: [F] }, limit: 5 },
    { filters: { thread_ids: Array.from({ length: 21 }, () => F) } },
    { filters: { group_ids: Array.from({ length: 201 }, () => 1) } },
    { filters: { customer_countries: { values: ['Germany'] } } },
    { limit: 0 },
    { limit: 101 },
    { sort_order: 'up' },
    { highlights: { pre_tag: '<b>' } },
    { page_id: 'none' },
    [],
  ])('or request like %j is refused', async (body) => {
    expect(await refusal(await post(body))).toEqual([422, 'validation']);
  });
  it('by id gives all named threads at once, also more than a page', async () => {
    const ids = quiet.slice(0, 15).map(({ id }) => id);
    expect(idsOf(await pageOf({ filters: { thread_ids: ids } })).sort()).toEqual(ids);
  });
  it('that nobody knows outside of filters is ignored', async () => {
    expect((await post({ require_active_thread: true })).status).toBe(200);
  });
});

describe('pages', () => {
  const all = async (first: object): Promise<{ ids: string[]; back: string | undefined; sizes: number[] }> => {
    const ids: string[] = [];
    const sizes: number[] = [];
    let page = await pageOf(first);
    for (;;) {
      ids.push(...idsOf(page));
      sizes.push(page.chats.length);
      if (page.next_page_id === undefined) return { ids, sizes, back: page.previous_page_id };
      page = await pageOf({ page_id: page.next_page_id });
    }
  };
  it('hold ten chats, newest first, and name neighbours only where there are some', async () => {
    const { ids, sizes } = await all({});
    expect(sizes).toEqual([10, 10, 5]);
    expect(new Set(ids).size).toBe(25);
    expect(ids.slice(0, 3)).toEqual([A, F, 'QUIET00022']);
    const first = await pageOf({});
    expect([first.found_chats, first.previous_page_id]).toEqual([25, undefined]);
    expect(await pageOf({ limit: 25 })).not.toHaveProperty('next_page_id');
  });
  it('keep filters, order and size of the first request, and lead back the same way', async () => {
    const forward = await all({ filters: { group_ids: [0] }, sort_order: 'asc', limit: 9 });
    expect(forward.sizes).toEqual([9, 9, 5]);
    expect(forward.ids[0]).toBe('QUIET00000');
    const second = await pageOf({ page_id: forward.back });
    expect(idsOf(second)).toEqual(forward.ids.slice(9, 18));
    const first = await pageOf({ page_id: second.previous_page_id });
    expect(idsOf(first)).toEqual(forward.ids.slice(0, 9));
    expect(first).not.toHaveProperty('previous_page_id');
    expect(idsOf(await pageOf({ page_id: first.next_page_id }))).toEqual(idsOf(second));
  });
  it('do not shift when a thread ends meanwhile', async () => {
    const first = await pageOf({});
    it_runs.clock.now = at('2026-05-06T10:00:00Z');
    const second = await pageOf({ page_id: first.next_page_id });
    expect(idsOf(await pageOf({}))[0]).toBe('PENDING001');
    expect(second.found_chats).toBe(26);
    expect(idsOf(second)[0]).toBe('QUIET00014');
    expect(idsOf(first).at(-1)).toBe('QUIET00015');
    it_runs.clock.now = at('2026-05-06T00:00:00Z');
  });
  it('expire after a month, and cannot be asked for with other filters', async () => {
    const { next_page_id } = await pageOf({});
    expect(await refusal(await post({ page_id: next_page_id, limit: 5 }))).toEqual([422, 'validation']);
    expect(await refusal(await post({ page_id: next_page_id, filters: {} }))).toEqual([422, 'validation']);
    it_runs.clock.now = at('2026-06-07T00:00:00Z');
    expect(await refusal(await post({ page_id: next_page_id }))).toEqual([422, 'validation']);
    it_runs.clock.now = at('2026-05-06T00:00:00Z');
  });
  it('can be damaged by faults like those of v2, and be said to follow themselves', async () => {
    const { chaos } = it_runs.service();
    const first = await pageOf({});
    chaos.follow(chaosPlan({ script: [{ fault: 'page_id_repeated' }] }));
    const second = await pageOf({ page_id: first.next_page_id });
    expect(second.next_page_id).toBe(first.next_page_id);
    for (const fault of ['wrong_type', 'missing_field', 'null_field'] as const) {
      chaos.follow(chaosPlan({ script: [{ fault }] }));
      const broken = (await pageOf({})).chats.filter((each) => !threadedChat.safeParse(each).success);
      expect([fault, broken.length]).toEqual([fault, 1]);
    }
    chaos.follow(chaosPlan({ script: [{ fault: 'future_times' }] }));
    expect((await pageOf({})).chats.filter(({ thread }) => thread.created_at > '2036')).toHaveLength(1);
    chaos.follow(chaosPlan({ script: [{ fault: 'total_too_high' }] }));
    expect((await pageOf({})).found_chats).toBe(26);
    chaos.follow(null);
  });
});

describe('highlights', () => {
  it('mark the searched words in any case, in <em> or in the given tags', async () => {
    const shown = async (highlights: object) =>
      (await pageOf({ filters: { query: 'LINE v9' }, highlights })).chats[0]!.thread.highlights;
    expect(await shown({})).toEqual([{ field: 'event', event_id: 'FULL000001_3', highlight: '<em>line v9</em>' }]);
    expect(await shown({ pre_tag: '[', post_tag: ']' })).toMatchObject([{ highlight: '[line v9]' }]);
    const { thread } = (await pageOf({ filters: { query: 'line v9' } })).chats[0]!;
    expect(thread).not.toHaveProperty('highlights');
  });
});

describe('the end of v2.0', () => {
  it('is told by one header of two on its responses, also on refusals, and never by v3.5', async () => {
    const told = async (where: string, headers = basic('owner@example.com', 'secret')) => {
      const answer = await it_runs.ask(where, headers);
      return [answer.headers.get('legacy'), answer.headers.get('deprecation')];
    };
    expect(await told('/chats')).toEqual([null, null]);
    await it_runs.service().close();
    Object.assign(it_runs.options, { lifecycle: { legacy: '2027-05-31', deprecation: '2026-12-31' } });
    await it_runs.restart();
    expect(await told('/chats')).toEqual([null, '2026-12-31']);
    expect(await told('/chats/FULL000001')).toEqual([null, '2026-12-31']);
    expect(await told('/agents')).toEqual(['2027-05-31', null]);
    expect(await told('/reports/chats/total_chats', {})).toEqual(['2027-05-31', null]);
    const answer = await post({});
    expect([answer.headers.get('legacy'), answer.headers.get('deprecation')]).toEqual([null, null]);
  });
});
