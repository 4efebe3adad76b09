// The interquartile range of an agent's colleagues under the filters of a page; the drawing code is loaded with it.
import type { ShownTeam } from '#dashboards/pictures/team-band.ts';
import { call } from './api.ts';
import type { Filters } from './filters.ts';

/** `problem`: why it could not be loaded. */
export async function readTeam(
  fetch: typeof globalThis.fetch,
  account: string,
  agent: string,
  { from, to, timezone, group, tag, variable }: Filters,
): Promise<{ shown?: ShownTeam; problem?: string }> {
  const query = new URLSearchParams({ account, from, to, timezone, agent });
  for (const value of group) query.append('group', value);
  for (const value of tag) query.append('tag', value);
  for (const value of variable) query.append('variable', value);
  const found = await call(fetch, 'GET /agents/team', { query });
  if (found.kind !== 'answered') return { problem: found.message };
  return { shown: (await import('#dashboards/pictures/team-band.ts')).shownTeam(found.answer) };
}
