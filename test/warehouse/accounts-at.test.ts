// The accounts of several data folders at each moment, over random publications: compared with looking for each account from the beginning.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsAt } from '#warehouse/engines/clickhouse-accounts-at.ts';
import type { AccountPublication } from '#warehouse/engines/clickhouse-catalogue.ts';
import { idOf, instantOf } from '#warehouse/store/snapshot-store.ts';
import { tries } from '../chance.ts';

interface Published {
  publisher: string;
  /** Minutes. */
  at: number;
  epochs: Readonly<Record<string, number>>;
  rewritten?: string;
}

const publicationsOf = (all: readonly Published[]): AccountPublication[] =>
  all.flatMap(({ publisher, at, epochs, rewritten = '' }) => {
    const id = idOf(Date.parse('2026-05-12T09:00:00Z') + at * 60_000);
    return Object.entries(epochs).map(([account, epoch]) => ({
      ...{ id, publisher, account, epoch, rewritten, edition: 1, published_at: instantOf(id) },
      about: { id: account, timezone: 'UTC', since: '2026-01-01', simulated: false },
    }));
  });

/** `account from publisher at minutes`. */
const shown = (members: ReturnType<ReturnType<typeof accountsAt>[number]['members']>): string[] =>
  members
    .flatMap(({ publisher, id, accounts }) => accounts.map((account) => `${account.id} from ${publisher} at ${id}`))
    .toSorted();

const epoch = fc.integer({ min: 1, max: 3 });
const someAccounts = fc
  .subarray(['x', 'y', 'z'], { minLength: 1 })
  .chain((ids) => fc.record(Object.fromEntries(ids.map((id) => [id, epoch]))));
const random = fc
  .uniqueArray(
    fc.record({ publisher: fc.constantFrom('a', 'b'), at: fc.integer({ min: 0, max: 40 }), epochs: someAccounts }),
    {
      selector: ({ at }) => at,
      maxLength: 12,
    },
  )
  .map(publicationsOf);

describe('the accounts of several data folders', () => {
  it('each moment has of every account what counts among the publications until then', () => {
    fc.assert(
      fc.property(random, (publications) => {
        const moments = [...new Set(publications.map(({ published_at }) => published_at))].toSorted();
        const found = accountsAt(publications);
        expect(found.map(({ published_at }) => published_at)).toEqual(moments);
        for (const { published_at, members, accounts } of found) {
          const until = publications.filter((each) => each.published_at <= published_at);
          const expected = [...new Set(until.map(({ account }) => account))].map((account) => {
            const own = until.filter((each) => each.account === account);
            const highest = Math.max(...own.map(({ epoch }) => epoch));
            // Of two folders in one epoch, which leases never make, the later one.
            const holder = own
              .filter(({ epoch }) => epoch === highest)
              .toSorted(byTime)
              .at(-1)?.publisher;
            const last = own
              .filter(({ publisher }) => publisher === holder)
              .toSorted(byTime)
              .at(-1);
            return `${account} from ${last?.publisher} at ${last?.id}`;
          });
          expect(shown(members())).toEqual(expected.toSorted());
          expect(accounts.map(({ id }) => id)).toEqual([...new Set(until.map(({ account }) => account))].toSorted());
        }
      }),
      { numRuns: tries(50, 2000) },
    );
  });

  it('the same id is the same rows: what retention takes away gives later moments another id', () => {
    const all = [
      { publisher: 'a', at: 0, epochs: { x: 1 } },
      { publisher: 'b', at: 5, epochs: { y: 1 } },
      { publisher: 'a', at: 10, epochs: { x: 1 } },
    ];
    const [, both, newer] = accountsAt(publicationsOf(all));
    const [alone, same] = accountsAt(publicationsOf(all.slice(1)));
    expect(shown(both?.members() ?? [])).toHaveLength(2);
    expect(shown(alone?.members() ?? [])).toHaveLength(1);
    expect([alone?.published_at, same?.id]).toEqual([both?.published_at, newer?.id]);
    expect(alone?.id).not.toBe(both?.id);
  });

  it('whatever is rewritten in any folder changes the mark of all', () => {
    const all: Published[] = [
      { publisher: 'a', at: 0, epochs: { x: 1 } },
      { publisher: 'b', at: 5, epochs: { y: 1 } },
    ];
    const marks = (published: readonly Published[]): string[] => [
      ...new Set(accountsAt(publicationsOf(published)).map(({ rewritten }) => rewritten)),
    ];
    const erased = all.map((each) => (each.publisher === 'a' ? { ...each, rewritten: 'an erasure' } : each));
    expect([marks(all), marks(erased)].map(({ length }) => length)).toEqual([1, 1]);
    expect(marks(erased)).not.toEqual(marks(all));
    // Published once more, as a repair does: what it replaces is removed.
    const [again, ...others] = publicationsOf(all);
    const repaired = accountsAt([{ ...again!, edition: 2 }, ...others]);
    expect(repaired.map(({ id }) => id)).toEqual(accountsAt(publicationsOf(all)).map(({ id }) => id));
    expect(marks(all)).not.toContain(repaired[0]?.rewritten);
    const [newer] = [...all, { publisher: 'b', at: 9, epochs: { y: 1 } }].slice(2);
    expect(marks([...all, newer!])).toEqual(marks(all));
  });

  it('a publication that does not say what questions know of its accounts is passed over', () => {
    const [one, two] = publicationsOf([
      { publisher: 'a', at: 0, epochs: { x: 1 } },
      { publisher: 'b', at: 5, epochs: { y: 1 } },
    ]);
    expect(
      accountsAt([{ ...one!, about: undefined }, two!]).map(({ accounts }) => accounts.map(({ id }) => id)),
    ).toEqual([['y']]);
  });
});

function byTime(one: AccountPublication, other: AccountPublication): number {
  return one.published_at < other.published_at ? -1 : 1;
}
