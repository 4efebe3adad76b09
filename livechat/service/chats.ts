// The chats of the account in memory, in order of their start, then id: as bytes once they have ended, as objects while they go on.
import { createColumns, firstPlace, instantIn, numberOf } from './columns.ts';
import { createGoalMoments } from './goal-moments.ts';
import type { LightChat } from './light.ts';
import { createPacker, isPackable } from './packed-chats.ts';
import { createPackedRecords } from './packing.ts';

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
  let records = createPackedRecords();
  let wasted = 0;
  /** Where the packed chat of a number stands; 0 is nowhere. */
  let places = new Uint32Array(1 << 10);
  /** Chats that cannot be packed, and those that were changed lately, the last one last. */
  const open = new Map<number, LightChat>();
  const fresh = new Map<number, LightChat>();
  /** In order; `reach` is the latest end of the chats up to there, so that chats begun before a range are found. */
  const columns = createColumns(['number', 'started', 'ended', 'reach']);
  const goals = createGoalMoments();

  const whole = (number: number): LightChat | undefined => fresh.get(number) ?? open.get(number);
  const of = (number: number): LightChat | undefined => {
    const own = whole(number);
    if (own) return own;
    const place = places[number] ?? 0;
    return place > 0 ? packer.unpack(records, place, number) : undefined;
  };
  const idOf = (number: number): string => whole(number)?.id ?? packer.idAt(records, places[number]!);

  function keep(chat: LightChat): void {
    if (chat.number >= places.length) {
      const more = new Uint32Array(chat.number + 1 + (chat.number >> 3));
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
    ...{ number, started: numberOf(started), ended: numberOf(ended), reach: 0 },
  });
  /** With `is_in_place` those that follow are the same as before, and so is how far they reach from where it is the same. */
  function reachFrom(place: number, is_in_place = false): void {
    const { ended, reach } = columns.of;
    let latest = place > 0 ? reach[place - 1]! : 0;
    for (let index = place; index < columns.length; index++) {
      latest = Math.max(latest, ended[index]!);
      if (is_in_place && reach[index] === latest) return;
      reach[index] = latest;
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
    firstReaching: (instant: number): number =>
      firstPlace(columns.of.reach, columns.length, instant, { or_same: true }),
    /** Places of the chats in the span that pass every test, in order; without a test no chat is unpacked. */
    places(
      { from = -Infinity, to = Infinity, ended_by = Infinity, isAsked }: Span,
      tests: ((chat: LightChat) => boolean)[],
    ) {
      const found: number[] = [];
      const { started, ended } = columns.of;
      for (let place = chats.firstFrom(from); place < columns.length && started[place]! <= to; place++) {
        if (instantIn(ended[place]!) > ended_by || isAsked?.(started[place]!) === false) continue;
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
      if (had) goals.remove(had);
      goals.put(chat);
      if (had && had.started === chat.started) {
        const place = placeOf(had);
        refresh(chat);
        columns.set(place, { ...row(chat), reach: columns.of.reach[place]! });
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
    /** Chats with a goal at or after `from` and before `to`, in order. */
    withGoals: (from: number, to: number): LightChat[] =>
      goals
        .numbersIn(from, to)
        .map((number) => of(number)!)
        .sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1)),
  };
  return chats;
}
