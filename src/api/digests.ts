// Digests over HTTP: the list, changing one, making one now, what became of each send, and its documents again.
import { setTimeout } from 'node:timers/promises';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { boardName, boardNamed } from '#dashboards/board-names.ts';
import { NothingToSee } from '#digests/asking.ts';
import { channelForms, keyOfChannel, secretOf, urlOf, withoutSecret } from '#digests/channels/channels.ts';
import type { File } from '#digests/channels/letter.ts';
import { refusalOf } from '#digests/channels/reach.ts';
import { accountFor, type DigestDeps } from '#digests/deps.ts';
import { digestFrom, formats, NotADigest, type Digest, type Format } from '#digests/digest.ts';
import { nextOf } from '#digests/due.ts';
import type { Noted, Send } from '#digests/ledger.ts';
import { again, madeFrom } from '#digests/made.ts';
import { periodBefore, periodOf, type Period } from '#digests/periods.ts';
import { previewed } from '#digests/previewed.ts';
import type { Rendered } from '#digests/rendered.ts';
import { enlist, sendReady } from '#digests/scheduler.ts';
import { TooManyDigests, type StoredDigest } from '#digests/store.ts';
import { sendTest } from '#digests/test-mail.ts';
import { withSignal } from '#warehouse/cancellation.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { allFigures, seesAllUnder } from '#warehouse/query/agent-figures.ts';
import { localDate } from '#warehouse/periods.ts';
import { assertSeesAll, callerIn, readerOf, snapshotOf } from './context.ts';
import {
  downloadDigest,
  getDigest,
  listDigests,
  removeDigest,
  runDigest,
  saveDigest,
  sendDigestAgain,
  testDigest,
  type Send as ShownSend,
  type ShownDigest,
} from './contract/digests.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './written.ts';

const most_shown = 200;

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

const sendShown = (send: Noted): ShownSend => {
  const { period, reader, channel, state, is_late, snapshot, attempts, reason, due_at, sent_at } = send;
  const times = { due_at: instant(due_at), sent_at: sent_at === null ? null : instant(sent_at) };
  return { period, reader, channel, state, ...times, is_late, snapshot, attempts, reason };
};

/** Digests are about everybody's numbers, and name who gets them. */
function digestsOf(deps: ApiDeps, c: Context): DigestDeps {
  const reader = readerOf(c);
  assertSeesAll(reader, 'digests');
  // What is agreed of single agents holds for digests too: their readers get no more than whoever keeps them.
  if (!seesAllUnder(deps.agentFigures ?? allFigures, reader))
    throw new Declined('forbidden', 'digests name agents: they need the rights agents:read and names:read');
  if (!deps.digests) throw new Declined('unavailable', 'this server keeps no digests');
  return deps.digests;
}

function kept(digests: DigestDeps, id: string): StoredDigest {
  const found = digests.store.find(id);
  if (found) return found;
  const ids = digests.store.list().map(({ digest }) => digest.id);
  throw new Declined('not_found', `there is no digest ${id}`, ids);
}

const secondsOf = (digests: DigestDeps): number => Math.floor(digests.clock() / 1000);

function shown(digests: DigestDeps, { digest }: StoredDigest): ShownDigest {
  const { next, problem } = digest.is_paused ? {} : nextOf(digest.schedule, secondsOf(digests));
  const sends = digests.store.ledger.history(digest.id, 1);
  return {
    ...{ ...digest, channels: digest.channels.map(withoutSecret) },
    next_at: next ? instant(next.at) : null,
    schedule_problem: problem ?? null,
    last: sends[0] ? sendShown(sends[0]) : null,
  };
}

function periodIn(digests: DigestDeps, digest: Digest, label: string | undefined): Period {
  if (label === undefined) return periodBefore(digest.period, localDate(digest.schedule.timezone, secondsOf(digests)));
  const period = periodOf(label);
  if (period) return period;
  throw new Declined('bad_request', `for=${label} is no period: write 2026-11-20, 2026-W46, 2026-10 or 2026-Q3`);
}

function readerIn(digest: Digest, name: string | undefined) {
  const found = digest.readers.find((reader) => name === undefined || reader.name === name);
  if (found) return found;
  throw new Declined(
    'not_found',
    `${digest.id} has no reader ${name ?? ''}`,
    digest.readers.map((reader) => reader.name),
  );
}

function formatIn(name: string): Format {
  const found = formats.find((format) => format === name);
  if (!found) throw new Declined('not_found', `there is no format ${name}`, formats);
  return found;
}

