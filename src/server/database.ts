// The database that readers ask instead of files, where the settings name one: kept as the data folder is, and checked at a start.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkDatabase, databaseName, openPublisher, type DatabaseAddress } from '#warehouse/engines/database.ts';
import type { DatabasePublisher } from '#warehouse/snapshot-database.ts';
import { copyToDatabase } from '#warehouse/store/database-copy.ts';
import { readConfig } from './config.ts';
import { stoppedByFile } from './errors.ts';
import type { Folder } from './folder.ts';
import { readRewriteMarker } from './rewrite-marker.ts';

/** Which data folder publishes: the same as long as the folder is, and after it was restored from a backup. */
const publisherOf = ({ state }: Folder): string =>
  createHash('sha256').update(`publisher ${state.service_api_key}`).digest('hex').slice(0, 16);

/** Opens the database to publish to it. */
export async function withPublisher<T>(
  folder: Folder,
  address: DatabaseAddress,
  work: (database: DatabasePublisher) => Promise<T>,
): Promise<T> {
  const database = await openPublisher(address, publisherOf(folder));
  return work(database).finally(() => database.close());
}

/**
 * Brings the database of the settings to what the folder has; nothing without one. The caller has the lock of the writer, and nothing is
 * published meanwhile. Errors: UnreachableWarehouse, ForeignDatabase, DamagedWarehouse.
 */
export async function bringDatabase(folder: Folder): Promise<void> {
  const { database: address } = readConfig();
  if (!address) return;
  await bringTo(folder, address);
}

/** The same of any database; `all`: with every kept snapshot. Returns how many snapshots were put there. */
export function bringTo(
  folder: Folder,
  address: DatabaseAddress,
  { all = false, progress }: { all?: boolean; progress?: (done: number, total: number) => void } = {},
): Promise<number> {
  rememberDatabase(folder, databaseName(address));
  const wanted = { rewritten: readRewriteMarker(folder.published), all };
  return withPublisher(folder, address, (database) => copyToDatabase(database, folder.published, wanted, progress));
}

/** Errors: Stopped, if the database of the settings does not answer, or may not be used. */
export async function assertDatabase(address: DatabaseAddress | null): Promise<void> {
  try {
    if (address) await checkDatabase(address, { canWrite: false });
  } catch (error) {
    throw stoppedByFile(error) ?? error;
  }
}

/** Where they are remembered. */
export const databasesFile = ({ published }: Pick<Folder, 'published'>): string => join(published, 'databases.json');

/** Databases to which the folder has been published, as messages name them. */
function publishedDatabases(folder: Pick<Folder, 'published'>): string[] {
  const file = databasesFile(folder);
  if (!existsSync(file)) return [];
  const found = z.array(z.string()).safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return found.success ? found.data : [];
}

/** Those that nothing keeps as the folder is any more. */
export const leftDatabases = (folder: Pick<Folder, 'published'>, address: DatabaseAddress | null): string[] =>
  publishedDatabases(folder).filter((name) => address === null || name !== databaseName(address));

/** Before anything goes there. */
function rememberDatabase(folder: Pick<Folder, 'published'>, name: string): void {
  const known = publishedDatabases(folder);
  if (known.includes(name)) return;
  writeFileSync(`${databasesFile(folder)}.new`, `${JSON.stringify([...known, name])}\n`, { mode: 0o600 });
  renameSync(`${databasesFile(folder)}.new`, databasesFile(folder));
}
