// Cancels work that nobody waits for: the caller's signal follows a question through every await, down to the engine.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The work was cancelled before it finished: the caller has disconnected, or it took too long. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The work exceeded its time limit. */
export class TooLate extends Cancelled {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`no answer within ${seconds} seconds`);
    this.seconds = seconds;
  }
}

/** TRICKY: an abort without a reason makes an error with the stack that led to it, which costs more than a short question. */
export const nobodyWaits = new Cancelled('nobody waits for the answer any more');

const signals = new AsyncLocalStorage<AbortSignal | undefined>();

/** Questions of `work` end when the signal fires; without a signal they run to completion. */
export const withSignal = <T>(signal: AbortSignal | undefined, work: () => T): T => signals.run(signal, work);

/** The caller's signal; undefined if the caller cannot disconnect. */
export const currentSignal = (): AbortSignal | undefined => signals.getStore();

/** Why a signal ended, as an error. */
export const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Cancelled ? reason : nobodyWaits);

/** Errors: Cancelled, if the caller has disconnected. */
export function assertWanted(): void {
  const signal = currentSignal();
  if (signal?.aborted) throw reasonOf(signal);
}

/** The result of `promise`, or an error at once when the signal ends; `leave` is called then. Errors: Cancelled. */
export async function until<T>(promise: Promise<T>, signal: AbortSignal | undefined, leave?: () => void): Promise<T> {
  if (!signal) return promise;
  promise.catch(() => undefined);
  let end: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      leave?.();
      reject(reasonOf(signal));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    if (end) signal.removeEventListener('abort', end);
  }
}

/** Runs `work` with a signal that ends with the current one, or after `seconds`. Errors: Cancelled, TooLate. */
export async function within<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const outer = currentSignal();
  // Not AbortSignal.any: for a short question it costs more than the rest.
  const either = new AbortController();
  const { signal } = either;
  const leave = (): void => either.abort(outer?.reason);
  const timer = setTimeout(() => either.abort(new TooLate(seconds)), seconds * 1000);
  if (outer?.aborted) leave();
  outer?.addEventListener('abort', leave, { once: true });
  try {
    return await until(withSignal(signal, work), signal);
  } finally {
    outer?.removeEventListener('abort', leave);
    clearTimeout(timer);
  }
}

interface Running<T> {
  result: Promise<T>;
  controller: AbortController;
  waiting: number;
}

/** Work that several wait for: begun for the first, ended when the last of them has left. */
export class Coalescer<T> {
  readonly #running = new Map<string, Running<T>>();

  /** A `key` must always identify the same work. Errors: Cancelled, if the current caller has disconnected. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) ?? this.#begin(key, work);
    const signal = currentSignal();
    running.waiting += 1;
    return until(running.result, signal, () => {
      running.waiting -= 1;
      if (running.waiting > 0) return;
      this.#forget(key, running);
      running.controller.abort(signal && reasonOf(signal));
    });
  }

  #begin(key: string, work: () => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = withSignal(controller.signal, work);
    const running: Running<T> = { result, controller, waiting: 0 };
    this.#running.set(key, running);
    const forget = (): void => this.#forget(key, running);
    result.then(forget, forget);
    return running;
  }

  #forget(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}