/** TRICKY: a file name in a header may hold plain letters only. */
export function fileAnswer(c: Context, { name, type, bytes }: File): Response {
  const plain = name.replaceAll(/[^\w.-]+/g, '-');
  const disposition = type === 'application/pdf' ? 'inline' : 'attachment';
  c.header('content-disposition', `${disposition}; filename="${plain}"`);
  c.header('x-content-type-options', 'nosniff');
  c.header('cache-control', 'private, no-cache');
  return c.body(Buffer.from(bytes), 200, { 'content-type': type });
}

/** A document that was sent. Errors: Declined when what it was made from was let go (see pins.ts). */
export async function madeAgain(digests: DigestDeps, send: Send): Promise<Rendered> {
  try {
    return await again(digests, send);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    digests.log(`digest ${send.digest} ${send.period} cannot be made again: ${error.message}`);
    throw new Declined(
      'not_found',
      `${send.digest} ${send.period} cannot be made again: its snapshot ${send.snapshot} is not there any more`,
    );
  }
}

/** Errors: Declined, where the reader may see nothing of it. */
async function seen<Made>(reader: string, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof NothingToSee) throw new Declined('bad_request', `${reader}: ${error.message}`);
    throw error;
  }
}

/** Errors: NotADigest. */
function refuseOutOfReach({ webhooks }: DigestDeps, { channels }: Digest): void {
  const problems = channels.flatMap((channel, at) => {
    const url = urlOf(channel);
    const refusal = url === undefined ? undefined : refusalOf(url, webhooks);
    return refusal === undefined ? [] : [`channels.${at}.url: ${refusal}`];
  });
  if (problems.length > 0) throw new NotADigest(problems);
}

/** What a form holds. Errors: Declined, with each problem and its place. */
function wantedIn(deps: ApiDeps, c: Context, digests: DigestDeps, value: unknown): Digest {
  try {
    const wanted = digestFrom(value);
    refuseOutOfReach(digests, wanted);
    refuseUnseenBoards(deps, c, wanted);
    if (wanted.account !== undefined) accountFor(digests, wanted.account);
    return wanted;
  } catch (error) {
    if (error instanceof NotADigest) throw new Declined('bad_request', error.message, error.problems);
    throw error;
  }
}

function savedIn(digests: DigestDeps, wanted: Digest): Digest {
  try {
    return digests.store.save(wanted, secondsOf(digests));
  } catch (error) {
    if (error instanceof TooManyDigests) throw new Declined('conflict', error.message);
    throw error;
  }
}

/** Where a test goes: to whoever asks for it; on a machine without sign-in and for a token, where it says. */
function testAddress(c: Context, to: string | undefined): string {
  const address = callerIn(c).user?.email ?? to;
  if (address === undefined) throw new Declined('bad_request', 'to: a test needs a mail address');
  return address;
}

/** One that the digest showed before may be somebody's own. Errors: NotADigest. */
function refuseUnseenBoards(deps: ApiDeps, c: Context, { id, content }: Digest): void {
  const seen = deps.userData.boards.list(readerOf(c).id).map((board) => boardName(board.id));
  const before = deps.digests?.store.find(id)?.digest.content ?? [];
  const problems = content
    .filter((name) => boardNamed(name) !== undefined && !seen.includes(name) && !before.includes(name))
    .map((name) => `content: there is no ${name}`);
  if (problems.length > 0) throw new NotADigest(problems);
}

/** A slow host is not waited for: what has not gone out by then goes out behind the answer, which says `waiting`. */
const longest_wait_ms = 45_000;

