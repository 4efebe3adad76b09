// What every page needs: whether there is anything to show yet, the account, and the catalogue of metrics.
import { error } from '@sveltejs/kit';
import { read, type Account, type Health, type Metric } from '#lib/api.ts';
import { words } from '#lib/words.ts';
import type { LayoutLoad } from './$types.js';

export const load: LayoutLoad = async ({ fetch, data }) => {
  try {
    const health = await read<Health>(fetch, '/api/health', [200, 503]);
    if (!health.snapshot) return { ...data, health, account: null, metrics: [] };
    const [{ accounts }, { metrics }] = await Promise.all([
      read<{ accounts: Account[] }>(fetch, '/api/accounts'),
      read<{ metrics: Metric[] }>(fetch, '/api/metrics'),
    ]);
    return { ...data, health, account: accounts[0] ?? null, metrics };
  } catch {
    error(503, words.failure.api);
  }
};
