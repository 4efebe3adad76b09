// The database that readers may ask in place of files, by names that do not say which engine it is. Loaded only where there is one.
import type {
  AccountsDatabase,
  DatabaseCheck,
  DatabasePublisher,
  PublishingTo,
  SnapshotDatabase,
} from '../snapshot-database.ts';
import { nameOf, type ClickhouseAddress, type ClickhouseAddresses } from './clickhouse-address.ts';

export {
  addressesIn as databaseAddressIn,
  nameOf as databaseName,
  passwordsIn as databasePasswordsIn,
  wrongAddress as wrongDatabaseAddress,
  type ClickhouseAddress as DatabaseHost,
  type ClickhouseAddresses as DatabaseAddress,
} from './clickhouse-address.ts';
export { together as failedTogether } from './clickhouse-failures.ts';

/** Of each of its hosts, as messages name it. */
export const databaseHostName = (host: ClickhouseAddress): string => nameOf([host]);

/** `publisher`: the data folder whose snapshots are read. */
export function openDatabase(address: ClickhouseAddresses, publisher: string): SnapshotDatabase {
  let opened: Promise<SnapshotDatabase> | undefined;
  const database = (): Promise<SnapshotDatabase> => (opened ??= load(address, publisher));
  return {
    name: nameOf(address),
    list: async () => (await database()).list(),
    open: async (snapshot) => (await database()).open(snapshot),
    close: async () => (await opened)?.close(),
  };
}

/** All accounts that are published to a database, by whichever data folder. */
export async function openAccountsDatabase(address: ClickhouseAddresses): Promise<AccountsDatabase> {
  const [only, ...others] = address;
  if (others.length > 0) return new (await import('./clickhouse-accounts-hosts.ts')).ClickhouseAccountsHosts(address);
  return new (await import('./clickhouse-accounts.ts')).ClickhouseAccounts(only);
}

async function load(address: ClickhouseAddresses, publisher: string): Promise<SnapshotDatabase> {
  const [only, ...others] = address;
  if (others.length > 0) return new (await import('./clickhouse-hosts.ts')).ClickhouseHosts(address, publisher);
  return new (await import('./clickhouse.ts')).ClickhouseSnapshots(only, publisher);
}

export async function openPublisher(host: ClickhouseAddress, publishing: PublishingTo): Promise<DatabasePublisher> {
  const { ClickhousePublisher } = await import('./clickhouse-publishing.ts');
  return new ClickhousePublisher(host, publishing);
}

/**
 * `canWrite`: tries that too; `isOneOfSeveral`: others have the same. Errors: UnreachableWarehouse, with what is wrong with address, server,
 * database or rights.
 */
export async function checkDatabase(
  host: ClickhouseAddress,
  asked: { publisher: string; canWrite: boolean; isOneOfSeveral: boolean },
): Promise<DatabaseCheck> {
  const { check } = await import('./clickhouse-check.ts');
  return check(host, asked);
}
