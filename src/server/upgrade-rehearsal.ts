// Migrates a copy of the warehouse in another folder and removes it: how long that takes here, and whether it works.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfWarehouse } from '#warehouse/store/file-version.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { assertElsewhere } from './backup/backup.ts';
import { diskSpace, megabytes } from './disk-space.ts';
import { Stopped } from './errors.ts';

/** Seconds of the migration alone, with what a writer may use. `now` in Unix seconds. Errors: Stopped; those of the migration. */
export async function rehearseMigration(warehouse: string, data: string, folder: string, now: number): Promise<number> {
  assertElsewhere(data, folder);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Stopped(`--rehearse ${folder}: there is no such folder`);
  const { free_bytes, needed_bytes } = diskSpace(folder, warehouse);
  if (free_bytes < needed_bytes)
    throw new Stopped(
      `--rehearse ${folder}: ${megabytes(free_bytes)} are free, ${megabytes(needed_bytes)} may be needed`,
    );
  const work = mkdtempSync(join(folder, 'chatledger-rehearsal-'));
  try {
    const copy = join(work, 'chatledger.duckdb');
    await copyOfWarehouse(warehouse, copy);
    const began = performance.now();
    await (await openWarehouse(copy, { ...writerLimits, now })).close();
    return (performance.now() - began) / 1000;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
