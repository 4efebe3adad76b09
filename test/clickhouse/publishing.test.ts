// Publishing to ClickHouse: what changed and nothing else, one snapshot or the one before, and nothing left of what no snapshot names.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Store } from '#warehouse/engine.ts';
import { ClickhousePublisher } from '#warehouse/engines/clickhouse-publishing.ts';
import { ClickhouseSnapshots } from '#warehouse/engines/clickhouse.ts';
import { LeasedAccount, UnreachableWarehouse } from '#warehouse/errors.ts';
import type { HeldSnapshot } from '#warehouse/snapshot-database.ts';
import { openAccountsSnapshots } from '#server/accounts-snapshots.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tries } from '../chance.ts';
import { random } from '../drills/random.ts';
import { addChats, someHours } from '../warehouse/account.ts';
import { counted } from './counted.ts';
import { openDatabase, publishing, type Database } from './both.ts';
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

  describe('by several data folders', () => {
    const folders: ClickhousePublisher[] = [];
    const publisherOf = (id: string, ...accounts: string[]): ClickhousePublisher => {
      const made = new ClickhousePublisher(database.address, publishing(id, ...accounts));
      folders.push(made);
      return made;
    };
    const readerOf = (id: string): ClickhouseSnapshots => new ClickhouseSnapshots(database.address, id);
    afterAll(async () => {
      for (const each of folders) await each.close();
    });

    it('leaves what each of them has alone, under the same names too', async () => {
      const [one, two] = [publisherOf('one', 'x'), publisherOf('two', 'y')];
      const stores = [await openWarehouse(':memory:'), await openWarehouse(':memory:')] as const;
      await addChats(stores[0], [{ start: '2026-01-05T10:00:00Z', tags: ['a'] }]);
      await addChats(stores[1], [
        { start: '2026-01-05T10:00:00Z' },
        { start: '2026-01-06T10:00:00Z', tags: ['a', 'b'] },
      ]);
      const [first, second] = [await snapshotOf(stores[0], 5000), await snapshotOf(stores[1], 5001)];
      const same = { id: first.id, published_at: first.published_at, rewritten: '' };
      await Promise.all([one.publish(first.engine, same), two.publish(second.engine, same)]);
      const [there, beside] = [await readerOf('one').open(same), await readerOf('two').open(same)];
      const before = [await counted(first.engine), await counted(second.engine)];
      expect([await counted(there), await counted(beside)]).toEqual(before);
      expect(before[0]).not.toEqual(before[1]);

      // What one removes, writes anew or has lost is its own.
      await one.publish(first.engine, { ...same, rewritten: 'an erasure' });
      await one.keepOnly([same.id]);
      await expect(counted(there)).rejects.toThrow();
      expect(await counted(beside)).toEqual(before[1]);
      const { newest: counts, folders: all } = await two.publishers();
      expect(counts.filter(({ account }) => account !== 'a')).toMatchObject([
        { account: 'x', epoch: 1, publisher: 'one', snapshot: same.id },
        { account: 'y', epoch: 1, publisher: 'two', snapshot: same.id },
      ]);
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(['one', 'two']));
      await one.keepOnly([]);
      expect(await readerOf('one').list()).toEqual([]);
      expect(await counted(beside)).toEqual(before[1]);
      expect((await two.list()).map(({ id, isWhole }) => [id, isWhole])).toEqual([[same.id, true]]);
      for (const each of [first.engine, second.engine, ...stores]) await each.close();
    });

    it('names the accounts that a snapshot has rows of, and writes the past anew as it was', async () => {
      const [before, after, both] = [
        publisherOf('before', 'default'),
        publisherOf('after', 'other'),
        publisherOf('after', 'other', 'default'),
      ];
      const [empty, filled] = [await openWarehouse(':memory:'), await openWarehouse(':memory:')];
      await setBusinessHours(empty, 'other', someHours);
      await addChats(filled, [{ start: '2026-01-05T10:00:00Z' }]);
      const [early, late] = [await snapshotOf(empty, 7000), await snapshotOf(filled, 7001)];
      const without = await snapshotOf(empty, 7002);
      await after.publish(early.engine, early);
      await before.publish(late.engine, late);
      await before.giveBack();
      const snapshots = openAccountsSnapshots([database.address]);
      const shown = async (): Promise<unknown[]> => {
        await snapshots.refresh();
        const served = snapshots.current();
        const rows = await served?.engine.query('select count(*) as chats from facts.chats');
        return [served?.published_at, snapshots.accounts().map(({ id }) => id), rows?.[0]?.['chats']];
      };
      const ids = ['default', 'other'];
      expect(await shown()).toEqual([late.published_at, ids, 1]);
      // The other folder has the account, and no chat of it yet.
      await both.publish(without.engine, without);
      expect(await shown()).toEqual([without.published_at, ids, 1]);
      const mark = snapshots.rewritten();

      // What was rewritten is not remembered, also while rows of another folder are lost.
      const [{ name = '' } = {}] = await database.rows(
        `select name from system.tables where name like 'facts.chats@%.before'`,
      );
      await database.run(`drop table warehouse."${name}" sync`);
      await both.publish(early.engine, { ...early, rewritten: 'an erasure' });
      await expect(snapshots.refresh()).rejects.toThrow('cannot be opened');
      expect(snapshots.rewritten()).not.toBe(mark);
      await both.giveBack();
      await before.publish(late.engine, late);
      await before.keepOnly([late.id]);
      expect(await shown()).toEqual([without.published_at, ids, 1]);
      const past = await snapshots.older.list();
      const then = await snapshots.older.open(past[1]?.id ?? '');
      expect(past.map(({ published_at }) => published_at)).toEqual(
        [early, late, without].map((each) => each.published_at),
      );
      expect(await then.engine.query('select count(*) as chats from facts.chats')).toEqual([{ chats: 1 }]);
      for (const each of [before, both]) await each.keepOnly([]);
      expect(await snapshots.refresh()).toBe(true);
      expect([snapshots.current(), snapshots.accounts()]).toEqual([null, []]);
      await snapshots.close();
      for (const each of [early, late, without]) await each.engine.close();
      for (const each of [empty, filled]) await each.close();
    });

    it('gives an account to one of them, and a publication that ends after it was lost names nothing', async () => {
      const racing = ['p', 'q', 'r'].map((id) => publisherOf(id, 'raced'));
      const taken = await Promise.all(racing.map((each) => each.take()));
      const winner = taken.findIndex(({ held }) => held.has('raced'));
      const [holder, other] = [racing[winner], racing[(winner + 1) % 3]];
      if (!holder || !other) throw new Error('one of them has the account');
      expect(taken.filter(({ held }) => held.has('raced'))).toHaveLength(1);
      expect(taken.flatMap(({ refused }) => refused.map(({ holder: { host } }) => host))).toEqual(
        Array.from({ length: 2 }, () => `${['p', 'q', 'r'][winner]}.test`),
      );
      const store = await openWarehouse(':memory:');
      await addChats(store, [{ start: '2026-01-05T10:00:00Z' }]);
      const { engine, ...snapshot } = await snapshotOf(store, 6000);
      await expect(other.publish(engine, snapshot)).rejects.toThrow(LeasedAccount);
      // It stalls in the middle, for longer than its lease holds.
      const statements = database.peer.statements.length;
      const late = holder.publish(engine, snapshot).then(
        () => 'published',
        (error: unknown) => (error instanceof LeasedAccount ? error.message : error),
      );
      while (database.peer.statements.length < statements + 60) await setTimeout(1);
      await holder.giveBack();
      expect((await other.take()).held.get('raced')).toBe(2);
      expect(await late).toMatch(
        new RegExp(`the account raced is published there by the data folder ${'pqr'[(winner + 1) % 3]}`),
      );
      expect(await holder.list()).toEqual([]);
      // Its tables are known without a snapshot.
      const left = { id: 'pqr'[winner], snapshots: 0 };
      expect((await other.publishers()).folders).toContainEqual(left);
      await holder.keepOnly([]);
      expect((await other.publishers()).folders).not.toContainEqual(left);
      await other.publish(engine, snapshot);
      expect(await other.list()).toMatchObject([{ id: snapshot.id, isWhole: true }]);
      for (const each of [engine, store]) await each.close();
    });
  });
});
