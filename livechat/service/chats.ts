// The chats of the account in memory, in order of their start, then id: as bytes once they have ended, as objects while they go on.
import type { LightChat } from './light.ts';
import { createPacker, isPackable } from './packed-chats.ts';

/** Bounds of a reading, in Unix seconds, all included. */
export interface Span {
  from?: number | undefined;
  to?: number | undefined;
  ended_by?: number | undefined;
  /** Asked of what starts within the bounds. */
  isAsked?: ((started: number) => boolean) | undefined;
}

export type Chats = ReturnType<typeof createChats>;

/**
 * Numbers of chats are small: places are kept by them. `most_fresh` chats that were changed lately are kept as they are, as most are
 * changed again.
 */
export function createChats(most_fresh = 500) {
  const packer = createPacker();
  /** Packed chats one behind the other, and where each begins, by its number; 0 is nowhere. */
  let bytes = new Uint8Array(1 << 16);
  let used = 1;
  let wasted = 0;
  let places = new Float64Array(1 << 10);
  let lengths = new Uint32Array(1 << 10);
  /** Chats that cannot be packed, and those that were changed lately, the last one last. */
  const open = new Map<number, LightChat>();
  const fresh = new Map<number, LightChat>();
  /** In order; `reach` is the latest end of the chats up to there, so that chats begun before a range are found. */
  let numbers = new Uint32Array(1 << 10);
  let starts = new Float64Array(1 << 10);
  let ends = new Float64Array(1 << 10);
  let reach = new Float64Array(1 << 10);
  let length = 0;

  const whole = (number: number): LightChat | undefined => fresh.get(number) ?? open.get(number);
  const of = (number: number): LightChat | undefined => {
    const own = whole(number);
    if (own) return own;
    const place = places[number] ?? 0;
    return place > 0 ? packer.unpack(bytes, place) : undefined;
  };
  const idOf = (number: number): string => whole(number)?.id ?? packer.idAt(bytes, places[number]!);

  function keep(chat: LightChat): void {
    const packed = packer.pack(chat);
    if (used + packed.length > bytes.length) bytes = grown(bytes, used + packed.length, Uint8Array);
    if (chat.number >= places.length) {
      places = grown(places, chat.number + 1, Float64Array);
      lengths = grown(lengths, chat.number + 1, Uint32Array);
    }
    drop(chat.number);
    bytes.set(packed, used);
    places[chat.number] = used;
    lengths[chat.number] = packed.length;
    used += packed.length;
  }
  /** Whatever was kept of that number is left behind. */
  function drop(number: number): void {
    if ((places[number] ?? 0) === 0) return;
    wasted += lengths[number]!;
    places[number] = 0;
  }
  function tidy(): void {
    if (wasted < used / 2 || wasted < 1 << 20) return;
    const packed = bytes;
    bytes = new Uint8Array(used - wasted + (1 << 16));
    used = 1;
    wasted = 0;
    for (let number = 0; number < places.length; number++) {
      const place = places[number]!;
      if (place === 0) continue;
      bytes.set(packed.subarray(place, place + lengths[number]!), used);
      places[number] = used;
      used += lengths[number]!;
    }
  }
  function refresh(chat: LightChat): void {
    drop(chat.number);
    open.delete(chat.number);
    fresh.delete(chat.number);
    (isPackable(chat) ? fresh : open).set(chat.number, chat);
    const oldest = fresh.size > most_fresh ? fresh.values().next().value : undefined;
    if (!oldest) return;
    fresh.delete(oldest.number);
    keep(oldest);
    tidy();
  }

  /** Where a chat stands, or would stand. */
  function placeOf({ started, id }: Pick<LightChat, 'started' | 'id'>): number {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const own = starts[middle]!;
      if (own < started || (own === started && idOf(numbers[middle]!) < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  function roomFor(count: number): void {
    if (count <= numbers.length) return;
    numbers = grown(numbers, count, Uint32Array);
    starts = grown(starts, count, Float64Array);
    ends = grown(ends, count, Float64Array);
    reach = grown(reach, count, Float64Array);
  }
  function move(to: number, from: number): void {
    for (const column of [numbers, starts, ends, reach]) column.copyWithin(to, from, length);
  }
  function stand(place: number, { number, started, ended }: LightChat): void {
    numbers[place] = number;
    starts[place] = started;
    ends[place] = ended;
  }
  /** With `is_in_place` those that follow are the same as before, and so is how far they reach from where it is the same. */
  function reachFrom(place: number, is_in_place = false): void {
    let latest = place > 0 ? reach[place - 1]! : -Infinity;
    for (let index = place; index < length; index++) {
      latest = Math.max(latest, ends[index]!);
      if (is_in_place && reach[index] === latest) return;
      reach[index] = latest;
    }
  }

  /** The first place whose value is greater, or at least as great with `or_same`. */
  function firstPlace(ascending: Float64Array, value: number, or_same: boolean): number {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const own = ascending[middle]!;
      if (own > value || (or_same && own === value)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  const chats = {
    /** How many bytes the packed chats take. */
    bytes: (): number => bytes.length,
    get length(): number {
      return length;
    },
    /** The chat of that number. */
    of,
    at: (place: number): LightChat => of(numbers[place]!)!,
    numberAt: (place: number): number => numbers[place]!,
    idAt: (place: number): string => idOf(numbers[place]!),
    startedAt: (place: number): number => starts[place]!,
    endedAt: (place: number): number => ends[place]!,
    *[Symbol.iterator](): Generator<LightChat> {
      for (let place = 0; place < length; place++) yield chats.at(place);
    },
    /** The first place at which a chat starts at or after that instant. */
    firstFrom: (instant: number): number => firstPlace(starts, instant, true),
    /** The first place up to which a chat ends at or after that instant. */
    firstReaching: (instant: number): number => firstPlace(reach, instant, true),
    /** Places of the chats in the span that pass every test, in order; without a test no chat is unpacked. */
    places(
      { from = -Infinity, to = Infinity, ended_by = Infinity, isAsked }: Span,
      tests: ((chat: LightChat) => boolean)[],
    ) {
      const found: number[] = [];
      for (let place = firstPlace(starts, from, true); place < length && starts[place]! <= to; place++) {
        if (ends[place]! > ended_by || isAsked?.(starts[place]!) === false) continue;
        if (tests.length > 0) {
          const chat = chats.at(place);
          if (!tests.every((test) => test(chat))) continue;
        }
        found.push(place);
      }
      return found;
    },
    /** Adds chats that nobody has changed; call `arrange` before anybody reads. */
    add(chat: LightChat): void {
      roomFor(length + 1);
      if (isPackable(chat)) keep(chat);
      else open.set(chat.number, chat);
      stand(length++, chat);
    },
    /** Brings the chats that were added into their order. */
    arrange(): void {
      const isBehind = (place: number): boolean =>
        starts[place - 1]! < starts[place]! ||
        (starts[place - 1] === starts[place] && chats.idAt(place - 1) <= chats.idAt(place));
      let place = 1;
      while (place < length && isBehind(place)) place++;
      if (place < length) {
        const order = Array.from({ length }, (_, index) => index).sort(
          (a, b) => starts[a]! - starts[b]! || (chats.idAt(a) < chats.idAt(b) ? -1 : 1),
        );
        for (const column of [numbers, starts, ends]) {
          const had = column.slice(0, length);
          for (let index = 0; index < length; index++) column[index] = had[order[index]!]!;
        }
      }
      reachFrom(0);
    },
    /** Takes a chat in, in the place of the one with its number, if there is one. */
    put(chat: LightChat): void {
      const had = of(chat.number);
      if (had && had.started === chat.started) {
        const place = placeOf(had);
        refresh(chat);
        stand(place, chat);
        reachFrom(place, true);
        return;
      }
      let changed = length;
      if (had) {
        changed = placeOf(had);
        move(changed, changed + 1);
        length--;
      }
      roomFor(length + 1);
      const place = placeOf(chat);
      move(place + 1, place);
      length++;
      refresh(chat);
      stand(place, chat);
      reachFrom(Math.min(changed, place));
    },
  };
  return chats;
}

/** A copy that has room for so much, and for as much again. */
function grown<T extends Uint8Array | Uint32Array | Float64Array>(
  had: T,
  least: number,
  make: new (length: number) => T,
): T {
  const more = new make(Math.max(least, Math.ceil(had.length * 1.5)));
  more.set(had);
  return more;
}
