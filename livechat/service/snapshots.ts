// Values as they were at an instant, for those who read them for longer than a turn of the event loop, while others replace them.

/** Reads values by their keys as they were when it began. */
interface Snapshot<Value> {
  of(key: number): Value;
  /** The value was replaced since; otherwise it is what it was. */
  isReplaced(key: number): boolean;
  /** It reads no more. */
  end(): void;
}

/** `valueOf` reads the value as it is now. */
export function createSnapshots<Value>(valueOf: (key: number) => Value) {
  const reading = new Set<Map<number, Value>>();
  return {
    begin(): Snapshot<Value> {
      const before = new Map<number, Value>();
      reading.add(before);
      return {
        of: (key) => (before.has(key) ? before.get(key)! : valueOf(key)),
        isReplaced: (key) => before.has(key),
        end: () => void reading.delete(before),
      };
    },
    /** Call it before a value is replaced. */
    keep(key: number): void {
      for (const before of reading) if (!before.has(key)) before.set(key, valueOf(key));
    },
  };
}
