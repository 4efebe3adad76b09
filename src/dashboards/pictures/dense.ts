// Selects the hours of a long range to draw: with several per pixel, drawing all of them adds nothing and takes seconds.

/** From this many periods on, there are several per pixel. */
export const DENSE = 1500;

/** The first place of each day, and after the last; nothing where few enough hours are drawn one by one, or no hours. */
export function daysOf(labels: readonly string[]): number[] | undefined {
  if (labels.length <= DENSE || labels[0]?.length !== 'YYYY-MM-DD HH:00'.length) return undefined;
  const firsts = labels.flatMap((label, place) =>
    label.slice(0, 10) === labels[place - 1]?.slice(0, 10) ? [] : place,
  );
  return [...firsts, labels.length];
}

/** For each day the position of the highest value, the first of equals; the day's first position without values. */
export function highest(days: readonly number[], values: readonly (number | null)[]): number[] {
  return each(days, (from, until) => [furthest(values, from, until, (one, other) => one > other)]);
}

/** For each day the positions of the lowest and highest value of each list, in order. */
export function highestAndLowest(days: readonly number[], ...lists: readonly (readonly (number | null)[])[]): number[] {
  return each(days, (from, until) => {
    const found = lists.flatMap((values) => [
      furthest(values, from, until, (one, other) => one > other),
      furthest(values, from, until, (one, other) => one < other),
    ]);
    return [...new Set(found)].sort((one, other) => one - other);
  });
}

const each = (days: readonly number[], found: (from: number, until: number) => number[]): number[] =>
  days.slice(0, -1).flatMap((from, index) => found(from, days[index + 1] ?? from));

function furthest(
  values: readonly (number | null)[],
  from: number,
  until: number,
  isFurther: (one: number, other: number) => boolean,
): number {
  let place = from;
  for (let at = from; at < until; at++) {
    const [value, best] = [values[at] ?? null, values[place] ?? null];
    if (value !== null && (best === null || isFurther(value, best))) place = at;
  }
  return place;
}
