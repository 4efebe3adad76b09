// Keeps a panel's previous answer while the next one is loading, marked as such, so that the layout does not jump.
import type { MetricOutcome } from '#lib/metric-question.ts';
import { live } from '#lib/frame/live.svelte.ts';
import type { AskedPanel } from '#lib/panels.ts';

export class Outcomes {
  shown = $state.raw<MetricOutcome[]>();
  isLoading = $state(false);

  constructor(asked: () => AskedPanel) {
    const first = asked().outcomes;
    if (first instanceof Promise) this.isLoading = true;
    else this.shown = first;
    $effect(() => {
      const { outcomes } = asked();
      if (!(outcomes instanceof Promise)) {
        this.shown = outcomes;
        this.isLoading = false;
        return;
      }
      let isLatest = true;
      this.isLoading = !(live.isQuiet && this.shown);
      void outcomes.then((arrived) => {
        if (!isLatest) return;
        // Unchanged answers of a background refresh are not redrawn, so that an open tooltip stays.
        if (!live.isQuiet || JSON.stringify(arrived) !== JSON.stringify(this.shown)) this.shown = arrived;
        this.isLoading = false;
      });
      return () => (isLatest = false);
    });
  }
}
