// Which snapshots digests still need: pins of those that only old sends name go, and retention.ts decides about them.
import type { DigestDeps } from './deps.ts';
import { good_for_seconds } from './links.ts';

const day_seconds = 86_400;
/** A document can be made again for so long after it went out; longer than a year, so that the year before can be looked up. */
const remade_for_seconds = 400 * day_seconds;

/** How the reason of a digest's pin begins: pins with other reasons are not touched here. */
export const pinReason = (digest: string, period: string): string => `digest ${digest} ${period}`;
const isOurs = (reason: string): boolean => reason.startsWith('digest ');

/**
 * Unpins what no send needs: a send of a digest needs its snapshot, and the one that restatements are held against, for
 * 400 days; the newest one of each reader for as long as the digest is there; a send of a removed digest for as long as
 * links in its mail hold. Returns the ids that are not pinned any more.
 */
export async function releaseSnapshots(deps: DigestDeps): Promise<string[]> {
  const now = Math.floor(deps.clock() / 1000);
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

/** `20260511-065500-000` is the moment of its publication, in UTC. */
function isYoung(id: string, now: number): boolean {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-/.exec(id) ?? [];
  return now - Date.parse(`${year}-${month}-${day}T00:00:00Z`) / 1000 < 3 * day_seconds;
}
