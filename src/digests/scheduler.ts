// One round: records what is due, renders and delivers what is recorded, and records the outcomes.
import type { Snapshot } from '#warehouse/query/context.ts';
import { readerKey } from '#warehouse/query/reader.ts';
import { traced } from '#warehouse/tracing.ts';
import { askerFor, digestQuestions, documentContext, NothingToSee } from './digest-questions.ts';
import { instantWords } from './cover.ts';
import { deliver, isByAddress, isRepeatable, keyOfChannel, type Channel } from './channels/channels.ts';
import { messageIdOf, type File, type Letter } from './channels/letter.ts';
import { retryBudget, type DeliveryOutcome } from './channels/outcome.ts';
import { accountFor, boardsOf, targetsFor, type DigestDeps } from './deps.ts';
import type { Digest, DigestReader } from './digest.ts';
import { dueNow, nextOf, type DueDigest } from './due.ts';
import { objectionsTo } from './quality-gate.ts';
import { isReady, type SendKey, type Send } from './ledger.ts';
import { fileLink, unsubscribeLink } from './links.ts';
import { wordsOf } from './letters.ts';
import { keptBrand } from './brand.ts';
import { madeFrom, periodNamed, remade, type SendInputs } from './send-inputs.ts';
import { periodBefore, type DigestPeriod } from './periods.ts';
import { tellOwners } from './owners.ts';
import { pinReason } from './pins.ts';
import { zoneFor, type Rendered } from './rendered.ts';
import { words } from './words.ts';

/** Later than this it was missed, not merely waited for. */
const late_seconds = 900;
/** How often a held digest is checked again. */
const look_again_seconds = 300;

const seconds = (deps: DigestDeps): number => Math.floor(deps.clock() / 1000);

/** Marks the deliveries of dead processes as having an unknown outcome. */
export function settle(deps: DigestDeps): void {
  for (const { digest, reader, period } of deps.store.ledger.abandon(deps.owner, isRepeatable, seconds(deps)))
    deps.log(`digest ${digest} ${period} for ${reader}: the program ended while it was sent`);
}

/** Does everything that is due now. */
export async function round(deps: DigestDeps): Promise<void> {
  settle(deps);
  for (const { digest, handled_until } of deps.store.list()) {
    if (digest.is_paused) continue;
    const due = dueOf(deps, digest, handled_until);
    if (!due) continue;
    const is_late = seconds(deps) - due.at > late_seconds;
    enlist(deps, digest, periodBefore(digest.period, due.on), { due_at: due.at, is_late });
    deps.store.handled(digest.id, due.at);
  }
  // Unfinished sends of an earlier round belong to that round: a slow host is not waited for twice.
  await sendAll(deps, (key) => !deps.sending.has(keyText(key)));
  await tellOwners(deps);
}

/** Digests whose unreadable schedule has been logged: once is enough. */
const said = new WeakMap<DigestDeps, Set<string>>();

/** One schedule that cannot be read keeps none of the others. */
function dueOf(deps: DigestDeps, { id, schedule }: Digest, handled_until: number): DueDigest | undefined {
  try {
    return dueNow(schedule, handled_until, seconds(deps));
  } catch {
    const { problem } = nextOf(schedule, seconds(deps));
    const sentence = `digest ${id} is never due: its schedule "${schedule.cron}" (${schedule.timezone}) ${problem}`;
    const before = said.get(deps) ?? new Set();
    if (!before.has(sentence)) deps.log(sentence);
    said.set(deps, before.add(sentence));
    return undefined;
  }
}

/** Ready sends of a digest and period, including those already queued. */
export const sendReady = (deps: DigestDeps, { digest, period }: { digest: string; period: string }): Promise<void> =>
  sendAll(deps, (key) => key.digest === digest && key.period === period);

async function sendAll(deps: DigestDeps, isWanted: (key: SendKey) => boolean): Promise<void> {
  const documents: RenderedDocuments = new Map();
  const keys = deps.store.ledger.ready(seconds(deps)).filter(isWanted);
  await Promise.all(
    keys.map((key) => deps.sending.add(laneOf(key), keyText(key), () => tracedSend(deps, key, documents))),
  );
}

