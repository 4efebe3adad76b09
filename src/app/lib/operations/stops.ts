// Why the last pulls stopped, requested while there is no snapshot: an installer must not wait in vain.
import { call } from '#lib/api.ts';

/** One sentence per account whose last pull stopped; with the account's name if there are several. */
export async function stops(fetch: typeof globalThis.fetch): Promise<string[]> {
  const first = await call(fetch, 'GET /pulls');
  // With several accounts, the answer for any of them covers all.
  const [named] = first.kind === 'refused' ? first.choices : [];
  const found = named === undefined ? first : await call(fetch, 'GET /pulls', { query: { account: named } });
  if (found.kind !== 'answered') return [];
  const { accounts } = found.answer;
  return accounts.flatMap(({ account, error }) =>
    error === null ? [] : [accounts.length > 1 ? `${account}: ${error}` : error],
  );
}
