// Saved queries: whose they are, who sees and changes them, what is refused, and what is left when their maker is gone.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { most_queries, most_shared_queries } from '#api/user-data.ts';
import { savedQueriesIn } from '../../src/server/user-data/saved-queries.ts';
import { openDoors } from '../access/api.ts';
import { apiDeps } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

type Body = Record<string, unknown> & { id: string };

function asking(deps = apiDeps(null)) {
  const app = promisedApi(deps);
  return async (method: string, path: string, body?: unknown) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await app.request(`http://127.0.0.1:3000/api/sql/queries${path}`, { method, ...sent });
    const text = await response.text();
    const json = (text ? JSON.parse(text) : {}) as Body & { error?: { message: string } };
    if (response.status === 200) expectPromised(method, `/api/sql/queries${path}`, 200, text);
    return { status: response.status, body: json, refusal: json.error?.message ?? '' };
  };
}

const query = { name: 'Chats by day', statement: 'select $from', parameters: { from: '2026-05-01' } };

describe('a saved query', () => {
  it('is kept with its parameters, listed without its statement, renamed, and removed', async () => {
    const ask = asking();
    const { body } = await ask('POST', '', { ...query, name: ' Chats by day ' });
    const whose = { is_own: true, may_change: true, owner_name: '', is_shared: false };
    expect(body).toEqual({
      id: 'id-1',
      ...query,
      chart: null,
      ...whose,
      version: 1,
      changed_at: expect.any(String) as string,
    });
    const changed = await ask('PUT', '/id-1', { ...query, name: 'By day', is_shared: true, version: 1 });
    expect(changed.body).toMatchObject({ name: 'By day', is_shared: true, version: 2 });
    expect((await ask('GET', '/id-1')).body).toEqual(changed.body);
    const [listed] = (await ask('GET', '')).body['queries'] as object[];
    expect(Object.keys(listed ?? {})).not.toContain('statement');
    expect(listed).toMatchObject({ id: 'id-1', name: 'By day', version: 2 });
    expect((await ask('DELETE', '/id-1')).status).toBe(204);
    expect((await ask('GET', '/id-1')).refusal).toBe('there is no saved query id-1');
  });

  it('keeps how its result is drawn, also for those with whom it is shared, until it is saved without', async () => {
    const ask = asking();
    const chart = { kind: 'bar', x: 'day', y: ['chats', 'good'], split: 'group' };
    expect((await ask('POST', '', { ...query, chart, is_shared: true })).body['chart']).toEqual(chart);
    expect((await ask('GET', '/id-1')).body['chart']).toEqual(chart);
    const usual = await ask('PUT', '/id-1', { ...query, chart: 'usual', version: 1 });
    expect(usual.body['chart']).toBe('usual');
    await ask('PUT', '/id-1', { ...query, version: 2 });
    expect((await ask('GET', '/id-1')).body['chart']).toBeNull();
  });

  it('of a file from before charts were saved has none, and gets one', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`create table saved_queries (
      id text primary key, user text not null, name text not null, statement text not null, parameters text not null,
      is_shared integer not null, version integer not null, created_at text not null, changed_at text not null) strict`);
    database.exec(`insert into saved_queries values ('old', 'ann', 'Old', 'select 1', '{}', 0, 1, '2026', '2026')`);
    const store = savedQueriesIn(database, { clock: () => 0, id: () => 'new' });
    const old = store.find('old');
    expect(old).toMatchObject({ name: 'Old', chart: null });
    store.change('old', 1, { name: 'Old', statement: 'select 1', parameters: {}, chart: 'usual', is_shared: false });
    expect(savedQueriesIn(database, { clock: () => 0, id: () => 'new' }).find('old')?.chart).toBe('usual');
  });

  it('that was changed meanwhile is not overwritten', async () => {
    const ask = asking();
    await ask('POST', '', query);
    expect((await ask('PUT', '/id-1', { ...query, statement: 'select 2', version: 1 })).status).toBe(200);
    const late = await ask('PUT', '/id-1', { ...query, statement: 'select 3', version: 1 });
    expect([late.status, late.refusal]).toEqual([409, expect.stringContaining('changed this query meanwhile')]);
    expect((await ask('GET', '/id-1')).body).toMatchObject({ statement: 'select 2', version: 2 });
  });

  it.each([
    [{ ...query, name: ' ' }, 'name: must not be empty'],
    [{ ...query, name: 'x'.repeat(121) }, 'name: must have at most 120 characters'],
    [{ ...query, name: 'two\nlines' }, 'name: must be one line of text'],
    [{ ...query, statement: '' }, 'statement: must not be empty'],
    [{ ...query, statement: '; ' }, 'statement: there is no statement in it: write one that reads'],
    [{ ...query, statement: '-- later' }, 'statement: there is no statement in it: write one that reads'],
    [{ ...query, statement: 'x'.repeat(20_001) }, 'statement: must have at most 20000 characters'],
    [{ ...query, parameters: { 'a b': 1 } }, 'parameters.a b'],
    [{ ...query, parameters: { from: ['2026-05-01'] } }, 'parameters.from'],
    [{ ...query, chart: 'pie' }, 'chart: must be usual, null, or an object'],
    [{ ...query, chart: { kind: 'pie', x: 'day', y: [], split: null } }, 'chart'],
    [{ ...query, owner: 'somebody' }, 'owner'],
  ])('is refused as %j', async (body, words) => {
    const refused = await asking()('POST', '', body);
    expect([refused.status, refused.refusal]).toEqual([400, expect.stringContaining(words)]);
  });

  it('has a name that no other of the same person has, and is one of at most so many', async () => {
    const deps = apiDeps(null);
    const ask = asking(deps);
    const { queries } = deps.userData;
    const content = { ...query, is_shared: false };
    await ask('POST', '', query);
    expect((await ask('POST', '', query)).refusal).toContain('is called “Chats by day” already');
    expect((await ask('PUT', '/id-1', { ...query, version: 1 })).status).toBe(200);
    for (let at = 1; at < most_queries; at += 1) queries.add('local', { ...content, name: `Query ${at}` });
    expect((await ask('POST', '', { ...query, name: 'One more' })).refusal).toContain(`${most_queries} saved queries`);
    for (let at = 0; at < most_shared_queries; at += 1) queries.add(`user ${at}`, { ...content, is_shared: true });
    const shared = await ask('PUT', '/id-1', { ...query, version: 2, is_shared: true });
    expect([shared.status, shared.refusal]).toEqual([409, expect.stringContaining('shared queries')]);
  });
});