const keyText = ({ digest, period, reader, channel }: SendKey): string =>
  JSON.stringify([digest, period, reader, channel]);

/** The host that it goes to: `mail`, `folder` or the name of a web host. */
function laneOf({ channel }: SendKey): string {
  const url = channel.slice(channel.indexOf(' ') + 1);
  return URL.canParse(url) ? new URL(url).hostname : channel;
}

/** Without the names of the digest and its reader, and without the address. */
function tracedSend(deps: DigestDeps, key: SendKey, documents: RenderedDocuments): Promise<void> {
  const [kind = ''] = key.channel.split(' ');
  const attributes = { 'chatledger.channel': kind, 'chatledger.period': key.period };
  return traced({ name: 'digest', attributes }, async (more) => {
    await sendOne(deps, key, documents);
    more['chatledger.state'] = deps.store.ledger.find(key)?.state ?? 'gone';
  });
}

async function sendOne(deps: DigestDeps, key: SendKey, documents: RenderedDocuments): Promise<void> {
  // After waiting in the queue: somebody else may have sent it.
  const send = deps.store.ledger.find(key);
  if (!send || !isReady(send, seconds(deps))) return;
  try {
    const ready = await deps.sending.make(() => prepared(deps, send, documents));
    if (!ready) return;
    // From here until its outcome is recorded nobody else may send it, and afterwards only on request.
    if (!deps.store.ledger.claim(send, deps.owner, seconds(deps))) return;
    const { channel, letter, unsubscribe } = ready;
    const { folder, post, webhooks } = deps;
    const means = { now: seconds(deps), folder, post, webhooks, unsubscribe };
    record(deps, send, await deliver(channel, letter, means));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    deps.log(`digest ${send.digest} ${send.period} for ${send.reader}: ${reason}`);
    putOff(deps, send, reason);
  }
}

/** One row for each reader and channel that it reaches; rows that are there already stay. Returns how many are new. */
export function enlist(
  deps: DigestDeps,
  digest: Digest,
  { label }: DigestPeriod,
  about: { due_at: number; is_late: boolean },
): number {
  const keys = digest.readers.flatMap((reader) =>
    digest.channels
      .filter((channel) => reaches(deps, digest, channel, reader))
      .map((channel) => ({ digest: digest.id, period: label, reader: reader.name, channel: keyOfChannel(channel) })),
  );
  return deps.store.ledger.addAll(keys, about, seconds(deps));
}

function reaches(deps: DigestDeps, digest: Digest, channel: Channel, { address }: DigestReader): boolean {
  if (!isByAddress(channel)) return true;
  return address !== undefined && !deps.store.isUnsubscribed(digest.id, address);
}

/** Recently rendered documents: the channels of one reader share them. */
type RenderedDocuments = Map<string, Rendered>;
const most_documents = 4;

