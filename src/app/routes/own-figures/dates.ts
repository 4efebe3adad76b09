// The days of the address, moved to what own figures can be asked about: whole days that are over, 7 of them or more.

const DAY = 86_400_000;
const least = 7;
const most = 366;

const moved = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** `since` is the first available day; null if there are too few days yet. */
export function wholeDays(
  { from, to, today }: { from: string; to: string; today: string },
  since: string,
): { from: string; to: string } | null {
  const yesterday = moved(today, -1);
  const earliestEnd = moved(since, least - 1);
  if (earliestEnd > yesterday) return null;
  const end = to > yesterday ? yesterday : to < earliestEnd ? earliestEnd : to;
  const latestStart = moved(end, 1 - least);
  const earliest = [since, moved(end, 1 - most)].sort()[1] ?? since;
  const start = from > latestStart ? latestStart : from < earliest ? earliest : from;
  return { from: start, to: end };
}
