// Reads a file, its version or all of it, without changing anything: it is neither created, migrated, repaired nor set aside.
import type { Store } from '../engine.ts';
import { open } from '../engines/default.ts';
import { DamagedWarehouse, OlderArchive } from '../errors.ts';
import { hasTable } from './has-table.ts';
import { versionOf } from './migrate.ts';
import { migrations, newestVersion } from './migrations.ts';
import { isPacked } from './packed/catalogue.ts';
import { openPackedTable } from './packed/open.ts';

/** The version of warehouses that this program writes. */
export const knownWarehouse = newestVersion(migrations);

/** The steps that a warehouse of this version has before it. */
export const stepsAfter = (version: number): number[] =>
  migrations.map((step) => step.version).filter((step) => step > version);

/** Of a warehouse or a published snapshot, packed or not. Errors: DamagedWarehouse, BusyWarehouse, BlockedWarehouse. */
export async function warehouseVersion(file: string): Promise<number> {
  const engine = isPacked(file)
    ? await openPackedTable(file, 'ledger', 'versions')
    : await open(file, { readOnly: true, memory: '96MB', threads: 1 });
  const found = await closing(engine, () => versionOf(engine));
  if (found === 0) throw new DamagedWarehouse(file, 'it is not a warehouse of this program');
  return found;
}

/** Of a raw archive; 0 for an empty one. Errors: also OlderArchive. */
export async function archiveVersion(file: string): Promise<number> {
  const engine = await open(file, { readOnly: true, memory: '48MB', threads: 1 });
  return closing(engine, async () => {
    if (await hasTable(engine, 'raw', 'versions')) {
      const [found] = await engine.query('select max(version) as version from raw.versions');
      return Number(found?.version ?? 0);
    }
    if (await hasTable(engine, 'raw', 'responses')) throw new OlderArchive(file);
    return 0;
  });
}

/** The whole file, while nobody writes it, to one that is not there yet. Errors: those of `warehouseVersion`. */
export async function copyOfWarehouse(file: string, copy: string): Promise<void> {
  const engine = await open(file, { readOnly: true, memory: '96MB', threads: 1 });
  await closing(engine, () => engine.copyTo(copy, () => Promise.resolve()));
}

async function closing<T>(engine: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await engine.close();
  }
}
