// Holds what a panel shows while its next answer is on the way: the old one, marked as loading, so that nothing jumps.
import type { Outcome } from '#lib/api.ts';
import type { Asked } from '#lib/panels.ts';

export class Outcomes {
  shown = $state.raw<Outcome[]>();
  isLoading = $state(false);

  constructor(asked: () => Asked) {
    const first = asked().outcomes;
    if (!(first instanceof Promise)) this.shown = first;
    $effect(() => {
      const { outcomes } = asked();
      if (!(outcomes instanceof Promise)) {
        this.shown = outcomes;
        this.isLoading = false;
        return;
      }
      let isLatest = true;
      this.isLoading = true;
      void outcomes.then((arrived) => {
        if (!isLatest) return;
        this.shown = arrived;
        this.isLoading = false;
      });
      return () => (isLatest = false);
    });
  }
}
