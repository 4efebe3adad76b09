// What every page needs: whether there is anything to show yet, the account, and the catalogue of metrics.
import { error } from '@sveltejs/kit';
import { read, type Account, type Health, type Metric } from '#lib/api.ts';
import { readNotes } from '#lib/user-data.ts';
import { words } from '#lib/words.ts';
import type { LayoutLoad } from './$types.js';

export const load: LayoutLoad = async ({ fetch, data, url }) => {
  const asked = url.searchParams.get('account');
  try {
    const health = await read<Health>(fetch, '/api/health', [200, 503]);
    if (!health.snapshot) return { ...data, health, account: null, accounts: [], notes: [], metrics: [] };
    const [{ accounts }, { metrics }] = await Promise.all([
      read<{ accounts: Account[] }>(fetch, '/api/accounts?tags=500'),
      read<{ metrics: Metric[] }>(fetch, '/api/metrics'),
    ]);
    const account = accounts.find(({ id }) => id === asked) ?? accounts[0] ?? null;
    const notes = account ? await readNotes(fetch, account.id) : [];
    return { ...data, notes, health, account, accounts: accounts.map(({ id }) => id), metrics };
  } catch {
    error(503, words.failure.api);
  }
};
