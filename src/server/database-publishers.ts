// Who publishes to the database of the settings: data folders, their accounts and until when they have them, on each host.
import { databaseHostName, openPublisher, type DatabaseHost } from '#warehouse/engines/database.ts';
import type { Lease } from '#warehouse/leases.ts';
import type { Publishers } from '#warehouse/snapshot-database.ts';
import { publisherOf, withPublisher } from './database-publisher.ts';
import { Stopped } from './errors.ts';
import type { Folder } from './folder.ts';

/** An account in a database. */
interface PublishedAccount extends Lease {
  state: 'this folder' | 'another folder' | 'ended';
  /** The snapshot that counts, and the data folder that published it; null before the first one. */
  snapshot: { id: string; folder: string; published_at: string } | null;
}

export interface HostPublishers {
  database: string;
  /** Of its server, ISO instant. */
  now: string;
  accounts: PublishedAccount[];
  /** Data folders with snapshots there that have no account any more: others took them over. */
  left: { id: string; snapshots: number }[];
}

/** Errors: those of the database. */
export async function publishersOn(folder: Folder, host: DatabaseHost): Promise<HostPublishers> {
  const found = await withPublisher(folder, host, (database) => database.publishers());
  const { now, leases } = found;
  const own = publisherOf(folder);
  const accounts = leases.map((lease): PublishedAccount => {
    const newest = found.newest.find(({ account }) => account === lease.account);
    return {
      ...lease,
      state: lease.until <= now ? 'ended' : lease.holder.id === own ? 'this folder' : 'another folder',
      snapshot: newest ? { id: newest.snapshot, folder: newest.publisher, published_at: newest.published_at } : null,
    };
  });
  return { database: databaseHostName(host), now, accounts, left: leftIn(found).filter(({ id }) => id !== own) };
}

const leftIn = ({ folders, leases }: Publishers): HostPublishers['left'] =>
  folders.filter(({ id }) => !leases.some(({ holder }) => holder.id === id));

/**
 * Removes what another folder published to a host, all of it, and returns how many snapshots that were; null, if it has nothing there. Errors:
 * Stopped, if it has accounts still; those of the database.
 */
export async function removePublished(folder: Folder, host: DatabaseHost, id: string): Promise<number | null> {
  if (id === publisherOf(folder)) throw new Stopped(`${id} is this data folder: there is nothing to remove of it`);
  const { now, leases, folders } = await withPublisher(folder, host, (database) => database.publishers());
  const kept = leases.filter(({ holder, until }) => holder.id === id && until > now);
  if (kept.length > 0)
    throw new Stopped(
      `the data folder ${id} publishes ${kept.map(({ account }) => account).join(', ')} to ${databaseHostName(host)} until ` +
        `${kept
          .map(({ until }) => until)
          .toSorted()
          .at(-1)} at least: end it first`,
    );
  const found = folders.find((each) => each.id === id);
  if (!found) return null;
  const gone = await openPublisher(host, { holder: { id, host: '' }, accounts: [], lease_seconds: 0 });
  await gone.keepOnly([]).finally(() => gone.close());
  return found.snapshots;
}

/** What a folder left that has no account any more. */
export const leftSentence = ({ id, snapshots }: HostPublishers['left'][number]): string =>
  `the data folder ${id} has no account there any more and left ${snapshots === 0 ? 'rows of no snapshot' : `${snapshots} snapshots`}, which neither erasing nor retention reaches: ` +
  `'npx chatledger leases --remove ${id}' removes them`;
