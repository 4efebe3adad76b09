// Where the API makes the files of a panel's numbers.
import { narrowings } from '#dashboards/panel-queries.ts';
import { inAllHours } from '#dashboards/all-hours.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import type { Panel } from '#dashboards/panel.ts';
import type { Account } from '#api/contract/accounts.ts';
import { addressOf } from '#lib/api.ts';
import type { Filters } from '#lib/filters.ts';
import type { ResolvedPathname } from '$app/types';

/** Where a panel is defined, such as `overview/volume`: on its page or another one; undefined if it is on no dashboard. */
export function homeOf({ id, metric, home }: Panel, path: string): string | undefined {
  if (home !== undefined) return home;
  const own = inAllHours(metric);
  const places = dashboards.filter(({ panels }) => panels.some((one) => one.id === id && one.metric === own));
  const place = places.find((it) => it.path === path) ?? places[0];
  return place && `${place.id}/${id}`;
}

/** Address of a panel's numbers under the page's filters; undefined if it is on no dashboard. */
export function panelFile(
  kind: 'csv' | 'xlsx',
  panel: Panel,
  path: string,
  account: Account,
  filters: Filters,
): ResolvedPathname | undefined {
  const { from, to, timezone, grain, compare, target, hours } = filters;
  const query = new URLSearchParams({ account: account.id, from, to, timezone, grain });
  for (const name of narrowings) for (const value of filters[name]) query.append(name, value);
  if (panel.isSplit) query.set('split', panel.split?.[0] ?? '');
  if (hours) query.set('hours', hours);
  if (compare !== 'none') query.set('compare', compare);
  if (panel.isWithin) query.set('target', String(target));
  const [dashboard, id] = homeOf(panel, path)?.split('/') ?? [];
  if (dashboard === undefined || id === undefined) return undefined;
  const params = { dashboard, file: `${id}.${kind}` };
  return addressOf('GET /panels/{dashboard}/{file}', { params, query }) as ResolvedPathname;
}
