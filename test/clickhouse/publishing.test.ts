// Publishing to ClickHouse: what changed and nothing else, one snapshot or the one before, and nothing left of what no snapshot names.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Store } from '#warehouse/engine.ts';
import { UnreachableWarehouse } from '#warehouse/errors.ts';
import type { HeldSnapshot } from '#warehouse/snapshot-database.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tries } from '../chance.ts';
import { random } from '../drills/random.ts';
import { addChats } from '../warehouse/account.ts';
import { counted } from './counted.ts';
import { openDatabase, type Database } from './both.ts';
import { installedPeer, whyNoPeer } from './installed.ts';

const isThere = installedPeer() !== undefined;

describe.skipIf(!isThere)(isThere ? 'publishing in a process' : whyNoPeer, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-publishing-'));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Each snapshot has chats of January that stay, and as many of February as its number says. */
  async function snapshotOf(store: Store, number: number): Promise<HeldSnapshot & { engine: Store }> {
    const { file, id, published_at } = await publish(store, folder, Date.parse('2026-05-12T09:00:00Z') + number * 1000);
    return { engine: await openWarehouse(file, { readOnly: true }), id, published_at, rewritten: '' };
  }

  const opened = (id: string): Promise<Engine> => database.snapshots.open({ id, rewritten: '' });
  const newest = async (): Promise<unknown> => {
    const { id = '' } = (await database.snapshots.list()).at(-1) ?? {};
    return counted(await opened(id));
  };
  /** The engine was killed; anything else is an error. */
  const unreachable = (error: unknown): unknown => {
    if (error instanceof UnreachableWarehouse) return 'unreachable';
    throw error;
  };

  it('writes parts that changed, and each snapshot is answered as it was', async () => {
    const store = await openWarehouse(':memory:');
    await addChats(store, [{ start: '2026-01-05T10:00:00Z', tags: ['a'] }]);
    const first = await snapshotOf(store, 0);
    const all = await database.publisher.publish(first.engine, first);
    expect(all.kept).toBe(0);
    await addChats(store, [{ start: '2026-02-05T10:00:00Z', tags: ['a', 'b'], agents: ['x@x.test', 'y@x.test'] }], 1);
    const second = await snapshotOf(store, 1);
    const changed = await database.publisher.publish(second.engine, second);
    expect(changed.kept).toBeGreaterThan(0);
    expect(changed.written).toBeLessThan(all.written);
    for (const { engine, id } of [first, second]) {
      expect(await counted(await opened(id))).toEqual(await counted(engine));
      await engine.close();
    }
    expect((await database.snapshots.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
    await expect(opened('20200101-000000-000')).rejects.toThrow('no snapshot');

    await database.publisher.keepOnly([second.id]);
    expect((await database.snapshots.list()).map(({ id }) => id)).toEqual([second.id]);
    expect(await counted(await opened(second.id))).toMatchObject({
      chats: 2,
      agents: 3,
      tags: 3,
    });
    await store.close();
  });

  it('shows one snapshot or the one before, whenever a publication is cut off', { timeout: 3_600_000 }, async () => {
    const store = await openWarehouse(':memory:');
    await addChats(store, [{ start: '2026-01-05T10:00:00Z', tags: ['a'] }]);
    const draw = random(7);
    let whole: unknown = await newest();
    const counts = { cut: 0, questions: 0, unanswered: 0, mixtures: 0 };
    const many = tries(2, 200);
    for (let number = 1; number <= many; number += 1) {
      await addChats(
        store,
        [{ start: '2026-02-05T10:00:00Z', tags: ['a', 'b'], agents: ['x@x.test', 'y@x.test'] }],
        number,
      );
      const { engine, ...snapshot } = await snapshotOf(store, 10 + number);
      const seen: unknown[] = [];
      let isOver = false;
      const asking = (async () => {
        while (!isOver) seen.push(await newest().catch(unreachable));
      })();
      const statements = database.peer.statements.length;
      const stop = Math.floor(draw() * 300);
      const watch = setInterval(() => {
        if (database.peer.statements.length - statements < stop) return;
        // Of a server that is there again at once nobody takes notice.
        if (number % 2 === 0) database.peer.kill();
        else database.peer.setDown(true);
        clearInterval(watch);
      }, 5);
      const isCut = await database.publisher.publish(engine, snapshot).then(
        () => false,
        () => true,
      );
      clearInterval(watch);
      database.peer.setDown(false);
      isOver = true;
      await asking;
      if (isCut) counts.cut += 1;
      counts.questions += seen.length;
      counts.unanswered += seen.filter((one) => one === 'unreachable').length;
      const expected = await counted(engine);
      const known = [whole, expected, 'unreachable'].map((each) => JSON.stringify(each));
      counts.mixtures += seen.filter((one) => !known.includes(JSON.stringify(one))).length;
      expect(counts.mixtures).toBe(0);
      const now = await newest();
      if (!isCut) expect(now).toEqual(expected);
      expect([whole, expected]).toContainEqual(now);
      whole = now;
      await engine.close();
      // Half an hour and more on a busy machine: who ends it before has seen so many.
      if (number % 20 === 0 || number === many) console.log(`publications ${number}: ${JSON.stringify(counts)}`);
    }
    expect(counts.cut).toBeGreaterThan(0);
    expect(counts.questions - counts.unanswered).toBeGreaterThan(counts.cut);
    const { engine, ...snapshot } = await snapshotOf(store, 1000);
    await database.publisher.publish(engine, snapshot);
    await database.publisher.keepOnly([snapshot.id]);
    expect(await newest()).toEqual(await counted(engine));
    expect(await database.unnamedParts()).toEqual([]);
    await engine.close();
    await store.close();
  });
});
