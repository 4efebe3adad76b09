// Who asks the engine: a page with all its questions, a request, or a round of the scheduler.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Requester {
  /** Requesters are numbered in the order in which they came. */
  readonly came: number;
  /** For how many milliseconds it has had connections so far; a question counts when it has ended. */
  spent_ms: number;
}

const requesters = new AsyncLocalStorage<Requester>();
let last = 0;

export const newRequester = (): Requester => ({ came: (last += 1), spent_ms: 0 });

/** All questions of `work` belong to one requester, by default a new one. */
export const asRequester = <T>(work: () => T, requester = newRequester()): T => requesters.run(requester, work);

/** A new one if there is none. */
export const currentRequester = (): Requester => requesters.getStore() ?? newRequester();
