// Links of targets and goals: the chart of a target's days, the receipt of what a goal has reached.
import type { ResolvedPathname } from '$app/types';
import type { PeriodGoal } from '#api/contract/period-goals.ts';
import type { Target } from '#api/contract/targets.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { receiptAddress } from '#lib/drill/addresses.ts';
import { pageAddress } from '#lib/page-address.ts';

/** The chart that shows the number by day, over the last four weeks. */
export function daysAddress({ metric, measure, group }: Target, account: string): ResolvedPathname {
  const isOf = (panel: (typeof dashboards)[number]['panels'][number]) =>
    panel.picture === 'lines' && panel.metric === metric && panel.measures[0]?.measure === measure;
  const dashboard = dashboards.find(({ panels }) => panels.some(isOf));
  const query = new URLSearchParams({ account, preset: '28d' });
  if (group !== null) query.set('group', String(group));
  return pageAddress(dashboard?.path ?? '', `?${query}#${dashboard?.panels.find(isOf)?.id ?? ''}`);
}

/** The receipt of what has been reached so far. */
export function reachedAddress(
  { metric, measure, group, from, seconds, pace: { through } }: PeriodGoal,
  { id, timezone }: { id: string; timezone: string },
  back: string,
): ResolvedPathname | undefined {
  if (through === null) return undefined;
  return receiptAddress(
    { metric, measure, ...(seconds === null ? {} : { isWithin: true }), grain: 'total', at: {} },
    {
      ...{ account: id, from, to: through, timezone, grain: 'total', agent: [], tag: [], variable: [] },
      ...{ group: group === null ? [] : [String(group)], ...(seconds === null ? {} : { target: seconds }) },
    },
    back,
  );
}
