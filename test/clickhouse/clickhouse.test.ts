// ClickHouse as the engine of readers: the suite of every engine, and the same answers as the file that was published.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { engineCase } from '../cases/engine.case.ts';
import { tries } from '../chance.ts';
import { otherAddresses } from './addresses.ts';
import { openDatabase, published, type Database } from './both.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import { sameAnswers } from './same-answers.ts';

const isThere = installedPeer() !== undefined;

describe.skipIf(!isThere)(isThere ? 'in a process' : whyNoPeer, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-case-'));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let count = 0;
  engineCase('clickhouse', async (fill = () => Promise.resolve()) => {
    const store = await openWarehouse(':memory:');
    await fill(store);
    const { file } = await publish(store, mkdtempSync(join(folder, 'case-')), 1_800_000_000_000);
    await store.close();
    const engine = await openWarehouse(file, { readOnly: true });
    const id = `20260512-090000-${String((count += 1)).padStart(3, '0')}`;
    const opened = await published(database, engine, id);
    await engine.close();
    return { engine: opened, close: () => Promise.resolve() };
  });

  it('answers every address as the file does', async () => {
    const { asked, failures } = await otherAddresses();
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(40);
  });

  it('answers random questions of random readers as the file does', async () => {
    const { equal, failures } = await sameAnswers({
      questions: tries(20, 1000),
      each: 10,
      seed: Number(process.env.CHANCE_SEED ?? 1),
    });
    expect(failures).toEqual([]);
    expect(equal).toBeGreaterThan(10);
  });
});
