// The past over HTTP: answers as known on an instant, the kept snapshots, the file, and what was restated.
import { localCaller } from '#auth/caller.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Context } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf } from '#api/context.ts';
import { pin } from '#warehouse/store/pins.ts';
import type { ApiDeps } from '#api/deps.ts';
import { second, type Chat } from '../warehouse/account.ts';
import { twoSnapshots, zone, type TwoSnapshots } from '../reports/snapshots.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

let two: TwoSnapshots;
let served: ApiDeps;
let ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;
const before: Chat[] = [{ start: '2026-05-05T10:00:00Z' }, { start: '2026-05-07T10:00:00Z', rate: 'rated_good' }];

beforeAll(async () => {
  two = await twoSnapshots(before, [...before, { start: '2026-05-05T12:00:00Z' }], ['2026-05-05']);
  const engine = await two.open(two.newer.id);
  served = apiDeps(engine, {
    snapshot: () => ({ id: two.newer.id, published_at: two.newer.published_at, engine }),
    snapshots: two.snapshots,
    clock: () => second('2026-05-10T07:00:00Z') * 1000,
    accounts: () => [{ id: 'default', timezone: zone, since: '2026-05-01' }],
  });
  const api = promisedApi(served);
  ask = (path, headers = {}, method = 'GET') =>
    Promise.resolve(api.request(`http://127.0.0.1:3000/api${path}`, { headers, method }));
});
afterAll(async () => {
  await two.close();
  rmSync(two.folder, { recursive: true, force: true });
});

const may = '/metrics/total_chats?from=2026-05-05&to=2026-05-05';
interface Body {
  rows: unknown[];
  snapshot: string;
  as_of?: string;
  to: string;
  error: { type: string; message: string; choices?: string[] };
}
const body = async (path: string): Promise<Body> => (await ask(path)).json() as Promise<Body>;

describe('as_of', () => {
  it('answers from the newest snapshot published until then, with the states of that time', async () => {
    const past = await body(`${may}&as_of=2026-05-09T12:00:00Z`);
    expect([past.snapshot, past.as_of]).toEqual([two.older.id, '2026-05-09T12:00:00.000Z']);
    expect(past.rows).toEqual([{ period: '2026-05-05', chats: 1, state: 'complete' }]);
    const ratings = await body(`${may.replace('total_chats', 'chat_ratings')}&as_of=2026-05-09T12:00:00Z`);
    expect(ratings.rows).toMatchObject([{ period: '2026-05-05', state: 'settling' }]);
    const now = await body(may);
    expect([now.snapshot, now.as_of]).toEqual([two.newer.id, undefined]);
    expect(now.rows).toEqual([{ period: '2026-05-05', chats: 2, state: 'complete' }]);
  });

  it('the default range ends on the day of that instant, and what came later is open', async () => {
    const past = await body('/metrics/total_chats?from=2026-05-07&as_of=2026-05-08T03:00:00%2B02:00');
    expect([past.snapshot, past.to]).toEqual([two.older.id, '2026-05-08']);
    expect(past.rows).toEqual([
      { period: '2026-05-07', chats: 1, state: 'settling' },
      { period: '2026-05-08', chats: 0, state: 'open' },
    ]);
  });

  it('an instant between two instants of one snapshot is another question, and both answer 304', async () => {
    const etag = async (as_of: string) => (await ask(`${may}&as_of=${as_of}`)).headers.get('etag') ?? '';
    const [one, other] = [await etag('2026-05-08T02:00:00Z'), await etag('2026-05-09T02:00:00Z')];
    expect(one).not.toBe(other);
    const again = await ask(`${may}&as_of=2026-05-08T02:00:00Z`, { 'if-none-match': one });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    ['2026-05-08T00:59:59Z', 'no snapshot is kept', '2026-05-08T01:00:00.000Z'],
    ['2026-05-10T07:00:01Z', 'future', undefined],
    ['2026-05-09', 'not an instant', undefined],
    ['2026-13-09T00:00:00Z', 'not an instant', undefined],
    ['2026-04-31T00:00:00Z', 'not an instant', undefined],
    ['2026-02-30T12:00:00%2B01:00', 'not an instant', undefined],
    ['yesterday', 'not an instant', undefined],
  ])('as_of=%s is refused: %s', async (as_of, words, choice) => {
    const answer = await ask(`${may}&as_of=${as_of}`);
    const { error } = (await answer.json()) as Body;
    expect([answer.status, error.type]).toEqual([400, 'bad_request']);
    expect(error.message).toContain(words);
    expect(error.choices?.[0]).toBe(choice);
    expect((await ask(`${may}&as_of=${as_of}&as_of=${as_of}`)).status).toBe(400);
  });

  it('a context has the snapshot of its time', async () => {
    const here = new Context(new Request('http://127.0.0.1:3000/api/metrics'));
    here.set('caller', localCaller);
    const openedAt = async (as_of: string) => (await (await contextOf(served, here, { as_of })).open()).snapshot;
    expect((await openedAt('2026-05-10T05:59:59Z')).id).toBe(two.older.id);
    expect((await openedAt('2026-05-10T06:00:00Z')).engine).toBe(served.snapshot()?.engine);
  });
});

