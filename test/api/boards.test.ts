// Boards as they are kept: whose they are, what is refused, how many there are, and what a menu holds.
import { describe, expect, it } from 'vitest';
import { most_boards, most_pins, most_shared_boards } from '#api/user-data.ts';
import { most_panels } from '#dashboards/boards.ts';
import { openDoors } from '../access/api.ts';
import { expectPromised } from './promised.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const volume = { panel: 'overview/volume', size: 'full' };
const csat = { panel: 'overview/csat-tile', size: 'tile' };

interface Answer {
  status: number;
  body: Record<string, unknown> & { id: string; version: number };
  refusal: string;
}

function asking(deps = apiDeps(null)) {
  const app = promisedApi(deps);
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await app.request(`http://127.0.0.1:3000/api${path}`, { method, ...sent });
    const text = await response.text();
    const json = (text ? JSON.parse(text) : {}) as Answer['body'] & { error?: { message: string } };
    if (response.status === 200) expectPromised(method, `/api${path}`, 200, text);
    return { status: response.status, body: json, refusal: json.error?.message ?? '' };
  };
}

describe('a board', () => {
  it('is kept with its panels in order, changed, and removed', async () => {
    const ask = asking();
    const { body } = await ask('POST', '/boards', {
      title: ' Monday ',
      panels: [csat, { ...volume, title: 'Mine', split: 'group' }],
    });
    const kept = {
      id: 'id-1',
      title: 'Monday',
      is_shared: false,
      is_own: true,
      may_change: true,
      owner_name: '',
      version: 1,
    };
    expect(body).toMatchObject({ ...kept, panels: [csat, { ...volume, title: 'Mine', split: 'group' }] });
    const changed = await ask('PUT', '/boards/id-1', { title: 'Tuesday', version: 1, panels: [volume, csat] });
    expect(changed.body).toMatchObject({ id: 'id-1', title: 'Tuesday', version: 2, panels: [volume, csat] });
    expect((await ask('GET', '/boards/id-1')).body).toEqual(changed.body);
    expect((await ask('GET', '/boards')).body).toMatchObject({ boards: [{ id: 'id-1' }], may_share: true });
    expect((await ask('DELETE', '/boards/id-1')).status).toBe(204);
    expect((await ask('GET', '/boards/id-1')).status).toBe(404);
  });

  it('that somebody changed meanwhile is not overwritten', async () => {
    const ask = asking();
    await ask('POST', '/boards', { title: 'Monday' });
    expect((await ask('PUT', '/boards/id-1', { title: 'One', version: 1, panels: [volume] })).status).toBe(200);
    const late = await ask('PUT', '/boards/id-1', { title: 'Other', version: 1, panels: [csat] });
    expect([late.status, late.refusal]).toEqual([409, expect.stringContaining('changed this board meanwhile')]);
    expect((await ask('GET', '/boards/id-1')).body).toMatchObject({ title: 'One', panels: [volume] });
  });

  it('has panels that there are, each once; one that is gone may stay where it stood', async () => {
    const deps = apiDeps(null);
    const ask = asking(deps);
    const status = async (...panels: object[]) => (await ask('POST', '/boards', { title: 'x', panels })).status;
    for (const wrong of [
      { panel: 'overview/none', size: 'full' },
      { panel: '__proto__/constructor', size: 'full' },
      { panel: 'overview/volume', size: 'huge' },
      { panel: 'overview/csat-tile', size: 'half' },
      { ...volume, split: 'moon' },
      { ...volume, metric: 'csat' },
      { ...volume, measures: [] },
      { ...volume, title: 'two\nlines' },
      { ...volume, title: 'x'.repeat(81) },
    ])
      expect([wrong, await status(wrong)]).toEqual([wrong, 400]);
    expect(await status(volume, { ...volume, size: 'half' })).toBe(400);
    const many = await ask('POST', '/boards', {
      title: 'x',
      panels: Array.from({ length: most_panels + 1 }, () => volume),
    });
    expect([many.status, many.refusal]).toEqual([400, expect.stringContaining(`at most ${most_panels}`)]);

    const gone = { panel: 'overview/gone', size: 'half' as const };
    const { id } = deps.userData.boards.add('local', { title: 'Old', is_shared: false, panels: [gone] });
    const kept = await ask('PUT', `/boards/${id}`, { title: 'Old', version: 1, panels: [volume, gone] });
    expect(kept.body).toMatchObject({ panels: [volume, gone] });
    const moved = { ...gone, panel: 'overview/gone-too' };
    expect((await ask('PUT', `/boards/${id}`, { title: 'Old', version: 2, panels: [moved] })).status).toBe(400);
  });

  it('is called what it is called, whatever that is, and no other of the same reader is called so', async () => {
    const ask = asking();
    for (const title of ['__proto__', 'constructor', '<script>alert(1)</script>', "'; drop table boards; --", 'שלום'])
      expect((await ask('POST', '/boards', { title })).body['title']).toBe(title);
    const again = await ask('POST', '/boards', { title: '__proto__' });
    expect([again.status, again.refusal]).toEqual([409, 'a board is called __proto__ already']);
    for (const title of ['', ' ', 'a\nb', 'x'.repeat(81)])
      expect((await ask('POST', '/boards', { title })).status).toBe(400);
    const hostile = '{"title":"x","panels":[],"__proto__":{"is_shared":true}}';
    const sent = await promisedApi(apiDeps(null)).request('http://127.0.0.1:3000/api/boards', {
      ...{ method: 'POST', body: hostile, headers: { 'content-type': 'application/json' } },
    });
    expect(await sent.text()).not.toContain('"is_shared":true');
  });

  it('is one of at most so many, which is said', async () => {
    const deps = apiDeps(null);
    const ask = asking(deps);
    for (let at = 1; at <= most_boards; at++)
      deps.userData.boards.add('local', { title: `Board ${at}`, is_shared: false, panels: [] });
    const over = await ask('POST', '/boards', { title: 'One more' });
    expect([over.status, over.refusal]).toEqual([
      409,
      `there are ${most_boards} boards of yours, and no more can be kept: remove one that nobody needs`,
    ]);
    for (let at = 0; at < most_shared_boards; at++)
      deps.userData.boards.add(`user ${at}`, { title: 'All', is_shared: true, panels: [] });
    const shared = await ask('PUT', '/boards/id-1', { title: 'Board 1', version: 1, is_shared: true, panels: [] });
    expect([shared.status, shared.refusal]).toEqual([409, expect.stringContaining('boards that everybody sees')]);
  });
});

