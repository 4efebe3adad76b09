// Opens a warehouse with the engine for its file, at the version this program knows, and the raw archive next to it.
import type { Store } from '../engine.ts';
import { open, type OpenOptions } from '../engines/default.ts';
import { DamagedWarehouse, NewerWarehouse, OlderArchive } from '../errors.ts';
import { hasTable } from './has-table.ts';
import { createTables, createWarehouse, migrateCopy, versionOf } from './migrate.ts';
import { isPacked } from './packed/catalogue.ts';
import { openPacked } from './packed/open.ts';
import { migrations, newestVersion, type Migration } from './migrations.ts';
import { remove, swapIn } from './swap.ts';
import { rawTables, rawVersion, type Table } from '../tables/tables.ts';

interface WarehouseOptions extends OpenOptions {
  /** Unix seconds, recorded when the file is created or migrated. */
  now?: number;
  /** The steps that this program knows. */
  migrations?: readonly Migration[];
}

/**
 * Memory and threads of a writer: enough to load, compare and publish an account of any size; the rest is spilled to disk. While one
 * batch is written the next is decoded, so that more threads would only compete with that.
 */
export const writerLimits = { memory: '96MB', threads: 1 } as const;

/**
 * Opens (and, unless read-only, creates and migrates) a warehouse file; `:memory:` for tests. Whoever writes has the threads of a writer
 * unless others are given. A packed snapshot is read only.
 * Errors: DamagedWarehouse, BusyWarehouse, BlockedWarehouse, NewerWarehouse. One engine per process and file.
 */
export async function openWarehouse(file: string, given: WarehouseOptions = {}): Promise<Store> {
  const options = given.readOnly ? given : { threads: writerLimits.threads, ...given };
  const steps = options.migrations ?? migrations;
  const known = newestVersion(steps);
  const now = options.now ?? Math.floor(Date.now() / 1000);
  const engine = isPacked(file) ? await openPacked(file, options) : await open(file, options);
  try {
    const found = await versionOf(engine);
    if (found > known) throw new NewerWarehouse(file, found, known);
    if (options.readOnly && found === 0) throw new DamagedWarehouse(file, 'it is not a warehouse of this program');
    if (options.readOnly || found === known) return engine;
    if (found === 0) {
      await createWarehouse(engine, steps, now);
      return engine;
    }
    await remove(copyOf(file)); // of a migration that was cut off
    await migrateCopy(engine, copyOf(file), steps, found, now);
    await engine.close();
    await swapIn(copyOf(file), file);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return open(file, options);
}

const copyOf = (file: string): string => `${file}.migrating`;

/** Opens (and creates) the raw archive. Errors: DamagedWarehouse, BusyWarehouse, BlockedWarehouse, NewerWarehouse, OlderArchive. */
export async function openRawArchive(file: string, options: Pick<OpenOptions, 'readOnly'> = {}): Promise<Store> {
  const engine = await open(file, { ...options, ...writerLimits, memory: '48MB', tables: rawTables, long_texts: true });
  try {
    const isNew = !(await hasTable(engine, 'raw', 'versions'));
    if (isNew && (await hasTable(engine, 'raw', 'responses'))) throw new OlderArchive(file);
    if (isNew) await createTables(engine, rawTables);
    const [found] = await engine.query('select max(version) as version from raw.versions');
    if (Number(found?.version ?? 0) > rawVersion) throw new NewerWarehouse(file, Number(found?.version), rawVersion);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens (and creates) a file of long texts that holds just these tables. Errors: BlockedWarehouse. */
export async function openTables(file: string, wanted: readonly Table[]): Promise<Store> {
  const engine = await open(file, { ...writerLimits, tables: wanted, long_texts: true });
  await createTables(engine, wanted);
  return engine;
}
