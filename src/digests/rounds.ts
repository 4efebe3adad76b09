// One round: what is due is written down, what is written down is made and handed over, what came of it is written down.
import type { Snapshot } from '#warehouse/context.ts';
import { askerFor, askingOf, documentContext, NothingToSee } from './asking.ts';
import { instantWords } from './cover.ts';
import { deliver, isRepeatable } from './deliver/deliver.ts';
import { messageIdOf, type Letter } from './deliver/letter.ts';
import { patience, type Outcome } from './deliver/outcome.ts';
import { accountFor, type Desk } from './desk.ts';
import { keyOfChannel, type Channel, type Digest, type Reader } from './digest.ts';
import { dueNow } from './due.ts';
import { objectionsTo } from './honesty.ts';
import { isReady, type Key, type Send } from './ledger.ts';
import { fileLink, unsubscribeLink } from './links.ts';
import { madeFrom, periodNamed, remade, type Made } from './made.ts';
import { periodBefore, type Period } from './periods.ts';
import { tellOwners } from './owners.ts';
import { pinReason } from './pins.ts';
import { zoneFor, type File, type Rendered } from './rendered.ts';
import { words } from './words.ts';

/** Later than this it was missed, not merely waited for. */
const late_seconds = 900;
/** A held digest is looked at again this often. */
const look_again_seconds = 300;

const seconds = (desk: Desk): number => Math.floor(desk.clock() / 1000);

/** What a process that is gone was handing over: nobody knows what came of it. */
export function settle(desk: Desk): void {
  for (const { digest, reader, period } of desk.store.ledger.abandon(desk.owner, isRepeatable, seconds(desk)))
    desk.log(`digest ${digest} ${period} for ${reader}: the program ended while it was sent`);
}

/** Everything that there is to do now. */
export async function round(desk: Desk): Promise<void> {
  settle(desk);
  for (const { digest, handled_until } of desk.store.list()) {
    if (digest.is_paused) continue;
    const due = dueNow(digest.schedule, handled_until, seconds(desk));
    if (!due) continue;
    const is_late = seconds(desk) - due.at > late_seconds;
    enlist(desk, digest, periodBefore(digest.period, due.on), { due_at: due.at, is_late });
    desk.store.handled(digest.id, due.at);
  }
  // What a round before this one has not sent yet is its business: a slow host is not waited for twice.
  await sendAll(desk, (key) => !desk.sending.has(keyText(key)));
  await tellOwners(desk);
}

/** Sends of a digest and period that are ready, also those that wait for their turn already. */
export const sendReady = (desk: Desk, { digest, period }: { digest: string; period: string }): Promise<void> =>
  sendAll(desk, (key) => key.digest === digest && key.period === period);

async function sendAll(desk: Desk, isWanted: (key: Key) => boolean): Promise<void> {
  const documents: Documents = new Map();
  const keys = desk.store.ledger.ready(seconds(desk)).filter(isWanted);
  await Promise.all(
    keys.map((key) => desk.sending.add(laneOf(key), keyText(key), () => sendOne(desk, key, documents))),
  );
}

const keyText = ({ digest, period, reader, channel }: Key): string => JSON.stringify([digest, period, reader, channel]);

/** The host that it goes to: `mail`, `folder` or the name of a web host. */
function laneOf({ channel }: Key): string {
  const url = channel.slice(channel.indexOf(' ') + 1);
  return URL.canParse(url) ? new URL(url).hostname : channel;
}

async function sendOne(desk: Desk, key: Key, documents: Documents): Promise<void> {
  // It waited for its turn: somebody else may have sent it.
  const send = desk.store.ledger.find(key);
  if (!send || !isReady(send, seconds(desk))) return;
  try {
    const ready = await desk.sending.make(() => prepared(desk, send, documents));
    if (!ready) return;
    // From here on until its outcome is written down nobody else may send it, and nobody may send it again unasked.
    if (!desk.store.ledger.claim(send, desk.owner, seconds(desk))) return;
    const { channel, letter, unsubscribe } = ready;
    record(desk, send, await deliver(channel, letter, desk, unsubscribe));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    desk.log(`digest ${send.digest} ${send.period} for ${send.reader}: ${reason}`);
    putOff(desk, send, reason);
  }
}

/** One row for each reader and channel that it reaches; rows that are there already stay. Returns how many are new. */
export function enlist(
  desk: Desk,
  digest: Digest,
  { label }: Period,
  about: { due_at: number; is_late: boolean },
): number {
  const keys = digest.readers.flatMap((reader) =>
    digest.channels
      .filter((channel) => reaches(desk, digest, channel, reader))
      .map((channel) => ({ digest: digest.id, period: label, reader: reader.name, channel: keyOfChannel(channel) })),
  );
  return desk.store.ledger.addAll(keys, about, seconds(desk));
}

function reaches(desk: Desk, digest: Digest, channel: Channel, { address }: Reader): boolean {
  if (channel.kind !== 'mail') return true;
  return address !== undefined && !desk.store.isUnsubscribed(digest.id, address);
}

/** Documents that were made last: the channels of one reader get the same. */
type Documents = Map<string, Rendered>;
const most_documents = 4;