describe('whose a board is', () => {
  it('says who sees and who changes it: its maker, or everybody and whoever may write for everybody', async () => {
    const doors = openDoors(null);
    const [admin, manager, viewer] = [
      await doors.userWith('admin', { name: 'Ada' }),
      await doors.userWith('manager', { name: 'Max' }),
      await doors.userWith('viewer', { name: 'Vi' }),
    ];
    const as = async ({ cookie }: { cookie: string }, method: string, path: string, body?: object) => {
      const answer = await doors.ask(path, { cookie }, { method, ...(body ? { body } : {}) });
      const text = await answer.text();
      return { status: answer.status, body: (text ? JSON.parse(text) : {}) as Answer['body'] };
    };
    const board = { title: 'Team', panels: [volume] };
    expect((await as(viewer, 'POST', '/boards', { ...board, is_shared: true })).status).toBe(403);
    const { id } = (await as(viewer, 'POST', '/boards', board)).body;
    for (const other of [admin, manager])
      for (const [method, body] of [['GET'], ['PUT', { ...board, version: 1 }], ['DELETE']] as const)
        expect([method, (await as(other, method, `/boards/${id}`, body)).status]).toEqual([method, 404]);

    const all = (await as(manager, 'POST', '/boards', { ...board, is_shared: true })).body.id;
    expect((await as(viewer, 'GET', `/boards/${all}`)).body).toMatchObject({
      owner_name: 'Max',
      is_own: false,
      may_change: false,
    });
    expect((await as(viewer, 'PUT', `/boards/${all}`, { ...board, version: 1 })).status).toBe(403);
    expect((await as(viewer, 'DELETE', `/boards/${all}`)).status).toBe(403);
    expect((await as(admin, 'PUT', `/boards/${all}`, { ...board, is_shared: true, version: 1 })).status).toBe(200);
    expect((await as(admin, 'PUT', `/boards/${all}`, { ...board, is_shared: false, version: 2 })).status).toBe(403);
    expect(await as(viewer, 'GET', '/boards')).toMatchObject({
      body: { boards: [{ id: expect.anything() as string }, { id: expect.anything() as string }], may_share: false },
    });

    doors.deps.userData.boards.forget(manager.id);
    expect((await as(viewer, 'GET', `/boards/${all}`)).body).toMatchObject({ title: 'Team', owner_name: '' });
    doors.deps.userData.boards.forget(viewer.id);
    expect((await as(viewer, 'GET', `/boards/${id}`)).status).toBe(404);
    expect(doors.auth.audit.list({ action: 'board.changed' }, 10).map(({ who }) => who)).toContain(
      'person2@example.com',
    );
  });

  it('a board that a digest names is not removed before the digest does without it', async () => {
    const named: { content: string[] } = { content: [] };
    const list = () => [{ digest: { title: 'Monday report', ...named } }];
    const deps = apiDeps(null, { digests: { store: { list } } as never });
    const ask = asking(deps);
    const { id } = (await ask('POST', '/boards', { title: 'Monday' })).body;
    named.content = ['overview', `board/${id}`];
    const refused = await ask('DELETE', `/boards/${id}`);
    expect([refused.status, refused.refusal]).toEqual([409, expect.stringContaining('Monday report')]);
    named.content = ['overview'];
    expect((await ask('DELETE', `/boards/${id}`)).status).toBe(204);
  });
});

describe('a menu', () => {
  it('holds new views and boards, what is put there, and nothing that is gone', async () => {
    const ask = asking();
    const view = (await ask('PUT', '/views', { name: 'Queue', address: '/queue?preset=7d' })).body.id;
    const board = (await ask('POST', '/boards', { title: 'Monday' })).body.id;
    const names = async () => ((await ask('GET', '/pins')).body['pins'] as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['Queue', 'Monday']);
    expect((await ask('PUT', '/pins', { kind: 'view', id: view, is_pinned: false })).status).toBe(200);
    expect(await names()).toEqual(['Monday']);
    await ask('PUT', '/pins', { kind: 'view', id: view, is_pinned: true });
    await ask('DELETE', `/boards/${board}`);
    expect(await names()).toEqual(['Queue']);
    expect((await ask('PUT', '/pins', { kind: 'board', id: board, is_pinned: true })).status).toBe(404);
    expect((await ask('PUT', '/pins', { kind: 'page', id: view, is_pinned: true })).status).toBe(400);
  });

  it('holds so many, which keeps nobody from making more', async () => {
    const ask = asking();
    for (let at = 0; at <= most_pins; at++)
      expect((await ask('PUT', '/views', { name: `View ${at}`, address: '/queue' })).status).toBe(200);
    expect((await ask('GET', '/pins')).body['pins']).toHaveLength(most_pins);
    const over = await ask('PUT', '/pins', { kind: 'view', id: `id-${most_pins + 1}`, is_pinned: true });
    expect([over.status, over.refusal]).toEqual([
      409,
      expect.stringContaining(`there are ${most_pins} views and boards`),
    ]);
  });
});
