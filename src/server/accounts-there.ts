// The accounts that readers of this installation see, for a command that asks them once: those of its folder, or those that others publish.
import { join } from 'node:path';
import type { Snapshot, WarehouseAccount } from '#warehouse/query/context.ts';
import { newest, openSnapshot } from '#warehouse/store/snapshot-store.ts';
import { openAccountsSnapshots } from './accounts-snapshots.ts';
import type { Config } from './config.ts';
import { stoppedByFile } from './errors.ts';

/** Asks the newest snapshot something; undefined before the first publication. */
export type OpenNewest = <T>(ask: (snapshot: Snapshot) => Promise<T>) => Promise<T | undefined>;

/** What `open` opens is closed when the work is done. Errors: Stopped, when the database of all accounts cannot be asked. */
export type WithAccounts = <T>(
  work: (accounts: readonly WarehouseAccount[], open: OpenNewest) => Promise<T>,
) => Promise<T>;

export const accountsThere = (config: Config): WithAccounts =>
  config.reads_all && config.database ? publishedByOthers(config.database) : pulledHere(config);

const pulledHere =
  ({ accounts, folder }: Pick<Config, 'accounts' | 'folder'>): WithAccounts =>
  (work) => {
    const published = join(folder, 'published');
    return work(
      accounts.map(({ id, timezone, since }) => ({ id, timezone, since: since ?? '' })),
      async (ask) => {
        const last = await newest(published);
        if (!last) return undefined;
        const engine = await openSnapshot(published, last.id);
        return ask({ ...last, engine }).finally(() => engine.close());
      },
    );
  };

const publishedByOthers =
  (database: NonNullable<Config['database']>): WithAccounts =>
  async (work) => {
    const snapshots = openAccountsSnapshots(database);
    try {
      await snapshots.refresh();
      const last = snapshots.current();
      return await work(snapshots.accounts(), async (ask) => (last ? ask(last) : undefined));
    } catch (error) {
      throw (error instanceof Error && stoppedByFile(error)) || error;
    } finally {
      await snapshots.close();
    }
  };
