// Validates a submitted digest: allowed webhook hosts, boards visible to the user, existing accounts.
import type { Context } from 'hono';
import { boardName, boardNamed } from '#dashboards/board-names.ts';
import { urlOf } from '#digests/channels/channels.ts';
import { refusalOf } from '#network/reach.ts';
import { isShortened, restored } from '#digests/channels/shortened.ts';
import { accountFor, type DigestDeps } from '#digests/deps.ts';
import { digestFrom, NotADigest, type Digest } from '#digests/digest.ts';
import { DigestChanged, TooManyDigests, type SaveOptions } from '#digests/store.ts';
import { secondsOf } from './requested-digest.ts';
import { callerIn, readerOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';

const notWhole = 'is shortened, and the digest has no such address: write all of it';

/** Errors: NotADigest. */
function refuseOutOfReach({ webhooks }: DigestDeps, { channels }: Digest): void {
  const problems = channels.flatMap((channel, at) => {
    const url = urlOf(channel);
    const refusal = url === undefined ? undefined : isShortened(url) ? notWhole : refusalOf(url, webhooks);
    return refusal === undefined ? [] : [`channels.${at}.url: ${refusal}`];
  });
  if (problems.length > 0) throw new NotADigest(problems);
}

/** A board that the digest already showed may be private to somebody else. Errors: NotADigest. */
function refuseUnseenBoards(deps: ApiDeps, c: Context, { id, content }: Digest): void {
  const seen = deps.userData.boards.list(readerOf(c).id).map((board) => boardName(board.id));
  const before = deps.digests?.store.find(id)?.digest.content ?? [];
  const problems = content
    .filter((name) => boardNamed(name) !== undefined && !seen.includes(name) && !before.includes(name))
    .map((name) => `content: there is no ${name}`);
  if (problems.length > 0) throw new NotADigest(problems);
}

/** The submitted form; shortened addresses are replaced by those of the digest. Errors: Declined, with each problem and its place. */
export function wantedIn(
  deps: ApiDeps,
  c: Context,
  digests: DigestDeps,
  value: { id: string; channels?: unknown },
): Digest {
  try {
    const before = digests.store.find(value.id)?.digest.channels ?? [];
    const wanted = digestFrom({
      ...value,
      ...('channels' in value ? { channels: restored(value.channels, before) } : {}),
    });
    refuseOutOfReach(digests, wanted);
    refuseUnseenBoards(deps, c, wanted);
    if (wanted.account !== undefined) accountFor(digests, wanted.account);
    return wanted;
  } catch (error) {
    if (error instanceof NotADigest) throw new Declined('bad_request', error.message, error.problems);
    throw error;
  }
}

/**
 * Whether whoever submits it may run SQL themselves. Otherwise they could name somebody else as the owner, as whom saved queries of its
 * boards run, and have the rows sent to themselves.
 */
export function mayRunSql(c: Context): boolean {
  const { reader, rights } = callerIn(c);
  return rights.has('files') && !reader.rows;
}

function conflictOf({ store }: DigestDeps, id: string, { version }: SaveOptions): string {
  if (version === 0) return `${id} is taken: choose another short name`;
  return store.find(id)
    ? 'somebody has changed this report meanwhile: load it again and repeat your change'
    : 'somebody has removed this report meanwhile';
}

/** Errors: Declined. */
export function savedIn(digests: DigestDeps, wanted: Digest, options: SaveOptions): Digest {
  try {
    return digests.store.save(wanted, secondsOf(digests), options);
  } catch (error) {
    if (error instanceof TooManyDigests) throw new Declined('conflict', error.message);
    if (error instanceof DigestChanged) throw new Declined('conflict', conflictOf(digests, wanted.id, options));
    throw error;
  }
}
