// A database on several hosts: each question is answered by one of them, wholly, whatever happens to the others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withSignal } from '#warehouse/cancellation.ts';
import type { Store } from '#warehouse/engine.ts';
import { ClickhouseSnapshots } from '#warehouse/engines/clickhouse.ts';
import { ClickhouseHosts } from '#warehouse/engines/clickhouse-hosts.ts';
import { beside_others, patient } from '#warehouse/engines/clickhouse-patience.ts';
import { UnreachableWarehouse } from '#warehouse/errors.ts';
import type { HeldSnapshot } from '#warehouse/snapshot-database.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { engineCase } from '../cases/engine.case.ts';
import { tries } from '../chance.ts';
import { random } from '../drills/random.ts';
import { freePort } from '../ports.ts';
import { addChats } from '../warehouse/account.ts';
import { counted } from './counted.ts';
import { openDatabase, type Database } from './both.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import type { Fault } from './peer.ts';

const isThere = installedPeer() !== undefined;
/** A server that is silent is given up sooner than by the product. */
const short = { quiet_ms: 300, there_ms: 2000 };

describe.skipIf(!isThere)(isThere ? 'a database on several hosts' : whyNoPeer, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-hosts-'));
  let one: Database;
  let two: Database;
  beforeAll(async () => {
    [one, two] = await Promise.all([openDatabase(), openDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const opened: ClickhouseHosts[] = [];
  afterEach(async () => {
    for (const { peer } of [one, two]) {
      peer.setDown(false);
      peer.setFault();
    }
    await Promise.all(opened.splice(0).map((hosts) => hosts.close()));
  });

  const openHosts = (patience = { ...beside_others, ...short }): ClickhouseHosts => {
    const hosts = new ClickhouseHosts([one.address, two.address], 'tests', patience);
    opened.push(hosts);
    return hosts;
  };

  let number = 0;
  /** A published file with so many chats; another one each time. */
  async function snapshotWith(chats: number): Promise<{ engine: Store; held: HeldSnapshot }> {
    const store = await openWarehouse(':memory:');
    const chat = { start: '2026-02-05T10:00:00Z', tags: ['a', 'b'], agents: ['x@x.test', 'y@x.test'] };
    await addChats(
      store,
      Array.from({ length: chats }, () => chat),
    );
    const at = Date.parse('2026-05-12T09:00:00Z') + (number += 1) * 1000;
    const { file, id, published_at } = await publish(store, folder, at);
    await store.close();
    return { engine: await openWarehouse(file, { readOnly: true }), held: { id, published_at, rewritten: '' } };
  }

  /** The same on the hosts. */
  async function publishedOn(databases: readonly Database[], chats = 2): Promise<HeldSnapshot> {
    const { engine, held } = await snapshotWith(chats);
    for (const { publisher } of databases) await publisher.publish(engine, held);
    await engine.close();
    return held;
  }

  const whole = ({ id }: HeldSnapshot, chats = 2): unknown => ({ chats, agents: 2 * chats, tags: 2 * chats, id });
  const asked = ({ peer }: Database): number => peer.statements.length;

  it('each host has its share of the questions, and the other has all of them while one is down', async () => {
    const held = await publishedOn([one, two]);
    const engine = await openHosts().open(held);
    await Promise.all([counted(engine), counted(engine)]);
    const before = [asked(one), asked(two)];
    for (let count = 0; count < 6; count += 1) expect(await counted(engine)).toEqual(whole(held));
    expect([asked(one), asked(two)].map((now, place) => now - (before[place] ?? 0))).toEqual([3, 3]);
    for (const [down, up] of [
      [one, two],
      [two, one],
    ] as const) {
      down.peer.setDown(true);
      const then = asked(up);
      for (let count = 0; count < 6; count += 1) expect(await counted(engine)).toEqual(whole(held));
      expect(asked(up) - then).toBeGreaterThanOrEqual(6);
      down.peer.setDown(false);
    }
    one.peer.setDown(true);
    two.peer.setDown(true);
    const error: unknown = await counted(engine).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(UnreachableWarehouse);
    const hosts = [one, two].map(({ address }) => new URL(address.url).host);
    for (const host of hosts) expect(String(error)).toContain(`${host}: `);
    one.peer.setDown(false);
    expect(await counted(engine)).toEqual(whole(held));
  });

  it.each<[string, Fault, string]>([
    ['says nothing any more', 'silent', 'is not there any more'],
    ['stands behind a proxy that does not reach it', 'page', 'Bad Gateway'],
    ['answers other words', 'words', 'no answer of ClickHouse'],
    ['answers without a byte', 'nothing', 'no answer of ClickHouse'],
  ])('a host that %s is passed over, and alone it is an error', { timeout: 60_000 }, async (_, fault, words) => {
    const held = await publishedOn([one, two]);
    const engine = await openHosts().open(held);
    const alone = new ClickhouseSnapshots(one.address, 'tests', { ...patient, ...short });
    const lonely = await alone.open(held);
    one.peer.setFault(fault);
    for (let count = 0; count < 3; count += 1) expect(await counted(engine)).toEqual(whole(held));
    const numbers = await engine.queryNumbers('select cast(count(*) as integer) as n from facts.chats');
    expect([...(numbers['n'] ?? [])]).toEqual([2]);
    const errors = [counted(lonely), lonely.queryNumbers('select cast(1 as integer) as n'), alone.list()].map(
      (answer) =>
        answer.then(
          () => 'answered',
          (error: unknown) => error,
        ),
    );
    for (const error of await Promise.all(errors)) {
      expect(error).toBeInstanceOf(UnreachableWarehouse);
      expect(String(error)).toContain(words);
    }
    await alone.close();
  });

  it('a host that takes long is waited for, because it says that it is there', async () => {
    const held = await publishedOn([one, two]);
    const engine = await openHosts().open(held);
    await Promise.all([counted(engine), counted(engine)]);
    one.peer.setFault('slow');
    two.peer.setDown(true);
    expect(await counted(engine)).toEqual(whole(held));
  });

  it('whoever leaves while a host is opened keeps nobody else from asking it', async () => {
    const held = await publishedOn([one, two]);
    const engine = await openHosts().open(held);
    for (const { peer } of [one, two]) peer.setFault('slow');
    const leaving = new AbortController();
    const left = withSignal(leaving.signal, () => Promise.allSettled([counted(engine), counted(engine)]));
    setTimeout(() => leaving.abort(), 200);
    for (const { status } of await left) expect(status).toBe('rejected');
    for (const { peer } of [one, two]) peer.setFault();
    for (const [down, up] of [
      [one, two],
      [two, one],
    ] as const) {
      down.peer.setDown(true);
      up.peer.setDown(false);
      expect(await counted(engine)).toEqual(whole(held));
    }
  });

  it('a publication to a host that says nothing any more ends', { timeout: 60_000 }, async () => {
    one.peer.setFault('silent');
    await expect(one.publisher.list()).rejects.toThrow('is not there any more');
  });

  it('an answer that ends in its middle is asked for again, and never followed by rows of another host', async () => {
    const held = await publishedOn([one, two]);
    const engine = await openHosts().open(held);
    const many = 300_000;
    const sql = `select number as n from numbers(${many})`;
    for (const { peer } of [one, two]) {
      peer.setFault('cut');
      const rows = [await engine.query(sql), await engine.query(sql)];
      expect(rows.map(({ length }) => length)).toEqual([many, many]);
    }
    for (const { peer } of [one, two]) peer.setFault('cut');
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const rows of engine.queryInPieces(sql)) seen.push(...rows.map(({ n }) => n));
    })();
    await expect(reading).rejects.toBeInstanceOf(UnreachableWarehouse);
    expect(seen.length).toBeLessThan(many);
    expect(seen).toEqual(seen.map((_, place) => place));
  });

  it('a host that lacks a snapshot is passed over until it has it', async () => {
    const { engine: file, held } = await snapshotWith(3);
    await one.publisher.publish(file, held);
    const hosts = openHosts();
    expect((await hosts.list()).at(-1)).toMatchObject(held);
    const engine = await hosts.open(held);
    for (let count = 0; count < 4; count += 1) expect(await counted(engine)).toEqual(whole(held, 3));
    one.peer.setDown(true);
    await expect(counted(engine)).rejects.toThrow(`it has no snapshot ${held.id}`);
    await two.publisher.publish(file, held);
    expect(await counted(engine)).toEqual(whole(held, 3));
    await file.close();
    await expect(hosts.open({ ...held, id: '20200101-000000-000' })).rejects.toThrow('has no snapshot 20200101');
  });

  it('a snapshot that was rewritten on one host only is read as it was on the other, and anew on that one', async () => {
    const held = await publishedOn([one, two]);
    const hosts = openHosts();
    const before = await hosts.open(held);
    const { engine: file } = await snapshotWith(1);
    const rewritten = { ...held, rewritten: 'an erasure' };
    await one.publisher.publish(file, rewritten);
    await one.publisher.keepOnly([held.id]);
    const after = await hosts.open(rewritten);
    expect((await hosts.list()).filter(({ id }) => id === held.id).map((each) => each.rewritten)).toEqual(
      expect.arrayContaining(['', 'an erasure']),
    );
    for (let count = 0; count < 4; count += 1) {
      expect(await counted(before)).toEqual(whole(held));
      expect(await counted(after)).toMatchObject({ chats: 1 });
    }
    await two.publisher.publish(file, rewritten);
    await two.publisher.keepOnly([held.id]);
    await expect(counted(before)).rejects.toThrow();
    await file.close();
    for (let count = 0; count < 4; count += 1) expect(await counted(after)).toMatchObject({ chats: 1 });
  });

  it('shows one snapshot or the one before while hosts fail and are published to', { timeout: 3_600_000 }, async () => {
    const draw = random(11);
    const hosts = openHosts(beside_others);
    const known = [await publishedOn([one, two])].map((held) => JSON.stringify(whole(held)));
    const counts = { questions: 0, unanswered: 0, mixtures: 0 };
    const many = tries(2, 20);
    for (let count = 1; count <= many; count += 1) {
      const { engine: file, held } = await snapshotWith(count);
      known.push(JSON.stringify(whole(held, count)));
      const fallen = draw() < 0.5 ? one : two;
      const from = asked(one) + asked(two);
      const stop = Math.floor(draw() * 300);
      const watch = setInterval(() => {
        if (asked(one) + asked(two) - from < stop) return;
        fallen.peer.setDown(true);
        clearInterval(watch);
      }, 5);
      let isOver = false;
      const seen: unknown[] = [];
      const asking = (async () => {
        while (!isOver) {
          const answer = hosts.list().then(async (all) => {
            const newest = all.at(-1);
            return newest && counted(await hosts.open(newest));
          });
          seen.push(await answer.catch((error: unknown) => error));
        }
      })();
      for (const { publisher } of [one, two]) await publisher.publish(file, held).catch(() => undefined);
      clearInterval(watch);
      isOver = true;
      await asking;
      fallen.peer.setDown(false);
      for (const { publisher } of [one, two]) {
        await publisher.publish(file, held);
        await publisher.keepOnly([held.id]);
      }
      await file.close();
      counts.questions += seen.length;
      const answers = seen.filter((answer) => !(answer instanceof Error));
      counts.unanswered += seen.length - answers.length;
      counts.mixtures += answers.filter((answer) => !known.includes(JSON.stringify(answer))).length;
      expect(counts.mixtures).toBe(0);
      expect(
        seen.filter(
          (answer) => answer instanceof Error && !/does not answer|cannot be (opened|used)/.test(String(answer)),
        ),
      ).toEqual([]);
      if (count % 20 === 0 || count === many) console.log(`publications ${count}: ${JSON.stringify(counts)}`);
    }
    expect(counts.questions).toBeGreaterThan(counts.unanswered);
  });

  let cases = 0;
  engineCase('clickhouse, beside a host where nobody is', async (fill = () => Promise.resolve()) => {
    const store = await openWarehouse(':memory:');
    await fill(store);
    const { file } = await publish(store, mkdtempSync(join(folder, 'case-')), 1_800_000_000_000);
    await store.close();
    const engine = await openWarehouse(file, { readOnly: true });
    const id = `20260612-090000-${String((cases += 1)).padStart(3, '0')}`;
    const held = { id, published_at: '2026-06-12T09:00:00.000Z', rewritten: '' };
    await two.publisher.publish(engine, held);
    await engine.close();
    const nobody = { ...one.address, url: `http://127.0.0.1:${await freePort()}` };
    const hosts = new ClickhouseHosts([nobody, two.address], 'tests');
    return { engine: await hosts.open(held), close: () => hosts.close() };
  });
});
