// The accounts that any data folder publishes to the database of the settings, as they are served: opened anew when one of them was published.
import { LRUCache } from 'lru-cache';
import type { OpenSnapshot } from '#api/deps.ts';
import { openAccountsDatabase, type DatabaseAddress } from '#warehouse/engines/database.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { countChats } from '#warehouse/read/chats.ts';
import { unbrokenSince } from '#warehouse/read/pulled-days.ts';
import { lastSuccesses, type LastSuccess } from '#warehouse/read/pulls.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import type { AccountsDatabase, AccountsSnapshot } from '#warehouse/snapshot-database.ts';
import { clock } from './clock.ts';
import { outsideRequests } from './request-scope.ts';
import { firstWithout, wholeAt, type ServedSnapshots } from './snapshots.ts';

interface ServedAccounts extends OpenSnapshot {
  /** What was rewritten last when it was opened. */
  mark: string;
  chats: number;
  known: readonly WarehouseAccount[];
  reached: ReadonlyMap<string, LastSuccess>;
  unbroken: ReadonlyMap<string, string>;
}

interface AccountsSnapshots extends ServedSnapshots {
  /** Those of the served snapshot. */
  accounts(): readonly WarehouseAccount[];
}

/** Older ones that stay open: each is some statements, and nothing on this machine. */
const most_open = 20;

/** `pseudonyms`: the secret of this installation. */
export function openAccountsSnapshots(address: DatabaseAddress, pseudonyms?: string): AccountsSnapshots {
  let loaded: Promise<AccountsDatabase> | undefined;
  const database = (): Promise<AccountsDatabase> => (loaded ??= openAccountsDatabase(address));
  let served: ServedAccounts | null = null;
  let rewritten = '';
  let under_way: Promise<boolean> | null = null;
  const older = new LRUCache<string, Promise<OpenSnapshot>>({ max: most_open });

  const opened = async (snapshot: AccountsSnapshot): Promise<OpenSnapshot> => {
    const { id, published_at } = snapshot;
    return { id, published_at, engine: await (await database()).open(snapshot), whole: null, pseudonyms };
  };
  const servedFrom = async (snapshot: AccountsSnapshot): Promise<ServedAccounts> => {
    const open = await opened(snapshot);
    const [reached, unbroken, chats] = await Promise.all([
      lastSuccesses(open.engine),
      unbrokenSince(open.engine, clock()),
      countChats(open.engine),
    ]);
    return { ...open, mark: snapshot.rewritten, known: snapshot.accounts, reached, unbroken, chats };
  };
  const remarked = (mark: string): void => {
    if (mark !== rewritten) older.clear();
    rewritten = mark;
  };
  const look = async (): Promise<boolean> => {
    const newest = (await (await database()).list()).at(-1);
    if (newest ? newest.id === served?.id && newest.rewritten === served.mark : !served) return false;
    try {
      served = newest ? await servedFrom(newest) : null;
    } catch (error) {
      // What was rewritten is not shown from memory, and what the one before still answers is not remembered for the new one.
      if (newest && newest.rewritten !== served?.mark) remarked(`${newest.rewritten} cannot be opened`);
      throw error;
    }
    remarked(newest?.rewritten ?? '');
    return true;
  };
  const since = (): ReadonlyMap<string, string> => new Map(served?.known.map((account) => [account.id, account.since]));
  return {
    current: () => served,
    published: () => served && { id: served.id, published_at: served.published_at },
    chats: () => served?.chats ?? 0,
    accounts: () => served?.known ?? [],
    rewritten: () => rewritten,
    older: {
      list: async () =>
        (await (await database()).list()).map(({ id, published_at }) => ({
          id,
          published_at,
          bytes: null,
          pinned: null,
        })),
      lost: () => Promise.resolve(null),
      spare: () => Promise.resolve(0),
      open(id) {
        const known = older.get(id);
        if (known) return known;
        const found = outsideRequests(async () => {
          const source = await database();
          const snapshot = (await source.list()).find((each) => each.id === id);
          if (!snapshot) throw new DamagedWarehouse(source.name, `it has no snapshot ${id}`);
          return opened(snapshot);
        });
        older.set(id, found);
        found.catch(() => older.get(id) === found && older.delete(id));
        return found;
      },
    },
    last_success_at: () => served && wholeAt(served.reached, since()),
    pulled_since: (account) => firstWithout(since().get(account), served?.unbroken.get(account)),
    refresh: () => (under_way ??= outsideRequests(look).finally(() => (under_way = null))),
    async close() {
      served = null;
      older.clear();
      await (await loaded)?.close();
    },
  };
}
