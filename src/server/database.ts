// The database that readers ask instead of files, where the settings name one: kept as the data folder is, and checked at a start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  checkDatabase,
  databaseHostName,
  databaseName,
  openDatabase,
  failedTogether,
  type DatabaseAddress,
  type DatabaseHost,
} from '#warehouse/engines/database.ts';
import { LeasedAccount, UnreachableWarehouse } from '#warehouse/errors.ts';
import type { SnapshotDatabase } from '#warehouse/snapshot-database.ts';
import { copyToDatabase } from '#warehouse/store/database-copy.ts';
import { readConfig } from './config.ts';
import { publisherOf, withPublisher } from './database-publisher.ts';
import type { Folder } from './folder.ts';
import { takeLeases } from './leases.ts';
import { replaceFile } from './replace-file.ts';
import { readRewriteMarker } from './rewrite-marker.ts';
import { complain } from './terminal.ts';

/**
 * Brings the database of the settings to what the folder has; nothing without one. The caller has the lock of the writer, and nothing is
 * published meanwhile. Errors: UnreachableWarehouse, LeasedAccount, DamagedWarehouse.
 */
export async function bringDatabase(folder: Folder): Promise<void> {
  const { database: address } = readConfig();
  if (!address) return;
  await bringTo(folder, address);
}

/**
 * The same of any database; `all`: with every kept snapshot. A host on which it fails keeps nothing from the others. Returns how many
 * snapshots were put there, on all hosts together.
 */
export async function bringTo(
  folder: Folder,
  address: DatabaseAddress,
  { all = false, progress }: { all?: boolean; progress?: (done: number, total: number) => void } = {},
): Promise<number> {
  const { refused, unreached } = await takeLeases(folder, address);
  if (refused.length > 0) throw new LeasedAccount(databaseName(address), refused);
  for (const host of address) rememberDatabase(folder, databaseHostName(host));
  const wanted = { rewritten: readRewriteMarker(folder.published), all };
  const failures = new Map<DatabaseHost, unknown>(unreached);
  let put = 0;
  for (const host of address.filter((each) => !unreached.has(each)))
    try {
      put += await withPublisher(folder, host, (database) =>
        copyToDatabase(database, folder.published, wanted, progress),
      );
    } catch (error) {
      failures.set(host, error);
    }
  if (failures.size > 0) throw asOne(failures);
  return put;
}

/** What hosts cannot be reached, or what is worse than that. */
function asOne(failures: ReadonlyMap<DatabaseHost, unknown>): unknown {
  const unreached = new Map<DatabaseHost, UnreachableWarehouse>();
  for (const [host, error] of failures) {
    if (!(error instanceof UnreachableWarehouse)) return error;
    unreached.set(host, error);
  }
  return failedTogether(unreached);
}

/** Opens it to read what the folder published there. */
export const openDatabaseOf = (folder: Folder, address: DatabaseAddress): SnapshotDatabase =>
  openDatabase(address, publisherOf(folder));

/** Of several hosts one is enough; what is wrong with others is complained of. Errors: UnreachableWarehouse, if none can be used. */
export async function assertDatabase(folder: Folder, address: DatabaseAddress | null): Promise<void> {
  if (!address) return;
  const wrong = new Map<DatabaseHost, UnreachableWarehouse>();
  const asked = { publisher: publisherOf(folder), canWrite: false, isOneOfSeveral: address.length > 1 };
  const checkHost = async (host: DatabaseHost): Promise<void> => {
    try {
      await checkDatabase(host, asked);
    } catch (error) {
      if (!(error instanceof UnreachableWarehouse)) throw error;
      wrong.set(host, error);
    }
  };
  await Promise.all(address.map(checkHost));
  if (wrong.size === 0) return;
  const error = failedTogether(wrong);
  if (wrong.size === address.length) throw error;
  complain(`${error.message}: other hosts of CHATLEDGER_WAREHOUSE are asked`);
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

/** Those that nothing keeps as the folder is any more; each host by itself. */
export function leftDatabases(folder: Pick<Folder, 'published'>, address: DatabaseAddress | null): string[] {
  const kept = address?.map(databaseHostName) ?? [];
  return publishedDatabases(folder).filter((name) => !kept.includes(name));
}

/** Before anything goes there. */
function rememberDatabase(folder: Pick<Folder, 'published'>, name: string): void {
  const known = publishedDatabases(folder);
  if (known.includes(name)) return;
  replaceFile(databasesFile(folder), `${JSON.stringify([...known, name])}\n`, { mode: 0o600 });
}
