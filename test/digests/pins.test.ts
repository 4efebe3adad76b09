// Snapshots that digests pinned are let go when nothing can be made from them again any more.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseSnapshots } from '#digests/pins.ts';
import type { Store } from '#warehouse/engine.ts';
import { account } from '../warehouse/account.ts';
import { digestDeps, digest, monday, type TestDigestDeps } from './deps.ts';

let engine: Store;
beforeAll(async () => void (engine = await account([])));
afterAll(() => engine.close());

const day = 86_400;

/** Puts down that `period` was sent from `snapshot`, so many days ago. */
function sent(it: TestDigestDeps, period: string, snapshot: string, days: number, before: string | null = null): void {
  const key = { digest: 'week', period, reader: 'ann', channel: 'mail' };
  const at = monday - days * day;
  it.store.ledger.addAll([key], { due_at: at, is_late: false }, at);
  const made = JSON.stringify({ before: before && { snapshot: before, period } });
  it.store.ledger.made(key, { snapshot, made, message_id: '<x@y>' }, at);
  it.store.ledger.claim(key, it.owner, at);
  it.store.ledger.end(key, 'sent', null, at);
  it.pinned.push(`${snapshot} digest week ${period}`);
}
const ids = (it: TestDigestDeps) => it.pinned.map((pin) => pin.split(' ')[0]);

it('after 400 days, unless a younger send is held against it; what others pinned stays', async () => {
  const it = digestDeps(engine, [digest()], { now: monday });
  sent(it, '2025-W10', '20250310-070000-000', 427);
  sent(it, '2025-W11', '20250317-070000-000', 420, '20250310-070000-000');
  sent(it, '2025-W16', '20250421-070000-000', 385, '20250317-070000-000');
  sent(it, '2026-W18', '20260504-070000-000', 7, '20250421-070000-000');
  it.pinned.push('20250101-000000-000 an audit', '20260510-235000-000 digest week 2026-W19');
  expect(await releaseSnapshots(it)).toEqual(['20250310-070000-000']);
  expect(ids(it)).toEqual([
    '20250317-070000-000',
    '20250421-070000-000',
    '20260504-070000-000',
    '20250101-000000-000',
    '20260510-235000-000',
  ]);
  expect(await releaseSnapshots(it)).toEqual([]);
});

it('the newest of a reader stays with its digest, so that the next can be held against it', async () => {
  const it = digestDeps(engine, [digest()], { now: monday });
  sent(it, '2024-W20', '20240520-070000-000', 721);
  sent(it, '2024-W19', '20240513-070000-000', 728);
  expect(await releaseSnapshots(it)).toEqual(['20240513-070000-000']);
});

it('of a removed digest when links in its mails hold no longer', async () => {
  const it = digestDeps(engine, [digest()], { now: monday });
  sent(it, '2026-W05', '20260202-070000-000', 98);
  sent(it, '2026-W10', '20260309-070000-000', 63);
  expect(await releaseSnapshots(it)).toEqual([]);
  it.store.remove('week');
  expect(await releaseSnapshots(it)).toEqual(['20260202-070000-000']);
  it.now += 40 * day;
  expect(await releaseSnapshots(it)).toEqual(['20260309-070000-000']);
  expect(it.pinned).toEqual([]);
});
