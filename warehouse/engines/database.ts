// The database that readers may ask in place of files, by names that do not say which engine it is. Loaded only where there is one.
import type { DatabaseCheck, DatabasePublisher, SnapshotDatabase } from '../snapshot-database.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';

export {
  addressIn as databaseAddressIn,
  wrongAddress as wrongDatabaseAddress,
  type ClickhouseAddress as DatabaseAddress,
} from './clickhouse-address.ts';

/** As messages name it: without user and password. */
export const databaseName = ({ url, database }: ClickhouseAddress): string =>
  `clickhouse://${new URL(url).host}/${database}`;

export function openDatabase(address: ClickhouseAddress): SnapshotDatabase {
  let opened: Promise<SnapshotDatabase> | undefined;
  const database = (): Promise<SnapshotDatabase> =>
    (opened ??= import('./clickhouse.ts').then(({ ClickhouseSnapshots }) => new ClickhouseSnapshots(address)));
  return {
    name: databaseName(address),
    list: async () => (await database()).list(),
    open: async (id) => (await database()).open(id),
    close: async () => (await opened)?.close(),
  };
}

/** `publisher`: which data folder publishes. */
export async function openPublisher(address: ClickhouseAddress, publisher: string): Promise<DatabasePublisher> {
  const { ClickhousePublisher } = await import('./clickhouse-publishing.ts');
  return new ClickhousePublisher(address, publisher);
}

/** `canWrite`: tries that too. Errors: UnreachableWarehouse, with what is wrong with address, server, database or rights. */
export async function checkDatabase(
  address: ClickhouseAddress,
  { canWrite }: { canWrite: boolean },
): Promise<DatabaseCheck> {
  const { check } = await import('./clickhouse-check.ts');
  return check(address, canWrite);
}
