// One delivery made ready: the letter of a reader, from the inputs of an earlier attempt, or from numbers that may be sent.
import type { Snapshot } from '#warehouse/query/context.ts';
import { readerKey } from '#warehouse/query/reader.ts';
import { keptBrand } from './brand.ts';
import { isByAddress, keyOfChannel, type Channel } from './channels/channels.ts';
import { messageIdOf, type File, type Letter } from './channels/letter.ts';
import { instantWords } from './cover.ts';
import { accountFor, boardsOf, secondsNow, targetsFor, type DigestDeps } from './deps.ts';
import { askerFor, digestQuestions, documentContext, NothingToSee } from './digest-questions.ts';
import type { Digest, DigestReader } from './digest.ts';
import type { Send } from './send.ts';
import { wordsOf } from './letters.ts';
import { fileLink, unsubscribeLink } from './links.ts';
import { fail, hold } from './outcomes.ts';
import { settledOrders } from './query-answers.ts';
import { answersFor, periodNamed, madeFrom, remade, type SendInputs } from './send-inputs.ts';
import { pinReason } from './pins.ts';
import { objectionsTo } from './quality-gate.ts';
import { ordersOfDigest } from './saved-queries.ts';
import { zoneFor, type Rendered } from './rendered.ts';
import { words } from './words.ts';

/** Recently rendered documents: the channels of one reader share them. */
export type RenderedDocuments = Map<string, Rendered>;
const most_documents = 4;

async function documentOf(
  deps: DigestDeps,
  send: Send,
  snapshot: string,
  made: SendInputs,
  known: RenderedDocuments,
): Promise<Rendered> {
  const key = JSON.stringify([send.digest, send.period, send.reader, snapshot, made.stamps, made.boards, made.queries]);
  const before = known.get(key);
  if (before) return before;
  const document = await remade(deps, snapshot, send.period, made);
  known.set(key, document);
  const [oldest] = known.keys();
  if (known.size > most_documents && oldest !== undefined) known.delete(oldest);
  return document;
}

interface Prepared {
  channel: Channel;
  letter: Letter;
  unsubscribe: string | null;
}

/** Nothing when it has to wait or cannot be sent at all; then that is written down. */
export async function prepared(
  deps: DigestDeps,
  send: Send,
  documents: RenderedDocuments,
): Promise<Prepared | undefined> {
  const made = madeBefore(deps, send) ?? (await makeReady(deps, send));
  if (!made) return;
  const { digest, reader } = made.made;
  const channel = digest.channels.find((it) => keyOfChannel(it) === send.channel);
  if (!channel) return void fail(deps, send, 'the digest has no such channel any more');
  if (isByAddress(channel) && reader.address && deps.store.isUnsubscribed(digest.id, reader.address))
    return void fail(deps, send, 'the reader has unsubscribed');
  const { document, files } = await documentOf(deps, send, made.snapshot, made.made, documents);
  const letter: Letter = {
    ...{ digest: send.digest, period: send.period, reader, files, ...wordsOf(document, deps.pages_url ?? null) },
    message_id: send.message_id ?? idOf(deps, send),
    linkTo: deps.public_url === null ? null : (file) => linkOf(deps, send, file),
  };
  return { channel, letter, unsubscribe: reader.address ? unsubscribeLink(deps, digest.id, reader.address) : null };
}

/** Another one than that of a mail that it replaces, which a mailbox would keep in its place. */
function idOf(deps: DigestDeps, { digest, period, reader, channel }: Send): string {
  const early = deps.store.ledger.wentEarly({ digest, period, reader, channel });
  const send = [digest, period, reader, channel, ...(early === null ? [] : [String(early)])];
  return messageIdOf(deps.store.key, send, deps.post?.from ?? '');
}

const linkOf = (deps: DigestDeps, { digest, period, reader }: Send, { name }: File): string =>
  fileLink(deps, { digest, period, reader, name }, secondsNow(deps)) ?? '';

