// Notifies the owner of a digest by mail when a period of it is held, fails for good or has an unknown outcome.
import { messageIdOf } from './channels/letter.ts';
import { toOwner } from './owner-notice.ts';
import { secondsNow, type DigestDeps } from './deps.ts';
import type { Digest } from './digest.ts';
import type { NotedSend } from './send.ts';
import { troubles, type Matter } from './notified.ts';

/** Older trouble is not told: it was there before the owner was named, or mail did not work for a day. */
const longest_seconds = 86_400;

/** One mail for each (digest, period, state), whatever the number of readers. Without mail the log and the page say it. */
export async function tellOwners(deps: DigestDeps): Promise<void> {
  if (!deps.post) return;
  const now = secondsNow(deps);
  for (const { digest } of deps.store.list()) {
    if (digest.owner === undefined) continue;
    const sends = deps.store.ledger.changedSince(digest.id, now - longest_seconds);
    for (const state of troubles) {
      const troubled = sends.filter((send) => send.state === state);
      for (const period of new Set(troubled.map((send) => send.period))) {
        const matter = { digest: digest.id, period, state };
        if (!deps.store.notified.claim(matter, now)) continue;
        await tell(
          deps,
          digest,
          digest.owner,
          matter,
          troubled.filter((send) => send.period === period),
        );
      }
    }
  }
}

async function tell(
  deps: DigestDeps,
  digest: Digest,
  owner: string,
  matter: Matter,
  sends: readonly NotedSend[],
): Promise<void> {
  const { post, store, log } = deps;
  if (!post) return;
  const message_id = messageIdOf(store.key, ['owner', matter.digest, matter.period, matter.state], post.from);
  const outcome = await toOwner({ title: digest.title, owner, matter, sends, message_id }, post);
  if (outcome.kind === 'sent') return;
  if (outcome.kind === 'retry') store.notified.release(matter);
  log(
    `digest ${matter.digest} ${matter.period}: its owner could not be told that it is ${matter.state}: ${outcome.reason}`,
  );
}
