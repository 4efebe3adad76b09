// The inputs of a send, stored with it: enough to make the same bytes again at any later time.
import type { BoardLayout } from '#dashboards/boards.ts';
import { keptDigestFrom, type Digest, type DigestReader } from './digest.ts';
import { askerFor, documentContext, type Scope } from './digest-questions.ts';
import { brandFrom, ownBrand, type KeptBrand } from './brand.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Reader as AskingReader, RowRule } from '#warehouse/query/reader.ts';
import { accountFor, type DigestDeps } from './deps.ts';
import { periodOf, type DigestPeriod } from './periods.ts';
import { renderedFor, zoneFor, type Rendered } from './rendered.ts';
import { answeredQueries, type AnsweredQuery } from './query-answers.ts';
import { keptResults } from './kept-results.ts';
import { restatedSince } from './restated.ts';
import type { QueryOrder } from './saved-queries.ts';
import type { SendKey } from './send.ts';
import type { TargetTerms } from '#reports/targets/target.ts';

export interface SendInputs {
  digest: Digest;
  reader: DigestReader;
  /** What the reader was allowed to see; null: everything. Missing in sends of earlier versions. */
  rows?: RowRule | null;
  stamps: string[];
  /** The account's targets at that time; missing in sends of earlier versions. */
  targets?: TargetTerms[];
  /** The boards that it shows, as they were. */
  boards?: BoardLayout[];
  /** Saved queries on these boards, as they were; missing in sends of earlier versions. */
  queries?: QueryOrder[];
  /** What the installation was called and looked like; missing in sends of earlier versions. */
  brand?: KeptBrand;
  /** Snapshot and period of the send before, against which restatements are held; null for the first. */
  before: { snapshot: string; period: string } | null;
}

export function madeFrom(text: string): SendInputs {
  const value = JSON.parse(text) as SendInputs;
  return { ...value, digest: keptDigestFrom(value.digest) };
}

/** The rule of that time, so that the bytes are the same. Errors: NothingToSee. */
const askerOf = (deps: DigestDeps, { digest, reader, rows }: SendInputs): AskingReader =>
  rows === undefined
    ? askerFor(deps, reader, accountFor(deps, digest.account))
    : { id: `digest reader ${reader.name}`, ...(rows ? { rows } : {}) };

const contextOf = async (deps: DigestDeps, made: SendInputs, snapshot: string): Promise<QueryContext> => {
  const current = deps.current();
  const opened = current?.id === snapshot ? current : await deps.open(snapshot);
  return documentContext(askerOf(deps, made), opened, accountFor(deps, made.digest.account));
};

export function periodNamed(label: string): DigestPeriod {
  const period = periodOf(label);
  if (!period) throw new Error(`${label} is no period`);
  return period;
}

/** What its saved queries say, at the first time and whenever it is made again. Errors: Cancelled. */
export const answersFor = (
  deps: DigestDeps,
  { digest, queries }: { digest: Digest; queries: readonly QueryOrder[] },
  label: string,
  snapshot: string,
): Promise<AnsweredQuery[]> =>
  answeredQueries(
    queries,
    { period: periodNamed(label), filters: digest.filters },
    {
      ...{ runner: deps.queries, kept: keptResults(deps.folder), snapshot },
      ...{ about: `digest ${digest.id} ${label}`, clock: deps.clock },
    },
  );

/** The document and its files. Errors: NothingToSee; DamagedWarehouse if its snapshot has been removed. */
export async function remade(deps: DigestDeps, snapshot: string, label: string, made: SendInputs): Promise<Rendered> {
  const { digest, reader, stamps, boards, queries, before, brand, targets = [] } = made;
  const context = await contextOf(deps, made, snapshot);
  const restated = before ? await restatedOf(deps, context, before, made) : undefined;
  return renderedFor(digest, reader, periodNamed(label), context, {
    stamps,
    boards,
    queries: queries && (await answersFor(deps, { digest, queries }, label, snapshot)),
    restated,
    targets,
    brand: brand && brandFrom(brand, deps.brand?.() ?? ownBrand),
  });
}

async function restatedOf(
  deps: DigestDeps,
  context: QueryContext,
  before: NonNullable<SendInputs['before']>,
  made: SendInputs,
) {
  const { digest, reader, boards } = made;
  const older = await contextOf(deps, made, before.snapshot);
  const scope: Scope = {
    period: periodNamed(before.period),
    timezone: zoneFor(digest, reader),
    filters: digest.filters,
  };
  const wanted = { content: digest.content, boards };
  return restatedSince({ context: older, scope }, context, wanted, reader.language ?? digest.language);
}

/** Renders a past send again. Errors: Error if it was never rendered. */
export function again(deps: DigestDeps, key: SendKey): Promise<Rendered> {
  const send = deps.store.ledger.find(key);
  if (!send || send.made === null || send.snapshot === null) throw new Error('this digest was never made');
  return remade(deps, send.snapshot, send.period, madeFrom(send.made));
}
