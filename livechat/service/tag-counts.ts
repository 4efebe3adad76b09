// How many chats, or tickets, have each tag at an instant: those of which nothing lies ahead of the clock are counted once for all.

export interface Tagged {
  number: number;
  /** It is counted from this instant on. */
  from: number;
  tags: readonly { at: number; tag: string }[];
}

/** The latest instant that changes what is counted. */
const latestOf = ({ from, tags }: Tagged): number => tags.reduce((latest, { at }) => Math.max(latest, at), from);

function count(counts: Map<string, number>, { tags }: Tagged, by: 1 | -1, until = Infinity): void {
  const own = new Set(tags.filter(({ at }) => at <= until).map(({ tag }) => tag));
  for (const tag of own) counts.set(tag, (counts.get(tag) ?? 0) + by);
}

/** `reached` is an instant that the clock has passed. */
export function createTagCounts(reached: number) {
  const counts = new Map<string, number>();
  const ahead = new Map<number, Tagged>();

  function add(tagged: Tagged): void {
    if (tagged.tags.length === 0) return;
    if (latestOf(tagged) > reached) ahead.set(tagged.number, tagged);
    else count(counts, tagged, 1);
  }
  return {
    add,
    /** In the place of what was added under the same number. */
    replace(had: Tagged, tagged: Tagged): void {
      if (!ahead.delete(had.number)) count(counts, had, -1);
      add(tagged);
    },
    /** `all` are read where the clock was set back. */
    at(instant: number, all: () => Iterable<Tagged>): ReadonlyMap<string, number> {
      const found = instant < reached ? new Map<string, number>() : advanced(instant);
      for (const tagged of instant < reached ? all() : ahead.values())
        if (tagged.from <= instant) count(found, tagged, 1, instant);
      return found;
    },
  };

  function advanced(instant: number): Map<string, number> {
    reached = instant;
    for (const [number, tagged] of ahead)
      if (latestOf(tagged) <= reached) {
        ahead.delete(number);
        count(counts, tagged, 1);
      }
    return new Map(counts);
  }
}
