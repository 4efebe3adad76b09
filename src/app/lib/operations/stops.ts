// Why the last pulls stopped, asked while there is no snapshot yet: somebody who installs this must not wait for nothing.
import { errorOf } from '#lib/api.ts';
import type { Pulls } from './pulls.ts';

/** A sentence for each account whose last pull stopped; with its name where there are several. */
export async function stops(fetch: typeof globalThis.fetch): Promise<string[]> {
  const ask = async (query = ''): Promise<unknown> => (await fetch(`/api/pulls${query}`)).json().catch(() => null);
  const first = await ask();
  // Several accounts: any of them tells of all.
  const [account] = errorOf(first)?.choices ?? [];
  const body = account === undefined ? first : await ask(`?account=${encodeURIComponent(account)}`);
  const { accounts = [] } = (body ?? {}) as Partial<Pulls>;
  return accounts.flatMap(({ account, error }) =>
    error === null ? [] : [accounts.length > 1 ? `${account}: ${error}` : error],
  );
}
