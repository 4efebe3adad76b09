// Which data folder publishes an account to a database that several publish to: one at a time, by a lease that ends where it is not renewed.
// All times are those of the database's server, so that no machine's clock decides.

/** A data folder that publishes. */
export interface Holder {
  id: string;
  /** The name of its machine, for people. */
  host: string;
}

export interface Lease {
  account: string;
  /** 1 for the first lease of an account, and one more for each that followed one that had ended. */
  epoch: number;
  holder: Holder;
  /** ISO instants. */
  renewed_at: string;
  until: string;
}

/** What two that race for an account have in common. */
export interface LeaseTable {
  /** The server's time, and the lease with the highest epoch of each account. */
  look(): Promise<{ now: string; leases: ReadonlyMap<string, Lease> }>;
  /** Leaves the epoch of the account to whoever came first, also if that is somebody else: a look tells. */
  claim(lease: Lease): Promise<void>;
  /** Removes claims of lower epochs of the same accounts. */
  forgetBefore(leases: readonly Lease[]): Promise<void>;
  /** From the server's present time on for as long; 0 seconds give them back. */
  renew(leases: readonly Lease[], seconds: number): Promise<void>;
}

/** What became of the accounts that a folder asked for. */
export interface Taken {
  /** Epochs of the leases that it holds now, by account. */
  held: ReadonlyMap<string, number>;
  /** Leases that it did not hold before. */
  fresh: readonly Lease[];
  /** Leases of other folders, which ended, and whose accounts are held now. */
  taken_over: readonly Lease[];
  /** Leases of other folders that are in the way. */
  refused: readonly Lease[];
}

const isHeldBy = (lease: Lease | undefined, { id }: Holder): boolean => lease?.holder.id === id;

/**
 * Takes, or renews, the leases of accounts, and gives back those of others that the folder has. Of several that take a lease at once one has it
 * in the end: the highest epoch counts, each epoch goes to whoever claims it first, and whoever renewed looks once more.
 */
export async function takeLeases(
  table: LeaseTable,
  accounts: readonly string[],
  { holder, seconds }: { holder: Holder; seconds: number },
): Promise<Taken> {
  const before = await table.look();
  const free = accounts.filter((account) => {
    const last = before.leases.get(account);
    // One's own too: what has ended belongs to whoever claims it first.
    return last === undefined || last.until <= before.now;
  });
  const until = new Date(Date.parse(before.now) + seconds * 1000).toISOString();
  for (const account of free) {
    const epoch = (before.leases.get(account)?.epoch ?? 0) + 1;
    await table.claim({ account, epoch, holder, renewed_at: before.now, until });
  }
  const { leases } = free.length > 0 ? await table.look() : before;
  const own = [...leases.values()].filter((lease) => isHeldBy(lease, holder) && lease.until > before.now);
  const [wanted, others] = [own.filter(({ account }) => accounts.includes(account)), own.filter(isNot(accounts))];
  if (wanted.length > 0) await table.renew(wanted, seconds);
  if (others.length > 0) await table.renew(others, 0);
  const after = await table.look();
  const last = accounts.flatMap((account) => after.leases.get(account) ?? []);
  const held = last.filter((lease) => isHeldBy(lease, holder));
  const fresh = held.filter(({ account }) => free.includes(account));
  if (fresh.length > 0) await table.forgetBefore(fresh);
  return {
    held: new Map(held.map(({ account, epoch }) => [account, epoch])),
    fresh,
    taken_over: fresh
      .flatMap(({ account }) => before.leases.get(account) ?? [])
      .filter((lease) => !isHeldBy(lease, holder)),
    refused: last.filter((lease) => !isHeldBy(lease, holder)),
  };
}

const isNot =
  (accounts: readonly string[]) =>
  ({ account }: Lease): boolean =>
    !accounts.includes(account);

/** Gives back what a folder holds, or of that the leases of some accounts; another folder may take them at once. */
export async function giveBackLeases(table: LeaseTable, holder: Holder, accounts?: readonly string[]): Promise<void> {
  const { now, leases } = await table.look();
  const own = [...leases.values()].filter(
    (lease) => isHeldBy(lease, holder) && lease.until > now && (accounts?.includes(lease.account) ?? true),
  );
  if (own.length > 0) await table.renew(own, 0);
}
