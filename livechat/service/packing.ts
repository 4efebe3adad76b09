// Records as bytes: whole numbers, texts that many records share, and lists of them. A record is read in the order in which it was written.

/** Room for one record at the start; it grows. */
const first_room = 4096;

type Packing = ReturnType<typeof createPacking>;

export function createPacking() {
  const words: string[] = [];
  const numbers = new Map<string, number>();
  let room = new Uint8Array(first_room);
  let bytes: Uint8Array = room;
  let place = 0;

  function numberOf(word: string): number {
    const had = numbers.get(word);
    if (had !== undefined) return had;
    numbers.set(word, words.length);
    return words.push(word) - 1;
  }
  /** Seven bits a byte, the lowest first. */
  const put = (value: number): void => {
    if (place + 10 > room.length) {
      const more = new Uint8Array(room.length * 2);
      more.set(room);
      room = more;
    }
    let left = value;
    while (left >= 128) {
      room[place++] = (left % 128) + 128;
      left = Math.floor(left / 128);
    }
    room[place++] = left;
  };
  const take = (): number => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[place++]!;
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  };
  const takeSigned = (): number => {
    const value = take();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };

  return {
    /** Begins another record. */
    begin(): void {
      place = 0;
    },
    put,
    putSigned: (value: number): void => put(value < 0 ? -2 * value - 1 : 2 * value),
    putWord: (word: string): void => put(numberOf(word)),
    putList<T>(list: readonly T[], each: (one: T) => void): void {
      put(list.length);
      for (const one of list) each(one);
    },
    /** A view of the record, good until another one is begun. */
    written: (): Uint8Array => room.subarray(0, place),
    /** What is taken next stands there. */
    goTo(from: Uint8Array, at: number): void {
      [bytes, place] = [from, at];
    },
    /** Up to where was read. */
    place: (): number => place,
    take,
    takeSigned,
    takeWord: (): string => words[take()]!,
    takeList<T>(each: () => T): T[] {
      const count = take();
      const list: T[] = [];
      for (let one = 0; one < count; one++) list.push(each());
      return list;
    },
  };
}

/** Of a chunk, but of one for a longer record alone. */
const chunk_bytes = 1 << 16;

export type PackedRecords = ReturnType<typeof createPackedRecords>;

/** Written records one behind the other in chunks, so that room for more is made without a copy of all; 0 is no record's place. */
export function createPackedRecords() {
  const chunks: Uint8Array[] = [];
  let used = 0;
  return {
    /** How many bytes the chunks take. */
    bytes: (): number => chunks.reduce((sum, { length }) => sum + length, 0),
    /** Returns its place. */
    add(record: Uint8Array): number {
      let chunk = chunks.at(-1);
      if (!chunk || used + record.length > chunk.length) {
        chunk = new Uint8Array(Math.max(chunk_bytes, record.length + 1));
        used = chunks.push(chunk) === 1 ? 1 : 0;
      }
      chunk.set(record, used);
      used += record.length;
      return (chunks.length - 1) * chunk_bytes + used - record.length;
    },
    goTo(packing: Packing, place: number): void {
      packing.goTo(chunks[Math.floor(place / chunk_bytes)]!, place % chunk_bytes);
    },
    /** The bytes of the record that was read last, from its place to where reading ended. */
    readFrom: (packing: Packing, place: number): Uint8Array =>
      chunks[Math.floor(place / chunk_bytes)]!.subarray(place % chunk_bytes, packing.place()),
  };
}
