// The API: what it answers, whom it lets in, and how it says no.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '#api/deps.ts';
import type { Store } from '#warehouse/engine.ts';
import { routes } from '../access/routes.ts';
import { account, insert } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

let engine: Store;
beforeAll(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z', tags: ['used'] }], 'Europe/Warsaw');
  await insert(engine, 'account', 'agents', [{ login: 'a@x.test', name: 'Ada' }]);
  await insert(engine, 'account', 'groups', [{ group_id: 0, name: 'All operators' }]);
  await insert(engine, 'account', 'tags', [{ name: 'listed' }, { name: 'used' }]);
  await insert(engine, 'account', 'goals', [{ goal_id: 4, name: 'Order' }]);
});
afterAll(() => engine.close());

const ask = async (path: string, headers: Record<string, string> = {}, differs: Partial<ApiDeps> = {}) => {
  const answer = await promisedApi(apiDeps(engine, differs)).request(`http://127.0.0.1:3000${path}`, { headers });
  if (!headers.authorization) expectPromised('GET', path, answer.status, await answer.clone().text());
  return answer;
};

const may = '/api/metrics/total_chats?from=2026-05-05&to=2026-05-05';

describe('answers', () => {
  it('a metric answers with everything that was assumed', async () => {
    const answer = await ask(may);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      metric: 'total_chats',
      version: 1,
      account: 'default',
      timezone: 'Europe/Warsaw',
      from: '2026-05-05',
      to: '2026-05-05',
      grain: 'day',
      split: [],
      snapshot: 's1',
      rows: [{ period: '2026-05-05', chats: 1, state: 'complete' }],
    });
  });

  it('repeated and comma-separated parameters are understood', async () => {
    const answer = (await (await ask(`${may}&tag=used&tag=other&group=0&grain=total&split=tag,agent`)).json()) as {
      rows: unknown;
    };
    expect(answer.rows).toEqual([{ tag: 'used', agent: 'a@x.test', chats: 1, state: 'complete' }]);
  });

  it('the accounts list what can be chosen, tags in use and tags listed once each', async () => {
    expect(await (await ask('/api/accounts')).json()).toEqual({
      accounts: [
        {
          id: 'default',
          timezone: 'Europe/Warsaw',
          since: '2026-05-01',
          simulated: false,
          agents: [{ login: 'a@x.test', name: 'Ada' }],
          groups: [{ id: 0, name: 'All operators' }],
          other_groups: [],
          tags: ['listed', 'used'],
          more_tags: false,
          goals: [{ id: 4, name: 'Order' }],
          variables: [],
        },
      ],
    });
  });

  it('the accounts list as many tags as are asked for, and those that hold a text', async () => {
    const tagsOf = async (query: string): Promise<unknown> => {
      const answer = await ask(`/api/accounts?${query}`);
      if (answer.status !== 200) return answer.status;
      const { accounts } = (await answer.json()) as { accounts: { tags: string[]; more_tags: boolean }[] };
      return accounts.map(({ tags, more_tags }) => [tags, more_tags]);
    };
    expect(await tagsOf('tags=1')).toEqual([[['listed'], true]]);
    expect(await tagsOf('tags=2')).toEqual([[['listed', 'used'], false]]);
    expect(await tagsOf('tags=0')).toEqual([[[], true]]);
    expect(await tagsOf('find=USE&account=default')).toEqual([[['used'], false]]);
    expect(await tagsOf(`find=${encodeURIComponent("'%_\\")}`)).toEqual([[[], false]]);
    for (const wrong of ['tags=many', 'tags=-1', 'tag=used', 'tags=1&tags=2'])
      expect([wrong, await tagsOf(wrong)]).toEqual([wrong, 400]);
    expect(await tagsOf('account=nobody')).toBe(400);
  });

  it('health says starting with 503 until there is a snapshot, without a login', async () => {
    const pull = { last_success_at: null, running: true, stage: 'fetch', done: 3, total: 9, pulled_since: null };
    const none = await ask('/api/health', { authorization: 'Bearer wrong' }, { snapshot: () => null });
    expect([none.status, await none.json()]).toEqual([503, { status: 'starting', snapshot: null, pull }]);
    const ok = await ask('/api/health', {}, { loopback: false });
    expect([ok.status, await ok.json()]).toEqual([
      200,
      { status: 'ok', snapshot: { id: 's1', published_at: '2026-06-01T00:00:00.000Z' }, pull },
    ]);
    expect((await ask(may, {}, { snapshot: () => null })).status).toBe(503);
  });

  it('ready says what is missing with 503, to everybody and without numbers', async () => {
    const told = async (differs: Partial<ApiDeps>) => {
      const answer = await ask('/api/ready', {}, { loopback: false, ...differs });
      return [answer.status, answer.headers.get('retry-after'), await answer.json()];
    };
    expect(await told({})).toEqual([200, null, { ready: true, reason: null }]);
    expect(await told({ unready: () => null })).toEqual([200, null, { ready: true, reason: null }]);
    const none = { ready: false, reason: 'no snapshot is published yet' };
    expect(await told({ snapshot: () => null })).toEqual([503, '5', none]);
    const ending = { ready: false, reason: 'the program is ending' };
    expect(await told({ unready: () => 'the program is ending' })).toEqual([503, '5', ending]);
  });

  it('the document is OpenAPI 3.1 and names every route; the page has no script', async () => {
    const document = (await (await ask('/api/openapi.json')).json()) as { openapi: string; paths: object };
    expect(document.openapi).toBe('3.1.0');
    const all = Object.keys(document.paths);
    const named = new Set(Object.keys(routes).map((route) => `/api${route.split(' ')[1] ?? ''}`));
    expect(all.sort()).toEqual([...named].sort());
    const page = await (await ask('/api/docs')).text();
    expect(page).toContain('GET /api/metrics/{id}');
    expect(page).not.toContain('<script');
    // Each entry of the contents leads to its section, and bodies have their fields with choices.
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(links).size).toBe(links.length);
    expect(links.filter((id) => !page.includes(` id="${id}"`))).toEqual([]);
    expect(page).toContain(
      '<td><code>format</code>, required</td><td><code>csv</code>, <code>json</code>, <code>xlsx</code>, <code>parquet</code></td>',
    );
  });

  it('the document requires no field that may be left out, and every one that may not', async () => {
    interface Shape {
      required: string[];
      properties: Record<string, Shape>;
      items: Shape;
    }
    const { paths, components } = (await (await ask('/api/openapi.json')).json()) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Shape }> } } }>;
      components: { schemas: Record<string, Shape> };
    };
    const asked = paths['/api/boards']?.post.requestBody.content['application/json']?.schema;
    expect([asked?.required, asked?.properties['panels']?.items.required]).toEqual([['title'], ['panel', 'size']]);
    const told = components.schemas['Board'];
    expect(told?.required).toEqual(Object.keys(told?.properties ?? {}));
    expect(told?.properties['panels']?.items.required).toEqual(['panel', 'size']);
  });

  it('the same question again is 304 with its ETag, until the quarter hour or the snapshot changes', async () => {
    const first = await ask(may);
    const etag = first.headers.get('etag') ?? '';
    expect((await ask(may, { 'if-none-match': etag })).status).toBe(304);
    expect((await ask(`${may}&grain=total`, { 'if-none-match': etag })).status).toBe(200);
    expect((await ask(may, { 'if-none-match': etag }, { clock: () => apiDeps(null).clock() + 900_000 })).status).toBe(
      200,
    );
    const other = { snapshot: () => ({ id: 's2', published_at: '2026-06-01T00:05:00.000Z', engine }) };
    expect((await ask(may, { 'if-none-match': etag }, other)).status).toBe(200);
  });
});

