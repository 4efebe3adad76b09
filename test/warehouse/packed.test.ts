// Packed snapshots: the same rows, types, answers and views as the file that they were, in parts that they share.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Engine, Row, Store } from '#warehouse/engine.ts';
import { DamagedWarehouse, Refused } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { unpack } from '#warehouse/store/packed/unpack.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import {
  fileOf,
  openSnapshot,
  packedFileOf,
  snapshots,
  storedSnapshots,
  tidy,
  wholeSnapshots,
} from '#warehouse/store/snapshot-store.ts';
import { partOf, testInDrill, tries } from '../chance.ts';
import { account, addChats, later, type Chat } from './account.ts';
import { run } from './query-context.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
const minute = 60_000;

let folder: string;
let writer: Store;
/** What was published, as it was: packing leaves these alone. */
const copies = new Map<string, string>();

async function begin(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  copies.clear();
  writer = await account([
    { start: '2026-03-05T10:00:00Z', agents: ['a@x.test', 'b@x.test'], tags: ['one'], rate: 'rated_good' },
    { start: '2026-11-30T23:50:00.250Z', queue: 7, goals: [{ id: 1, at: '2026-11-30T23:55:00Z', price: '9.99' }] },
  ]);
}
async function end(): Promise<void> {
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
}

async function publishNext(chats: readonly Chat[] = []): Promise<string> {
  const count = copies.size;
  if (chats.length > 0) await addChats(writer, chats, 100 * (count + 1));
  const { id, file } = await publish(writer, folder, start + count * minute);
  copies.set(id, join(folder, `${id}.copy`));
  copyFileSync(file, join(folder, `${id}.copy`));
  return id;
}

const partsOf = (): string[] => readdirSync(join(folder, 'parts'));

/** By table; the columns of all of them besides. */
async function rowsOf(engine: Engine): Promise<Record<string, Row[]>> {
  const which = "where table_catalog = current_database() and table_schema <> 'metrics'";
  const columns = await engine.query(
    `select table_schema, table_name, column_name, data_type from information_schema.columns ${which}
     order by table_schema, table_name, ordinal_position`,
  );
  const found: Record<string, Row[]> = { columns };
  for (const name of new Set(
    columns.map(({ table_schema, table_name }) => `${String(table_schema)}.${String(table_name)}`),
  ))
    found[name] = await engine.query(`select * from ${name} order by all`);
  return found;
}

async function withBoth(id: string, look: (packed: Store, whole: Store) => Promise<void>): Promise<void> {
  const packed = await openSnapshot(folder, id);
  const whole = await openWarehouse(copies.get(id) ?? '', { readOnly: true });
  await look(packed, whole).finally(() => Promise.all([packed.close(), whole.close()]));
}

const chat = fc.record({
  start: fc
    .integer({ min: 0, max: 330 * 86_400 })
    .map((second) => new Date(Date.parse('2026-01-04T00:00:00Z') + second * 1000).toISOString()),
  seconds: fc.integer({ min: 0, max: 30_000 }),
  agents: fc.subarray(['a@x.test', 'b@x.test'], { minLength: 1 }),
  tags: fc.subarray(['one', "it's", '__proto__']),
  rate: fc.constantFrom('rated_good' as const, 'rated_bad' as const, 'not_rated' as const),
});

describe('packed snapshots', () => {
  beforeEach(begin);
  afterEach(end);

  it('have the rows, columns and answers of the files that they were, whatever was published before and after', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(chat, { maxLength: 6 }), { minLength: 3, maxLength: 4 }),
        async (publications) => {
          const first = copies.size;
          for (const chats of publications) await publishNext(chats);
          const ids = [...copies.keys()].slice(Math.max(0, first - 2), -2);
          expect(await wholeSnapshots(folder)).toEqual([...copies.keys()].slice(-2));
          for (const id of ids) {
            expect([existsSync(fileOf(folder, id)), existsSync(packedFileOf(folder, id))]).toEqual([false, true]);
            await withBoth(id, async (packed, whole) => expect(await rowsOf(packed)).toEqual(await rowsOf(whole)));
          }
        },
      ),
      { numRuns: tries(1, 10) },
    );
  });

  it('share what has not changed: a chat more costs a fraction of a snapshot', async () => {
    const many = Array.from({ length: 400 }, (_, index) => ({
      start: new Date(Date.parse('2026-04-01T00:00:00Z') + index * 4_000_000).toISOString(),
    }));
    await publishNext(many);
    await publishNext([{ start: '2026-11-30T12:00:00Z' }]);
    await publishNext();
    const before = partsOf().length;
    await publishNext();
    const after = partsOf().length;
    expect(after - before).toBeLessThan(before / 3);
    const [oldest, second] = await storedSnapshots(folder);
    expect(oldest?.bytes).toBeLessThan((second?.bytes ?? 0) / 2);
    expect(second?.bytes).toBeLessThan(statSync([...copies.values()][1] ?? '').size / 2);
  });
});

