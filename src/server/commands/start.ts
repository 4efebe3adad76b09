// `chatledger start`: build, embedded service, pull and serve, all at once and in one process tree.
import { fixOrigins } from '../account-origin.ts';
import { watchAudit } from '../audit-keeping.ts';
import { letFirstAdminIn } from '../auth.ts';
import { createChildren, type Children } from '../children.ts';
import { build, isBuilt } from '../build.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { assertDatabase } from '../database.ts';
import { openWebServer } from '../web-server.ts';
import { addressOf, closeServer, lifetime, linksSentence, type Life } from '../shutdown.ts';
import { warningsOf } from '#etl/fetch/notices.ts';
import { newest } from '#warehouse/store/snapshot-store.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { openMonitoring } from '../monitoring/monitoring-server.ts';
import { openFolder, type Folder } from '../folder.ts';
import { holdStartLock } from '../system-locks.ts';
import { keepLeases } from '../leases.ts';
import { putBackIn, putBackSentence } from '../erase/put-back.ts';
import { createEraser } from '../eraser.ts';
import { withAppState } from '../user-data/database.ts';
import { isEmbedded, sourcesOf } from '../accounts.ts';
import type { Message } from '../ipc.ts';
import { watchDigests } from '../digests.ts';
import { watchReadiness, type Readiness } from '../readiness.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import { schedule, type CronSchedule } from '../schedule.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { sentenceOf } from './pull.ts';
import { backingUp, backingUpMeanwhile } from './start-backing-up.ts';
import { retaining } from './start-retaining.ts';

export async function start(): Promise<void> {
  const config = readConfig();
  const folder = openFolder(config.folder);
  const letGo = holdStartLock(folder.path);
  try {
    await startIn(config, folder);
  } finally {
    letGo();
  }
}

async function startIn(config: Config, folder: Folder): Promise<void> {
  fixOrigins(config, folder);
  await assertDatabase(folder, config.database);
  const terminal = createTerminal();
  await lifetime(async (life) => {
    const readiness = watchReadiness();
    void life.told.then(() => {
      readiness.ending();
      terminal.say('stopping');
    });
    const children = createChildren();
    life.works(() => children.end());
    const runtime = withAppState(folder.path, () => createRuntime(config, folder));
    life.keeps(() => runtime.close());
    const leases = keepLeases(config, folder);
    // At once: a pull that is late to end may not be waited for, and publishes nothing that another folder has taken.
    life.works(() => leases.close());
    runtime.api.unready = readiness.missing;
    await startAll({ config, folder, terminal, children, runtime, life, readiness });
  });
}

interface StartParts {
  config: Config;
  folder: Folder;
  terminal: Terminal;
  children: Children;
  runtime: Runtime;
  life: Life;
  readiness: Readiness;
}

async function startAll(parts: StartParts): Promise<void> {
  const { config, folder, runtime, life } = parts;
  const broken = breaker();
  const source = isEmbedded(config) ? startService(parts, broken) : Promise.resolve();
  const pulls = source.then(() => {
    sourcesOf(config, folder, clock());
    const schedule = schedulePulls(parts);
    life.works(() => schedule.stop());
  });
  pulls.catch(broken.because);
  await Promise.race([serveAll(parts), broken.promise]);
  // Only now: with the port taken it would never have begun.
  const digests = watchDigests(runtime.digests);
  life.works(() => digests.stop());
  const audit = watchAudit(runtime.api.auth.audit, config, folder, parts.terminal.warn);
  life.works(() => audit.stop());
  await Promise.race([life.told, broken.promise]);
}

async function serveAll({ config, folder, terminal, children, runtime, life }: StartParts): Promise<void> {
  if (!isBuilt()) {
    terminal.say('building the dashboards (only when their sources changed)');
    await build(children, (sentence) => terminal.say(sentence));
  }
  await runtime.snapshots.refresh();
  const served = runtime.snapshots.current();
  const putBack = served?.whole && putBackSentence(await putBackIn(folder, served.whole));
  if (putBack) terminal.say(putBack);
  const admin = await letFirstAdminIn(runtime.api.auth, config);
  if (admin) terminal.sayOnce(admin);
  const server = await openWebServer(runtime.api, config.host, config.port, config.public_port);
  life.works(() => closeServer(server));
  terminal.say(
    `dashboards and API: ${addressOf(server)} ${runtime.api.auth.isLoginRequired() ? '' : ' (without signing in, for this machine only)'}`,
  );
  if (config.public_port !== null) terminal.say(linksSentence(config.host, config.public_port));
  if (runtime.monitor && config.monitoring) {
    const monitoring = await openMonitoring(runtime.monitor, config.monitoring);
    life.works(() => closeServer(monitoring));
    terminal.say(`metrics for Prometheus: ${addressOf(monitoring)}/metrics`);
  }
}