describe('refusals', () => {
  it.each([
    ['/api/metrics/nope', 404, 'not_found', 'total_chats'],
    ['/api/nope', 404, 'not_found', '/api/metrics'],
    [`${may}&colour=red`, 400, 'bad_request', 'timezone'],
    [`${may}&split=planet`, 400, 'bad_request', 'agent'],
    [`${may}&account=other`, 400, 'bad_request', 'default'],
    [`${may}&account=default&account=default`, 400, 'bad_request', undefined],
    ['/api/panels/overview/volume.csv?as_of=yesterday', 400, 'bad_request', undefined],
    [`${may}&as_of=2026-01-01T00:00:00Z`, 400, 'bad_request', undefined],
  ])('%s is %d %s', async (path, status, type, choice) => {
    const answer = await ask(path);
    const { error } = (await answer.json()) as { error: { type: string; message: string; choices?: string[] } };
    expect([answer.status, error.type]).toEqual([status, type]);
    if (choice !== undefined) expect(error.choices).toContain(choice);
  });

  it('an error of the program is logged and says nothing of the inside', async () => {
    const logged: unknown[] = [];
    const broken = {
      ...engine,
      dialect: engine.dialect,
      query: () => Promise.reject(new Error('secret detail')),
    } as Store;
    const differs = {
      snapshot: () => ({ id: 's1', published_at: '', engine: broken }),
      log: (error: unknown) => void logged.push(error),
    };
    const answer = await ask(may, {}, differs);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(logged).toHaveLength(1);
  });
});

describe('who is let in', () => {
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

  it.each([
    [{}, 200],
    [{ authorization: 'Bearer right-token' }, 200],
    [{ authorization: basic('anybody:right-token') }, 200],
    [{ authorization: 'Bearer wrong' }, 401],
    [{ authorization: basic('right-token:wrong') }, 401],
    [{ authorization: 'Digest right-token' }, 401],
    [{ origin: 'https://elsewhere.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: 'rebound.test' }, 403],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, 200],
    [{ host: '[::1]:3000' }, 200],
  ])('%j is answered with %d', async (headers, status) => {
    expect((await ask('/api/metrics', headers as Record<string, string>)).status).toBe(status);
  });

  it('off loopback a header is needed, and no token set means no token is right', async () => {
    expect((await ask('/api/metrics', {}, { loopback: false })).status).toBe(401);
    expect(
      (await ask('/api/metrics', { host: 'stats.test', authorization: 'Bearer right-token' }, { loopback: false }))
        .status,
    ).toBe(200);
    expect((await ask('/api/metrics', { authorization: 'Bearer right-token' }, { token: null })).status).toBe(401);
  });
});
