// The vendor's reports as known on a past instant: an argument of ours, beside those of the vendor.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiDeps } from '../api/deps.ts';
import { second, type Chat } from '../warehouse/account.ts';
import { twoSnapshots, zone, type TwoSnapshots } from './snapshots.ts';
import { promisedApi } from '../api/promised-api.ts';

const before: Chat[] = [{ start: '2026-05-05T10:00:00Z' }];
const days = 'date_from=2026-05-05&date_to=2026-05-06&group_by=day';
let two: TwoSnapshots;
let ask: (search: string) => Promise<[status: number, body: unknown, etag: string | null]>;

beforeAll(async () => {
  two = await twoSnapshots(before, [...before, { start: '2026-05-05T12:00:00Z' }], ['2026-05-05']);
  const engine = await two.open(two.newer.id);
  const api = promisedApi(
    apiDeps(engine, {
      snapshot: () => ({ id: two.newer.id, published_at: two.newer.published_at, engine }),
      snapshots: two.snapshots,
      clock: () => second('2026-05-10T07:00:00Z') * 1000,
      accounts: () => [{ id: 'default', timezone: zone, since: '2026-05-05' }],
    }),
  );
  ask = async (search) => {
    const answer = await api.request(`http://127.0.0.1:3000/api/reports/chats/total_chats?${search}`);
    return [answer.status, await answer.json(), answer.headers.get('etag')];
  };
});
afterAll(async () => {
  await two.close();
  rmSync(two.folder, { recursive: true, force: true });
});

describe('a report with as_of', () => {
  it('is answered from the newest snapshot published until then, and is another answer than that of today', async () => {
    const [, now, newer] = await ask(days);
    const [status, past, older] = await ask(`${days}&as_of=2026-05-09T12:00:00Z`);
    expect(now).toEqual({ '2026-05-05': { chats: 2 }, '2026-05-06': { chats: 0 } });
    expect([status, past]).toEqual([200, { '2026-05-05': { chats: 1 }, '2026-05-06': { chats: 0 } }]);
    expect(older).not.toBe(newer);
  });

  it('ends by default on the day of that instant', async () => {
    const [, past] = await ask('date_from=2026-05-05&as_of=2026-05-08T03:00:00%2B02:00');
    expect(Object.keys(past as object)).toEqual(['2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08']);
  });

  it.each([
    ['yesterday', 'is not an instant'],
    ['2026-05-10T07:00:01Z', 'lies in the future'],
    ['2026-05-01T00:00:00Z', 'no snapshot is kept'],
  ])('as_of=%s is refused in the vendor’s shape: %s', async (as_of, words) => {
    const [status, body] = await ask(`${days}&as_of=${as_of}`);
    expect([status, body]).toEqual([400, { errors: [expect.stringContaining(words)] }]);
  });
});
