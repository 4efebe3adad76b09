// The snapshots that this product serves, and the accounts in them: those that its folder pulls, or those that all folders publish to a database.
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { openAccountsSnapshots } from './accounts-snapshots.ts';
import { warehouseAccounts } from './accounts.ts';
import type { Config } from './config.ts';
import { openDatabaseOf } from './database.ts';
import type { Folder } from './folder.ts';
import { openSnapshots, type QueryLimits, type ServedSnapshots } from './snapshots.ts';

interface ServedData {
  snapshots: ServedSnapshots;
  accounts(): readonly WarehouseAccount[];
  close(): Promise<void>;
}

/** `pseudonyms`: the secret of this installation. */
export function openServed(
  config: Config,
  folder: Folder,
  { limits, pseudonyms }: { limits?: QueryLimits; pseudonyms: string },
): ServedData {
  if (config.reads_all && config.database) {
    const snapshots = openAccountsSnapshots(config.database, pseudonyms);
    return { snapshots, accounts: () => snapshots.accounts(), close: () => snapshots.close() };
  }
  const accounts = (): readonly WarehouseAccount[] => warehouseAccounts(config, folder);
  const since = (): Map<string, string> => new Map(accounts().map((account) => [account.id, account.since]));
  const database = config.database ? openDatabaseOf(folder, config.database) : undefined;
  const snapshots = openSnapshots(folder.published, since, limits, pseudonyms, database);
  const close = async (): Promise<void> => {
    await snapshots.close();
    await database?.close();
  };
  return { snapshots, accounts, close };
}