describe('a packed snapshot', () => {
  let id: string;
  beforeAll(async () => {
    await begin();
    id = await publishNext();
    await publishNext();
    await publishNext();
  });
  afterAll(end);

  it('answers every metric as the file did', async () => {
    await withBoth(id, async (packed, whole) => {
      // Every third; with the drill all.
      for (const { id: metric } of partOf(metrics, 3))
        for (const question of [
          { from: '2026-03-01', to: '2026-11-30', grain: 'month' },
          { from: '2026-11-30', to: '2026-11-30', split: 'agent' },
        ]) {
          const [one, other] = await Promise.all(
            [packed, whole].map((engine) =>
              run(engine, metric, question, later).catch((error: unknown) => {
                if (error instanceof Refused) return error.message;
                throw error;
              }),
            ),
          );
          expect([metric, one]).toEqual([metric, other]);
        }
    });
  });

  it('becomes a file again that needs nothing beside it: tables, views and comments too', async () => {
    const file = join(folder, 'past.duckdb');
    await unpack(packedFileOf(folder, id), file);
    const again = await openWarehouse(file, { readOnly: true });
    const whole = await openWarehouse(copies.get(id) ?? '', { readOnly: true });
    expect(await again.description()).toEqual(await whole.description());
    expect(await rowsOf(again)).toEqual(await rowsOf(whole));
    const view = 'select * from metrics.total_chats order by all';
    expect(await again.query(view)).toEqual(await whole.query(view));
    await Promise.all([again.close(), whole.close()]);
  });

  it('is told to be damaged when a part is gone, cut or changed, or the list of its parts is', async () => {
    const packed = packedFileOf(folder, id);
    const part = (name: string): string => {
      const found = partsOf().find((each) => each.startsWith(name)) ?? '';
      return join(folder, 'parts', found);
    };
    const changed = part('facts.chats-');
    const bytes = readFileSync(changed);
    const harms: (() => void)[] = [
      () =>
        writeFileSync(
          changed,
          bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 1 : byte)),
        ),
      () => truncateSync(changed, 100),
      () => rmSync(changed),
    ];
    for (const harm of harms) {
      writeFileSync(changed, bytes);
      harm();
      await expect(openSnapshot(folder, id)).rejects.toThrow(/its part facts.chats-.* is damaged or gone/);
    }
    // The next snapshot has the same rows, and mends this one.
    expect(existsSync(changed)).toBe(false);
    await publishNext();
    await (await openSnapshot(folder, id)).close();
    expect(readFileSync(changed).equals(bytes)).toBe(true);
    const listed = readFileSync(packed, 'utf8');
    for (const text of ['', '{}', listed.slice(0, -5)]) {
      writeFileSync(packed, text);
      await expect(openSnapshot(folder, id)).rejects.toThrow(DamagedWarehouse);
      // It is listed, and nothing is removed on a guess.
      const before = partsOf();
      expect(await tidy(folder, start + 60 * minute, 10e9)).toEqual([]);
      expect([(await snapshots(folder)).includes(id), partsOf()]).toEqual([true, before]);
    }
    writeFileSync(packed, listed);
    await (await openSnapshot(folder, id)).close();
  });
});

describe('the parts of packed snapshots', () => {
  beforeEach(begin);
  afterEach(end);

  it('go when no snapshot has them any more, not before, and not while somebody may still read them', async () => {
    const first = await publishNext([{ start: '2026-06-01T10:00:00Z' }]);
    await writer.exec("delete from facts.chats where started_at < timestamptz '2026-07-01 00:00:00+00'");
    for (let count = 0; count < 3; count += 1) await publishNext();
    const opened = await openSnapshot(folder, first);
    const before = partsOf();
    expect(await tidy(folder, start, 0)).toContain(first);
    expect(await snapshots(folder)).not.toContain(first);
    expect(partsOf()).toEqual(before);
    expect(await opened.query('select count(*) as n from facts.chats')).toEqual([{ n: 3 }]);
    await opened.close();
    await tidy(folder, start + 11 * minute, 0);
    expect(partsOf()).toEqual([]);
  });

  testInDrill('are finished by the next publication when packing was cut off', async () => {
    const first = await publishNext();
    await publishNext();
    await publishNext();
    // Listed, and the file still there; a part and a list that were begun; a part that nobody lists.
    copyFileSync(copies.get(first) ?? '', fileOf(folder, first));
    const parts = join(folder, 'parts');
    writeFileSync(join(parts, 'begun.part'), 'half');
    writeFileSync(`${packedFileOf(folder, first)}.part`, '{');
    writeFileSync(join(parts, `facts.nothing-all-0-0-0-${'0'.repeat(32)}.rows`), 'left');
    await publishNext();
    expect(existsSync(fileOf(folder, first))).toBe(false);
    expect(readdirSync(join(folder, 'snapshots')).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(partsOf().filter((name) => name.endsWith('.part') || name.startsWith('facts.nothing'))).toEqual([]);
    await withBoth(first, async (packed, whole) => expect(await rowsOf(packed)).toEqual(await rowsOf(whole)));
  });
});
