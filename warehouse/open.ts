// Opens a warehouse: the engine for the file, at the version this program knows.
import type { Engine } from './engine.ts';
import { open, type OpenOptions } from './engines/default.ts';
import { DamagedWarehouse, NewerWarehouse } from './errors.ts';
import { createTables, migrate, versionOf, warehouseVersion } from './migrate.ts';
import { rawResponses } from './tables.ts';

export interface WarehouseOptions extends OpenOptions {
  /** Unix seconds, written down when the file is migrated. */
  now?: number;
}

/**
 * Opens (and, unless read-only, creates and migrates) a warehouse file; `:memory:` for tests.
 * Errors: DamagedWarehouse, BusyWarehouse, NewerWarehouse. One engine per process and file.
 */
export async function openWarehouse(file: string, options: WarehouseOptions = {}): Promise<Engine> {
  const engine = await open(file, options);
  try {
    if (!options.readOnly) {
      await migrate(engine, options.now ?? Math.floor(Date.now() / 1000));
      return engine;
    }
    const found = await versionOf(engine);
    if (found > warehouseVersion) throw new NewerWarehouse(file, found, warehouseVersion);
    if (found === 0) throw new DamagedWarehouse(file, 'it is not a warehouse of this program');
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens (and creates) the raw archive. Errors: DamagedWarehouse, BusyWarehouse. */
export async function openRawArchive(file: string): Promise<Engine> {
  const engine = await open(file, { tables: [rawResponses] });
  await createTables(engine, [rawResponses]);
  return engine;
}
