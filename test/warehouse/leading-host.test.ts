// Which of several hosts is read for all accounts: never one that lacks an account or has what another has erased.
import { describe, expect, it } from 'vitest';
import { accountsAt } from '#warehouse/engines/clickhouse-accounts-at.ts';
import type { ListedAccounts } from '#warehouse/engines/clickhouse-accounts.ts';
import type { AccountPublication } from '#warehouse/engines/clickhouse-catalogue.ts';
import { leadingOf, nothingSeen } from '#warehouse/engines/clickhouse-leading.ts';

/** `a 5` is the account a of the folder a, published at 09:05; another mark than none follows. */
function host(...published: string[]): ListedAccounts {
  const publications = published.map((words): AccountPublication => {
    const [account = '', minute = '0', ...mark] = words.split(' ');
    const at = `2026-11-29T09:${minute.padStart(2, '0')}:00.000Z`;
    return {
      ...{ id: `20261129-09${minute.padStart(2, '0')}00-000`, publisher: `folder of ${account}`, edition: 1 },
      ...{ rewritten: mark.join(' '), published_at: at, account, epoch: 1 },
      about: { id: account, timezone: 'UTC', since: '2026-01-01', simulated: false },
    };
  });
  return {
    stamp: published.join(),
    publications: new Map(publications.map((one) => [`${one.publisher} ${one.id}`, [one]])),
    snapshots: accountsAt(publications),
  };
}
const first = '2026-11-29T09:10:00.000Z first';
const second = '2026-11-29T09:20:00.000Z second';
const chosen = (hosts: readonly ListedAccounts[], before = nothingSeen, isEach = true): string =>
  (({ leading }) => (typeof leading === 'string' ? leading : leading.stamp))(leadingOf(hosts, before, isEach));

describe('the host that is read', () => {
  it('is the first of those that have the same', () => {
    expect(chosen([host('a 1', 'b 2'), host('a 1', 'b 2')])).toBe('a 1,b 2');
    expect(chosen([host()])).toBe('');
  });

  it('has the newest publications', () => {
    const [older, newer] = [host('a 1', 'b 2'), host('a 1', 'b 2', 'a 3')];
    expect([chosen([older, newer]), chosen([newer, older])]).toEqual([newer.stamp, newer.stamp]);
    // The newest of both is the same: what the other account has decides.
    const [one, other] = [host('a 1', 'b 5'), host('a 1', 'a 3', 'b 5')];
    expect([chosen([one, other]), chosen([other, one])]).toEqual([other.stamp, other.stamp]);
  });

  it('has all accounts, however new the others of another host are', () => {
    const [whole, newer] = [host('a 1', 'b 2'), host('a 9')];
    expect(chosen([newer, whole])).toBe(whole.stamp);
    expect(chosen([host('a 1'), host('b 2')])).toMatch(
      /no host that answers has all accounts: .* folders of b, a brings/,
    );
    const { seen } = leadingOf([newer, whole], nothingSeen, true);
    // The one with both does not answer any more; when each does, what none has is gone.
    expect(chosen([newer], seen, false)).toMatch(/no host that answers has all accounts: .* folders of b brings/);
    expect(chosen([newer, newer], seen)).toBe(newer.stamp);
  });

  it('has no snapshot as it was before it was rewritten elsewhere, also when who has it so is gone', () => {
    const [before, after] = [host('a 1', 'b 2'), host(`a 1 ${first}`, 'b 2')];
    expect([chosen([before, after]), chosen([after, before])]).toEqual([after.stamp, after.stamp]);
    const { seen } = leadingOf([before, after], nothingSeen, true);
    expect(chosen([before], seen, false)).toMatch(/as they were before something was erased/);
    expect(chosen([host(`a 1 ${first}`, 'b 2')], seen, false)).toBe(after.stamp);
    // Rewritten once more, and each in its turn.
    const again = host(`a 1 ${second}`, 'b 2');
    expect(chosen([after, again])).toBe(again.stamp);
    expect(chosen([host(`a 1 ${first}`, 'b 2'), host('a 1', `b 2 ${first}`)])).toMatch(/before something was erased/);
  });

  it('need not have what nobody keeps any more', () => {
    const { seen } = leadingOf([host('a 1', `a 2 ${first}`, 'b 2')], nothingSeen, true);
    expect(chosen([host('a 3', 'b 2')], seen)).toBe('a 3,b 2');
  });
});
