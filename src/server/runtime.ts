// The state of the web process: the served snapshot, the progress of pulls, the accounts. Assembles the API.
import { rmSync } from 'node:fs';
import type { ApiDeps } from '#api/deps.ts';
import type { Auth } from '#auth/auth.ts';
import type { DigestDeps } from '#digests/deps.ts';
import type { Brand } from '#digests/brand.ts';
import { endRenderer, onWarning } from '#digests/render/renderer.ts';
import { authIn } from './auth.ts';
import { backupsOf } from './backup/status.ts';
import { logoIn } from './brand-logo.ts';
import { clock } from './clock.ts';
import { clockProblem } from './clock-finding.ts';
import { readEnvironment, secretsIn, type Config } from './config.ts';
import { createDigestDeps } from './digests.ts';
import { erasuresIn } from './erase/erasures.ts';
import { marksIn } from './erased/marks.ts';
import { forgetFilesOfDead } from './files.ts';
import type { Folder } from './folder.ts';
import { openAppState } from './user-data/database.ts';
import { liveSettings, type LiveSettings } from './live-settings.ts';
import { localUserData } from './user-data/local.ts';
import { pseudonymSecretIn } from './user-data/pseudonyms.ts';
import { diskDaysIn } from './monitoring/disk-days.ts';
import { diskUse } from './monitoring/disk-use.ts';
import { watchDisk } from './monitoring/disk-watch.ts';
import { createMonitor, type Monitor } from './monitoring/gauges.ts';
import { watchNote } from './ledger-note.ts';
import { programVersion } from './program-version.ts';
import { proxiesAt } from './proxies.ts';
import { watchPulls, type PullWatch } from './pulls.ts';
import { logAnswer } from './request-log.ts';
import { recordSettings } from './settings-audit.ts';
import { createSqlConsole } from './sql-console/sql-console.ts';
import { sqlLimitsFor } from './sql-limit-settings.ts';
import { openServed } from './served.ts';
import type { ServedSnapshots } from './snapshots.ts';
import { complain, complainOf, keepFromLog } from './terminal.ts';

export interface Runtime {
  api: ApiDeps;
  snapshots: ServedSnapshots;
  pulls: PullWatch;
  digests: DigestDeps;
  settings: LiveSettings;
  /** Null: nobody asks. */
  monitor: Monitor | null;
  close(): Promise<void>;
}

/** A snapshot that another process publishes is noticed within this time. */
const look_every_ms = 1000;

export function createRuntime(config: Config, folder: Folder): Runtime {
  const state = openAppState(folder.path);
  const { snapshots, accounts, close } = openServed(config, folder, {
    limits: config.questions,
    pseudonyms: pseudonymSecretIn(state),
  });
  const pulls = watchPulls(() => clock() * 1000);
  const auth: Auth = authIn(state, config, { mail: () => settings.mail(), accounts });
  const settings = liveSettings(config, (environment) => {
    keepFromLog(secretsIn(environment));
    recordSettings(state, auth.audit, environment);
  });
  const logo = logoIn(folder.path, complain);
  const brand = (): Brand => ({ ...settings.config().brand, logo: logo.now() });
  onWarning(complain);
  const sql = createSqlConsole((role) => sqlLimitsFor(role, settings.config().sql));
  const digests = createDigestDeps(config, folder, state, {
    auth,
    sql,
    accounts,
    current: () => snapshots.current(),
    open: (id) => snapshots.older.open(id),
    last_success_at: () => snapshots.last_success_at(),
    mail: settings.mail,
    brand,
    log: complain,
  });
  recordSettings(state, auth.audit, readEnvironment());
  const erasures = erasuresIn(state);
  const marks = marksIn(state);
  forgetFilesOfDead(folder.path);
  const say = sayOnce();
  const timer = setInterval(() => void snapshots.refresh().catch(say), look_every_ms).unref();
  const disk = watchDisk({
    ...{ use: diskUse(folder.path, config.backup.folder), days: diskDaysIn(state) },
    ...{ now: () => clock() * 1000, complain },
  });
  const api: ApiDeps = {
    snapshot: () => snapshots.current(),
    published: snapshots.published,
    publishedChats: snapshots.chats,
    snapshots: { ...snapshots.older, space: () => settings.config().snapshot_space },
    rewritten: snapshots.rewritten,
    ...(config.reads_all ? { readsAll: true } : { sql }),
    backups: () => backupsOf(settings.config().backup, folder, clock()),
    disk: disk.disk,
    settings,
    brand,
    logo,
    erasures: () => erasures.list(),
    textsKeptFrom: () => marks.marks().texts ?? null,
    files: folder.files,
    digests,
    auth,
    userData: localUserData(state, config.business_hours),
    clock: () => clock() * 1000,
    accounts,
    pull: () => ({
      last_success_at: snapshots.last_success_at(),
      ...pulls.together(),
      pulled_since: latest(accounts().map(({ id }) => snapshots.pulled_since(id))),
    }),
    pulls: pulls.pulls,
    pulledSince: snapshots.pulled_since,
    recorded: watchNote(folder.published),
    clockProblem: () => clockProblem(folder.published),
    token: config.api_token,
    agentFigures: config.agent_figures,
    loopback: true,
    proxies:
      config.public_url === null || config.proxies.length === 0
        ? undefined
        : proxiesAt(config.public_url, config.proxies),
    embedders: config.embedders,
    version: programVersion,
    log: (error) => complainOf(error),
  };
  const monitor = config.monitoring && createMonitor({ deps: api, disk });
  api.answered = (request) => {
    monitor?.answered(request);
    logAnswer(request);
  };
  return {
    api,
    monitor,
    settings,
    snapshots,
    pulls,
    digests,
    async close() {
      clearInterval(timer);
      disk.close();
      endRenderer();
      await close();
      state.close();
      rmSync(folder.files, { recursive: true, force: true });
    },
  };
}

const latest = (days: readonly (string | null)[]): string | null =>
  days.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null);

/** Once for each reason in a row: it looks every second. */
function sayOnce(): (error: unknown) => void {
  let last = '';
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== last) complain(`the new snapshot could not be opened: ${reason}`);
    last = reason;
  };
}
