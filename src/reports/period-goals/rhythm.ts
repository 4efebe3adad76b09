// An account's weekly pattern: how much each weekday contributes, taken from complete weeks.
import { dateOf, dayNumber } from '#warehouse/periods.ts';

/** How many weeks back to look. */
export const most_weeks = 8;

interface Rhythm {
  /** Mean of a day by weekday, Monday first. */
  usual: readonly number[];
  /** Whole weeks behind it; 0: days are taken as equal. */
  weeks: number;
}

/** Monday is 0. */
export const weekdayOf = (day: string): number => (dayNumber(day) + 3) % 7;

const equal: Rhythm = { usual: [1, 1, 1, 1, 1, 1, 1], weeks: 0 };

/** From complete weeks that end before a day; weeks with an unknown day are skipped. */
function rhythmBefore(known: ReadonlyMap<string, number>, day: string): Rhythm {
  const sums = [0, 0, 0, 0, 0, 0, 0];
  let weeks = 0;
  for (let back = 1; back <= most_weeks; back += 1) {
    const days = Array.from({ length: 7 }, (_, at) => dateOf(dayNumber(day) - 7 * back + at));
    if (!days.every((it) => known.has(it))) continue;
    weeks += 1;
    for (const it of days) sums[weekdayOf(it)] = (sums[weekdayOf(it)] ?? 0) + (known.get(it) ?? 0);
  }
  const isSilent = sums.every((sum) => sum === 0);
  return weeks === 0 || isSilent ? equal : { usual: sums.map((sum) => sum / weeks), weeks };
}

/**
 * The weekly pattern for judging a period: that of the preceding weeks, which the period itself cannot have influenced; if none is
 * complete, that of its own weeks so far.
 */
export function rhythmFor(known: ReadonlyMap<string, number>, from: string, next: string): Rhythm {
  const before = rhythmBefore(known, from < next ? from : next);
  return before.weeks > 0 ? before : rhythmBefore(known, next);
}