describe('kept snapshots', () => {
  it('are listed with their sizes, the newest first, pins with the reason', async () => {
    await pin(two.folder, two.older.id, 'digest monday');
    const { snapshots, bytes, space, lost } = (await (await ask('/snapshots')).json()) as {
      snapshots: { bytes: number }[];
      bytes: number;
      space: number;
      lost: unknown;
    };
    expect(snapshots).toMatchObject([
      { id: two.newer.id, published_at: '2026-05-10T06:00:00.000Z', pinned: null, is_current: true },
      { id: two.older.id, published_at: '2026-05-08T01:00:00.000Z', pinned: 'digest monday', is_current: false },
    ]);
    expect(bytes).toBe(snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, 0));
    expect([space, lost]).toEqual([10e9, null]);
    writeFileSync(
      join(two.folder, 'lost.json'),
      JSON.stringify({
        '20260401-000000-000': '2026-05-08T01:00:00.000Z',
        '20260301-000000-000': { at: '2026-05-08T01:00:00.000Z', pinned: 'digest monday 2026-W09' },
      }),
    );
    expect(await (await ask('/snapshots')).json()).toMatchObject({
      lost: {
        ...{ count: 2, first: '2026-03-01T00:00:00.000Z', last: '2026-04-01T00:00:00.000Z' },
        pinned: ['digest monday 2026-W09'],
      },
    });
    rmSync(join(two.folder, 'lost.json'));
  });

  it('the newest is a file to take away, byte by byte, and only once', async () => {
    const answer = await ask('/snapshots/current/file');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="chatledger-${two.newer.id}.duckdb"`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.equals(readFileSync(two.newer.file))).toBe(true);
    const etag = answer.headers.get('etag') ?? '';
    expect((await ask('/snapshots/current/file', { 'if-none-match': etag })).status).toBe(304);
    const head = await ask('/snapshots/current/file', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });
});

describe('an interrupted download of the newest', () => {
  const path = '/snapshots/current/file';
  const whole = () => readFileSync(two.newer.file);
  const etagNow = async () => (await ask(path, {}, 'HEAD')).headers.get('etag') ?? '';

  it('goes on from any byte', async () => {
    const { length } = whole();
    const etag = await etagNow();
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=4096-300000', 4096, 300_001],
      [`bytes=${length - 10}-`, length - 10, length],
      ['bytes=-100', length - 100, length],
      [`bytes=100-${length + 5000}`, 100, length],
    ] as const) {
      const part = await ask(path, { range, 'if-range': etag });
      expect([range, part.status, part.headers.get('content-range')]).toEqual([
        ...[range, 206, `bytes ${from}-${to - 1}/${length}`],
      ]);
      const bytes = Buffer.from(await part.arrayBuffer());
      expect(Number(part.headers.get('content-length'))).toBe(bytes.length);
      expect([range, bytes.equals(whole().subarray(from, to))]).toEqual([range, true]);
    }
  });

  it.each(['lines=1-2', 'bytes=0-1,10-11', 'bytes', ''])(
    'is the whole file for what is no single range: %s',
    async (range) => {
      const answer = await ask(path, { range, 'if-range': await etagNow() });
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, whole().length]);
    },
  );

  it.each(['bytes=999999999-', 'bytes=5-2', 'bytes=a-b'])('%s is refused with the size of the file', async (range) => {
    const answer = await ask(path, { range, 'if-match': await etagNow() });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${whole().length}`]);
    expect(((await answer.json()) as Body).error.type).toBe('range_not_satisfiable');
  });

  it('never mixes two files: it goes on within the one that it names, and an erasure makes another of it', async () => {
    const etag = await etagNow();
    const status = async (headers: Record<string, string>) => {
      const answer = await ask(path, { range: 'bytes=10-99', ...headers });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await status({ 'if-range': etag })).toBe(206);
    expect(await status({ 'if-match': etag })).toBe(206);
    expect(await status({})).toBe(200);
    expect(await status({ 'if-match': '*' })).toBe(200);
    expect(await status({ 'if-range': `"${two.older.id}"` })).toBe(200);
    expect(await status({ 'if-match': `"${two.older.id}"` })).toBe(412);
    const erased = promisedApi({ ...served, rewritten: () => 'once' });
    const answer = await erased.request(`http://127.0.0.1:3000/api${path}`, { method: 'HEAD' });
    expect(answer.headers.get('etag')).not.toBe(etag);
  });
});