/** Something without which nothing goes on. */
interface Breaker {
  promise: Promise<never>;
  because: (error: unknown) => void;
}
function breaker(): Breaker {
  let because: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, reject) => (because = reject));
  promise.catch(() => undefined);
  return { promise, because };
}

/** Resolves when the service answers; an end of the service later on breaks everything, with its own sentence. */
function startService({ config, folder, terminal, children }: StartParts, broken: Breaker): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopped: Stopped | undefined;
    const hear = (message: Message): void => {
      if (message.kind === 'simulating')
        terminal.progress(`simulating an account: day ${message.day} of ${message.days}`);
      if (message.kind === 'stopped') stopped = new Stopped(message.sentence, message.code);
      if (message.kind !== 'service') return;
      sourcesOf(config, folder, clock(), message.first_day);
      terminal.say(`embedded live-chat service: ${message.url} (account since ${message.first_day})`);
      resolve();
    };
    void children.run(['service'], hear).then((code) => {
      stopped ??= new Stopped(`the embedded service ended unexpectedly (exit code ${code})`, exitCodes.failed);
      reject(stopped);
      broken.because(stopped);
    });
  });
}

/** Pulls at once, then by the schedule. Each pull is a separate process, the only one that writes. */
function schedulePulls({ config, folder, terminal, children, runtime, readiness }: StartParts): CronSchedule {
  const whose = ({ account }: { account: string }): string => (config.accounts.length > 1 ? ` ${account}` : '');
  // Where it cannot be read, whoever serves it says so.
  const before = newest(folder.published).catch(() => null);
  const published = (): void =>
    void runtime.snapshots.refresh().then(async () => {
      if ((await before) === null) terminal.published(runtime.api.pull().pulled_since);
    });
  const work = async (): Promise<void> => {
    let why: string | null = null;
    const hear = (message: Message): void => {
      if (message.kind === 'writing') readiness.writing();
      if (message.kind === 'pull') {
        runtime.pulls.progress(message.account, message.progress);
        const { stage, done, total } = message.progress;
        terminal.progress(`pulling${whose(message)} (${stage}): ${done} of ${total}`);
      }
      if (message.kind === 'resting') {
        runtime.pulls.resting(message.is_resting);
        if (message.is_resting) terminal.progress('pulling: resting while a backup is made');
      }
      if (message.kind === 'published') published();
      if (message.kind === 'rebuilding')
        terminal.progress(`rebuilding from the raw archive: ${message.played} of ${message.total}`);
      if (message.kind === 'pulled') terminal.say(`pulled${whose(message)}: ${sentenceOf(message.outcome)}`);
      if (message.kind === 'pulled')
        for (const warning of warningsOf(message.outcome.notices))
          terminal.warn(`warning${whose(message)}: ${warning}`);
      if (message.kind === 'given_up') terminal.warn(`the pull of ${message.account} stopped: ${message.sentence}`);
      if (message.kind === 'pulled' || message.kind === 'given_up') runtime.pulls.ended(message.account, message);
      if (message.kind !== 'stopped') return;
      why = message.sentence;
      terminal.warn(`the pull stopped: ${why}`);
    };
    await retain();
    await backUp();
    const noMoreBackups = backingUpMeanwhile(backUp, terminal);
    const code = await children.run(['pull'], hear);
    const isOver = code === exitCodes.done || children.is_ending;
    const unexpected = `the pull ended unexpectedly (exit code ${code}): the next one goes on from there`;
    runtime.pulls.gone(
      config.accounts.map(({ id }) => id),
      isOver ? null : (why ?? unexpected),
    );
    if (code !== exitCodes.done && !children.is_ending)
      terminal.say(
        `the pull ended with exit code ${code}; what is published stays, the next try comes with the schedule`,
      );
    await noMoreBackups();
  };
  const retain = retaining({ config, folder, terminal, children }, published);
  const backUp = backingUp({ backup: () => runtime.settings.config().backup, folder, terminal, children }, () =>
    Boolean(runtime.snapshots.current()),
  );
  const pulls = schedule(config.pull_cron, work);
  runtime.settings.onChange(({ pull_cron }) => pulls.follow(pull_cron));
  readiness.scheduled();
  runtime.api.pullNow = pulls.now;
  runtime.api.eraser = createEraser(children, ({ kind }) => (kind === 'published' ? published() : undefined));
  pulls.now();
  return pulls;
}
