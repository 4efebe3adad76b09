// One round: records what is due, has it prepared and delivered, and records the outcomes.
import { localDate } from '#warehouse/periods.ts';
import { traced } from '#warehouse/tracing.ts';
import { deliver, isByAddress, isRepeatable, keyOfChannel, type Channel } from './channels/channels.ts';
import { secondsNow, type DigestDeps } from './deps.ts';
import type { Digest, DigestReader } from './digest.ts';
import { dueNow, nextOf, type DueDigest } from './due.ts';
import { isReady, unnoticed_seconds, type NotedSend, type SendKey } from './send.ts';
import { putOff, record } from './outcomes.ts';
import { tellOwners } from './owners.ts';
import { periodBefore, type DigestPeriod } from './periods.ts';
import { prepared, type RenderedDocuments } from './preparing.ts';
import { periodNamed } from './send-inputs.ts';

/** Later than this it was missed, not merely waited for. */
const late_seconds = 900;
/** Marks the deliveries of dead processes as having an unknown outcome. */
export function settle(deps: DigestDeps): void {
  for (const { digest, reader, period } of deps.store.ledger.abandon(deps.owner, isRepeatable, secondsNow(deps)))
    deps.log(`digest ${digest} ${period} for ${reader}: the program ended while it was sent`);
}

/** Does everything that is due now. */
export async function round(deps: DigestDeps): Promise<void> {
  settle(deps);
  for (const { digest, handled_until } of deps.store.list()) {
    if (deps.isClockRight?.() ?? true) setAsideToCome(deps, digest);
    if (digest.is_paused) continue;
    const due = dueOf(deps, digest, believed(deps, digest, handled_until));
    if (!due) continue;
    const is_late = secondsNow(deps) - due.at > late_seconds;
    const period = periodBefore(digest.period, due.on);
    setAsideEarly(deps, digest, period);
    enlist(deps, digest, period, { due_at: due.at, is_late });
    deps.store.handled(digest.id, due.at);
  }
  // Unfinished sends of an earlier round belong to that round: a slow host is not waited for twice.
  await sendAll(deps, (key) => !deps.sending.has(keyText(key)));
  await tellOwners(deps);
}

/**
 * Unix seconds: what a clock that ran ahead noted as handled is not. Whatever was sent meanwhile has its row, so that nothing goes out
 * twice, also if it is now that the clock is wrong.
 */
function believed(deps: DigestDeps, { id }: Digest, handled_until: number): number {
  const now = secondsNow(deps);
  if (handled_until <= now + unnoticed_seconds) return handled_until;
  const until = deps.store.ledger.lastDue(id, now) ?? now;
  deps.store.setBack(id, until);
  const [noted, after] = [handled_until, until].map((at) => new Date(at * 1000).toISOString());
  deps.log(`digest ${id} was noted as sent up to ${noted}, which is to come: it is due again after ${after}`);
  return until;
}

/** What a clock that ran ahead sent about a period that is not over, or wanted to: the report is due when it is. */
function setAsideToCome(deps: DigestDeps, digest: Digest): void {
  const now = secondsNow(deps);
  const today = localDate(digest.schedule.timezone, now);
  const early = deps.store.ledger.toCome(digest.id, now).filter(({ period }) => today <= periodNamed(period).to);
  setAside(deps, early, 'it was noted by a clock that ran ahead, and its period is not over');
}

/** What somebody sent by hand before the period was over. */
function setAsideEarly(deps: DigestDeps, digest: Digest, period: DigestPeriod): void {
  const early = deps.store.ledger.ofPeriod(digest.id, period.label).filter(({ state, sent_at, updated_at }) => {
    const isOut = state === 'sent' || state === 'unknown';
    return isOut && localDate(digest.schedule.timezone, sent_at ?? updated_at) <= period.to;
  });
  setAside(deps, early, 'it went out before its period was over');
}

function setAside(deps: DigestDeps, sends: readonly NotedSend[], why: string): void {
  for (const send of sends) deps.store.ledger.setAside(send);
  for (const [period, [send]] of Map.groupBy(sends, (it) => it.period)) {
    if (!send) continue;
    deps.store.notified.forget({ digest: send.digest, period });
    deps.log(`digest ${send.digest} ${period}: ${why}; the whole one goes out when it is due`);
  }
}

/** Digests whose unreadable schedule has been logged: once is enough. */
const said = new WeakMap<DigestDeps, Set<string>>();

/** One schedule that cannot be read keeps none of the others. */
function dueOf(deps: DigestDeps, { id, schedule }: Digest, handled_until: number): DueDigest | undefined {
  try {
    return dueNow(schedule, handled_until, secondsNow(deps));
  } catch {
    const { problem } = nextOf(schedule, secondsNow(deps));
    const sentence = `digest ${id} is never due: its schedule "${schedule.cron}" (${schedule.timezone}) ${problem}`;
    const before = said.get(deps) ?? new Set();
    if (!before.has(sentence)) deps.log(sentence);
    said.set(deps, before.add(sentence));
    return undefined;
  }
}

/** Ready sends of a digest and period, including those already queued, and those that are held: whoever asks by hand does not wait for the next look. */
export function sendReady(deps: DigestDeps, about: { digest: string; period: string }): Promise<void> {
  deps.store.ledger.lookAgain(about, secondsNow(deps));
  return sendAll(deps, ({ digest, period }) => digest === about.digest && period === about.period);
}

async function sendAll(deps: DigestDeps, isWanted: (key: SendKey) => boolean): Promise<void> {
  const documents: RenderedDocuments = new Map();
  const keys = deps.store.ledger.ready(secondsNow(deps)).filter(isWanted);
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
  if (!send || !isReady(send, secondsNow(deps))) return;
  try {
    const ready = await deps.sending.make(() => prepared(deps, send, documents));
    if (!ready) return;
    // From here until its outcome is recorded nobody else may send it, and afterwards only on request.
    if (!deps.store.ledger.claim(send, deps.owner, secondsNow(deps))) return;
    const { channel, letter, unsubscribe } = ready;
    const { folder, post, webhooks } = deps;
    const means = { now: secondsNow(deps), folder, post, webhooks, unsubscribe };
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
  return deps.store.ledger.addAll(keys, about, secondsNow(deps));
}

/** To whom a digest does not go on a channel that needs an address, and why. */
export const notReached = (deps: DigestDeps, digest: Digest): { reader: string; channel: string; why: string }[] =>
  digest.readers.flatMap((reader) =>
    digest.channels
      .filter((channel) => !reaches(deps, digest, channel, reader))
      .map((channel) => ({
        ...{ reader: reader.name, channel: keyOfChannel(channel) },
        why: reader.address === undefined ? 'no address is known' : 'the reader has unsubscribed',
      })),
  );

function reaches(deps: DigestDeps, digest: Digest, channel: Channel, { address }: DigestReader): boolean {
  if (!isByAddress(channel)) return true;
  return address !== undefined && !deps.store.isUnsubscribed(digest.id, address);
}
