// What is read once: of a published file for good, of one that is written only while somebody says that nobody writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { memoized, whileUnwritten } from '#warehouse/memoize.ts';
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
