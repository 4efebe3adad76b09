// Pulls several accounts at once into one warehouse: each with its own pace and its own end.
import PQueue from 'p-queue';
import type { RawArchive } from '#etl/raw/archive.ts';
import { AnotherAccount, Interrupted, Postponed, Unauthorized, Unreachable } from '#etl/errors.ts';
import { redactionBy } from '#etl/redact/redaction.ts';
import { pull, type PullNews, type PullOutcome, type PullProgress } from '#etl/pull.ts';
import type { Retrying } from '#etl/fetch/retry-budget.ts';
import { createRests, type Rests } from '#etl/rests.ts';
import type { SourceAccount } from '#etl/source.ts';
import type { FailedQuestions } from '#api/contract/pulls.ts';
import { recordedIn } from '#api/pull-history.ts';
import { reconcileInParts, record } from '#reports/reconciliation/reconcile.ts';
import { ownContext } from '#warehouse/query/context.ts';
import type { Store } from '#warehouse/engine.ts';
import { DamagedWarehouse, LeasedAccount, UnreachableWarehouse } from '#warehouse/errors.ts';
import { pulledSince } from '#warehouse/read/pulled-days.ts';
import { newest } from '#warehouse/store/snapshot-store.ts';
import { traced } from '#warehouse/tracing.ts';
import { betweenPublications, publish } from '#warehouse/store/snapshot.ts';
import { whenKnownAgain } from '../account-origin.ts';
import { giveRests } from '../backup/giving-rest.ts';
import { clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { default_account } from '../configured-accounts.ts';
import { bringDatabase } from '../database.ts';
import { isPublicationDue } from '../due-publication.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { readLastPull, writeLastPull } from '../last-pull.ts';
import { refusedAccounts } from '../leases.ts';
import { noteLedger } from '../ledger-note.ts';
import { tell } from '../ipc.ts';
import { heardSkew } from '../source-clock.ts';
import { say, showProgress } from '../terminal.ts';
import { withWriter } from '../writer.ts';
import { refuseNothing, type PullRange } from './pull-range.ts';

/** The result of one account's pull, and its failed questions. */
export type End = { account: string; failed: readonly FailedQuestions[] } & (
  | { outcome: PullOutcome }
  | { stopped: Stopped }
);

/** More would only wait for the one writer. */
const at_once = 4;

/** One account that cannot be pulled does not keep the others. @throws Stopped when the files cannot be opened. */
export async function pullAccounts(
  config: Config,
  folder: Folder,
  sources: readonly SourceAccount[],
  range: PullRange,
  how: { signal: AbortSignal; limits?: Retrying },
): Promise<End[]> {
  return withWriter(folder, async ({ engine, archive }) => {
    tell({ kind: 'writing' });
    const queue = new PQueue({ concurrency: at_once });
    const rests = createRests();
    const files = { config, folder, engine, archive, rests, refused: await refusedAccounts(config, folder), ...how };
    const noMoreRests = giveRests({ folder, writer: { engine, archive }, rests, ...how, ...restsTold() });
    const pullOne = (source: SourceAccount) => rests.during(() => pullAccount(files, source, range));
    const ends = await Promise.allSettled(sources.map((source) => queue.add(() => pullOne(source))));
    await noMoreRests();
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken) throw broken.reason;
    return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  });
}

/** Backups are why. */
function restsTold(): Pick<Parameters<typeof giveRests>[0], 'onChange' | 'onFailure'> {
  let began: number | undefined;
  return {
    onChange(state) {
      tell({ kind: 'resting', is_resting: state !== null });
      if (state === 'resting') began = performance.now();
      if (state !== null || began === undefined) return;
      say(`the pull rested for ${((performance.now() - began) / 1000).toFixed(1)} s while a backup was made`);
      began = undefined;
    },
    onFailure: (error) => say(`the pull goes on, a backup must wait until it ends: ${String(error)}`),
  };
}

interface Files {
  config: Config;
  folder: Folder;
  engine: Store;
  archive: RawArchive;
  /** Accounts that another data folder publishes. */
  refused: ReadonlyMap<string, LeasedAccount>;
  signal: AbortSignal;
  limits?: Retrying;
  rests: Rests;
}

async function pullAccount(files: Files, source: SourceAccount, range: PullRange): Promise<End> {
  const { config, folder, engine, archive, refused, signal, limits, rests } = files;
  const { id: account } = source;
  const started = clock();
  try {
    refuseNothing(range, source);
    const elsewhere = refused.get(account);
    if (elsewhere) throw elsewhere;
    const attributes = { 'chatledger.account': account };
    const onSameAccount = whenKnownAgain(source, config, folder);
    let unreached: Error | undefined;
    const outcome = await traced({ name: 'pull', attributes }, async (more) => {
      const pulled = await pull({
        ...{ source, engine, archive, clock, signal, rests, ...range, ...(limits ? { limits } : {}) },
        ...(onSameAccount ? { onSameAccount } : {}),
        redaction: redactionBy(config.redaction),
        check: (days) => reconcileDays(engine, source, days),
        onProgress: (progress) => show(account, progress),
        publish: async (news) => void (unreached = await publishNow(engine, config, folder, news)),
      });
      Object.assign(more, countsOf(pulled));
      return pulled;
    });
    await rememberPull(engine, folder, account, outcome);
    if (unreached) throw unreached;
    const failed = await noteEnd(files, account, started);
    tell({ kind: 'pulled', account, outcome });
    return { account, outcome, failed };
  } catch (error) {
    if (error instanceof DamagedWarehouse) throw error;
    const stopped = stoppedBy(error, source, config, folder);
    // A full disk stops the pull, and may keep this from being noted too: the first reason is the one to say.
    const failed = await noteEnd(files, account, started, stopped.message).catch(() => []);
    // At once, not when the others are done; the end of the only account is the end of the command.
    if (config.accounts.length > 1) tell({ kind: 'given_up', account, sentence: stopped.message });
    return { account, stopped, failed };
  }
}

