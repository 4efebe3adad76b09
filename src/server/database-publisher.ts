// The data folder as one that publishes to a database: who it is, and its way there.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { openPublisher, type DatabaseHost } from '#warehouse/engines/database.ts';
import type { DatabasePublisher, PublishingTo } from '#warehouse/snapshot-database.ts';
import { warehouseAccounts } from './accounts.ts';
import { readConfig } from './config.ts';
import type { Folder } from './folder.ts';

/** Which data folder publishes: the same as long as the folder is, and after it was restored from a backup. */
export const publisherOf = ({ state }: Folder): string =>
  createHash('sha256').update(`publisher ${state.service_api_key}`).digest('hex').slice(0, 16);

function publishingTo(folder: Folder): PublishingTo {
  const config = readConfig();
  const holder = { id: publisherOf(folder), host: hostname() };
  const accounts = config.reads_all ? [] : warehouseAccounts(config, folder);
  return {
    holder,
    accounts: accounts.map(({ simulated = false, ...account }) => ({ ...account, simulated })),
    lease_seconds: config.lease_seconds,
  };
}

/** Opens the database on one host to publish to it. */
export async function withPublisher<T>(
  folder: Folder,
  host: DatabaseHost,
  work: (database: DatabasePublisher) => Promise<T>,
): Promise<T> {
  const database = await openPublisher(host, publishingTo(folder));
  return work(database).finally(() => database.close());
}
