// The scope of one request or one round of the scheduler: keeps what it opened open, and cancels its questions at its end.
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { asRequest } from '#api/request-id.ts';
import { nobodyWaits, withSignal, type Cancelled } from '#warehouse/cancellation.ts';
import { asRequester, newRequester, type Requester } from '#warehouse/requester.ts';

interface RequestScope {
  /** Runs work that belongs to it. */
  run<T>(work: () => T): T;
  /** The answer is sent: the scope ends when the work that outlives it is done. */
  leave(): void;
  /** Nobody waits any more: questions under way are interrupted, files that it held may close. */
  end(reason?: Cancelled): void;
}

interface ScopeState {
  files: Set<Leased>;
  isOver: boolean;
  /** What goes on when the answer is out. */
  outliving: Set<Promise<unknown>>;
}

/** A browser soon requests what its page did not wait for, and joins that work; without a browser, nobody waits that long. */
const outlives_ms = 3000;

/** Callbacks that end scopes whose answers are sent. */
const outliving = new Set<() => void>();

/** When the program ends: nobody asks again. */
export function endOutliving(): void {
  for (const end of outliving) end();
}

const scopes = new AsyncLocalStorage<ScopeState>();

/** By page: a browser's requests for missing answers share the queue position of their page. */
const pages = new LRUCache<string, Requester>({ max: 2000, ttl: 30_000 });

function requesterOf(page: string | undefined): Requester {
  const known = page === undefined ? undefined : pages.get(page);
  if (known) return known;
  const requester = newRequester();
  if (page !== undefined) pages.set(page, requester);
  return requester;
}

/** `page`: the page and reader of the request, if known; requests for one page count as one requester. */
export function openScope(page?: string): RequestScope {
  const requester = requesterOf(page);
  const held: ScopeState = { files: new Set(), isOver: false, outliving: new Set() };
  const leaving = new AbortController();
  const end = (reason = nobodyWaits): void => {
    if (held.isOver) return;
    held.isOver = true;
    leaving.abort(reason);
    for (const file of held.files) file.release();
    held.files.clear();
  };
  return {
    run: (work) => scopes.run(held, () => asRequester(() => withSignal(leaving.signal, work), requester)),
    leave() {
      if (held.outliving.size === 0) return end();
      const over = (): void => {
        clearTimeout(timer);
        outliving.delete(over);
        end();
      };
      const timer = setTimeout(over, outlives_ms).unref();
      outliving.add(over);
      void Promise.allSettled(held.outliving).then(over);
    },
    end,
  };
}

/** Runs `work` in its own scope, which ends with it. */
export async function inScope<T>(work: () => Promise<T>): Promise<T> {
  const scope = openScope();
  try {
    return await scope.run(work);
  } finally {
    scope.end();
  }
}

/**
 * Runs work that belongs to no request, although one may have caused it, such as a pull or opening a snapshot: it continues after the
 * client has disconnected.
 */
export const outsideRequests = <T>(work: () => T): T =>
  scopes.exit(() => asRequest(undefined, () => withSignal(undefined, work)));

/** Lets `work` of the current request continue for a while after its answer. Returns `work`. */
export function outlive<T>(work: Promise<T>): Promise<T> {
  const held = scopes.getStore();
  if (!held) return work;
  held.outliving.add(work);
  const over = (): void => void held.outliving.delete(work);
  work.then(over, over);
  return work;
}

/** An open file that is closed once it is retired and no request holds it. */
export class Leased {
  readonly #close: () => Promise<void>;
  #holders = 0;
  #isRetired = false;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(close: () => Promise<void>) {
    this.#close = close;
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  /** The present request holds it until it ends. What runs outside a request is protected by the engine alone. */
  hold(): void {
    const held = scopes.getStore();
    if (!held || held.isOver || held.files.has(this)) return;
    held.files.add(this);
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    if (this.#isRetired) void this.close();
    else this.#idle?.();
  }

  /** Calls `work` each time the last request has released it. */
  onIdle(work: () => void): void {
    this.#idle = work;
  }

  /** Closes it as soon as no request holds it. */
  retire(): void {
    this.#isRetired = true;
    if (this.#holders === 0) void this.close();
  }

  /** Closes it now, after the engine's running work has ended. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }
}
