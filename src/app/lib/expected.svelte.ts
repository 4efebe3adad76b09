// State of the comparison of agents with their expectation: loaded with the page, or later.
import type { FairAgents } from '#api/contract/fair.ts';
import type { ApiResult } from './api.ts';

type Found = ApiResult<FairAgents> | null;

export class Expected {
  #found = $state.raw<Found>(null);

  /** `given`: what the page was loaded with; `ask` requests it again if that is null. */
  constructor(given: () => Found, ask: () => Promise<Found>) {
    this.#found = given();
    $effect(() => {
      const known = given();
      this.#found = known;
      if (known) return;
      let isLatest = true;
      void ask().then((arrived) => isLatest && (this.#found = arrived));
      return () => void (isLatest = false);
    });
  }

  /** Undefined while loading. */
  get answer(): FairAgents | undefined {
    return this.#found?.kind === 'answered' ? this.#found.answer : undefined;
  }

  get problem(): string | undefined {
    return this.#found && this.#found.kind !== 'answered' ? this.#found.message : undefined;
  }
}
