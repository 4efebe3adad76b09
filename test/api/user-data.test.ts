// What readers keep: views with names and notes on days, refused where they are none.
import { describe, expect, it } from 'vitest';
import { most_annotations, most_views } from '#api/user-data.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const api = (differs: Parameters<typeof apiDeps>[1] = {}) => {
  const app = promisedApi(apiDeps(null, differs));
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const url = `http://127.0.0.1:3000/api${path}`;
    const response = await app.request(url, { method, headers: { ...type, ...headers }, ...sent });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : null) as Record<string, unknown> | null };
  };
};
const refusal = (answer: { body: Record<string, unknown> | null }) =>
  (answer.body?.['error'] as { message: string } | undefined)?.message;

describe('views', () => {
  const view = { name: 'Monday', address: '/queue?preset=7d' };

  it('a view is kept, renamed and removed', async () => {
    const ask = api();
    const saved = await ask('PUT', '/views', view);
    expect(saved).toMatchObject({ status: 200, body: { id: 'id-1', ...view, created_at: '2026-06-01T00:07:00.000Z' } });
    await ask('PUT', '/views', { ...view, id: 'id-1', name: ' Tuesday ' });
    expect((await ask('GET', '/views')).body).toMatchObject({ views: [{ id: 'id-1', name: 'Tuesday' }] });
    expect((await ask('DELETE', '/views/id-1')).status).toBe(204);
    expect((await ask('GET', '/views')).body).toEqual({ views: [] });
  });

  it('a name belongs to one view', async () => {
    const ask = api();
    await ask('PUT', '/views', view);
    const second = await ask('PUT', '/views', view);
    expect([second.status, refusal(second)]).toEqual([409, 'a view is called Monday already']);
    expect((await ask('PUT', '/views', { ...view, id: 'id-1' })).status).toBe(200);
  });

  it('an address that leads elsewhere, an empty name and an unknown id are refused', async () => {
    const ask = api();
    for (const address of ['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '/a\nb'])
      expect((await ask('PUT', '/views', { ...view, address })).status).toBe(400);
    expect(refusal(await ask('PUT', '/views', { ...view, name: '  ' }))).toBe('name: must not be empty');
    expect((await ask('PUT', '/views', { ...view, id: 'none' })).status).toBe(404);
    expect((await ask('DELETE', '/views/none')).status).toBe(404);
  });
});

describe('a limit', () => {
  it('holds for views: one more is refused with what to do, and those that are there can be changed and removed', async () => {
    const ask = api();
    const view = (at: number) => ({ name: `View ${at}`, address: '/queue' });
    for (let at = 1; at <= most_views; at++) expect((await ask('PUT', '/views', view(at))).status).toBe(200);
    const over = await ask('PUT', '/views', view(0));
    expect([over.status, refusal(over)]).toEqual([
      409,
      'there are 500 saved views, and no more can be kept: remove one that nobody needs',
    ]);
    expect((await ask('PUT', '/views', { ...view(0), id: 'id-1' })).status).toBe(200);
    expect((await ask('DELETE', '/views/id-2')).status).toBe(204);
    expect((await ask('PUT', '/views', view(2))).status).toBe(200);
  });

  it('holds for the notes of each account', async () => {
    const accounts = ['default', 'other'].map((id) => ({ id, timezone: 'UTC', since: '2026-05-01' }));
    const ask = api({ accounts: () => accounts });
    const note = { account: 'default', day: '2026-05-10', text: 'x' };
    for (let at = 1; at <= most_annotations; at++) expect((await ask('PUT', '/annotations', note)).status).toBe(200);
    const over = await ask('PUT', '/annotations', note);
    expect([over.status, refusal(over)]).toEqual([
      409,
      'there are 5000 notes on days of this account, and no more can be kept: remove one that nobody needs',
    ]);
    expect((await ask('PUT', '/annotations', { ...note, account: 'other' })).status).toBe(200);
    expect((await ask('PUT', '/annotations', { ...note, id: 'id-1', text: 'y' })).status).toBe(200);
  });
});

describe('annotations', () => {
  const note = { day: '2026-05-10', text: 'New bot live' };

  it('a note is kept for its account and day, with its writer', async () => {
    const ask = api();
    await ask('PUT', '/annotations', note);
    await ask('PUT', '/annotations', { ...note, day: '2026-05-20' });
    const kept = { id: 'id-1', account: 'default', ...note, user: 'local', created_at: '2026-06-01T00:07:00.000Z' };
    const found = await ask('GET', '/annotations?from=2026-05-01&to=2026-05-10');
    expect(found.body).toEqual({ annotations: [kept] });
    const changed = await ask('PUT', '/annotations', { ...note, id: 'id-1', text: 'Bot off again' });
    expect(changed.body).toEqual({ ...kept, text: 'Bot off again' });
    expect((await ask('DELETE', '/annotations/id-1')).status).toBe(204);
    expect((await ask('DELETE', '/annotations/id-1')).status).toBe(404);
  });

  it('a day that does not exist, an unknown account and two lines of text are refused', async () => {
    const ask = api();
    const days = ['2026-02-30', '1999-12-31', '2101-01-01', '9999-12-31'].map((day) => ({ day }));
    for (const wrong of [...days, { account: 'other' }, { text: 'a\nb' }])
      expect([wrong, (await ask('PUT', '/annotations', { ...note, ...wrong })).status]).toEqual([wrong, 400]);
    expect((await ask('PUT', '/annotations', { ...note, day: '2100-12-31' })).status).toBe(200);
    expect((await ask('GET', '/annotations?from=soon')).status).toBe(400);
  });

  it('pages of other sites, and bodies that are not JSON, change nothing', async () => {
    const ask = api();
    expect((await ask('PUT', '/annotations', note, { origin: 'http://evil.test' })).status).toBe(403);
    expect((await ask('PUT', '/annotations', note, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await ask('GET', '/annotations')).body).toEqual({ annotations: [] });
  });
});

it('events begin with the state, and say when a snapshot is published', async () => {
  let id = 's1';
  const snapshot = () => ({ id, published_at: '2026-06-01T00:00:00.000Z', engine: null as never });
  const response = await promisedApi(apiDeps(null, { snapshot })).request('http://127.0.0.1:3000/api/events');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const until = async (text: string) => {
    while (!heard.includes(text)) heard += (await reader?.read())?.value ?? '';
  };
  await until('event: pull');
  expect(heard).toContain('"id":"s1"');
  id = 's2';
  await until('"id":"s2"');
  await reader?.cancel();
});
