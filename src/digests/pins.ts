// Which snapshots digests still need: unneeded pins are removed, after which retention.ts decides about the snapshots.
import { secondsNow, type DigestDeps } from './deps.ts';
import { forgetResults } from './kept-results.ts';
import { good_for_seconds } from './links.ts';

const day_seconds = 86_400;
/** A document can be rendered again for this long after its delivery; more than a year, so that last year's can be looked up. */
const remade_for_seconds = 400 * day_seconds;

/** How the reason of a digest's pin begins: pins with other reasons are not touched here. */
export const pinReason = (digest: string, period: string): string => `digest ${digest} ${period}`;
const isOurs = (reason: string): boolean => reason.startsWith('digest ');

/**
 * Removes unneeded pins: a send needs its snapshot and the one for restatements for 400 days; the newest send of each reader as long as
 * the digest exists; a send of a removed digest as long as links in its mail are valid. Results of saved queries go when such links
 * do not hold any more. Returns the ids that are no longer pinned.
 */
export async function releaseSnapshots(deps: DigestDeps): Promise<string[]> {
  const now = secondsNow(deps);
  await forgetResults(deps.folder, (now - good_for_seconds) * 1000);
  const kept = new Set(deps.store.list().map(({ digest }) => digest.id));
  const needed = new Set<string>();
  for (const { digest, snapshot, before, at, is_newest } of deps.store.ledger.naming()) {
    const isKept = kept.has(digest);
    const isNeeded = isKept ? is_newest || now - at <= remade_for_seconds : now - at <= good_for_seconds;
    if (!isNeeded) continue;
    needed.add(snapshot);
    if (before !== null) needed.add(before);
  }
  const released: string[] = [];
  for (const [id, reason] of Object.entries(await deps.pins.all())) {
    // A send may be about to name a young one.
    if (!isOurs(reason) || needed.has(id) || isYoung(id, now)) continue;
    await deps.pins.remove(id);
    released.push(id);
  }
  return released;
}

/** `20260511-065500-000` is the instant of publication in UTC. */
function isYoung(id: string, now: number): boolean {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-/.exec(id) ?? [];
  return now - Date.parse(`${year}-${month}-${day}T00:00:00Z`) / 1000 < 3 * day_seconds;
}
