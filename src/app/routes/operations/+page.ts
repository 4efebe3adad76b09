// Asks how the pulls are doing, which snapshots are kept, and which figures were restated since one of them.
import { browser } from '$app/env';
import { read } from '#lib/api.ts';
import type { Pulls, Restatements, Snapshots } from '#lib/operations/pulls.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const { account } = await parent();
  const whose = new URLSearchParams(account ? { account: account.id } : {});
  const since = url.searchParams.get('from_snapshot') ?? '';
  const restated = new URLSearchParams(whose);
  if (since) restated.set('from_snapshot', since);
  const maybe = <Shape>(path: string): Promise<Shape | null> => read<Shape>(fetch, path).catch(() => null);
  const compared = () => maybe<Restatements>(`/api/restatements?${restated}`);
  // Two snapshots of a large account are not compared at once: the page waits for it only where the reader asked.
  const late = browser && !since ? compared() : new Promise<never>(() => undefined);
  const [pulls, snapshots, restatements] = await Promise.all([
    maybe<Pulls>(`/api/pulls?${whose}`),
    maybe<Snapshots>('/api/snapshots'),
    since ? compared() : null,
  ]);
  return { pulls, snapshots, restatements: since ? restatements : late, since };
};
