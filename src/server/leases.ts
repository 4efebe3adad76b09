// Leases of the accounts that a data folder publishes to a database: taken before each pull and publication, renewed while `start` runs, given
// back at its end.
import type { DatabaseAddress, DatabaseHost } from '#warehouse/engines/database.ts';
import { databaseName } from '#warehouse/engines/database.ts';
import { TooLate, within } from '#warehouse/cancellation.ts';
import { LeasedAccount, UnreachableWarehouse } from '#warehouse/errors.ts';
import type { Lease } from '#warehouse/leases.ts';
import type { DatabasePublisher } from '#warehouse/snapshot-database.ts';
import type { Config } from './config.ts';
import { withPublisher } from './database-publisher.ts';
import type { Folder } from './folder.ts';
import { complain, say } from './terminal.ts';

interface TakenLeases {
  /** Those of other folders, which are in the way. */
  refused: readonly Lease[];
  /** What is wrong with hosts that cannot be asked. */
  unreached: ReadonlyMap<DatabaseHost, UnreachableWarehouse>;
}

/** Takes the leases of all accounts on each host, or renews them. */
export async function takeLeases(folder: Folder, address: DatabaseAddress): Promise<TakenLeases> {
  const unreached = new Map<DatabaseHost, UnreachableWarehouse>();
  const refused = new Map<string, Lease>();
  const fresh = new Map<DatabaseHost, readonly Lease[]>();
  const onHost = async (host: DatabaseHost, work: (database: DatabasePublisher) => Promise<void>): Promise<void> => {
    try {
      await withPublisher(folder, host, work);
    } catch (error) {
      if (!(error instanceof UnreachableWarehouse)) throw error;
      unreached.set(host, error);
    }
  };
  // In one order everywhere, so that of two folders the same one comes first on each host.
  for (const host of address.toSorted((one, other) => (one.url < other.url ? -1 : 1)))
    await onHost(host, async (database) => {
      const taken = await database.take();
      for (const lease of taken.refused) refused.set(lease.account, lease);
      for (const lease of taken.taken_over) say(takenOverSentence(database.name, lease));
      fresh.set(host, taken.fresh);
    });
  // What is another's on one host is taken on none.
  for (const [host, leases] of fresh) {
    const accounts = leases.map(({ account }) => account).filter((account) => refused.has(account));
    if (accounts.length > 0) await onHost(host, (database) => database.giveBack(accounts));
  }
  return { refused: [...refused.values()], unreached };
}

const takenOverSentence = (name: string, { account, holder, until }: Lease): string =>
  `${name}: the lease of the account ${account}, which the data folder ${holder.id} on ${holder.host} had, ended at ${until} and is this folder's ` +
  'now, which publishes all that it has of the account; what the other one published remains';

/** As long a pull waits for a database that says nothing. */
const patience_s = 5;

/** Why accounts are not pulled here: another folder publishes them. A database that does not answer keeps nobody from pulling. */
export async function refusedAccounts(
  { database }: Pick<Config, 'database'>,
  folder: Folder,
): Promise<ReadonlyMap<string, LeasedAccount>> {
  if (!database) return new Map();
  try {
    const { refused } = await within(patience_s, () => takeLeases(folder, database));
    return new Map(refused.map((lease) => [lease.account, new LeasedAccount(databaseName(database), [lease])]));
  } catch (error) {
    if (error instanceof TooLate) return new Map();
    throw error;
  }
}

/** Renews them while the program runs; `close` gives them back, on hosts that answer within a moment. */
export function keepLeases(
  { database, lease_seconds }: Pick<Config, 'database' | 'lease_seconds'>,
  folder: Folder,
): { close(): Promise<void> } {
  if (!database) return { close: () => Promise.resolve() };
  let last = '';
  /** `reason`: the same until something else is wrong. */
  const tell = (reason: string, sentence = reason): void => {
    if (reason !== last && sentence !== '') complain(sentence);
    last = reason;
  };
  const renew = async (): Promise<void> => {
    try {
      const { refused } = await takeLeases(folder, database);
      const whose = refused.map(({ account, holder }) => `${account} ${holder.id}`).join('\n');
      tell(whose, refused.length > 0 ? new LeasedAccount(databaseName(database), refused).message : '');
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  };
  const giveBack = async (): Promise<void> => {
    await renewing;
    await Promise.allSettled(database.map((host) => withPublisher(folder, host, (each) => each.giveBack())));
  };
  let renewing = Promise.resolve();
  const timer = setInterval(() => (renewing = renewing.then(renew)), (lease_seconds * 1000) / renewals).unref();
  return {
    async close() {
      clearInterval(timer);
      await within(giving_back_s, giveBack).catch(() => undefined);
    },
  };
}

/** So often while a lease holds. */
const renewals = 3;
/** Less than a program may take to end. */
const giving_back_s = 2;
