// Decides which published snapshots stay: the newest, some of every age, pinned ones, and no more than the space allows.

/** A snapshot as the rule sees it. */
export interface RetainedSnapshot {
  id: string;
  /** Milliseconds since 1970. */
  published: number;
  bytes: number;
  is_pinned: boolean;
}

/** What `CHATLEDGER_SNAPSHOT_SPACE` is when nobody sets it: 10 GB. */
export const defaultSpace = 10e9;

const newestKept = 12;
const hour = 3_600_000;
const day = 24 * hour;

/** The last snapshot of each UTC hour, day and month is kept: hours for 48 hours, days for 35 days, months for ever. */
const ages: readonly { within: number; unitOf: (instant: string) => string }[] = [
  { within: 48 * hour, unitOf: (instant) => instant.slice(0, 13) },
  { within: 35 * day, unitOf: (instant) => instant.slice(0, 10) },
  { within: Infinity, unitOf: (instant) => instant.slice(0, 7) },
];

/**
 * Ids of the snapshots to remove, oldest first. The newest is never removed, and pinned ones do not age. Above `space` (bytes of all
 * snapshots) the oldest are removed too, pinned ones last. Applying the rule after every publication has the same result as applying it
 * once: the last snapshot of a day is also the last of its hour.
 */
export function toRemove(snapshots: readonly RetainedSnapshot[], now: number, space: number): string[] {
  const newestFirst = [...snapshots].sort((one, other) => other.published - one.published);
  const stays = new Set(newestFirst.slice(0, newestKept));
  for (const { within, unitOf } of ages) {
    const seen = new Set<string>();
    for (const snapshot of newestFirst) {
      if (now - snapshot.published > within) break;
      const unit = unitOf(new Date(snapshot.published).toISOString());
      if (!seen.has(unit)) stays.add(snapshot);
      seen.add(unit);
    }
  }
  for (const snapshot of snapshots) if (snapshot.is_pinned) stays.add(snapshot);
  let bytes = [...stays].reduce((sum, snapshot) => sum + snapshot.bytes, 0);
  const oldestFirst = newestFirst.slice(1).reverse();
  const pinnedLast = [false, true].flatMap((isPinned) => oldestFirst.filter((it) => it.is_pinned === isPinned));
  for (const snapshot of pinnedLast) {
    if (bytes <= space) break;
    if (stays.delete(snapshot)) bytes -= snapshot.bytes;
  }
  return newestFirst
    .filter((snapshot) => !stays.has(snapshot))
    .map((snapshot) => snapshot.id)
    .reverse();
}