async function sent(digests: DigestDeps, about: { digest: string; period: string }): Promise<void> {
  // What was begun is handed over, also when whoever asked for it has left.
  const all = withSignal(undefined, () => sendReady(digests, about)).catch((error: unknown) =>
    digests.log(`digest ${about.digest}: ${String(error)}`),
  );
  const over = new AbortController();
  await Promise.race([all, setTimeout(longest_wait_ms, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

export function addDigests(app: Hono, deps: ApiDeps): void {
  app.get(listDigests.path, (c) => {
    const digests = digestsOf(deps, c);
    c.header('cache-control', 'no-store');
    const all = digests.store.list().map((it) => shown(digests, it));
    return c.json<AnswerOf<typeof listDigests>>({
      ...{ digests: all, can_mail: digests.post !== null, channels: channelForms },
    });
  });

  app.get(routed(getDigest), (c) => {
    const digests = digestsOf(deps, c);
    const found = kept(digests, c.req.param('id'));
    c.header('cache-control', 'no-store');
    const sends = digests.store.ledger.history(found.digest.id, most_shown).map(sendShown);
    return c.json<AnswerOf<typeof getDigest>>({ digest: shown(digests, found), sends });
  });

  app.put(routed(saveDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const body = await bodyOf(c, z.looseObject({}));
    const before = digests.store.find(c.req.param('id'))?.digest;
    const saved = savedIn(digests, wantedIn(deps, c, digests, { ...body, id: c.req.param('id') }));
    const old = new Map(before?.channels.map((it) => [keyOfChannel(it), secretOf(it)]));
    const secrets = saved.channels.flatMap((it): [string, string][] => {
      const secret = secretOf(it);
      return secret === undefined || secret === old.get(keyOfChannel(it)) ? [] : [[urlOf(it) ?? it.kind, secret]];
    });
    const digest = shown(digests, kept(digests, saved.id));
    return c.json<AnswerOf<typeof saveDigest>>({ digest, secrets: Object.fromEntries(secrets) });
  });

  app.delete(routed(removeDigest), (c) => {
    const digests = digestsOf(deps, c);
    digests.store.remove(kept(digests, c.req.param('id')).digest.id);
    return c.body(null, 204);
  });

  app.post(routed(runDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const { for: label } = c.req.header('content-type') ? await bodyOf(c, runDigest.body) : {};
    const period = periodIn(digests, digest, label);
    snapshotOf(deps);
    enlist(digests, digest, period, { due_at: secondsOf(digests), is_late: false });
    await sent(digests, { digest: digest.id, period: period.label });
    const sends = digests.store.ledger.ofPeriod(digest.id, period.label).map(sendShown);
    return c.json<AnswerOf<typeof runDigest>>({ sends });
  });

  app.post(routed(sendDigestAgain), async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const key = { digest: digest.id, ...(await bodyOf(c, sendDigestAgain.body)) };
    if (!digests.store.ledger.again(key, secondsOf(digests)))
      throw new Declined(
        'conflict',
        'only one that failed, is held, is put off or has an unknown outcome can be sent again',
      );
    await sent(digests, { digest: key.digest, period: key.period });
    const send = digests.store.ledger.find(key);
    return c.json<AnswerOf<typeof sendDigestAgain>>({ sends: send ? [sendShown(send)] : [] });
  });

  app.post(routed(testDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const body = await bodyOf(c, z.object({ to: testDigest.body.shape.to, digest: z.looseObject({}) }));
    const digest = wantedIn(deps, c, digests, { ...body.digest, id: c.req.param('id') });
    if (!digests.post)
      throw new Declined('unavailable', 'mail is off: set CHATLEDGER_SMTP_URL and CHATLEDGER_MAIL_FROM');
    const to = testAddress(c, body.to);
    const about = { to, period: periodIn(digests, digest, undefined), snapshot: snapshotOf(deps) };
    const outcome = await seen(to, () => sendTest(digests, digest, about));
    const reason = outcome.kind === 'sent' ? null : outcome.reason;
    return c.json<AnswerOf<typeof testDigest>>({ to, outcome: outcome.kind, reason });
  });

  app.get('/digests/:id/:file{preview\\.(?:pdf|csv|xlsx)}', async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const format = formatIn(c.req.param('file').split('.')[1] ?? '');
    const reader = readerIn(digest, c.req.query('reader'));
    const period = periodIn(digests, digest, c.req.query('for'));
    const wanted = { reader, period, snapshot: snapshotOf(deps), formats: [format] };
    const { files } = await seen(reader.name, () => previewed(digests, digest, wanted));
    return fileAnswer(c, files[0] as File);
  });

  app.get(routed(downloadDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const { id, period, format } = c.req.param();
    const wanted = formatIn(format ?? '');
    const [reader, channel] = [c.req.query('reader'), c.req.query('channel')];
    const send = digests.store.ledger.findMade({ digest: id ?? '', period: period ?? '', reader, channel });
    if (!send?.made) throw new Declined('not_found', `${id} ${period} was never made`);
    if (!madeFrom(send.made).digest.formats.includes(wanted))
      throw new Declined('not_found', `it was not sent as ${wanted}`);
    const { files } = await madeAgain(digests, send);
    const file = files.find(({ name }) => name.endsWith(wanted === 'csv' ? '.csv.zip' : `.${wanted}`));
    if (!file) throw new Declined('not_found', `it was not sent as ${wanted}`);
    return fileAnswer(c, file);
  });
}
