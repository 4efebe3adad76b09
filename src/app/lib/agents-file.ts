// Where the API makes files of the table of agents, under the filters of the page.
import { narrowings } from '#dashboards/panel-queries.ts';
import { addressOf } from '#lib/api.ts';
import type { Filters } from '#lib/filters.ts';

export function agentsFile(kind: 'csv' | 'xlsx' | 'pdf', account: string, filters: Filters): string {
  const { from, to, timezone, compare } = filters;
  const query = new URLSearchParams({ account, from, to, timezone });
  for (const name of narrowings) for (const value of filters[name]) query.append(name, value);
  if (compare !== 'none') query.set('compare', compare);
  return addressOf(`GET /agents.${kind}`, { query });
}
