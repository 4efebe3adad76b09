// Publishing: an ordinary file, replaced in one step, that explains itself.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { fileOf, idOf, newest, snapshots } from '#warehouse/store/snapshot-store.ts';
import { newestName, publish } from '#warehouse/store/snapshot.ts';
import { account, addChats, later } from './account.ts';
import { run } from './query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'published-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('publishing', () => {
  it('points one name at the newest of the kept snapshots, and a reader of a removed one is not disturbed', async () => {
    const engine = await account([{ start: '2026-05-05T10:00:00Z' }], 'Europe/Warsaw');
    const first = await publish(engine, folder, 1_800_000_000_000);
    const reader = await openWarehouse(first.file, { readOnly: true });
    await addChats(engine, [{ start: '2026-05-05T12:00:00Z' }]);
    const ids = [first.id];
    for (let count = 0; count < 3; count++)
      ids.push((await publish(engine, folder, 1_800_000_000_000, { space: count < 2 ? 10e9 : 0 })).id);
    expect(await snapshots(folder)).toEqual(ids.slice(3));
    expect(new Set(ids).size).toBe(4);
    expect(await reader.query('select count(*) as n from facts.chats')).toEqual([{ n: 1 }]);
    const name = join(folder, newestName);
    expect(lstatSync(name).isFile()).toBe(true);
    const fresh = await openWarehouse(name, { readOnly: true });
    expect(await fresh.query('select count(*) as n from facts.chats')).toEqual([{ n: 2 }]);
    const last = await newest(folder);
    expect(await fresh.query('select snapshot_id, published_at from ledger.snapshot')).toEqual([
      { snapshot_id: ids[3], published_at: last?.published_at },
    ]);
    expect(last?.id).toBe(ids[3]);
    expect(existsSync(first.file)).toBe(false);
    await Promise.all([reader.close(), fresh.close(), engine.close()]);
  });

  it('publishes one after the other what accounts that are pulled together publish at once', async () => {
    const place = join(folder, 'together');
    const engine = await account([{ start: '2026-05-05T10:00:00Z' }], 'Europe/Warsaw');
    const now = Date.parse('2027-01-10T00:00:00Z');
    for (let round = 0; round < 2; round++) {
      const published = await Promise.all([1, 2, 3].map(() => publish(engine, place, now, { smallest: 0 })));
      expect(new Set(published.map(({ id }) => id)).size).toBe(3);
      expect((await newest(place))?.id).toBe(published[2]?.id);
    }
    expect(await snapshots(place)).toHaveLength(6);
    expect(readdirSync(join(place, 'snapshots')).filter((name) => name.includes('.part'))).toEqual([]);
    await engine.close();
  });

  it("keeps the past while this machine's clock runs a year ahead of the source's, and after it is set right", async () => {
    const place = join(folder, 'ahead');
    const engine = await account([], 'Europe/Warsaw');
    const begin = Date.parse('2027-01-10T00:00:00Z');
    const year_s = 365 * 86_400;
    const ids = Array.from({ length: 14 }, (_, hour) => idOf(begin + hour * 3_600_000));
    mkdirSync(join(place, 'snapshots'), { recursive: true });
    for (const id of ids) writeFileSync(fileOf(place, id), 'kept by its age alone');
    const now = begin + 14 * 3_600_000;
    ids.push((await publish(engine, place, now + year_s * 1000, { clock_skew: -year_s })).id);
    expect(await snapshots(place)).toEqual(ids);
    ids.push((await publish(engine, place, now + 3_600_000, { clock_skew: 0 })).id);
    expect(await snapshots(place)).toEqual(ids);
    // A source that is ahead makes nothing older than this machine's clock says.
    ids.push((await publish(engine, place, now + 7_200_000, { clock_skew: year_s })).id);
    expect(await snapshots(place)).toEqual(ids);
    await publish(engine, place, now + year_s * 1000);
    expect((await snapshots(place)).length).toBeLessThan(ids.length);
    await engine.close();
  });

  it('has a view with a comment for every metric, with the numbers that the API gives', async () => {
    const engine = await account(
      [
        {
          start: '2026-05-04T22:30:00Z',
          rate: 'rated_good',
          queue: 3,
          first: [5, 'a@x.test'],
          goals: [{ id: 1, at: '2026-05-05T10:00:00Z' }],
        },
        {
          start: '2026-05-05T10:00:00Z',
          rate: 'rated_bad',
          goals: [{ id: 2, sale: true, at: '2026-05-05T10:00:00Z', price: '9.99', currency: 'EUR' }],
        },
      ],
      'Europe/Warsaw',
    );
    await publish(engine, folder, 1_900_000_000_000);
    const fresh = await openWarehouse(join(folder, newestName), { readOnly: true });
    const views = await fresh.query("select view_name, comment from duckdb_views() where schema_name = 'metrics'");
    expect(views.map((row) => row.view_name).sort()).toEqual(metrics.map(({ id }) => id).sort());
    expect(views.every((row) => String(row.comment).length > 40)).toBe(true);
    const silent = await fresh.query(
      `select table_name, column_name
       from duckdb_columns()
       where schema_name = 'metrics' and database_name = current_database() and comment is null`,
    );
    expect(silent).toEqual([]);
    const context = { ...later, zone: 'Europe/Warsaw' };
    for (const { id, archived, reported, measures, always } of metrics.filter(
      ({ splits }) => !splits.includes('currency'),
    )) {
      if (!archived || reported) continue;
      const names = Object.keys(measures).join(', ');
      const viewed = await fresh.query(
        `select ${[...(always ?? []), names].join(', ')} from metrics.${id} where day = date '2026-05-05'`,
      );
      const { rows } = await run(fresh, id, { from: '2026-05-05', to: '2026-05-05' }, context);
      const answered = rows.map(({ period: _period, state: _state, ...row }) => row);
      expect([id, viewed.map(rounded)]).toEqual([id, answered.map(rounded)]);
    }
    expect(
      await fresh.query('select currency, goals, sales_count, value from metrics.goals order by currency nulls first'),
    ).toEqual([
      { currency: null, goals: 1, sales_count: null, value: null },
      { currency: 'EUR', goals: null, sales_count: 1, value: 9.99 },
    ]);
    await Promise.all([fresh.close(), engine.close()]);
  });
});

/** Doubles of the view and of the last touch in TypeScript may differ in the last bit. */
const rounded = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(13)) : value,
    ]),
  );