interface MadeOf {
  made: SendInputs;
  snapshot: string;
}

/** The inputs of an earlier attempt, if its reader may still see the same. */
function madeBefore(deps: DigestDeps, send: Send): MadeOf | undefined {
  if (send.made === null || send.snapshot === null) return undefined;
  const made = madeFrom(send.made);
  if (made.rows === undefined) return { made, snapshot: send.snapshot };
  try {
    const asker = askerFor(deps, made.reader, accountFor(deps, made.digest.account));
    return readerKey(asker) === JSON.stringify(made.rows) ? { made, snapshot: send.snapshot } : undefined;
  } catch (error) {
    if (error instanceof NothingToSee) return undefined;
    throw error;
  }
}

/** Checks whether its numbers may be sent, and records its inputs. Undefined while it has to wait. */
async function makeReady(deps: DigestDeps, send: Send): Promise<MadeOf | undefined> {
  const { ledger, find } = deps.store;
  const found = find(send.digest);
  const digest = found?.digest;
  const reader = digest?.readers.find(({ name }) => name === send.reader);
  if (!found || !digest || !reader) return void fail(deps, send, 'the digest or its reader is gone');
  const snapshot = deps.current();
  if (!snapshot) return void hold(deps, send, 'nothing is published yet: the first pull is still running');
  const looked = await objectionsFor(deps, digest, reader, send, snapshot);
  if (looked instanceof NothingToSee) return void fail(deps, send, looked.message);
  const { objections, asker } = looked;
  const mayHold = digest.when_incomplete === 'hold' && !send.is_forced;
  if (objections.length > 0 && mayHold) return void hold(deps, send, objections.join(' '));
  const before = ledger.sentBefore(send.digest, send.reader, send.period);
  // The snapshot may have been removed along with its pin.
  const pinned = await deps.pins.all();
  const late = words.stamp.late(
    instantWords(new Date(send.due_at * 1000).toISOString(), digest.schedule.timezone, digest.language),
  );
  const boards = boardsOf(deps, digest.content);
  await deps.pins.add(snapshot.id, pinReason(send.digest, send.period));
  const orders = ordersOfDigest(deps.queries, boards, { ...found, owner: digest.owner }, asker);
  const answers = await answersFor(deps, { digest, queries: orders }, send.period, snapshot.id);
  const made: SendInputs = {
    digest,
    reader,
    rows: asker.rows ?? null,
    boards,
    queries: settledOrders(answers),
    stamps: [
      ...(ledger.wentEarly(send) === null ? [] : [words.stamp.early]),
      ...(send.is_late ? [late] : []),
      ...objections,
    ],
    targets: targetsFor(deps, digest),
    ...(deps.brand ? { brand: keptBrand(deps.brand()) } : {}),
    before:
      before?.snapshot && Object.hasOwn(pinned, before.snapshot)
        ? { snapshot: before.snapshot, period: before.period }
        : null,
  };
  const about = { snapshot: snapshot.id, made: JSON.stringify(made), message_id: send.message_id ?? idOf(deps, send) };
  ledger.made(send, about, secondsNow(deps));
  return { made, snapshot: snapshot.id };
}

async function objectionsFor(deps: DigestDeps, digest: Digest, reader: DigestReader, send: Send, snapshot: Snapshot) {
  const account = accountFor(deps, digest.account);
  const scope = { period: periodNamed(send.period), timezone: zoneFor(digest, reader), filters: digest.filters };
  try {
    const asker = askerFor(deps, reader, account);
    const context = await documentContext(asker, snapshot, account);
    const { most_hours_old, language } = digest;
    const about = {
      pulled_at: deps.pulled_at(),
      now: deps.clock(),
      most_hours_old,
      language: reader.language ?? language,
    };
    return { objections: await objectionsTo(await digestQuestions(context, scope), about), asker };
  } catch (error) {
    if (error instanceof NothingToSee) return error;
    throw error;
  }
}
