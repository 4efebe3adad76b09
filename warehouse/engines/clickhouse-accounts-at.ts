// What the accounts of all data folders were at each moment at which one of them was published.
import { createHash } from 'node:crypto';
import type { AccountsSnapshot, PublishedAccount } from '../snapshot-database.ts';
import { publicationThatCounts, type AccountPublication, type ClickhouseSnapshot } from './clickhouse-catalogue.ts';

/** A snapshot of a data folder, with those of its accounts that are read from it. */
export interface MemberSnapshot extends ClickhouseSnapshot {
  accounts: readonly PublishedAccount[];
}

export interface ClickhouseAccountsSnapshot extends AccountsSnapshot {
  /** One for each data folder, each account in one of them. */
  members(): readonly MemberSnapshot[];
}

const hashOf = (texts: readonly string[]): string => createHash('sha256').update(texts.join('\n')).digest('hex');

/**
 * One for each snapshot that any folder has, oldest first: of each account the publication that counts among those until then. Its id is
 * that of the last one and a hash of all of them, so that the same id is the same rows; `rewritten` is another text as soon as anybody
 * rewrites anything, or puts a snapshot there again: its views have other names then. A publication that does not say what questions know
 * of its accounts is passed over.
 */
export function accountsAt(publications: readonly AccountPublication[]): ClickhouseAccountsSnapshot[] {
  const known = publications.filter(({ about }) => about !== undefined);
  const marks = known.flatMap(({ publisher, rewritten, id, edition }) => [
    `${publisher} ${rewritten}`,
    ...(edition > 1 ? [`${publisher} ${id} ${edition}`] : []),
  ]);
  const rewritten = hashOf([...new Set(marks)].toSorted()).slice(0, 16);
  const byMoment = Map.groupBy(
    known.toSorted((one, other) => (momentOf(one) < momentOf(other) ? -1 : 1)),
    momentOf,
  );
  const until = new Map<string, AccountPublication[]>();
  const counting = new Map<string, AccountPublication>();
  return [...byMoment.values()].flatMap((published) => {
    for (const each of published) {
      const own = until.get(each.account) ?? [];
      own.push(each);
      until.set(each.account, own);
      const found = publicationThatCounts(own);
      if (found) counting.set(each.account, found);
    }
    const [last] = published;
    if (!last) return [];
    const all = [...counting.values()].toSorted((one, other) => (one.account < other.account ? -1 : 1));
    const hash = hashOf(all.map(({ account, publisher, id }) => `${account} ${publisher} ${id}`)).slice(0, 8);
    return {
      ...{ id: `${last.id}-${hash}`, published_at: last.published_at, rewritten },
      accounts: all.flatMap(({ about }) => about ?? []),
      members: () => membersOf(all),
    };
  });
}

const momentOf = ({ published_at, id, publisher }: AccountPublication): string => `${published_at} ${id} ${publisher}`;

function membersOf(counting: readonly AccountPublication[]): MemberSnapshot[] {
  const bySnapshot = Map.groupBy(counting, ({ publisher, id }) => `${publisher} ${id}`);
  return [...bySnapshot.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, edition, publisher, rewritten, published_at } = first;
    return {
      ...{ id, edition, publisher, rewritten, published_at },
      accounts: own.flatMap(({ about }) => about ?? []),
    };
  });
}
