// Who asks: one request, or one round of the scheduler, with all the questions that it leads to.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Requester {
  /** Counts up: who came earlier has the smaller one. */
  readonly came: number;
  /** Milliseconds for which it has had a connection to the engine. */
  spent_ms: number;
}

const requesters = new AsyncLocalStorage<Requester>();
let come = 0;

const newRequester = (): Requester => ({ came: (come += 1), spent_ms: 0 });

/** Everything that `work` asks is asked by one requester. */
export const asRequester = <T>(work: () => T): T => requesters.run(newRequester(), work);

/** A question of nobody in particular is one of its own. */
export const currentRequester = (): Requester => requesters.getStore() ?? newRequester();
