// Digests over HTTP: the list, changing one, making one now, what became of each send, and its documents again.
import { setTimeout } from 'node:timers/promises';
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { askerFor, askingOf, documentContext, NothingToSee } from '#digests/asking.ts';
import { refusalOf } from '#digests/deliver/reach.ts';
import { accountFor, type DigestDeps } from '#digests/deps.ts';
import { digestFrom, digestSchema, formats, NotADigest, type Digest, type Format } from '#digests/digest.ts';
import { nextDue } from '#digests/due.ts';
import { objectionsTo } from '#digests/quality-gate.ts';
import type { Noted, Send } from '#digests/ledger.ts';
import { again, madeFrom } from '#digests/made.ts';
import { periodBefore, periodOf, type Period } from '#digests/periods.ts';
import { renderedFor, zoneFor, type File, type Rendered } from '#digests/rendered.ts';
import { enlist, sendReady } from '#digests/scheduler.ts';
import { TooManyDigests, type Kept } from '#digests/store.ts';
import { withSignal } from '#warehouse/cancellation.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { localDate } from '#warehouse/periods.ts';
import { assertSeesAll, readerOf, snapshotOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { problem } from './metrics.ts';
import { bodyOf } from './written.ts';

const SendShown = z
  .object({
    period: z.string(),
    reader: z.string(),
    channel: z.string(),
    state: z.enum(['waiting', 'held', 'retrying', 'sending', 'sent', 'failed', 'unknown']),
    due_at: z.iso.datetime(),
    is_late: z.boolean(),
    snapshot: z.string().nullable(),
    sent_at: z.iso.datetime().nullable(),
    attempts: z.int(),
    reason: z.string().nullable(),
  })
  .openapi('DigestSend');

const most_shown = 200;

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

const sendShown = (send: Noted): z.infer<typeof SendShown> => {
  const { period, reader, channel, state, is_late, snapshot, attempts, reason, due_at, sent_at } = send;
  const times = { due_at: instant(due_at), sent_at: sent_at === null ? null : instant(sent_at) };
  return { period, reader, channel, state, ...times, is_late, snapshot, attempts, reason };
};

/** Secrets are told once, when they are made. */
const withoutSecrets = (digest: Digest): Digest => ({
  ...digest,
  channels: digest.channels.map((it) => {
    if (it.kind !== 'webhook') return it;
    const { secret: _secret, ...rest } = it;
    return rest;
  }),
});

/** Digests are about everybody's numbers, and name who gets them. */
function digestsOf(deps: ApiDeps, c: Context): DigestDeps {
  assertSeesAll(readerOf(deps, c), 'digests');
  if (!deps.digests) throw new Declined('unavailable', 'this server keeps no digests');
  return deps.digests;
}

function kept(digests: DigestDeps, id: string): Kept {
  const found = digests.store.find(id);
  if (found) return found;
  const ids = digests.store.list().map(({ digest }) => digest.id);
  throw new Declined('not_found', `there is no digest ${id}`, ids);
}

const secondsOf = (digests: DigestDeps): number => Math.floor(digests.clock() / 1000);

function shown(digests: DigestDeps, { digest }: Kept) {
  const next = digest.is_paused ? undefined : nextDue(digest.schedule, secondsOf(digests));
  const sends = digests.store.ledger.history(digest.id, 1);
  return {
    ...withoutSecrets(digest),
    next_at: next ? instant(next.at) : null,
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

/** What a reader would get now, with what speaks against it; nothing is sent or written down. */
async function preview(digests: DigestDeps, deps: ApiDeps, digest: Digest, c: Context, format: Format): Promise<File> {
  const reader = readerIn(digest, c.req.query('reader'));
  const period = periodIn(digests, digest, c.req.query('for'));
  const context = await documentContext(askerFor(reader), snapshotOf(deps), accountFor(digests, digest.account));
  const scope = { period, timezone: zoneFor(digest, reader), filters: digest.filters };
  try {
    const { most_hours_old } = digest;
    const about = {
      pulled_at: digests.pulled_at(),
      now: digests.clock(),
      most_hours_old,
      language: reader.language ?? digest.language,
    };
    const stamps = await objectionsTo(await askingOf(context, scope), about);
    const { files } = await renderedFor(digest, reader, period, context, { stamps, formats: [format] });
    return files[0] as File;
  } catch (error) {
    if (error instanceof NothingToSee) throw new Declined('bad_request', `${reader.name}: ${error.message}`);
    throw error;
  }
}

/** Errors: NotADigest. */
function refuseOutOfReach({ webhooks }: DigestDeps, { channels }: Digest): void {
  const problems = channels.flatMap((channel, at) => {
    const refusal = 'url' in channel ? refusalOf(channel.url, webhooks) : undefined;
    return refusal === undefined ? [] : [`channels.${at}.url: ${refusal}`];
  });
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

const Shown = z
  .looseObject({ id: z.string(), title: z.string(), next_at: z.iso.datetime().nullable(), last: SendShown.nullable() })
  .openapi('Digest');
const Sends = z.object({ sends: z.array(SendShown) });
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const Running = z.strictObject({
  for: z.string().optional().openapi({ description: 'A period such as 2026-W46; default its own' }),
});
const Again = z.strictObject({ period: z.string(), reader: z.string(), channel: z.string() });
const one = { params: z.object({ id: z.string() }) };

export function addDigests(app: OpenAPIHono, deps: ApiDeps): void {
  const say = (
    method: 'get' | 'put' | 'post' | 'delete',
    path: string,
    summary: string,
    schema: z.ZodType | null,
    body?: z.ZodType,
  ): void =>
    app.openAPIRegistry.registerPath({
      ...{ method, path, summary },
      request: { ...(path.includes('{') ? one : {}), ...(body ? { body: { content: json(body) } } : {}) },
      responses: {
        ...(schema
          ? { 200: { description: 'As it is now', content: json(schema) } }
          : { 204: { description: 'It is gone' } }),
        404: problem('There is no such digest'),
      },
    });

  say(
    'get',
    '/digests',
    'Every digest, when it is due next and what became of the last one',
    z.object({ digests: z.array(Shown), can_mail: z.boolean() }),
  );
  app.get('/digests', (c) => {
    const digests = digestsOf(deps, c);
    c.header('cache-control', 'no-store');
    return c.json({ digests: digests.store.list().map((it) => shown(digests, it)), can_mail: digests.post !== null });
  });

  say(
    'get',
    '/digests/{id}',
    'One digest with the history of its sends',
    z.object({ digest: Shown }).extend(Sends.shape),
  );
  app.get('/digests/:id', (c) => {
    const digests = digestsOf(deps, c);
    const found = kept(digests, c.req.param('id'));
    c.header('cache-control', 'no-store');
    const sends = digests.store.ledger.history(found.digest.id, most_shown).map(sendShown);
    return c.json({ digest: shown(digests, found), sends });
  });

  say(
    'put',
    '/digests/{id}',
    'Makes or changes a digest; a new secret of a webhook is told here and never again',
    z.object({ digest: Shown, secrets: z.record(z.string(), z.string()) }),
    digestSchema,
  );
  app.put('/digests/:id', async (c) => {
    const digests = digestsOf(deps, c);
    const body = await bodyOf(c, z.looseObject({}));
    const before = digests.store.find(c.req.param('id'))?.digest;
    let saved: Digest;
    try {
      const wanted = digestFrom({ ...body, id: c.req.param('id') });
      refuseOutOfReach(digests, wanted);
      if (wanted.account !== undefined) accountFor(digests, wanted.account);
      saved = digests.store.save(wanted, secondsOf(digests));
    } catch (error) {
      if (error instanceof NotADigest) throw new Declined('bad_request', error.message, error.problems);
      if (error instanceof TooManyDigests) throw new Declined('conflict', error.message);
      throw error;
    }
    const secretsIn = (digest: Digest | undefined) =>
      new Map(digest?.channels.flatMap((it) => (it.kind === 'webhook' ? [[it.url, it.secret ?? '']] : [])));
    const old = secretsIn(before);
    const secrets = [...secretsIn(saved)].filter(([url, secret]) => old.get(url) !== secret);
    return c.json({ digest: shown(digests, kept(digests, saved.id)), secrets: Object.fromEntries(secrets) });
  });

  say('delete', '/digests/{id}', 'Removes a digest; the history of its sends stays', null);
  app.delete('/digests/:id', (c) => {
    const digests = digestsOf(deps, c);
    digests.store.remove(kept(digests, c.req.param('id')).digest.id);
    return c.body(null, 204);
  });

  say('post', '/digests/{id}/run', 'Sends it now; whom it reached already it does not reach again', Sends, Running);
  app.post('/digests/:id/run', async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const { for: label } = c.req.header('content-type') ? await bodyOf(c, Running) : {};
    const period = periodIn(digests, digest, label);
    snapshotOf(deps);
    enlist(digests, digest, period, { due_at: secondsOf(digests), is_late: false });
    await sent(digests, { digest: digest.id, period: period.label });
    return c.json({ sends: digests.store.ledger.ofPeriod(digest.id, period.label).map(sendShown) });
  });

  say(
    'post',
    '/digests/{id}/again',
    'Sends one that failed, is held or has an unknown outcome once more, with the same Message-ID',
    Sends,
    Again,
  );
  app.post('/digests/:id/again', async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const key = { digest: digest.id, ...(await bodyOf(c, Again)) };
    if (!digests.store.ledger.again(key, secondsOf(digests)))
      throw new Declined(
        'conflict',
        'only one that failed, is held, is put off or has an unknown outcome can be sent again',
      );
    await sent(digests, { digest: key.digest, period: key.period });
    const send = digests.store.ledger.find(key);
    return c.json({ sends: send ? [sendShown(send)] : [] });
  });

  say('get', '/digests/{id}/preview.{format}', 'What a reader would get now', z.string());
  app.get('/digests/:id/:file{preview\\.(?:pdf|csv|xlsx)}', async (c) => {
    const digests = digestsOf(deps, c);
    const { digest } = kept(digests, c.req.param('id'));
    const format = formatIn(c.req.param('file').split('.')[1] ?? '');
    return fileAnswer(c, await preview(digests, deps, digest, c, format));
  });

  say(
    'get',
    '/digests/{id}/sends/{period}/{format}',
    'A document that was sent, made again from its snapshot',
    z.string(),
  );
  app.get('/digests/:id/sends/:period/:format', async (c) => {
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