describe('whose a saved query is', () => {
  it('says who sees and who changes it, also when its maker is gone', async () => {
    const doors = openDoors(null);
    const [admin, ann, bob, ofGroup] = [
      await doors.userWith('admin'),
      await doors.userWith('analyst', { name: 'Ann' }),
      await doors.userWith('analyst', { name: 'Bob' }),
      await doors.userWith('analyst', { rows: { groups: [1] } }),
    ];
    const as = async ({ cookie }: { cookie: string }, method: string, path: string, body?: object) => {
      const answer = await doors.ask(`/sql/queries${path}`, { cookie }, { method, ...(body ? { body } : {}) });
      const text = await answer.text();
      return { status: answer.status, body: (text ? JSON.parse(text) : {}) as Body };
    };
    // Who reads a part of the rows only runs no SQL.
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/x'],
      ['PUT', '/x'],
      ['DELETE', '/x'],
    ] as const)
      expect([method, (await as(ofGroup, method, path, method === 'GET' ? undefined : query)).status]).toEqual([
        method,
        403,
      ]);

    const own = (await as(ann, 'POST', '', query)).body.id;
    for (const other of [admin, bob])
      for (const [method, body] of [['GET'], ['PUT', { ...query, version: 1 }], ['DELETE']] as const)
        expect([method, (await as(other, method, `/${own}`, body)).status]).toEqual([method, 404]);
    // Names of another's private queries are free, and no list has them.
    const all = (await as(ann, 'POST', '', { ...query, name: 'For all', is_shared: true })).body.id;
    expect((await as(bob, 'GET', '')).body['queries']).toMatchObject([
      { id: all, owner_name: 'Ann', is_own: false, may_change: false },
    ]);
    const change = { ...query, name: 'For all', is_shared: true, version: 1 };
    expect((await as(bob, 'PUT', `/${all}`, change)).status).toBe(403);
    expect((await as(bob, 'DELETE', `/${all}`)).status).toBe(403);
    expect((await as(admin, 'PUT', `/${all}`, change)).status).toBe(200);
    expect((await as(admin, 'PUT', `/${all}`, { ...change, is_shared: false, version: 2 })).status).toBe(403);

    doors.deps.userData.queries.forget(ann.id);
    expect((await as(ann, 'GET', `/${own}`)).status).toBe(404);
    expect((await as(bob, 'GET', `/${all}`)).body).toMatchObject({ owner_name: '', may_change: true });
    expect((await as(bob, 'PUT', `/${all}`, { ...change, version: 2 })).status).toBe(200);
    expect((await as(bob, 'DELETE', `/${all}`)).status).toBe(204);
    const told = doors.auth.audit.list({ action: 'query.changed' }, 10);
    expect(told.map(({ about }) => about)).toContain(`/sql/queries/${all}`);
    expect(JSON.stringify(told)).not.toContain('select $from');
  });

  it('is the first admin’s when there was nobody to sign in before', () => {
    const { queries } = apiDeps(null).userData;
    const { id } = queries.add('local', { ...query, is_shared: false });
    queries.handOver('local', 'ada');
    expect(queries.list('ada').map((it) => it.id)).toEqual([id]);
    expect(queries.list('local')).toEqual([]);
  });
});
