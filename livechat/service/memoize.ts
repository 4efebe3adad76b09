// Values of a function of its argument alone, kept for the arguments that it was asked lately.

/** Keeps so many at most. */
export function memoize<Key, Value>(most: number, valueOf: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const had = known.get(key);
    if (had !== undefined) return had;
    if (known.size >= most) known.clear();
    const value = valueOf(key);
    known.set(key, value);
    return value;
  };
}
