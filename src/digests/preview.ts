// Previews what a reader would receive now, with any objections; nothing is sent or recorded.
import type { Snapshot } from '#warehouse/query/context.ts';
import { askerFor, digestQuestions, documentContext } from './digest-questions.ts';
import { accountFor, boardsOf, targetsFor, type DigestDeps } from './deps.ts';
import type { Digest, Format, DigestReader } from './digest.ts';
import type { DigestPeriod } from './periods.ts';
import { objectionsTo } from './quality-gate.ts';
import { renderedFor, zoneFor, type Rendered } from './rendered.ts';

/** The requested formats; by default all of the digest. */
interface WantedPreview {
  reader: DigestReader;
  period: DigestPeriod;
  snapshot: Snapshot;
  formats?: readonly Format[];
}

/** Errors: NothingToSee, RendererBusy. */
export async function previewed(
  deps: DigestDeps,
  digest: Digest,
  { reader, period, snapshot, formats = digest.formats }: WantedPreview,
): Promise<Rendered> {
  const account = accountFor(deps, digest.account);
  const scope = { period, timezone: zoneFor(digest, reader), filters: digest.filters };
  const context = await documentContext(askerFor(deps, reader, account), snapshot, account);
  const about = {
    pulled_at: deps.pulled_at(),
    now: deps.clock(),
    most_hours_old: digest.most_hours_old,
    language: reader.language ?? digest.language,
  };
  const stamps = await objectionsTo(await digestQuestions(context, scope), about);
  return renderedFor(digest, reader, period, context, {
    ...{ stamps, boards: boardsOf(deps, digest.content), formats, targets: targetsFor(deps, digest) },
    brand: deps.brand?.(),
  });
}
