// Rows of whole numbers from 0 to 2³² - 1, one typed array a column: a row takes four bytes a column, where an object takes ten times that.

/** Room for as many rows at first; it grows by a thirty-second, as most of it is never used. */
const first_room = 1 << 10;
export const growth = 5;

export type Columns<Name extends string> = ReturnType<typeof createColumns<Name>>;

export function createColumns<Name extends string>(names: readonly Name[]) {
  const of = Object.fromEntries(names.map((name) => [name, new Uint32Array(first_room)])) as Record<Name, Uint32Array>;
  let room = first_room;
  let length = 0;

  function takeRoom(rows: number): void {
    room = rows;
    for (const name of names) {
      const more = new Uint32Array(room);
      more.set(of[name].subarray(0, length));
      of[name] = more;
    }
  }
  function set(place: number, row: Record<Name, number>): void {
    for (const name of names) of[name][place] = row[name];
  }

  return {
    /** The columns, each good until a row is inserted; what lies beyond `length` is nothing. */
    of,
    get length(): number {
      return length;
    },
    set,
    /** Those that stand there and behind it move on by one. */
    insert(place: number, row: Record<Name, number>): void {
      if (length === room) takeRoom(room + (room >> growth));
      if (place < length) for (const name of names) of[name].copyWithin(place + 1, place, length);
      length++;
      set(place, row);
    },
    remove(place: number): void {
      for (const name of names) of[name].copyWithin(place, place + 1, length);
      length--;
    },
    /** Brings all rows into another order: `order` says which of them stands at each place. */
    arrange(order: Uint32Array): void {
      for (const name of names) {
        const had = of[name].slice(0, length);
        for (let place = 0; place < length; place++) of[name][place] = had[order[place]!]!;
      }
    },
  };
}

/** An instant that never comes, such as the end of a chat that goes on, is the greatest number. */
const never = 2 ** 32 - 1;

/** What a column holds of an instant in Unix seconds. */
export const numberOf = (instant: number): number => Math.min(instant, never);
export const instantIn = (number: number): number => (number === never ? Number.MAX_SAFE_INTEGER : number);

/** The first place of the first `length` whose value is greater, or at least as great with `or_same`; the values ascend. */
export function firstPlace(
  ascending: Uint32Array,
  length: number,
  value: number,
  { or_same }: { or_same: boolean },
): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = ascending[middle]!;
    if (own > value || (or_same && own === value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