async function documentOf(
  deps: DigestDeps,
  send: Send,
  snapshot: string,
  made: SendInputs,
  known: RenderedDocuments,
): Promise<Rendered> {
  const key = JSON.stringify([send.digest, send.period, send.reader, snapshot, made.stamps, made.boards]);
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
async function prepared(deps: DigestDeps, send: Send, documents: RenderedDocuments): Promise<Prepared | undefined> {
  const made = madeBefore(deps, send) ?? (await makeReady(deps, send));
  if (!made) return;
  const { digest, reader } = made.made;
  const channel = digest.channels.find((it) => keyOfChannel(it) === send.channel);
  if (!channel) return void fail(deps, send, 'the digest has no such channel any more');
  if (isByAddress(channel) && reader.address && deps.store.isUnsubscribed(digest.id, reader.address))
    return void fail(deps, send, 'the reader wants no more of it');
  const { document, files } = await documentOf(deps, send, made.snapshot, made.made, documents);
  const letter: Letter = {
    ...{ digest: send.digest, period: send.period, reader, files, ...wordsOf(document, deps.pages_url ?? null) },
    message_id: send.message_id ?? idOf(deps, send),
    linkTo: deps.public_url === null ? null : (file) => linkOf(deps, send, file),
  };
  return { channel, letter, unsubscribe: reader.address ? unsubscribeLink(deps, digest.id, reader.address) : null };
}

const idOf = (deps: DigestDeps, { digest, period, reader, channel }: Send): string =>
  messageIdOf(deps.store.key, [digest, period, reader, channel], deps.post?.from ?? '');

const linkOf = (deps: DigestDeps, { digest, period, reader }: Send, { name }: File): string =>
  fileLink(deps, { digest, period, reader, name }, seconds(deps)) ?? '';

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
  const now = seconds(deps);
  const digest = find(send.digest)?.digest;
  const reader = digest?.readers.find(({ name }) => name === send.reader);
  if (!digest || !reader) return void fail(deps, send, 'the digest or its reader is gone');
  const snapshot = deps.current();
  if (!snapshot) return void hold(deps, send, 'nothing is published yet: the first pull is still running');
  const looked = await objectionsFor(deps, digest, reader, send, snapshot);
  if (looked instanceof NothingToSee) return void fail(deps, send, looked.message);
  const { objections, rows } = looked;
  const mayHold = digest.when_incomplete === 'hold' && !send.is_forced;
  if (objections.length > 0 && mayHold) return void hold(deps, send, objections.join(' '));
  const before = ledger.sentBefore(send.digest, send.reader, send.period);
  // The snapshot may have been removed along with its pin.
  const pinned = await deps.pins.all();
  const late = words.stamp.late(
    instantWords(new Date(send.due_at * 1000).toISOString(), digest.schedule.timezone, digest.language),
  );
  const made: SendInputs = {
    digest,
    reader,
    rows,
    boards: boardsOf(deps, digest.content),
    stamps: [...(send.is_late ? [late] : []), ...objections],
    targets: targetsFor(deps, digest),
    ...(deps.brand ? { brand: keptBrand(deps.brand()) } : {}),
    before:
      before?.snapshot && Object.hasOwn(pinned, before.snapshot)
        ? { snapshot: before.snapshot, period: before.period }
        : null,
  };
  await deps.pins.add(snapshot.id, pinReason(send.digest, send.period));
  const about = { snapshot: snapshot.id, made: JSON.stringify(made), message_id: send.message_id ?? idOf(deps, send) };
  ledger.made(send, about, now);
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
    return { objections: await objectionsTo(await digestQuestions(context, scope), about), rows: asker.rows ?? null };
  } catch (error) {
    if (error instanceof NothingToSee) return error;
    throw error;
  }
}

function record(deps: DigestDeps, send: Send, outcome: DeliveryOutcome): void {
  const now = seconds(deps);
  if (outcome.kind === 'sent') return deps.store.ledger.end(send, 'sent', null, now);
  if (outcome.kind === 'retry') return putOff(deps, send, outcome.reason);
  deps.store.ledger.end(send, outcome.kind, outcome.reason, now);
  deps.log(`digest ${send.digest} ${send.period} for ${send.reader}: ${outcome.kind}, ${outcome.reason}`);
}

function putOff(deps: DigestDeps, send: Send, reason: string): void {
  const { ledger } = deps.store;
  const now = seconds(deps);
  const { attempts, first_at } = ledger.find(send) ?? send;
  const wait = retryBudget(attempts, first_at ?? now, now);
  if (wait !== undefined) return ledger.retry(send, reason, now + wait, now);
  fail(deps, send, `given up after a day: ${reason}`);
}

/** Ends it without having handed it over. */
function fail(deps: DigestDeps, send: Send, reason: string): void {
  const now = seconds(deps);
  const { ledger } = deps.store;
  if (ledger.find(send)?.state !== 'sending' && !ledger.claim(send, deps.owner, now)) return;
  ledger.end(send, 'failed', reason, now);
  deps.log(`digest ${send.digest} ${send.period} for ${send.reader}: failed, ${reason}`);
}

function hold(deps: DigestDeps, send: Send, reason: string): void {
  const now = seconds(deps);
  if (send.state !== 'held') deps.log(`digest ${send.digest} ${send.period} for ${send.reader} is held: ${reason}`);
  deps.store.ledger.hold(send, reason, now + look_again_seconds, now);
}
