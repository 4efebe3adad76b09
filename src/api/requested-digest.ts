// The digest that a request refers to: checks the caller's access, and finds the digest and its period.
import type { Context } from 'hono';
import { NothingToSee } from '#digests/digest-questions.ts';
import { shortenedKey } from '#digests/channels/shortened.ts';
import type { DigestDeps } from '#digests/deps.ts';
import type { Digest } from '#digests/digest.ts';
import { outside, periodBefore, periodOf, type DigestPeriod } from '#digests/periods.ts';
import type { StoredDigest } from '#digests/store.ts';
import { localDate } from '#warehouse/periods.ts';
import { allFigures, seesAllUnder } from '#warehouse/query/agent-figures.ts';
import { assertSeesAll, readerOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';

/** Unix. */
export const secondsOf = (digests: DigestDeps): number => Math.floor(digests.clock() / 1000);

/** Digests are about everybody's numbers, and name who gets them. */
export function digestsOf(deps: ApiDeps, c: Context): DigestDeps {
  const reader = readerOf(c);
  assertSeesAll(reader, 'digests');
  // The agreement on single agents applies to digests too: recipients see no more than the digest's owner.
  if (!seesAllUnder(deps.agentFigures ?? allFigures, reader))
    throw new Declined('forbidden', 'digests name agents: they need the rights agents:read and names:read');
  if (!deps.digests) throw new Declined('unavailable', 'this server keeps no digests');
  return deps.digests;
}

export function storedDigest(digests: DigestDeps, id: string): StoredDigest {
  const found = digests.store.find(id);
  if (found) return found;
  const ids = digests.store.list().map(({ digest }) => digest.id);
  throw new Declined('not_found', `there is no digest ${id}`, ids);
}

export function periodIn(digests: DigestDeps, digest: Digest, label: string | undefined): DigestPeriod {
  if (label === undefined) return periodBefore(digest.period, localDate(digest.schedule.timezone, secondsOf(digests)));
  const period = periodOf(label);
  const why = period && outside(period);
  if (why !== undefined) throw new Declined('bad_request', `for=${label} ${why}`);
  if (period) return period;
  throw new Declined('bad_request', `for=${label} is no period: write 2026-11-20, 2026-W46, 2026-10 or 2026-Q3`);
}

/** The channel of a send, which the history shows with a shortened address. */
export function channelIn(
  { store }: DigestDeps,
  { digest, period, channel }: { digest: string; period: string; channel: string },
): string {
  const found = store.ledger.ofPeriod(digest, period).find((send) => shortenedKey(send.channel) === channel);
  return found?.channel ?? channel;
}

/** Errors: Declined, where the reader may see nothing of it. */
export async function seen<Made>(reader: string, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof NothingToSee) throw new Declined('bad_request', `${reader}: ${error.message}`);
    throw error;
  }
}
