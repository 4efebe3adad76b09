// Data for every page: whether there are numbers yet, the account, and the catalogue of metrics.
import { error } from '@sveltejs/kit';
import { read } from '#lib/api.ts';
import { readNotes, readPins, readTargets } from '#lib/user-data.ts';
import { words } from '#lib/words.ts';
import type { LayoutLoad } from './$types.js';

export const load: LayoutLoad = async ({ fetch, data, url }) => {
  const asked = url.searchParams.get('account');
  try {
    const health = await read(fetch, 'GET /health', { accepted: [503] });
    if (!health.snapshot || !data.me.rights.includes('numbers:read')) {
      const FirstPull = health.snapshot ? null : (await import('#lib/frame/FirstPull.svelte')).default;
      return {
        ...data,
        health,
        account: null,
        accounts: [],
        notes: [],
        pins: [],
        targets: [],
        targetsProblem: undefined,
        metrics: [],
        FirstPull,
      };
    }
    const [{ accounts }, { metrics }, pins] = await Promise.all([
      read(fetch, 'GET /accounts', { query: { tags: '500' } }),
      read(fetch, 'GET /metrics'),
      readPins(fetch),
    ]);
    const account = accounts.find(({ id }) => id === asked) ?? accounts[0] ?? null;
    const [notes, { targets, targetsProblem }] = account
      ? await Promise.all([readNotes(fetch, account.id), readTargets(fetch, account.id)])
      : [[], { targets: [] }];
    return {
      ...data,
      notes,
      targets,
      targetsProblem,
      pins,
      health,
      account,
      accounts: accounts.map(({ id }) => id),
      metrics,
      FirstPull: null,
    };
  } catch {
    error(503, words.failure.api);
  }
};