/** Of a step that is traced. */
const countsOf = ({ pull_id, requests, faults, chats_new, chats_changed, failed }: PullOutcome) => ({
  ...{ 'chatledger.pull_id': pull_id, 'chatledger.requests': requests, 'chatledger.faults': faults },
  ...{ 'chatledger.chats_new': chats_new, 'chatledger.chats_changed': chats_changed, 'chatledger.failed': failed },
});

/** Stores the result next to the snapshots, even if nothing was published. Returns the failures since `started`. */
async function noteEnd({ engine, folder }: Files, account: string, started: number, sentence?: string) {
  const recorded = await recordedIn(engine, account, clock());
  const [last, ...before] = recorded.pulls;
  // The ledger holds the error message; the remedy is added here.
  const pulls = last && sentence !== undefined ? [{ ...last, error: sentence }, ...before] : recorded.pulls;
  noteLedger(folder.published, account, { ...recorded, pulls });
  return recorded.failed.filter(({ last_asked_at }) => Date.parse(last_asked_at) >= started * 1000);
}

/** After each pull, the affected cells are reconciled again; the result is part of the publication. */
async function reconcileDays(engine: Store, source: SourceAccount, days: { from: string; to: string }): Promise<void> {
  const range = { account: source.id, timezone: source.timezone, ...days };
  await reconcileInParts(ownContext(engine, source, clock()), range, (cells, part) =>
    record(engine, part, cells, clock()),
  );
}

/** A database that does not answer, or where another folder has an account, is told, and keeps nobody from pulling on. */
async function publishNow(
  engine: Store,
  config: Config,
  folder: Folder,
  news: PullNews,
): Promise<UnreachableWarehouse | LeasedAccount | undefined> {
  try {
    await publishEverywhere(engine, config, folder, news);
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableWarehouse || error instanceof LeasedAccount) return error;
    throw error;
  }
}

async function publishEverywhere(
  engine: Store,
  config: Config,
  folder: Folder,
  { has_news, clock_skew }: PullNews,
): Promise<void> {
  const elsewhere = (): Promise<void> => bringDatabase(folder);
  const now = clock() * 1000;
  if (!(await isPublicationDue(folder, has_news, now))) return betweenPublications(engine, elsewhere);
  const skews = [clock_skew, heardSkew(folder.published)].filter((skew) => skew !== null);
  await publish(engine, folder.published, now, {
    space: config.snapshot_space,
    clock_skew: skews.length > 0 ? Math.min(...skews) : null,
    heard_skew: clock_skew,
    elsewhere,
  });
  tell({ kind: 'published' });
}

/** The pull is over and everything it brought is published: the server may say so. */
async function rememberPull(
  engine: Store,
  folder: Folder,
  account: string,
  { pull_id, clock_skew }: PullOutcome,
): Promise<void> {
  const last = await newest(folder.published);
  if (last === null) return;
  const before = readLastPull(folder.published)?.accounts;
  const ended_at = new Date(clock() * 1000).toISOString();
  const pulled_since = await pulledSince(engine, account);
  writeLastPull(folder.published, {
    accounts: { ...before, [account]: { pull_id, ended_at, pulled_since, clock_skew } },
    snapshot_id: last.id,
  });
}

function show(account: string, progress: PullProgress): void {
  tell({ kind: 'pull', account, progress });
  const { stage, done, total } = progress;
  if (!process.send) showProgress(`pull of ${account}: ${stage} ${done}/${total}`, stage === 'done');
}

/** Everything that may stop a pull, as one sentence with its exit code. */
function stoppedBy(error: unknown, { id }: SourceAccount, config: Config, folder: Folder): Stopped {
  if (error instanceof Stopped) return error;
  if (error instanceof Interrupted) return new Stopped(error.message, exitCodes.failed);
  const remote = config.accounts.find((account) => account.id === id)?.remote;
  const isWritten = config.accounts.length > 1 || id !== default_account;
  if (error instanceof AnotherAccount) {
    const remedy = isWritten
      ? `set base_url and credentials of ${id} in chatledger.json back, or give the other account an id of its own`
      : 'set CHATLEDGER_BASE_URL and the credentials back, or CHATLEDGER_DATA to a new folder for the other account';
    return new Stopped(`${error.message}, and nothing of it was pulled: ${remedy}`);
  }
  if (error instanceof Postponed) return new Stopped(error.message, exitCodes.unreachable);
  if (error instanceof Unreachable) {
    const remedy = remote
      ? `check ${isWritten ? `base_url of ${id} in chatledger.json` : 'CHATLEDGER_BASE_URL'}`
      : "start it with 'npx chatledger service', or set CHATLEDGER_BASE_URL";
    return new Stopped(`${error.message}: ${remedy}`, exitCodes.unreachable);
  }
  if (error instanceof Unauthorized) {
    const remedy = isWritten
      ? `check the credentials that chatledger.json names for ${id}`
      : 'check CHATLEDGER_LOGIN and CHATLEDGER_API_KEY, or CHATLEDGER_TOKEN';
    return new Stopped(`the account refused the credentials (${error.message}): ${remedy}`, exitCodes.unreachable);
  }
  const byFile = stoppedByFile(error, folder.path);
  if (byFile) return byFile;
  throw error;
}
