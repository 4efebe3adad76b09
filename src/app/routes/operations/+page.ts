// Loads the state of pulls, the kept snapshots, and the figures restated since one of them.
import { browser } from '$app/env';
import { call, type Call, type Given } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const { account, me } = await parent();
  const whose = new URLSearchParams(account ? { account: account.id } : {});
  const since = url.searchParams.get('from_snapshot') ?? '';
  const restated = new URLSearchParams(whose);
  if (since) restated.set('from_snapshot', since);
  const maybe = async <Name extends Call>(name: Name, given: Given<Name> = {}) => {
    const found = await call(fetch, name, given);
    return found.kind === 'answered' ? found.answer : null;
  };
  const compared = () => maybe('GET /restatements', { query: restated });
  // Two snapshots of a large account are not compared at once: the page waits for it only where the reader asked.
  const late = browser && !since ? compared() : new Promise<never>(() => undefined);
  const [pulls, snapshots, backups, disk, restatements] = await Promise.all([
    maybe('GET /pulls', { query: whose }),
    maybe('GET /snapshots'),
    me.rights.includes('pulls:write') ? maybe('GET /backups') : null,
    me.rights.includes('pulls:write') ? maybe('GET /disk') : null,
    since ? compared() : null,
  ]);
  return { pulls, snapshots, backups, disk, restatements: since ? restatements : late, since };
};
