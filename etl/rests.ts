// When pulls come to rest: each at a point where everything received is committed, all of them together, until whoever asked is done.

/** What one pull needs to give way. */
export interface Rests {
  isWanted(): boolean;
  /** Everything received is committed: returns at once, or after the rest that is wanted. */
  here(): Promise<void>;
  /** Waits for the source: until `work` ends nothing here uses the files. */
  away<T>(work: () => Promise<T>): Promise<T>;
  /** `wake` is called when a rest is wanted, also if it already is. Returns what ends that. */
  onWanted(wake: () => void): () => void;
}

/** A rest that was asked for. */
interface AskedRest {
  /** Resolves when all pulls are at rest. */
  readonly begun: Promise<void>;
  /** The pulls go on, also those that never came to rest. */
  end(): void;
}

export interface SharedRests extends Rests {
  /** The files are used while `work` runs, but for its rests. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** One at a time. */
  ask(): AskedRest;
}

export function createRests(): SharedRests {
  let at_work = 0;
  let asked: { begun: PromiseWithResolvers<void>; over: PromiseWithResolvers<void> } | undefined;
  const wakes = new Set<() => void>();
  const enter = async (): Promise<void> => {
    while (asked) await asked.over.promise;
    at_work += 1;
  };
  const leave = (): void => {
    at_work -= 1;
    if (at_work === 0) asked?.begun.resolve();
  };
  return {
    isWanted: () => asked !== undefined,
    async here() {
      if (!asked) return;
      leave();
      await enter();
    },
    async away(work) {
      leave();
      try {
        return await work();
      } finally {
        await enter();
      }
    },
    onWanted(wake) {
      wakes.add(wake);
      if (asked) wake();
      return () => void wakes.delete(wake);
    },
    async during(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    ask() {
      const own = { begun: Promise.withResolvers<void>(), over: Promise.withResolvers<void>() };
      asked = own;
      for (const wake of wakes) wake();
      if (at_work === 0) own.begun.resolve();
      return {
        begun: own.begun.promise,
        end() {
          if (asked === own) asked = undefined;
          own.over.resolve();
        },
      };
    },
  };
}

/** Of a pull that nobody asks to rest. */
export const noRests: Rests = {
  isWanted: () => false,
  here: () => Promise.resolve(),
  away: (work) => work(),
  onWanted: () => () => undefined,
};