async function documentOf(desk: Desk, send: Send, snapshot: string, made: Made, known: Documents): Promise<Rendered> {
  const key = JSON.stringify([send.digest, send.period, send.reader, snapshot, made.stamps]);
  const before = known.get(key);
  if (before) return before;
  const document = await remade(desk, snapshot, send.period, made);
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
async function prepared(desk: Desk, send: Send, documents: Documents): Promise<Prepared | undefined> {
  const made =
    send.made === null ? await makeReady(desk, send) : { made: madeFrom(send.made), snapshot: send.snapshot };
  if (!made?.snapshot) return;
  const { digest, reader } = made.made;
  const channel = digest.channels.find((it) => keyOfChannel(it) === send.channel);
  if (!channel) return void fail(desk, send, 'the digest has no such channel any more');
  if (channel.kind === 'mail' && reader.address && desk.store.isUnsubscribed(digest.id, reader.address))
    return void fail(desk, send, 'the reader wants no more of it');
  const { edition, files } = await documentOf(desk, send, made.snapshot, made.made, documents);
  const letter: Letter = {
    ...{ digest: send.digest, period: send.period, reader, edition, files },
    message_id: send.message_id ?? idOf(desk, send),
    linkTo: desk.public_url === null ? null : (file) => linkOf(desk, send, file),
  };
  return { channel, letter, unsubscribe: reader.address ? unsubscribeLink(desk, digest.id, reader.address) : null };
}

const idOf = (desk: Desk, { digest, period, reader, channel }: Send): string =>
  messageIdOf(desk.store.key, [digest, period, reader, channel], desk.post?.from ?? '');

const linkOf = (desk: Desk, { digest, period, reader }: Send, { name }: File): string =>
  fileLink(desk, { digest, period, reader, name }, seconds(desk)) ?? '';

/** Looks whether its numbers may go out, and writes down what it is made from. Nothing while it has to wait. */
async function makeReady(desk: Desk, send: Send): Promise<{ made: Made; snapshot: string } | undefined> {
  const { ledger, find } = desk.store;
  const now = seconds(desk);
  const digest = find(send.digest)?.digest;
  const reader = digest?.readers.find(({ name }) => name === send.reader);
  if (!digest || !reader) return void fail(desk, send, 'the digest or its reader is gone');
  const snapshot = desk.current();
  if (!snapshot) return void hold(desk, send, 'nothing is published yet: the first pull is still running');
  const objections = await objectionsFor(desk, digest, reader, send, snapshot);
  if (objections === undefined) return void fail(desk, send, new NothingToSee().message);
  const mayHold = digest.when_incomplete === 'hold' && !send.is_forced;
  if (objections.length > 0 && mayHold) return void hold(desk, send, objections.join(' '));
  const before = ledger.sentBefore(send.digest, send.reader, send.period);
  // What it was made from may be gone with its pin.
  const pinned = await desk.pins.all();
  const late = words.stamp.late(instantWords(new Date(send.due_at * 1000).toISOString(), digest.schedule.timezone, digest.language)); // prettier-ignore
  const made: Made = {
    digest,
    reader,
    stamps: [...(send.is_late ? [late] : []), ...objections],
    before:
      before?.snapshot && Object.hasOwn(pinned, before.snapshot)
        ? { snapshot: before.snapshot, period: before.period }
        : null,
  };
  await desk.pins.add(snapshot.id, pinReason(send.digest, send.period));
  const about = { snapshot: snapshot.id, made: JSON.stringify(made), message_id: send.message_id ?? idOf(desk, send) };
  ledger.made(send, about, now);
  return { made, snapshot: snapshot.id };
}

async function objectionsFor(desk: Desk, digest: Digest, reader: Reader, send: Send, snapshot: Snapshot) {
  const context = await documentContext(askerFor(reader), snapshot, accountFor(desk, digest.account));
  const scope = { period: periodNamed(send.period), timezone: zoneFor(digest, reader), filters: digest.filters };
  try {
    const { most_hours_old, language } = digest;
    const about = {
      pulled_at: desk.pulled_at(),
      now: desk.clock(),
      most_hours_old,
      language: reader.language ?? language,
    };
    return await objectionsTo(await askingOf(context, scope), about);
  } catch (error) {
    if (error instanceof NothingToSee) return undefined;
    throw error;
  }
}

function record(desk: Desk, send: Send, outcome: Outcome): void {
  const now = seconds(desk);
  if (outcome.kind === 'sent') return desk.store.ledger.end(send, 'sent', null, now);
  if (outcome.kind === 'retry') return putOff(desk, send, outcome.reason);
  desk.store.ledger.end(send, outcome.kind, outcome.reason, now);
  desk.log(`digest ${send.digest} ${send.period} for ${send.reader}: ${outcome.kind}, ${outcome.reason}`);
}

function putOff(desk: Desk, send: Send, reason: string): void {
  const { ledger } = desk.store;
  const now = seconds(desk);
  const { attempts, first_at } = ledger.find(send) ?? send;
  const wait = patience(attempts, first_at ?? now, now);
  if (wait !== undefined) return ledger.retry(send, reason, now + wait, now);
  fail(desk, send, `given up after a day: ${reason}`);
}

/** Ends it without having handed it over. */
function fail(desk: Desk, send: Send, reason: string): void {
  const now = seconds(desk);
  const { ledger } = desk.store;
  if (ledger.find(send)?.state !== 'sending' && !ledger.claim(send, desk.owner, now)) return;
  ledger.end(send, 'failed', reason, now);
  desk.log(`digest ${send.digest} ${send.period} for ${send.reader}: failed, ${reason}`);
}

function hold(desk: Desk, send: Send, reason: string): void {
  const now = seconds(desk);
  if (send.state !== 'held') desk.log(`digest ${send.digest} ${send.period} for ${send.reader} is held: ${reason}`);
  desk.store.ledger.hold(send, reason, now + look_again_seconds, now);
}
