// Publishing into the file of a snapshot that is packed by now: the same bytes as a copy, and nobody's file is written.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeOver } from '#warehouse/engines/duckdb-bytes.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openSnapshot, snapshots, storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import { tries } from '../chance.ts';
import { addChats } from './account.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'spare-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const head = 3 * 4096;
const block = 256 * 1024;

describe('writing over an older file', () => {
  const contents = fc.record({ blocks: fc.array(fc.nat(2), { maxLength: 5 }), head: fc.nat(2), tail: fc.nat(5000) });
  const made = (of: { blocks: readonly number[]; head: number; tail: number }): Buffer =>
    Buffer.concat([
      Buffer.alloc(head, of.head),
      ...of.blocks.map((value) => Buffer.alloc(block, value)),
      Buffer.alloc(of.tail, 7),
    ]);

  it('gives the bytes of the newer one, whatever was in the older, and writes only what differs', () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    fc.assert(
      fc.property(contents, contents, (newer, older) => {
        writeFileSync(from, made(newer));
        writeFileSync(to, made(older));
        const written = writeOver(from, to);
        expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
        const same = newer.blocks.filter((value, at) => older.blocks[at] === value).length;
        expect(written).toBeLessThanOrEqual(head + (newer.blocks.length - same) * block + newer.tail);
        expect(writeOver(from, to)).toBe(0);
      }),
      { numRuns: tries(10, 60) },
    );
  });

  it('sees two words that have changed places, of which the sum of a block says nothing', () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    const bytes = Buffer.alloc(head + block, 1);
    writeFileSync(to, bytes.fill(2, head + 64, head + 72));
    writeFileSync(from, bytes.fill(1, head + 64, head + 72).fill(2, head + 4096, head + 4104));
    expect(writeOver(from, to)).toBe(block);
  });
});

describe('publishing', () => {
  // One warehouse, published again and again: a test goes on where the one before it ended.
  const own = mkdtempSync(join(tmpdir(), 'spare-published-'));
  let published = join(own, 'published');
  let writer: Store;
  let count = 0;
  beforeAll(async () => {
    writer = await openWarehouse(join(own, 'chatledger.duckdb'));
  });
  afterAll(async () => {
    await writer.close();
    rmSync(own, { recursive: true, force: true });
  });

  const start = Date.parse('2026-12-01T00:00:00Z');
  async function publishNext(space?: number): Promise<string> {
    count += 1;
    await addChats(writer, [{ start: new Date(start + count * 3_600_000).toISOString() }], 100 * count);
    return (
      await publish(writer, published, start + count * 60_000, {
        ...(space === undefined ? {} : { space }),
        smallest: 0,
      })
    ).file;
  }
  function spares(): string[] {
    const kept = join(published, 'snapshots');
    const names = existsSync(kept) ? readdirSync(kept) : [];
    return names.filter((name) => name.endsWith('.spare')).map((name) => join(kept, name));
  }
  async function untilSpare(): Promise<string> {
    while (spares().length === 0) await publishNext();
    return spares()[0] ?? '';
  }

  it('makes the spare file the new one, and every snapshot has what was published', async () => {
    const inodes: number[] = [];
    for (let time = 0; time < 5; time += 1) inodes.push(statSync(await publishNext()).ino);
    expect(inodes.slice(3)).toEqual(inodes.slice(0, 2));
    expect(spares()).toHaveLength(1);
    for (const [at, id] of (await snapshots(published)).entries()) {
      const engine = await openSnapshot(published, id);
      expect(await engine.query('select count(*) as chats from facts.chats')).toEqual([{ chats: at + 1 }]);
      await engine.readThrough();
      await engine.close();
    }
  });

  it('gives the bytes that a copy would have', async () => {
    const over = await untilSpare();
    await addChats(writer, [{ start: '2026-03-05T10:00:00Z' }], 90_000);
    await writer.copyTo(join(folder, 'whole'), async () => undefined);
    await writer.copyTo(over, async () => undefined, { isOver: true });
    expect(readFileSync(over).equals(readFileSync(join(folder, 'whole')))).toBe(true);
  });

  const holders: Record<string, (file: string) => Promise<{ read: () => Buffer; leave: () => Promise<unknown> }>> = {
    'a reader of this process': async (file) => {
      const engine = await openWarehouse(file, { readOnly: true });
      const descriptor = openSync(file, 'r');
      return {
        read: () => readFileSync(descriptor),
        leave: () => engine.close().then(() => closeSync(descriptor)),
      };
    },
    'another process that only has it open': async (file) => {
      const descriptor = openSync(file, 'r');
      const child = spawn('sleep', ['100'], { stdio: [descriptor, 'ignore', 'ignore'] });
      await once(child, 'spawn');
      closeSync(descriptor);
      return {
        read: () => readFileSync(`/proc/${child.pid}/fd/0`),
        leave: () => (child.kill('SIGKILL'), once(child, 'exit')),
      };
    },
    'a second name': (file) => {
      linkSync(file, join(own, 'mine'));
      return Promise.resolve({ read: () => readFileSync(join(own, 'mine')), leave: () => Promise.resolve() });
    },
  };

  it(`leaves files alone that are held by ${Object.keys(holders).join(', ')}`, async () => {
    const all = [];
    for (const [holder, hold] of Object.entries(holders)) {
      const file = await publishNext();
      const { ino } = statSync(file);
      expect(all.map((each) => each.ino)).not.toContain(ino);
      all.push({ holder, file, ino, before: readFileSync(file), held: await hold(file) });
    }
    for (let time = 0; time < 3; time += 1) {
      const { ino } = statSync(await publishNext());
      expect(all.map((each) => each.ino)).not.toContain(ino);
    }
    for (const { holder, file, before, held } of all) {
      expect([holder, existsSync(file), held.read().equals(before)]).toEqual([holder, false, true]);
      await held.leave();
    }
  });

  it('copies everything when the spare file is damaged, and lets it go before any snapshot for want of space', async () => {
    // Not among so many that one goes by its age.
    published = join(own, 'damaged');
    writeFileSync(await untilSpare(), 'nothing of an engine');
    const engine = await openWarehouse(await publishNext(), { readOnly: true });
    await engine.readThrough();
    await engine.close();
    const ids = await snapshots(published);
    const { size } = statSync(join(published, 'snapshots', `${ids.at(-1)}.duckdb`));
    const taken = (await storedSnapshots(published)).reduce((sum, { bytes }) => sum + bytes, 0);
    await publishNext(taken + size / 2);
    expect([spares(), (await snapshots(published)).length]).toEqual([[], ids.length + 1]);
  });
});
