// Whose turn it is: a few connections, and more questions than there are connections. Who has had little so far comes first,
// the others in the order in which they came, and one connection is kept free of them.
import { until, currentSignal } from '../cancellation.ts';
import { currentRequester, type Requester } from '../requester.ts';

/** Whoever has had a connection for less than this so far asks little, or has just come. */
const little_ms = 50;
/** After so many of those in a row one of the others has its turn, so that they get on too. */
const little_in_a_row = 4;

interface Waiting<T> {
  requester: Requester;
  give(turn: Turn<T>): void;
  refuse(error: Error): void;
}

export interface Turn<T> {
  item: T;
  /** The second call does nothing. */
  release(): void;
}

const asksLittle = ({ spent_ms }: Requester): boolean => spent_ms < little_ms;

export class Pool<T> {
  readonly #free: T[];
  readonly #size: number;
  readonly #waiting = new Set<Waiting<T>>();
  /** Given to those who have had much. */
  #much = 0;
  #in_a_row = 0;

  constructor(items: readonly T[]) {
    this.#free = [...items];
    this.#size = items.length;
  }

  /** Nothing is free at this moment. */
  get isTaken(): boolean {
    return this.#free.length === 0;
  }

  /** Nobody has one. */
  get isIdle(): boolean {
    return this.#free.length === this.#size;
  }

  /** Errors: Cancelled; what `refuseAll` was called with. */
  async turn(): Promise<Turn<T>> {
    const requester = currentRequester();
    if (this.#free.length > 0 && this.#mayHave(requester)) return this.#lent(requester);
    const { promise, resolve, reject } = Promise.withResolvers<Turn<T>>();
    const waiting: Waiting<T> = { requester, give: resolve, refuse: reject };
    this.#waiting.add(waiting);
    return until(promise, currentSignal(), () => void this.#waiting.delete(waiting));
  }

  /** Those who wait are told so. */
  refuseAll(error: () => Error): void {
    for (const { refuse } of this.#waiting) refuse(error());
    this.#waiting.clear();
  }

  #mayHave(requester: Requester): boolean {
    return asksLittle(requester) || this.#size < 2 || this.#much < this.#size - 1;
  }

  #lent(requester: Requester): Turn<T> {
    const item = this.#free.pop() as T;
    const isMuch = !asksLittle(requester);
    if (isMuch) this.#much += 1;
    const began = performance.now();
    let isBack = false;
    return {
      item,
      release: () => {
        if (isBack) return;
        isBack = true;
        requester.spent_ms += performance.now() - began;
        if (isMuch) this.#much -= 1;
        this.#free.push(item);
        this.#giveOn();
      },
    };
  }

  #giveOn(): void {
    while (this.#free.length > 0) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      next.give(this.#lent(next.requester));
    }
  }

  #next(): Waiting<T> | undefined {
    let little: Waiting<T> | undefined;
    let much: Waiting<T> | undefined;
    for (const waiting of this.#waiting) {
      if (asksLittle(waiting.requester)) little ??= waiting;
      else if (!much || waiting.requester.came < much.requester.came) much = waiting;
    }
    const mayMuch = much && this.#mayHave(much.requester) ? much : undefined;
    const isLittle = little && (!mayMuch || this.#in_a_row < little_in_a_row);
    this.#in_a_row = isLittle ? this.#in_a_row + 1 : 0;
    return isLittle ? little : mayMuch;
  }
}
