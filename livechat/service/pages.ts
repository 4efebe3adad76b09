// Pages of a list that is sorted by a number and an id. The opaque id of a page encodes the first request and the item beside which the
// page begins, so that the service stores nothing.
import { z } from 'zod';
import { refuse } from './refusals.ts';

const lifetime = 30 * 86_400;

export type Order = 'asc' | 'desc';

/** Where an item stands in the list. */
export type ItemKey = readonly [number, string];

const cursor = z.object({
  /** The item next to the page, which is not on it. */
  beside: z.tuple([z.number(), z.string()]),
  /** The page lies before that item. */
  is_before: z.boolean(),
  /** Unix seconds. */
  issued: z.int(),
});

interface PageRequest<First> {
  first: First;
  beside?: ItemKey | undefined;
  is_before: boolean;
}

/** Reads and writes page ids of a list; `first` is the shape of what the first request asked. */
export function pageIds<First>(list: string, first: z.ZodType<First>) {
  const content = z.object({ list: z.literal(list), first, ...cursor.shape });
  return {
    /** The page that was asked for. Throws validation for an id that was never given, or that is older than a month. */
    read(page_id: string | undefined, asked: First, now: number): PageRequest<First> {
      if (page_id === undefined) return { first: asked, is_before: false };
      const parsed = content.safeParse(decoded(page_id));
      if (!parsed.success) throw refuse.v3('validation', '`page_id` is not one that was given');
      if (parsed.data.issued + lifetime < now) throw refuse.v3('validation', '`page_id` has expired');
      return parsed.data;
    },
    /** One id all day for the same page. */
    write: (asked: First, beside: ItemKey, is_before: boolean, now: number): string =>
      Buffer.from(JSON.stringify({ list, first: asked, beside, is_before, issued: now - (now % 86_400) })).toString(
        'base64url',
      ),
  };
}

function decoded(page_id: string): unknown {
  try {
    return JSON.parse(Buffer.from(page_id, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

interface Cut<T> {
  items: T[];
  /** Beside which the following and the preceding page begin, where there are some. */
  next?: ItemKey;
  previous?: ItemKey;
}

interface PagePlace {
  order: Order;
  limit: number;
  beside?: ItemKey | undefined;
  is_before: boolean;
}

/** A list, or numbers in a typed array. */
interface Sorted<T> extends ArrayLike<T> {
  slice(from?: number, to?: number): ArrayLike<T>;
}

/** The items of a page. The item beside it may be gone and others may have come since: its key still marks the place. */
export function cutPage<T>(
  sorted: Sorted<T>,
  keyOf: (item: T) => ItemKey,
  {
    order,
    limit,
    beside,
    is_before,
  }: Omit<PagePlace, 'limit'> & {
    /** How many items, nearest first, are on a page that may be shorter than the limit. */
    limit: number | ((nearest: readonly T[]) => number);
  },
): Cut<T> {
  const cut = beside ? placeOf(sorted, keyOf, beside, order, is_before) : 0;
  const nearest = () => (is_before ? Array.from(sorted.slice(0, cut)).reverse() : Array.from(sorted.slice(cut)));
  const most = typeof limit === 'number' ? limit : limit(nearest());
  const count = Math.min(most, is_before ? cut : sorted.length - cut);
  const from = is_before ? cut - count : cut;
  const to = is_before ? cut : cut + count;
  return {
    items: Array.from(sorted.slice(from, to)),
    ...(to < sorted.length && to > 0 && { next: keyOf(sorted[to - 1]!) }),
    ...(from > 0 && { previous: keyOf(sorted[Math.min(from, sorted.length - 1)]!) }),
  };
}

/** The same of a list that is too long to hold: `read` gives at most `count` items beyond a key, nearest first. */
export function readPage<T>(
  read: (order: Order, beyond: ItemKey | undefined, count: number) => T[],
  keyOf: (item: T) => ItemKey,
  { order, limit, beside, is_before }: PagePlace,
): Cut<T> {
  const back = order === 'asc' ? 'desc' : 'asc';
  // One more than the page has tells whether the list goes on.
  const found = read(is_before ? back : order, beside, limit + 1);
  const goes_on = found.length > limit;
  const items = found.slice(0, limit);
  if (is_before) items.reverse();
  const next = items.length > 0 ? keyOf(items.at(-1)!) : undefined;
  const previous = items.length > 0 ? keyOf(items[0]!) : beside;
  const isAny = (way: Order, key: ItemKey): boolean => read(way, key, 1).length > 0;
  return {
    items,
    ...(next && (is_before ? isAny(order, next) : goes_on) && { next }),
    // Nothing stands before the first page.
    ...(previous && (is_before ? goes_on : beside && isAny(back, previous)) && { previous }),
  };
}

/** The first place behind the key, or of the key itself with `is_before`. */
function placeOf<T>(
  sorted: ArrayLike<T>,
  keyOf: (item: T) => ItemKey,
  [number, id]: ItemKey,
  order: Order,
  is_before: boolean,
): number {
  const sign = order === 'asc' ? 1 : -1;
  const isPast = (item: T): boolean => {
    const [own, own_id] = keyOf(item);
    const far = sign * (own - number || (own_id === id ? 0 : own_id > id ? 1 : -1));
    return far > 0 || (is_before && far === 0);
  };
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
