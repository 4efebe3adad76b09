// Connections shared by requests. A request that has used them little takes precedence over one that has used them much, and one
// connection is reserved for such light requests.
import { until, currentSignal } from '../cancellation.ts';
import { currentRequester, type Requester } from '../requester.ts';

/** A request that has had connections for less than this is light, and so is every new one. Milliseconds. */
const light_ms = 50;
/** After this many light requests in a row a heavy one is served, so that it cannot starve. */
const light_in_a_row = 4;

interface PoolWaiter<T> {
  requester: Requester;
  give(acquired: Acquired<T>): void;
  refuse(error: Error): void;
}

interface Acquired<T> {
  item: T;
  /** Gives it back; a second call does nothing. */
  release(): void;
}

const isLight = ({ spent_ms }: Requester): boolean => spent_ms < light_ms;

export class Pool<T> {
  readonly #free: T[];
  readonly #size: number;
  readonly #waiting = new Set<PoolWaiter<T>>();
  /** How many heavy requests have. */
  #heavy = 0;
  #in_a_row = 0;

  constructor(items: readonly T[]) {
    this.#free = [...items];
    this.#size = items.length;
  }

  get isEmpty(): boolean {
    return this.#free.length === 0;
  }

  /** Nobody has one. */
  get isIdle(): boolean {
    return this.#free.length === this.#size;
  }

  /** Waits for one. Errors: Cancelled; what `refuseAll` was called with. */
  async acquire(): Promise<Acquired<T>> {
    const requester = currentRequester();
    if (this.#free.length > 0 && this.#mayHave(requester)) return this.#handOut(requester);
    const { promise, resolve, reject } = Promise.withResolvers<Acquired<T>>();
    const waiting: PoolWaiter<T> = { requester, give: resolve, refuse: reject };
    this.#waiting.add(waiting);
    return until(promise, currentSignal(), () => void this.#waiting.delete(waiting));
  }

  /** Rejects all waiting callers with the error. */
  refuseAll(error: () => Error): void {
    for (const { refuse } of this.#waiting) refuse(error());
    this.#waiting.clear();
  }

  #mayHave(requester: Requester): boolean {
    return isLight(requester) || this.#size < 2 || this.#heavy < this.#size - 1;
  }

  #handOut(requester: Requester): Acquired<T> {
    const item = this.#free.pop() as T;
    const isHeavy = !isLight(requester);
    if (isHeavy) this.#heavy += 1;
    const began = performance.now();
    let isBack = false;
    return {
      item,
      release: () => {
        if (isBack) return;
        isBack = true;
        requester.spent_ms += performance.now() - began;
        if (isHeavy) this.#heavy -= 1;
        this.#free.push(item);
        this.#serve();
      },
    };
  }

  #serve(): void {
    while (this.#free.length > 0) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      next.give(this.#handOut(next.requester));
    }
  }

  /** Light requests in the order of their questions; heavy ones in the order in which they came, so that one is done before the next. */
  #next(): PoolWaiter<T> | undefined {
    let light: PoolWaiter<T> | undefined;
    let heavy: PoolWaiter<T> | undefined;
    for (const waiting of this.#waiting) {
      if (isLight(waiting.requester)) light ??= waiting;
      else if (!heavy || waiting.requester.came < heavy.requester.came) heavy = waiting;
    }
    if (heavy && !this.#mayHave(heavy.requester)) heavy = undefined;
    const isLightNext = light !== undefined && (!heavy || this.#in_a_row < light_in_a_row);
    this.#in_a_row = isLightNext ? this.#in_a_row + 1 : 0;
    return isLightNext ? light : heavy;
  }
}
