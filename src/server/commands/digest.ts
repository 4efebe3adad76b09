// `chatledger digest`: lists digests, renders one now, and shows the outcome of past sends.
import { join, resolve } from 'node:path';
import { askerFor, digestQuestions, documentContext, NothingToSee } from '#digests/digest-questions.ts';
import { secretOf } from '#digests/channels/channels.ts';
import { folderOf, writeFiles } from '#digests/channels/folder.ts';
import { accountFor, boardsOf, targetsFor, type DigestDeps } from '#digests/deps.ts';
import type { Snapshot } from '#warehouse/query/context.ts';
import { formats, type Digest, type Format, type DigestReader } from '#digests/digest.ts';
import { nextOf } from '#digests/due.ts';
import { objectionsTo } from '#digests/quality-gate.ts';
import { answeredQueries } from '#digests/query-answers.ts';
import { ordersOfDigest } from '#digests/saved-queries.ts';
import { outside, periodBefore, periodOf, type DigestPeriod } from '#digests/periods.ts';
import { renderedFor, zoneFor } from '#digests/rendered.ts';
import { enlist, notReached, sendReady, settle } from '#digests/scheduler.ts';
import { localDate } from '#warehouse/periods.ts';
import { authIn } from '../auth.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { withoutSecrets } from '../secrets.ts';
import { createDigestDeps } from '../digests.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { makeFolderOf } from '../made-folder.ts';
import { openServed } from '../served.ts';
import { openAppState, withAppState } from '../user-data/database.ts';
import { pseudonymSecretIn } from '../user-data/pseudonyms.ts';
import { createSqlConsole } from '../sql-console/sql-console.ts';
import { sqlLimitsFor } from '../sql-limit-settings.ts';
import { complain, out, outJson } from '../terminal.ts';
import { onWarning } from '#digests/render/renderer.ts';
import { logoIn } from '../brand-logo.ts';
import { sendLines } from './digest-words.ts';

interface DigestOptions {
  for?: string;
  format?: string;
  out?: string;
  reader?: string;
  send?: boolean;
  json?: boolean;
}

const actions = { list, run, history, again } as const;

export async function digest(action: string, name: string | undefined, options: DigestOptions): Promise<void> {
  if (!Object.hasOwn(actions, action))
    throw new Stopped(`digest ${action} is no action; choose from ${Object.keys(actions).join(', ')}`);
  const config = readConfig();
  const folder = openFolder(config.folder);
  const state = openAppState(folder.path);
  const secret = withAppState(folder.path, () => pseudonymSecretIn(state));
  const { snapshots, accounts, close } = openServed(config, folder, { pseudonyms: secret });
  const auth = withAppState(folder.path, () => authIn(state, config, { accounts }));
  const logo = logoIn(folder.path, complain);
  onWarning(complain);
  const deps = createDigestDeps(config, folder, state, {
    auth,
    sql: createSqlConsole((role) => sqlLimitsFor(role, config.sql)),
    accounts,
    current: () => snapshots.current(),
    open: (id) => snapshots.older.open(id),
    last_success_at: () => snapshots.last_success_at(),
    mail: () => config.mail,
    brand: () => ({ ...config.brand, logo: logo.now() }),
    log: complain,
  });
  try {
    await snapshots.refresh();
    settle(deps);
    await actions[action as keyof typeof actions](deps, name, options);
  } finally {
    await close();
    state.close();
  }
}

function list(deps: DigestDeps, _name: string | undefined, { json }: DigestOptions): void {
  const all = deps.store.list().map(({ digest: it }) => {
    const { next, problem } = it.is_paused ? {} : nextOf(it.schedule, clock());
    const next_at = next ? new Date(next.at * 1000).toISOString() : null;
    return { ...shown(it), next_at, schedule_problem: problem ?? null };
  });
  if (json) return outJson({ digests: all }, 2);
  if (all.length === 0) return out('there is no digest yet: make one in the app');
  for (const it of all)
    out(
      `${it.id.padEnd(20)} ${it.period.padEnd(13)} ${it.schedule.cron} ${it.schedule.timezone}  ${it.schedule_problem ? `never due: the schedule ${it.schedule_problem}` : it.next_at ? `next ${it.next_at}` : 'paused'}`,
    );
}

/** Secrets stay here. */
const shown = (it: Digest): Digest => ({
  ...it,
  channels: it.channels.map((channel) => (secretOf(channel) === undefined ? channel : { ...channel, secret: '(set)' })),
});

function named(deps: DigestDeps, name: string | undefined): Digest {
  const all = deps.store.list().map((kept) => kept.digest);
  const found = all.find(({ id, title }) => id === name || title === name);
  if (found) return found;
  const choices = all.map(({ id }) => id).join(', ') || 'none: make one in the app';
  throw new Stopped(
    `${name === undefined ? 'a digest must be named' : `there is no digest ${name}`}; there are ${choices}`,
  );
}

function periodFor(digest: Digest, text: string | undefined): DigestPeriod {
  const today = localDate(digest.schedule.timezone, clock());
  if (text === undefined) return periodBefore(digest.period, today);
  const found =
    periodOf(text) ??
    (['yesterday', 'last_week', 'last_month', 'last_quarter'] as const)
      .filter((name) => name === text)
      .map((name) => periodBefore(name, today))[0];
  const why = found && outside(found);
  if (why !== undefined) throw new Stopped(`--for ${text} ${why}`);
  if (found) return found;
  throw new Stopped(
    `--for ${text} is no period: write 2026-11-20, 2026-W46, 2026-10, 2026-Q3, yesterday, last_week, last_month or last_quarter`,
  );
}

