// The methods of v2.0 that change things, walked by the contract: each argument missing, wrong, empty, at and over its limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeField, type Field } from '#contract/fields.ts';
import { restMethodIds, restMethods, type RestMethod, type RestMethodId } from '#contract/rest-v2.ts';
import { openStore } from '#service/store.ts';
import { mintPersonalToken, mintToken } from '#service/tokens.ts';
import { ann, at, basic, bob, chat, staff, tinyService } from './tiny.ts';

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let ended: string;
const methods = restMethods as Record<RestMethodId, RestMethod>;
const owner = basic('owner@example.com', 'secret');

beforeAll(async () => {
  const talk = chat('2026-05-06T10:00:00Z', '2026-05-06T10:05:00Z');
  ended = talk.id;
  const statuses = [
    {
      agent: bob,
      status: 'accepting chats' as const,
      from: at('2026-05-06T11:00:00Z'),
      to: at('2026-05-06T12:30:00Z'),
    },
  ];
  it_runs = await tinyService(
    { now: '2026-05-06T12:00:00Z', chats: [talk], statuses },
    { sendMail: () => Promise.resolve() },
  );
});
afterAll(() => it_runs.end());

async function send(id: RestMethodId, name: string, body: unknown, headers: Record<string, string> = owner) {
  const { verb, path } = methods[id];
  const answer = await fetch(it_runs.service().url + path.replace(':name', encodeURIComponent(name)), {
    method: verb,
    headers: { ...headers, ...(verb !== 'GET' && { 'content-type': 'application/json' }) },
    ...(verb !== 'GET' && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

let made = 0;
const fresh = (): string => `n${++made}`;
const rule = { type: 'visit_time_site', value: 15 };
/** A body that each making method takes. */
const bodies: Partial<Record<RestMethodId, () => Record<string, unknown>>> = {
  create_agent: () => ({ login: `${fresh()}@example.com`, name: 'New' }),
  create_group: () => ({ name: 'New', agents: [ann] }),
  create_goal: () => ({ name: 'New', type: 'sales_tracker', sales_tracker_id: '7' }),
  create_greeting: () => ({ name: 'New', rules: [rule] }),
  create_canned_response: () => ({ text: 'Bye', tags: ['cu', 'bye'] }),
  create_tag: () => ({ author: ann, tag: fresh(), group: 1 }),
  send_transcript: () => ({ to: 'reader@example.com' }),
  update_chat_tags: () => ({ tag: ['a'] }),
  mark_goal_as_successful: () => ({ visitor_id: visitor() }),
};
const visitor = (): string => `S${ended.slice(6)}`;
const bodyFor = (id: RestMethodId) => bodies[id]?.() ?? {};

/** The name in the path: something made for this one request. */
async function targetOf(id: RestMethodId): Promise<string> {
  const { path } = methods[id];
  if (!path.includes(':name')) return '';
  if (path.startsWith('/chats')) return ended;
  const make = restMethodIds.find(
    (each) => methods[each].verb === 'POST' && methods[each].path === path.split('/:')[0],
  );
  const answer = await send(make!, '', bodyFor(make!));
  expect(answer.status).toBe(200);
  return String(answer.body.login ?? answer.body.id ?? answer.body.name);
}

/** Values of a field that are refused, by what is wrong with them. */
function wrongValues(field: Field): Record<string, unknown> {
  const long = (length: number) => 'x'.repeat(length);
  const over = (max: number, each: unknown) => Array.from({ length: max + 1 }, () => each);
  switch (field.kind) {
    case 'text':
      return { 'wrong type': { a: 1 }, number: 7, empty: '', 'over the limit': long(field.max + 1) };
    case 'email':
      return { 'wrong type': 7, 'no address': 'nobody', empty: '', 'over the limit': `${long(300)}@example.com` };
    case 'bit':
      return { 'wrong type': 'x', empty: '', 'over the limit': 2 };
    case 'decimal':
      return { 'wrong type': {}, comma: '1,5', empty: '', 'over the limit': '1234567890123' };
    case 'schedule':
      return {
        'wrong type': 'x',
        empty: '',
        'over the limit': { monday: { enabled: 1, start: '24:00', end: '25:00' } },
      };
    case 'whole':
      return { 'wrong type': 'x', empty: '', 'under the limit': field.min - 1, 'over the limit': field.max + 1 };
    case 'choice':
      return { 'wrong type': 7, empty: '', 'over the limit': 'something else' };
    case 'texts':
      return { 'wrong type': { a: 1 }, 'empty text': [''], 'over the limit': over(field.max, 'x') };
    case 'ids':
      return { 'wrong type': ['x'], 'empty text': [''], 'over the limit': over(field.max, 1) };
    case 'rules':
      return {
        'wrong type': 'x',
        empty: [],
        'over the limit': over(field.max, rule),
        'no value': [{ type: 'url_current' }],
      };
    case 'switches':
      return { 'wrong type': 'x', empty: '', 'over the limit': Object.fromEntries(field.keys.map((key) => [key, 2])) };
    case 'message':
      return { 'wrong type': 'x', empty: '', 'over the limit': { [field.keys[0]!]: long(10_001) } };
  }
}

/** Values at the limits that are taken. */
function limitValues(field: Field): unknown[] {
  switch (field.kind) {
    case 'text':
      return ['x'.repeat(field.min ?? 1), 'x'.repeat(field.max)];
    case 'email':
      return [ann];
    case 'bit':
      return [0, 1, '1'];
    case 'decimal':
      return ['0', '49.50', 199];
    case 'schedule':
      return [{ monday: { enabled: '1', start: '00:00', end: '23:59' } }];
    case 'whole':
      return [field.min, String(field.min), ...(field.max < 1000 ? [field.max] : [])];
    case 'choice':
      return [...field.of];
    case 'texts':
      return [[], field.max > 100 ? [ann, bob] : Array.from({ length: field.max }, (_, n) => `t${n}`)];
    case 'ids':
      return [[], [1, '2'], 1];
    case 'rules':
      return [[rule], Array.from({ length: field.max }, () => rule)];
    case 'switches':
      return [Object.fromEntries(field.keys.map((key) => [key, 1]))];
    case 'message':
      return [{ [field.keys[0]!]: 'x'.repeat(10_000) }];
  }
}

const writing = restMethodIds.filter((id) => methods[id].verb !== 'GET');
const besides = (id: RestMethodId, name: string, value: unknown): Record<string, unknown> => {
  if (id === 'update_agent' && name === 'password') return { current_password: 'x' };
  if (name === 'type' && value === 'url') return { url: 'https://example.com' };
  if (name === 'type' && value === 'custom_variable') return { custom_variable_name: 'a', custom_variable_value: 'b' };
  return {};
};
/** Texts that have to name something are taken only where they do. */
const names: Record<string, (() => unknown[]) | undefined> = {
  'create_agent.login': () => [`${fresh()}@example.com`],
  'delete_tag.group': () => [1, '1'],
  'mark_goal_as_successful.visitor_id': () => [visitor()],
};

describe('the 35 methods', () => {
  it('are 35, of which 20 change something and one sends a mail', () => {
    expect([restMethodIds.length, writing.length]).toEqual([35, 21]);
  });
  it.each(restMethodIds)(
    '%s answers with 200 in the shape of the contract, also when unknown fields are sent',
    async (id) => {
      const name = methods[id].verb === 'GET' ? await someName(id) : await targetOf(id);
      const answer = await send(id, name, { ...bodyFor(id), nobody_knows: 1 });
      expect([id, answer.status]).toEqual([id, 200]);
      expect(methods[id].answer.safeParse(answer.body).error).toBeUndefined();
    },
  );
  it('have a coverage without an empty cell', async () => {
    const table: string[] = [];
    for (const id of writing) {
      for (const [name, field] of Object.entries(methods[id].body ?? {})) {
        const cells: string[] = [];
        const target = await targetOf(id);
        if (field.is_required) {
          const { [name]: _, ...body } = bodyFor(id);
          await isRefused(id, target, body, name);
          cells.push('missing');
        }
        for (const [what, value] of Object.entries(wrongValues(field))) {
          await isRefused(id, target, { ...bodyFor(id), [name]: value }, name);
          cells.push(what);
        }
        for (const value of names[`${id}.${name}`]?.() ?? limitValues(field)) {
          const body = { ...bodyFor(id), [name]: value, ...besides(id, name, value) };
          const answer = await send(id, await targetOf(id), body);
          expect([id, name, value, answer.status, answer.body]).toEqual([id, name, value, 200, answer.body]);
        }
        cells.push('at the limit');
        expect(cells.length).toBeGreaterThan(3);
        table.push(`${id}.${name} (${describeField(field)}): ${cells.join(', ')}`);
      }
    }
    expect(table.length).toBeGreaterThan(60);
    process.stdout.write(`${table.join('\n')}\n`);
  }, 60_000);
  it.each(writing)('%s says 401 to nobody, 403 to a token without its scope, and obeys only who may', async (id) => {
    const target = await targetOf(id);
    expect((await send(id, target, bodyFor(id), {})).status).toBe(401);
    const store = openStore(it_runs.options.file);
    const bearer = { authorization: `Bearer ${mintToken(store, { agent: ann, scopes: ['tickets_read'] })}` };
    const personal = mintPersonalToken(store, 'owner@example.com');
    store.close();
    expect((await send(id, target, bodyFor(id), bearer)).status).toBe(403);
    const normal = await send(id, target, bodyFor(id), basic(ann, staff.agents[0]!.api_key));
    expect(normal.status).toBe(methods[id].who === 'anybody' ? 200 : 403);
    expect((await send(id, target, bodyFor(id), basic('owner@example.com', personal))).status).toBe(200);
  });
  it.each(writing.filter((id) => methods[id].path.includes(':name')))('%s is 404 for what is not there', async (id) => {
    expect((await send(id, '999999', bodyFor(id))).status).toBe(404);
  });
});

async function someName(id: RestMethodId): Promise<string> {
  const path = methods[id].path.split('/:')[0]!;
  if (path === methods[id].path) return '';
  if (path === '/chats') return ended;
  if (path === '/agents') return ann;
  return String(((await (await it_runs.ask(path)).json()) as { id: number }[])[0]!.id);
}

async function isRefused(id: RestMethodId, target: string, body: unknown, name: string): Promise<void> {
  const answer = await send(id, target, body);
  expect([id, name, body, answer.status]).toEqual([id, name, body, 400]);
  expect((answer.body.errors as string[]).some((sentence) => sentence.startsWith(name))).toBe(true);
}