describe('restatements', () => {
  interface Restated {
    from_snapshot: { id: string } | null;
    to_snapshot: { id: string };
    restatements: Record<string, unknown>[];
    error?: { choices?: string[]; message: string };
  }
  const restated = async (search: string): Promise<[number, Restated]> => {
    const answer = await ask(`/restatements${search}`);
    return [answer.status, (await answer.json()) as Restated];
  };

  it('compare the oldest of the last week with the current one, and name the chats', async () => {
    const [status, found] = await restated('?metric=total_chats');
    expect([status, found.from_snapshot?.id, found.to_snapshot.id]).toEqual([200, two.older.id, two.newer.id]);
    expect(found.restatements[0]).toEqual({
      metric: 'total_chats',
      period: '2026-05-05',
      split: 'account',
      split_value: '',
      measure: 'chats',
      was: 1,
      is: 2,
      difference: 1,
      chats: [{ chat_id: 'C000002', what: ['new'] }],
      more_chats: 0,
    });
    expect((await ask('/restatements')).status).toBe(200);
  });

  it('begin with the oldest snapshot of the last 7 days in which the whole range had already been pulled', async () => {
    const since = (day: string) => ({ ...served, accounts: () => [{ id: 'default', timezone: zone, since: day }] });
    const from = async (differs: ApiDeps, search = '') => {
      const answer = await promisedApi(differs).request(`http://127.0.0.1:3000/api/restatements${search}`);
      return (await answer.json()) as Restated & { not_compared: string | null };
    };
    expect((await from(since('2026-05-01'))).from_snapshot?.id).toBe(two.older.id);
    // 30 April is in neither snapshot: the past is still being pulled.
    const early = await from(since('2026-04-30'));
    expect([early.from_snapshot, early.restatements]).toEqual([null, []]);
    expect(early.not_compared).toContain('all days from 2026-04-30 on');
    const named = await from(since('2026-04-30'), `?from_snapshot=${two.older.id}`);
    expect([named.from_snapshot?.id, named.not_compared, named.restatements.length > 0]).toEqual([
      two.older.id,
      null,
      true,
    ]);
    const late = { ...served, clock: () => second('2026-05-20T00:00:00Z') * 1000 };
    expect((await from(late)).from_snapshot).toBeNull();
  });

  it('of a snapshot with itself there are none', async () => {
    const [, found] = await restated(`?from_snapshot=${two.newer.id}`);
    expect(found.restatements).toEqual([]);
  });

  it('a refusal names the snapshots, metrics and parameters there are', async () => {
    const [status, found] = await restated('?from_snapshot=20200101-000000-000');
    expect([status, found.error?.choices]).toEqual([400, [two.older.id, two.newer.id]]);
    expect((await restated('?metric=nope'))[0]).toBe(404);
    expect((await restated('?since=2026-05-01'))[1].error?.choices).toContain('from_snapshot');
    const [swapped, why] = await restated(`?from_snapshot=${two.newer.id}&to_snapshot=${two.older.id}`);
    expect([swapped, why.error?.message]).toEqual([400, expect.stringContaining('swap them')]);
  });
});

describe('settling time in the catalogue', () => {
  it('is the default until there is history, also before anything is published', async () => {
    const listed = async (api: typeof ask) =>
      ((await (await api('/metrics')).json()) as { metrics: { id: string; settling_days: unknown }[] }).metrics
        .filter(({ id }) => ['total_chats', 'chat_ratings'].includes(id))
        .map(({ settling_days }) => settling_days);
    expect(await listed(ask)).toEqual([
      { days: 1, measured: false },
      { days: 7, measured: false },
    ]);
    const empty = promisedApi(apiDeps(null));
    const unpublished = await listed((path) => Promise.resolve(empty.request(`http://127.0.0.1:3000/api${path}`)));
    expect(unpublished).toEqual([1, 2].map(() => ({ days: 7, measured: false })));
  });
});
