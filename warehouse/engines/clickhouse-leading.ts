// Of several hosts of a database, whose list of publications is the one that readers of all accounts see.
import { isLaterMark } from '../rewrite-marks.ts';
import type { ListedAccounts } from './clickhouse-accounts.ts';

/** What was seen of all hosts until now, also of those that do not answer any more. */
interface SeenOnHosts {
  /** By publisher and snapshot, the last mark that any of them had. */
  marks: ReadonlyMap<string, string>;
  accounts: ReadonlySet<string>;
}

export const nothingSeen: SeenOnHosts = { marks: new Map(), accounts: new Set() };

/**
 * The host that has every account and the newest publications of them; a sentence where none may be read. Leases, and with them what counts
 * of an account, are each host's own: publications of several hosts are not put together. A host with a snapshot as it was before an erasure
 * that another one has seen is passed over. `hosts`: those that answer, in the order of their names; `isEach`: these are all that there are.
 */
export function leadingOf(
  hosts: readonly ListedAccounts[],
  before: SeenOnHosts,
  isEach: boolean,
): { seen: SeenOnHosts; leading: ListedAccounts | string } {
  const marks = lastMarks(hosts, before.marks);
  const current = hosts.filter((host) => marksOf(host).every(([snapshot, mark]) => marks.get(snapshot) === mark));
  const there = current.flatMap(accountsOf);
  // Of what only a host had that does not answer now it cannot be told whether it is gone.
  const accounts = new Set(isEach ? there : [...there, ...before.accounts]);
  const seen = { marks, accounts };
  if (current.length === 0) return { seen, leading: behind };
  const [leading] = current.filter((host) => lackedBy(host, accounts).length === 0).toSorted(byNewest);
  return { seen, leading: leading ?? lacking(accounts, current) };
}

const behind =
  'whoever answers has snapshots as they were before something was erased, and who has them without it does not answer';

/** By publisher and snapshot, of one host. */
const marksOf = ({ publications }: ListedAccounts): [snapshot: string, mark: string][] =>
  [...publications.values()].flatMap(([first]) => (first ? [[`${first.publisher} ${first.id}`, first.rewritten]] : []));

/** What no host that answers has any more is forgotten. */
function lastMarks(hosts: readonly ListedAccounts[], before: ReadonlyMap<string, string>): Map<string, string> {
  const last = new Map<string, string>();
  for (const [snapshot, mark] of hosts.flatMap(marksOf)) {
    const known = last.get(snapshot) ?? before.get(snapshot);
    last.set(snapshot, known === undefined || isLaterMark(mark, known) ? mark : known);
  }
  return last;
}

/** Of the newest snapshot. */
const accountsOf = ({ snapshots }: ListedAccounts): string[] => (snapshots.at(-1)?.accounts ?? []).map(({ id }) => id);

function lackedBy(host: ListedAccounts, accounts: ReadonlySet<string>): string[] {
  const own = accountsOf(host);
  return [...accounts].filter((id) => !own.includes(id));
}

function lacking(accounts: ReadonlySet<string>, hosts: readonly ListedAccounts[]): string {
  const lacked = new Set(hosts.flatMap((host) => lackedBy(host, accounts)));
  return `no host that answers has all accounts: the next pull of the folders of ${[...lacked].join(', ')} brings what one of them lacks`;
}

/** When each account was published that counts, the newest first. */
const instantsOf = ({ snapshots }: ListedAccounts): string[] =>
  (snapshots.at(-1)?.members() ?? [])
    .flatMap(({ accounts, published_at }) => accounts.map(() => published_at))
    .toSorted()
    .toReversed();

/** Of hosts with the same accounts, who has the newest publications first; else as they were named. */
function byNewest(one: ListedAccounts, other: ListedAccounts): number {
  const [own, others] = [instantsOf(one), instantsOf(other)];
  const place = own.findIndex((instant, index) => instant !== others[index]);
  if (place === -1) return 0;
  return (own[place] ?? '') > (others[place] ?? '') ? -1 : 1;
}
