// Who asks the engine: a request, or a round of the scheduler, with all its questions.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Requester {
  /** Requesters are numbered in the order in which they came. */
  readonly came: number;
  /** For how many milliseconds it has had connections so far; a question counts when it has ended. */
  spent_ms: number;
}

const requesters = new AsyncLocalStorage<Requester>();
let last = 0;

const newRequester = (): Requester => ({ came: (last += 1), spent_ms: 0 });

/** All questions of `work` are those of one requester. */
export const asRequester = <T>(work: () => T): T => requesters.run(newRequester(), work);

/** A new one where there is none. */
export const currentRequester = (): Requester => requesters.getStore() ?? newRequester();
