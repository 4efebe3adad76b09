// Previews what a reader would receive now, with any objections; nothing is sent or recorded.
import type { Snapshot } from '#warehouse/query/context.ts';
import { askerFor, digestQuestions, documentContext } from './digest-questions.ts';
import { accountFor, boardsOf, targetsFor, type DigestDeps } from './deps.ts';
import type { Digest, Format, DigestReader } from './digest.ts';
import type { DigestPeriod } from './periods.ts';
import { answeredQueries } from './query-answers.ts';
import { objectionsTo } from './quality-gate.ts';
import { ordersOfDigest } from './saved-queries.ts';
import { renderedFor, zoneFor, type Rendered } from './rendered.ts';

/** The requested formats; by default all of the digest. */
interface WantedPreview {
  reader: DigestReader;
  period: DigestPeriod;
  snapshot: Snapshot;
  /** Whether saved queries may run as its owner (`saved-queries.ts`). */
  is_agreed: boolean;
  formats?: readonly Format[];
}

/** Errors: NothingToSee, RendererBusy. */
export async function previewed(
  deps: DigestDeps,
  digest: Digest,
  { reader, period, snapshot, is_agreed, formats = digest.formats }: WantedPreview,
): Promise<Rendered> {
  const account = accountFor(deps, digest.account);
  const scope = { period, timezone: zoneFor(digest, reader), filters: digest.filters };
  const asker = askerFor(deps, reader, account);
  const context = await documentContext(asker, snapshot, account);
  const boards = boardsOf(deps, digest.content);
  const about = {
    pulled_at: deps.pulled_at(),
    now: deps.clock(),
    most_hours_old: digest.most_hours_old,
    language: reader.language ?? digest.language,
  };
  const stamps = await objectionsTo(await digestQuestions(context, scope), about);
  const orders = ordersOfDigest(deps.queries, boards, { owner: digest.owner, is_agreed }, asker);
  const queries = await answeredQueries(orders, scope, {
    ...{ runner: deps.queries, kept: null, snapshot: snapshot.id },
    ...{ about: `digest ${digest.id} ${period.label}, preview`, clock: deps.clock },
  });
  return renderedFor(digest, reader, period, context, {
    ...{ stamps, boards, queries, formats, targets: targetsFor(deps, digest) },
    brand: deps.brand?.(),
  });
}
