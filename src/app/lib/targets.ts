// Which days met the targets, and by which seconds a page counts; loaded where targets are set. A page is not held up by them.
import type { Target } from '#api/contract/targets.ts';
import { narrowings } from '#dashboards/panel-queries.ts';
import { shownTargets, type ShownTargets } from '#dashboards/pictures/target-line.ts';
import type { Me } from '#api/contract/sign-in.ts';
import type { Dashboard } from '#dashboards/panel.ts';
import { call } from './api.ts';
import type { Filters } from './filters.ts';
import { words } from './words.ts';

/** The days under the filters of a page, with what draws them; `problem`: why they could not be loaded. */
export async function readJudged(
  fetch: typeof globalThis.fetch,
  account: string,
  { from, to, timezone, ...filters }: Filters,
): Promise<{ judged?: ShownTargets; problem?: string }> {
  const query = new URLSearchParams({ account, from, to, timezone });
  for (const kind of narrowings) for (const value of filters[kind]) query.append(kind, value);
  const found = await call(fetch, 'GET /targets/days', { query });
  if (found.kind !== 'answered') return { problem: words.problems.targets(found.message) };
  return found.answer.judged.length === 0 ? {} : { judged: shownTargets(found.answer.judged) };
}

/** The default seconds of a page: those of the target in force for its one group, or of the account's. */
export function usualSeconds(
  { panels }: Pick<Dashboard, 'panels'>,
  targets: readonly Target[],
  query: URLSearchParams,
  { rows }: Pick<Me, 'rows'>,
): number | undefined {
  const chosen = query.getAll('group').filter(Boolean);
  const groups = chosen.length ? chosen : (rows?.groups ?? []).map(String);
  const [group, ...others] = groups.map(Number);
  const of = (group: number | null) =>
    targets.find(
      (it) =>
        it.is_in_force &&
        it.seconds !== null &&
        it.group === group &&
        panels.some(({ metric }) => it.metric === metric),
    );
  const own = group === undefined || others.length > 0 ? undefined : of(group);
  return (own ?? of(null))?.seconds ?? undefined;
}
