// What is read once: of a published file for good, of one that is written only while somebody says that nobody writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { memoized, recentlyMade, whileUnwritten } from '#warehouse/memoize.ts';
import { open } from '#warehouse/engines/duckdb.ts';
import { openWarehouse } from '#warehouse/store/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-memoize-'));
let written: Store;
let other: Store;

beforeAll(async () => {
  written = await openWarehouse(join(folder, 'written.duckdb'));
  other = await openWarehouse(join(folder, 'other.duckdb'));
});
afterAll(async () => {
  await written.close();
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});

let reads = 0;
const ask = (engine: Store): Promise<number> => memoized(engine, 'reads', () => Promise.resolve((reads += 1)));

test('of a file that is written every question is read, but once while nobody writes', async () => {
  expect([await ask(written), await ask(written)]).toEqual([1, 2]);
  const within = await whileUnwritten(written, async () => [
    await ask(written),
    ...(await Promise.all([ask(written), ask(written)])),
    await ask(other),
    await ask(other),
  ]);
  expect(within).toEqual([3, 3, 3, 4, 5]);
  expect(await ask(written)).toBe(6);
  expect(await whileUnwritten(written, () => ask(written))).toBe(7);
});

test('an error is not remembered', async () => {
  let tries = 0;
  const failing = (): Promise<string> =>
    memoized(written, 'failing', () => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('the disk is gone')) : Promise.resolve('read');
    });
  await whileUnwritten(written, async () => {
    await expect(failing()).rejects.toThrow('the disk is gone');
    expect(await failing()).toBe('read');
  });
});

test('the last results of a file that nobody writes are kept, and errors are not', async () => {
  const file = join(folder, 'published.duckdb');
  await (await openWarehouse(file)).close();
  const published = await open(file, { readOnly: true });
  try {
    let made = 0;
    const make = (engine: Store, key: string): Promise<number> =>
      recentlyMade(engine, { kind: 'numbers', key }, () => Promise.resolve((made += 1)));
    expect([await make(published, 'a'), await make(published, 'b'), await make(published, 'a')]).toEqual([1, 2, 1]);
    expect([await make(written, 'a'), await make(written, 'a')]).toEqual([3, 4]);
    for (let key = 0; key < 15; key += 1) await make(published, `c${key}`);
    // Of more than sixteen the one has gone that nobody has asked for longest.
    expect(await make(published, 'a')).toBe(1);
    expect(await make(published, 'b')).toBe(20);
    const failing = (): Promise<number> =>
      recentlyMade(published, { kind: 'numbers', key: 'd' }, () => Promise.reject(new Error('no disk')));
    await expect(failing()).rejects.toThrow('no disk');
    expect(await make(published, 'd')).toBe(21);
    // Results of another kind have room of their own; what is larger than that is not kept.
    const large = (key: string, bytes: number): Promise<number> =>
      recentlyMade(published, { kind: 'large', key, bytesOf: () => bytes }, () => Promise.resolve((made += 1)));
    const half = 16 * 1024 * 1024;
    expect([await large('a', half), await large('b', half), await large('a', half)]).toEqual([22, 23, 22]);
    expect([await large('c', 1), await large('a', half), await large('b', half)]).toEqual([24, 22, 25]);
    expect([await large('d', 3 * half), await large('d', 3 * half)]).toEqual([26, 27]);
    expect(await make(published, 'd')).toBe(21);
  } finally {
    await published.close();
  }
});
