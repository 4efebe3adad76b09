// Holds what a panel shows while its next answer is on the way: the old one, marked as loading, so that nothing jumps.
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
        // What is renewed by itself and did not change is not drawn again: an open tip stays.
        if (!live.isQuiet || JSON.stringify(arrived) !== JSON.stringify(this.shown)) this.shown = arrived;
        this.isLoading = false;
      });
      return () => (isLatest = false);
    });
  }
}
