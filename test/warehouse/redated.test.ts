// After a clock that ran ahead: snapshots keep the time at which they were published at the latest, in their order.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { databaseDebts } from '#warehouse/store/database-copy.ts';
import { setBack } from '#warehouse/store/redated.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { fileOf, idOf, instantOf, newest, storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import { account } from './account.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-redated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hour = 3_600_000;
const noon = Date.parse('2027-01-10T12:00:00Z');
const months_ahead = 90 * 24 * hour;

test('once the source says that the clock is right again, questions as of now find what is published now', async () => {
  mkdirSync(join(folder, 'snapshots'));
  const ahead = [0, 1, 2].map((after) => noon + months_ahead + after * hour);
  for (const at of [noon - hour, ...ahead]) writeFileSync(fileOf(folder, idOf(at)), 'x');
  const engine = await account([], 'UTC');
  const now = noon + 6 * hour;
  const unsaid = await publish(engine, folder, now);
  expect(unsaid.published_at > new Date(now + months_ahead - 12 * hour).toISOString()).toBe(true);
  const said = await publish(engine, folder, now + hour, { heard_skew: 3 });
  expect(said.published_at).toBe(new Date(now + hour).toISOString());
  expect(await newest(folder)).toEqual(said);
  const stored = await storedSnapshots(folder);
  // A database has the ones that got another time as of the clock that ran ahead.
  const whole = { rewritten: '', isWhole: true };
  const held = stored.map(({ id }) => ({ ...whole, id, published_at: instantOf(id) }));
  const debts = await databaseDebts({ list: () => Promise.resolve(held) }, folder, { rewritten: '' });
  expect(debts).toEqual({ missing: [unsaid.id, ...ahead.map(idOf).reverse()], outdated: [], removed: [] });
  const paid = { list: () => Promise.resolve(stored.map((each) => ({ ...whole, ...each }))) };
  expect((await databaseDebts(paid, folder, { rewritten: '' })).missing).toEqual([]);
  expect(stored.map(({ id }) => id)).toEqual([...[noon - hour, ...ahead].map(idOf), ...[unsaid.id, idOf(now + hour)]]);
  const times = stored.map(({ published_at }) => Date.parse(published_at));
  expect(times.slice(1, 4)).toEqual([now - hour - 2, now - 2, now + hour - 2]);
  // Hours pass, and each keeps its own.
  for (const after of [2, 3, 4]) await publish(engine, folder, now + after * hour, { heard_skew: 0 });
  expect((await storedSnapshots(folder)).slice(-3).map(({ id }) => id)).toEqual(
    [2, 3, 4].map((after) => idOf(now + after * hour)),
  );
  await engine.close();
});

test('no two are named alike, also where the clock comes to a time that was used before', async () => {
  const place = join(folder, 'again');
  const engine = await account([], 'UTC');
  const ahead = await publish(engine, place, noon + months_ahead);
  await publish(engine, place, noon, { heard_skew: 0 });
  const then = await publish(engine, place, noon + months_ahead, { heard_skew: 0 });
  expect(then.id).toBe(idOf(noon + months_ahead + 1));
  expect((await storedSnapshots(place)).map(({ id }) => id)).toEqual([ahead.id, idOf(noon), then.id]);
  await engine.close();
});

test.each([
  ['does not say what time it is', null],
  ['says that this clock is two days behind', 2 * 86_400],
  ['says that this clock is two days ahead', -2 * 86_400],
])('none gets another time while the source %s', (_, skew) => {
  expect(setBack([[idOf(noon + months_ahead), noon + months_ahead]], noon, skew)).toEqual(new Map());
});

test('nor those that a difference of minutes explains', () => {
  expect(setBack([['a', noon + 100_000]], noon, 0).size).toBe(0);
  expect(setBack([['a', noon + 1_000_000]], noon, 1200).size).toBe(0);
  expect(setBack([['a', noon + 1_000_000]], noon, -1200).size).toBe(1);
});

test('order and distances stay, and none is later than now or earlier than one that was right', () => {
  const hours = fc.integer({ min: 1, max: 40_000 });
  fc.assert(
    fc.property(fc.array(hours), fc.array(hours), (past, future) => {
      const right = past.map((count) => noon - count * hour).toSorted((one, other) => one - other);
      const ahead = [...new Set(future)].map((count) => noon + count * hour).toSorted((one, other) => one - other);
      const times = [...right, ...ahead].map((at, place) => [String(place), at] as const);
      const found = setBack(times, noon, 0);
      const set = [...found.values()];
      expect(found.size).toBe(ahead.length);
      expect(set).toEqual([...new Set(set)].toSorted((one, other) => one - other));
      expect(set.every((at) => at < noon && at > (right.at(-1) ?? -Infinity))).toBe(true);
      for (const [place, at] of set.entries()) {
        const next = set[place + 1];
        if (next !== undefined && at > (right.at(-1) ?? -Infinity) + ahead.length)
          expect(next - at).toBe((ahead[place + 1] ?? 0) - (ahead[place] ?? 0));
      }
    }),
  );
});

test('a damaged list of such times is written again, and one that cannot be read is said', async () => {
  const place = join(folder, 'damaged');
  const engine = await account([], 'UTC');
  await publish(engine, place, noon + months_ahead);
  writeFileSync(join(place, 'redated.json'), '{"');
  const said = await publish(engine, place, noon, { heard_skew: 0 });
  expect(await newest(place)).toEqual(said);
  rmSync(join(place, 'redated.json'));
  mkdirSync(join(place, 'redated.json'));
  await expect(newest(place)).rejects.toThrow('EISDIR');
  await engine.close();
});
