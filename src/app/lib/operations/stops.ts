// Why the last pulls stopped, asked while there is no snapshot yet: somebody who installs this must not wait for nothing.
import { call } from '#lib/api.ts';

/** A sentence for each account whose last pull stopped; with its name where there are several. */
export async function stops(fetch: typeof globalThis.fetch): Promise<string[]> {
  const first = await call(fetch, 'GET /pulls');
  // Several accounts: any of them tells of all.
  const [named] = first.kind === 'refused' ? first.choices : [];
  const found = named === undefined ? first : await call(fetch, 'GET /pulls', { query: { account: named } });
  if (found.kind !== 'answered') return [];
  const { accounts } = found.answer;
  return accounts.flatMap(({ account, error }) =>
    error === null ? [] : [accounts.length > 1 ? `${account}: ${error}` : error],
  );
}
