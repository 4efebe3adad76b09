// What `doctor` finds about the database that readers ask, on each of its hosts, and about those that nothing reaches any more.
import {
  checkDatabase,
  databaseHostName,
  openAccountsDatabase,
  type DatabaseAddress,
  type DatabaseHost,
} from '#warehouse/engines/database.ts';
import type { AccountsDatabase } from '#warehouse/snapshot-database.ts';
import { databaseDebts } from '#warehouse/store/database-copy.ts';
import { newest } from '#warehouse/store/snapshot-store.ts';
import { readConfig, type Config } from './config.ts';
import { databasesFile, leftDatabases } from './database.ts';
import { publisherOf, withPublisher } from './database-publisher.ts';
import { leftSentence, publishersOn, type HostPublishers } from './database-publishers.ts';
import type { Finding } from './doctor-finding.ts';
import type { Folder } from './folder.ts';
import { readRewriteMarker } from './rewrite-marker.ts';

export async function lookAtDatabase({ database }: Pick<Config, 'database'>, folder: Folder): Promise<Finding[]> {
  const left = leftDatabases(folder, database).map((name) => ({
    ...{ what: 'database', is_well: false },
    words:
      `${name} holds what was published there, and neither erasing nor retention reaches it: set CHATLEDGER_WAREHOUSE to it again, or drop it ` +
      `on its server and then remove it from ${databasesFile(folder)}`,
  }));
  const hosts = database ?? [];
  const found = await Promise.all(hosts.map((host) => lookAtHost(host, hosts.length > 1, folder)));
  return [...found.flat(), ...left];
}

/** Of a folder that reads what others publish: each account with the publication that is read, and whether each host has it. */
export async function lookAtAccounts(address: DatabaseAddress, folder: Folder): Promise<Finding[]> {
  const database = await openAccountsDatabase(address);
  try {
    const seen = await seenIn(database, address.length).catch(wordsOf);
    const asked = { publisher: publisherOf(folder), canWrite: false, isOneOfSeveral: address.length > 1 };
    const hosts = await Promise.all(
      address.map(async (host, place): Promise<Finding> => {
        try {
          const { version } = await checkDatabase(host, asked);
          const name = `${databaseHostName(host)} (version ${version})`;
          if (typeof seen === 'string') return { what: 'database', is_well: true, words: name };
          const lacks = seen.reasons[place] ?? null;
          return { what: 'database', is_well: lacks === null, words: `${name}: ${lacks ?? seen.sentence}` };
        } catch (error) {
          return { what: 'database', is_well: false, words: wordsOf(error) };
        }
      }),
    );
    if (typeof seen !== 'string') return hosts;
    const wrong = hosts.filter(({ is_well }) => !is_well);
    return wrong.length === hosts.length ? wrong : [...wrong, { what: 'database', is_well: false, words: seen }];
  } finally {
    await database.close();
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What readers see, and by host what keeps it from answering them; null where nothing does. */
async function seenIn(
  database: AccountsDatabase,
  hosts: number,
): Promise<{ sentence: string; reasons: readonly (string | null)[] }> {
  const newest = (await database.list()).at(-1);
  if (!newest) return { sentence: '', reasons: Array<string>(hosts).fill('no data folder has published there yet') };
  await database.open(newest);
  const ids = newest.accounts.map(({ id }) => id).join(', ');
  return {
    sentence: `readers see ${ids}, last published at ${newest.published_at}`,
    reasons: await database.whyNot(newest),
  };
}

async function lookAtHost(host: DatabaseHost, isOneOfSeveral: boolean, folder: Folder): Promise<Finding[]> {
  try {
    const { version, unnamed_parts } = await checkDatabase(host, {
      publisher: publisherOf(folder),
      canWrite: true,
      isOneOfSeveral,
    });
    const rewritten = readRewriteMarker(folder.published);
    const debts = await withPublisher(folder, host, (publisher) =>
      databaseDebts(publisher, folder.published, { rewritten }),
    );
    const last = await newest(folder.published);
    const { missing, outdated, removed } = debts;
    const owed = [
      ...(last !== null && missing.includes(last.id) ? [`it lacks the newest snapshot, ${last.id}`] : []),
      ...(outdated.length > 0
        ? [`${outdated.length} snapshots there are as they were before something was erased`]
        : []),
      ...(removed.length > 0 ? [`${removed.length} snapshots there are not kept any more`] : []),
      ...(unnamed_parts > 0 ? [`${unnamed_parts} parts there belong to no snapshot`] : []),
    ];
    const words =
      owed.length === 0
        ? `${databaseHostName(host)} (version ${version}) has what the folder has`
        : `${databaseHostName(host)} (version ${version}): ${owed.join('; ')}; the next publication puts it right ('npx chatledger pull')`;
    return [{ what: 'database', is_well: owed.length === 0, words }, ...leasesOf(await publishersOn(folder, host))];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [{ what: 'database', is_well: false, words }];
  }
}

/** Everybody who publishes there; a problem is what another folder has of ours, and what nobody reaches. */
function leasesOf({ database, accounts, left }: HostPublishers): Finding[] {
  const what = 'leases';
  const own = new Set(readConfig().accounts.map(({ id }) => id));
  const told = accounts.map(({ account, state, holder, until, snapshot }) => {
    const who = state === 'this folder' ? state : `the data folder ${holder.id}`;
    const when = state === 'ended' ? `ended at ${until}` : `until ${until}`;
    const last = snapshot === null ? 'nothing published yet' : `snapshot ${snapshot.id}`;
    return {
      ...{ what, is_well: !(state === 'another folder' && own.has(account)) },
      words: `${database}: ${account} by ${who} on ${holder.host}, ${when}, ${last}`,
    };
  });
  return [...told, ...left.map((each) => ({ what, is_well: false, words: `${database}: ${leftSentence(each)}` }))];
}
