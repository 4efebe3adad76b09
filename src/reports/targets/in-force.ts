// Which target was in force on which days: of each number and group the newest that is valid by then.
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import { judgedBy } from '#warehouse/definitions/used.ts';
import { targetKinds, type TargetKind } from '#warehouse/definitions/uses.ts';
import type { TargetTerms } from './target.ts';

/** The targets of one number and group, sorted by day. */
const historyOf = <One extends TargetTerms>(all: readonly One[], kind: TargetKind, group: number | null): One[] =>
  all
    .filter((one) => one.kind === kind && one.group === group)
    .sort((one, other) => (one.valid_from < other.valid_from ? -1 : 1));

/** A target with a value, as opposed to one that ends a target. */
type InForce<One extends TargetTerms> = One & { share: number };

const isInForce = <One extends TargetTerms>(one: One | undefined): one is InForce<One> =>
  one !== undefined && one.share !== null;

export function inForceOn<One extends TargetTerms>(
  all: readonly One[],
  kind: TargetKind,
  group: number | null,
  day: string,
): InForce<One> | undefined {
  const newest = historyOf(all, kind, group).findLast(({ valid_from }) => valid_from <= day);
  return isInForce(newest) ? newest : undefined;
}

/**
 * Within how many seconds the target of a metric counts that is in force on a day: of the group, or of the account where it has none of
 * its own, so that a group and all of them are counted alike. Undefined: none is, or it counts none.
 */
export function secondsInForce(
  all: readonly TargetTerms[],
  metric: string,
  group: number | null,
  day: string,
): number | undefined {
  const kind = targetKinds.find((it) => judgedBy(it).hasSeconds && judgedBy(it).metric === metric);
  if (!kind) return undefined;
  return (inForceOn(all, kind, group, day) ?? inForceOn(all, kind, null, day))?.seconds ?? undefined;
}

/** Days on which one target is in force, both included. */
export interface TargetSpan<One extends TargetTerms> {
  from: string;
  to: string;
  target: InForce<One>;
}

/** The days of a range by the target in force; days without one are in none of them. */
export function stretchesOf<One extends TargetTerms>(
  all: readonly One[],
  kind: TargetKind,
  group: number | null,
  { from, to }: { from: string; to: string },
): TargetSpan<One>[] {
  const history = historyOf(all, kind, group);
  return history.flatMap((target, at) => {
    const next = history[at + 1]?.valid_from;
    const first = target.valid_from > from ? target.valid_from : from;
    const before = next === undefined ? to : dateOf(dayNumber(next) - 1);
    const last = before < to ? before : to;
    return isInForce(target) && first <= last ? [{ from: first, to: last, target }] : [];
  });
}
