// Digests over HTTP: the list, changing one, making one now, a test, and what became of each send.
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { z } from 'zod';
import { channelForms, keyOfChannel, secretOf, urlOf, withoutSecret } from '#digests/channels/channels.ts';
import { shortenedChannel, shortenedKey } from '#digests/channels/shortened.ts';
import type { DigestDeps } from '#digests/deps.ts';
import { nextOf } from '#digests/due.ts';
import type { NotedSend } from '#digests/send.ts';
import { enlist, sendReady } from '#digests/scheduler.ts';
import type { StoredDigest } from '#digests/store.ts';
import { sendTest } from '#digests/test-mail.ts';
import { withSignal } from '#warehouse/cancellation.ts';
import { channelIn, digestsOf, storedDigest, periodIn, secondsOf, seen } from './requested-digest.ts';
import { snapshotOf } from './context.ts';
import {
  getDigest,
  listDigests,
  removeDigest,
  runDigest,
  saveDigest,
  sendDigestAgain,
  testDigest,
  type DigestSend,
  type ShownDigest,
} from './contract/digests.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { mayRunSql, savedIn, wantedIn } from './digest-form.ts';
import { Declined } from './errors.ts';
import { mailIsOff, outcomeOfMail, testAddress } from './test-address.ts';
import { bodyOf } from './validation.ts';

const most_shown = 200;

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

const sendShown = (send: NotedSend): DigestSend => {
  const { period, reader, channel, state, is_late, snapshot, attempts, reason, due_at, sent_at } = send;
  const times = { due_at: instant(due_at), sent_at: sent_at === null ? null : instant(sent_at) };
  return { period, reader, channel: shortenedKey(channel), state, ...times, is_late, snapshot, attempts, reason };
};

/** From what most needs a look to what is done. */
const troubles = [
  'failed',
  'unknown',
  'held',
  'retrying',
  'waiting',
  'sending',
  'sent',
] as const satisfies NotedSend['state'][];

/** Of the last period: what went to one reader on one channel does not hide what did not go to another. */
function lastOf({ store: { ledger } }: DigestDeps, digest: string): NotedSend | undefined {
  const [newest] = ledger.history(digest, 1);
  const all = newest ? ledger.ofPeriod(digest, newest.period) : [];
  return all.toSorted((one, other) => troubles.indexOf(one.state) - troubles.indexOf(other.state))[0];
}

function shown(digests: DigestDeps, { digest, version }: StoredDigest): ShownDigest {
  const { next, problem } = digest.is_paused ? {} : nextOf(digest.schedule, secondsOf(digests));
  const last = lastOf(digests, digest.id);
  return {
    ...{ ...digest, channels: digest.channels.map((it) => shortenedChannel(withoutSecret(it))) },
    version,
    next_at: next ? instant(next.at) : null,
    schedule_problem: problem ?? null,
    last: last ? sendShown(last) : null,
  };
}

/** Slow hosts are not waited for: later deliveries continue after the answer, which reports them as `waiting`. */
const longest_wait_ms = 45_000;

async function sent(digests: DigestDeps, about: { digest: string; period: string }): Promise<void> {
  // A send that has begun is completed even if the client has disconnected.
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
    const found = storedDigest(digests, c.req.param('id'));
    c.header('cache-control', 'no-store');
    const sends = digests.store.ledger.history(found.digest.id, most_shown).map(sendShown);
    return c.json<AnswerOf<typeof getDigest>>({ digest: shown(digests, found), sends });
  });

  app.put(routed(saveDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const { version, ...body } = await bodyOf(c, z.looseObject({ version: saveDigest.body.shape.version }));
    const before = digests.store.find(c.req.param('id'))?.digest;
    const wanted = wantedIn(deps, c, digests, { ...body, id: c.req.param('id') });
    const saved = savedIn(digests, wanted, { is_agreed: mayRunSql(c), version });
    const old = new Map(before?.channels.map((it) => [keyOfChannel(it), secretOf(it)]));
    const secrets = saved.channels.flatMap((it): [string, string][] => {
      const secret = secretOf(it);
      return secret === undefined || secret === old.get(keyOfChannel(it)) ? [] : [[urlOf(it) ?? it.kind, secret]];
    });
    const digest = shown(digests, storedDigest(digests, saved.id));
    return c.json<AnswerOf<typeof saveDigest>>({ digest, secrets: Object.fromEntries(secrets) });
  });

  app.delete(routed(removeDigest), (c) => {
    const digests = digestsOf(deps, c);
    digests.store.remove(storedDigest(digests, c.req.param('id')).digest.id);
    return c.body(null, 204);
  });

  app.post(routed(runDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = storedDigest(digests, c.req.param('id'));
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
    const { digest } = storedDigest(digests, c.req.param('id'));
    const asked = { digest: digest.id, ...(await bodyOf(c, sendDigestAgain.body)) };
    const key = { ...asked, channel: channelIn(digests, asked) };
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
    const body = await bodyOf(c, z.strictObject({ to: testDigest.body.shape.to, digest: z.looseObject({}) }));
    const digest = wantedIn(deps, c, digests, { ...body.digest, id: c.req.param('id') });
    if (!digests.post) throw new Declined('unavailable', mailIsOff);
    const to = testAddress(c, body.to);
    const period = periodIn(digests, digest, undefined);
    const about = { to, period, snapshot: snapshotOf(deps), is_agreed: mayRunSql(c) };
    const outcome = await seen(to, () => sendTest(digests, digest, about));
    return c.json<AnswerOf<typeof testDigest>>(outcomeOfMail(to, outcome));
  });
}
