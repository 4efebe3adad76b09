// The chats of the account in memory, in order of their start, then id: as bytes once they have ended, as objects while they go on.
import { createColumns, firstPlace, growth, instantIn, numberOf } from './columns.ts';
import { createGoalMoments } from './goal-moments.ts';
import type { LightChat } from './light.ts';
import { createPacker, isPackable } from './packed-chats.ts';
import { createPackedRecords } from './packing.ts';
import { createSnapshots } from './snapshots.ts';

/** Bounds of a reading, in Unix seconds, all included. */
export interface Span {
  from?: number | undefined;
  to?: number | undefined;
  ended_by?: number | undefined;
  /** Asked of what starts within the bounds. */
  isAsked?: ((started: number) => boolean) | undefined;
}

export type Chats = ReturnType<typeof createChats>;

const inOrder = (a: LightChat, b: LightChat): number => a.started - b.started || (a.id < b.id ? -1 : 1);

/**
 * Numbers of chats are small: places are kept by them. `most_fresh` chats that were changed lately are kept as they are, as most are
 * changed again; of a `block` of chats one latest end is kept.
 */
export function createChats(most_fresh = 500, block = 64) {
  const packer = createPacker();
  let records = createPackedRecords();
  let wasted = 0;
  /** Where the packed chat of a number stands; 0 is nowhere. */
  let places = new Uint32Array(1 << 10);
  /** Chats that cannot be packed, and those that were changed lately, the last one last. */
  const open = new Map<number, LightChat>();
  const fresh = new Map<number, LightChat>();
  /** In order. */
  const columns = createColumns(['number', 'started', 'ended']);
  /** The latest end of the chats up to the last of each block, so that chats begun before a range are found. */
  let reach = new Uint32Array(1);
  const goals = createGoalMoments();

  const whole = (number: number): LightChat | undefined => fresh.get(number) ?? open.get(number);
  const of = (number: number): LightChat | undefined => {
    const own = whole(number);
    if (own) return own;
    const place = places[number] ?? 0;
    return place > 0 ? packer.unpack(records, place, number) : undefined;
  };
  const snapshots = createSnapshots<LightChat>((number) => of(number)!);
  const idOf = (number: number): string => whole(number)?.id ?? packer.idAt(records, places[number]!);

  function keep(chat: LightChat): void {
    if (chat.number >= places.length) {
      const more = new Uint32Array(chat.number + 1 + (chat.number >> growth));
      more.set(places);
      places = more;
    }
    drop(chat.number);
    places[chat.number] = records.add(packer.pack(chat));
  }
  /** Whatever was kept of that number is left behind. */
  function drop(number: number): void {
    const place = places[number] ?? 0;
    if (place === 0) return;
    wasted += packer.bytesAt(records, place).length;
    places[number] = 0;
  }
  function tidy(): void {
    if (wasted < 1 << 20 || wasted < records.bytes() / 2) return;
    const had = records;
    records = createPackedRecords();
    wasted = 0;
    for (const [number, place] of places.entries())
      if (place > 0) places[number] = records.add(packer.bytesAt(had, place));
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
    const { started: starts, number } = columns.of;
    let [low, high] = [0, columns.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const own = starts[middle]!;
      if (own < started || (own === started && idOf(number[middle]!) < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  const row = ({ number, started, ended }: LightChat) => ({
    ...{ number, started: numberOf(started), ended: numberOf(ended) },
  });
  /** With `is_in_place` those that follow are the same as before, and so is how far they reach from where it is the same. */
  function reachFrom(place: number, is_in_place = false): void {
    const { ended } = columns.of;
    const blocks = Math.ceil(columns.length / block);
    if (blocks > reach.length) {
      const more = new Uint32Array(blocks + (blocks >> growth) + 1);
      more.set(reach);
      reach = more;
    }
    const first = Math.floor(place / block);
    let latest = first > 0 ? reach[first - 1]! : 0;
    for (let own = first; own < blocks; own++) {
      const end = Math.min(columns.length, (own + 1) * block);
      for (let index = own * block; index < end; index++) latest = Math.max(latest, ended[index]!);
      if (is_in_place && reach[own] === latest) return;
      reach[own] = latest;
    }
  }

  const chats = {
    /** How many bytes the packed chats take. */
    bytes: (): number => records.bytes(),
    get length(): number {
      return columns.length;
    },
    /** The chat of that number. */
    of,
    at: (place: number): LightChat => of(columns.of.number[place]!)!,
    numberAt: (place: number): number => columns.of.number[place]!,
    idAt: (place: number): string => idOf(columns.of.number[place]!),
    startedAt: (place: number): number => columns.of.started[place]!,
    endedAt: (place: number): number => instantIn(columns.of.ended[place]!),
    *[Symbol.iterator](): Generator<LightChat> {
      for (let place = 0; place < columns.length; place++) yield chats.at(place);
    },
    /** The first place at which a chat starts at or after that instant. */
    firstFrom: (instant: number): number => firstPlace(columns.of.started, columns.length, instant, { or_same: true }),
    /** The first place up to which a chat ends at or after that instant. */
    firstReaching(instant: number): number {
      const { ended } = columns.of;
      const blocks = Math.ceil(columns.length / block);
      let place = firstPlace(reach, blocks, instant, { or_same: true }) * block;
      while (place < columns.length && ended[place]! < instant) place++;
      return Math.min(place, columns.length);
    },
    /** Those in the span, in order. */
    numbersIn({ from = -Infinity, to = Infinity, ended_by = Infinity, isAsked }: Span): Uint32Array {
      const { started, ended, number } = columns.of;
      const first = chats.firstFrom(from);
      const end = firstPlace(started, columns.length, to, { or_same: false });
      const found = new Uint32Array(Math.max(0, end - first));
      const latest = numberOf(ended_by);
      let count = 0;
      for (let place = first; place < end; place++)
        if (ended[place]! <= latest && (!isAsked || isAsked(started[place]!))) found[count++] = number[place]!;
      return found.subarray(0, count);
    },
    /** Those of these numbers that are in the span, in order. */
    numbersAmong(numbers: Iterable<number>, { from = -Infinity, to = Infinity, ended_by = Infinity, isAsked }: Span) {
      const found = [...new Set(numbers)]
        .flatMap((number) => of(number) ?? [])
        .filter(
          ({ started, ended }) => started >= from && started <= to && ended <= ended_by && isAsked?.(started) !== false,
        );
      return Uint32Array.from(found.sort(inOrder), ({ number }) => number);
    },
    /** Those that are open at some instant from `from` on and before `to`, in order. */
    numbersOpen(from: number, to: number): Uint32Array {
      const { started, ended, number } = columns.of;
      const first = chats.firstReaching(from);
      const end = firstPlace(started, columns.length, to, { or_same: true });
      const found = new Uint32Array(Math.max(0, end - first));
      let count = 0;
      for (let place = first; place < end; place++) if (ended[place]! >= from) found[count++] = number[place]!;
      return found.subarray(0, count);
    },
    /** Those with a goal at or after `from` and before `to`. */
    numbersWithGoals: goals.numbersIn,
    /** Reads chats as they are now, also once they have been put again. */
    snapshot: () => snapshots.begin(),
    /** Adds chats that nobody has changed; call `arrange` before anybody reads. */
    add(chat: LightChat): void {
      if (isPackable(chat)) keep(chat);
      else open.set(chat.number, chat);
      goals.add(chat);
      columns.insert(columns.length, row(chat));
    },
    /** Brings the chats that were added into their order. */
    arrange(): void {
      goals.arrange();
      const { started } = columns.of;
      const isBehind = (place: number): boolean =>
        started[place - 1]! < started[place]! ||
        (started[place - 1] === started[place] && chats.idAt(place - 1) <= chats.idAt(place));
      let place = 1;
      while (place < columns.length && isBehind(place)) place++;
      if (place < columns.length)
        columns.arrange(
          Uint32Array.from({ length: columns.length }, (_, index) => index).sort(
            (a, b) => started[a]! - started[b]! || (chats.idAt(a) < chats.idAt(b) ? -1 : 1),
          ),
        );
      reachFrom(0);
    },
    /** Takes a chat in, in the place of the one with its number, if there is one. */
    put(chat: LightChat): void {
      const had = of(chat.number);
      if (had) snapshots.keep(chat.number);
      if (had) goals.remove(had);
      goals.put(chat);
      if (had && had.started === chat.started) {
        const place = placeOf(had);
        refresh(chat);
        columns.set(place, row(chat));
        reachFrom(place, true);
        return;
      }
      let changed = columns.length;
      if (had) {
        changed = placeOf(had);
        columns.remove(changed);
      }
      const place = placeOf(chat);
      columns.insert(place, row(chat));
      refresh(chat);
      reachFrom(Math.min(changed, place));
    },
  };
  return chats;
}