function formatsFor(digest: Digest, text: string | undefined): readonly Format[] {
  const asked = text?.split(',').map((name) => name.trim());
  const wrong = asked?.find((name) => !formats.some((format) => format === name));
  if (wrong !== undefined) throw new Stopped(`--format ${wrong} is no format; choose from ${formats.join(', ')}`);
  return asked ? formats.filter((format) => asked.includes(format)) : digest.formats;
}

function snapshotOf(deps: DigestDeps): Snapshot {
  const snapshot = deps.current();
  if (!snapshot)
    throw new Stopped("nothing is published yet: run 'npx chatledger start' or 'npx chatledger pull' first");
  return snapshot;
}

async function run(deps: DigestDeps, name: string | undefined, options: DigestOptions): Promise<void> {
  const digest = named(deps, name);
  const period = periodFor(digest, options.for);
  const readers = digest.readers.filter((reader) => options.reader === undefined || reader.name === options.reader);
  if (readers.length === 0)
    throw new Stopped(
      `--reader ${options.reader} is no reader of ${digest.id}; choose from ${digest.readers.map((reader) => reader.name).join(', ')}`,
    );
  if (options.send) return send(deps, { ...digest, readers }, period, options);
  const chosen = formatsFor(digest, options.format);
  const written: { reader: string; files: string[]; stamps: string[] }[] = [];
  for (const reader of readers) {
    const { files, stamps } = await make(deps, digest, reader, period, chosen);
    const target = options.out
      ? resolve(options.out)
      : folderOf(deps.folder, { digest: digest.id, period: period.label, reader });
    makeFolderOf('--out', target);
    const folder = options.out && readers.length > 1 ? join(target, String(written.length + 1)) : target;
    written.push({ reader: reader.name, files: await writeFiles(folder, files), stamps });
  }
  if (options.json) return outJson({ digest: digest.id, period: period.label, written }, 2);
  for (const { files, stamps } of written) {
    for (const stamp of stamps) complain(stamp);
    for (const file of files) out(file);
  }
}

/** Renders without sending: the document states any objections to its numbers. */
async function make(
  deps: DigestDeps,
  digest: Digest,
  reader: DigestReader,
  period: DigestPeriod,
  chosen: readonly Format[],
) {
  const account = accountFor(deps, digest.account);
  const scope = { period, timezone: zoneFor(digest, reader), filters: digest.filters };
  try {
    const asker = askerFor(deps, reader, account);
    const snapshot = snapshotOf(deps);
    const context = await documentContext(asker, snapshot, account);
    const boards = boardsOf(deps, digest.content);
    const asking = await digestQuestions(context, scope);
    const { most_hours_old } = digest;
    const language = reader.language ?? digest.language;
    const stamps = await objectionsTo(asking, {
      pulled_at: deps.pulled_at(),
      now: deps.clock(),
      most_hours_old,
      language,
    });
    const targets = targetsFor(deps, digest);
    const { is_agreed = false } = deps.store.find(digest.id) ?? {};
    const orders = ordersOfDigest(deps.queries, boards, { owner: digest.owner, is_agreed }, asker);
    const queries = await answeredQueries(orders, scope, {
      ...{ runner: deps.queries, kept: null, snapshot: snapshot.id },
      ...{ about: `digest ${digest.id} ${period.label}`, clock: deps.clock },
    });
    const { files } = await renderedFor(digest, reader, period, context, {
      ...{ stamps, boards, queries, formats: chosen, targets },
      brand: deps.brand?.(),
    });
    return { files, stamps };
  } catch (error) {
    if (error instanceof NothingToSee) throw new Stopped(`${reader.name}: ${error.message}`, exitCodes.failed);
    throw error;
  }
}

/** Through the ledger, as if it were due now: what went out already does not go out again. */
async function send(deps: DigestDeps, digest: Digest, period: DigestPeriod, { json }: DigestOptions): Promise<void> {
  snapshotOf(deps);
  enlist(deps, digest, period, { due_at: clock(), is_late: false });
  await sendReady(deps, { digest: digest.id, period: period.label });
  for (const { reader, channel, why } of notReached(deps, digest))
    complain(`digest ${digest.id} does not go to ${reader} by ${channel}: ${why}`);
  tell(deps, digest.id, json, period.label);
}

function tell(deps: DigestDeps, id: string, json: boolean | undefined, period?: string): void {
  const { ledger } = deps.store;
  const sends = (period === undefined ? ledger.history(id, 1000) : ledger.ofPeriod(id, period)).map((send) => ({
    ...send,
    channel: send.channel.replace(/\S+:.*/s, withoutSecrets),
  }));
  if (json) return outJson({ sends }, 2);
  if (sends.length === 0)
    return out(`nothing of ${id}${period === undefined ? '' : ` about ${period}`} has been sent yet`);
  for (const line of sendLines(sends, period)) out(line);
  if (period !== undefined && sends.some(({ state }) => state !== 'sent')) process.exitCode = exitCodes.failed;
}

function history(deps: DigestDeps, name: string | undefined, { json }: DigestOptions): void {
  tell(deps, named(deps, name).id, json);
}

/** What failed, is held or has an unknown outcome goes out again, with the same Message-ID. */
async function again(deps: DigestDeps, name: string | undefined, options: DigestOptions): Promise<void> {
  const digest = named(deps, name);
  const period = periodFor(digest, options.for);
  const sends = deps.store.ledger
    .ofPeriod(digest.id, period.label)
    .filter((send) => options.reader === undefined || send.reader === options.reader);
  const wanted = sends.filter((send) => deps.store.ledger.again(send, clock()));
  if (wanted.length === 0)
    throw new Stopped(`nothing of ${digest.id} ${period.label} waits to be sent again`, exitCodes.failed);
  await sendReady(deps, { digest: digest.id, period: period.label });
  tell(deps, digest.id, options.json, period.label);
}
