// Targets of a shared page, which are known only when its link has opened: panels draw them as those of other pages.
import type { ShownTargets } from '#dashboards/pictures/target-line.ts';
import type { TargetResult } from '#dashboards/targets.ts';

let shown = $state.raw<ShownTargets>();

/** Replaces what other pages load with their numbers. */
export const sharedTargets: ShownTargets = {
  line: (...of) => shown?.line(...of),
  tile: (...of) => shown?.tile(...of),
};

/** The drawing code is loaded only if there are targets. */
export async function showTargets(judged: readonly TargetResult[]): Promise<void> {
  shown = judged.length ? (await import('#dashboards/pictures/target-line.ts')).shownTargets(judged) : undefined;
}
