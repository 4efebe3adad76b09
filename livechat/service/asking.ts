// Who waits for an answer: work for a question ends once its caller has hung up.
import { AsyncLocalStorage } from 'node:async_hooks';

type IsGone = () => boolean;

const asking = new AsyncLocalStorage<IsGone>();

/** The caller has hung up; nobody reads an answer. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

/** Answers a request; long work of it goes on for as long as the caller waits. */
export function whileAsked<T>(request: Request, answer: () => T): T {
  // TRICKY: the signal is made when it is first read, and most requests are answered before anybody asks for it.
  return asking.run(() => request.signal.aborted, answer);
}

/** Throws HungUp once nobody waits any more. */
export function assertAsked(): void {
  if (asking.getStore()?.()) throw new HungUp('the caller has hung up');
}
