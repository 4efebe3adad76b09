// Digests in the running program: their dependencies, and a check for due digests every minute.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { OpenSnapshot, SqlConsole } from '#api/deps.ts';
import type { Auth } from '#auth/auth.ts';
import { callerOf } from '#auth/caller.ts';
import type { UserStore } from '#auth/users.ts';
import type { Brand } from '#digests/brand.ts';
import type { DigestDeps, UserAt } from '#digests/deps.ts';
import { releaseSnapshots } from '#digests/pins.ts';
import { readyDigests } from '#digests/default-digests.ts';
import { round } from '#digests/scheduler.ts';
import { createSending } from '#digests/sending.ts';
import { openStore } from '#digests/store.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { unnoticed_ms } from '#warehouse/store/redated.ts';
import { clock } from './clock.ts';
import { queryRunner } from './digest-queries.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';
import { inScope } from './request-scope.ts';
import { isProcessAlive } from './process-alive.ts';
import { schedule } from './schedule.ts';
import { snapshotPins } from './snapshot-pins.ts';
import { isClockRight } from './source-clock.ts';
import { targetsIn } from './user-data/targets.ts';
import { localUserData } from './user-data/local.ts';

/** What else digests need from the program. */
interface DigestMeans {
  current(): OpenSnapshot | null;
  open(id: string): Promise<OpenSnapshot>;
  auth: Pick<Auth, 'users' | 'audit' | 'isLoginRequired'>;
  /** For saved queries on boards. */
  sql: SqlConsole;
  accounts(): readonly WarehouseAccount[];
  /** ISO instant of the last complete pull, or null. */
  last_success_at(): string | null;
  /** As it is set when one is sent. */
  mail(): Config['mail'];
  /** As it is when one is made. */
  brand(): Brand;
  log(sentence: string): void;
}

export const userAtIn =
  (users: Pick<UserStore, 'byEmail' | 'wasOf'>) =>
  (address: string): UserAt => {
    const user = users.byEmail(address);
    if (user) return { kind: 'user', reader: callerOf(user).reader };
    return { kind: users.wasOf(address) ? 'former' : 'nobody' };
  };

/** The folders that publish decide how long a snapshot is kept. */
const noPins: DigestDeps['pins'] = {
  all: () => Promise.resolve({}),
  add: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

export function createDigestDeps(
  config: Config,
  folder: Folder,
  database: DatabaseSync,
  around: DigestMeans,
): DigestDeps {
  // A recorded delivery must survive a power failure.
  database.exec('pragma synchronous = full');
  const targets = targetsIn(database, { clock: () => clock() * 1000, id: randomUUID });
  const userData = localUserData(database);
  const random = (): string => randomBytes(24).toString('hex');
  return {
    store: openStore(database, readyDigests(config.accounts[0].timezone), clock(), random),
    current: around.current,
    open: around.open,
    pins: config.reads_all ? noPins : snapshotPins(folder),
    userAt: userAtIn(around.auth.users),
    targetsOf: (account) => targets.list(account),
    board: userData.boards.find,
    ...(config.reads_all
      ? {}
      : {
          queries: queryRunner({
            ...{ auth: around.auth, sql: around.sql, queries: userData.queries, files: folder.files },
            ...{ agentFigures: config.agent_figures, current: around.current, open: around.open },
          }),
        }),
    accounts: around.accounts,
    pulled_at() {
      const at = around.last_success_at();
      // Of a clock that ran ahead: nobody knows how old the numbers are.
      if (at !== null && Date.parse(at) > clock() * 1000 + unnoticed_ms) return null;
      return at === null ? null : Date.parse(at);
    },
    clock: () => clock() * 1000,
    isClockRight: () => isClockRight(folder.published, clock()),
    folder: join(folder.path, 'digests'),
    public_url: config.public_url,
    // Without proxies the public address serves links to files and nothing else.
    pages_url: config.proxies.length > 0 ? config.public_url : null,
    agentFigures: config.agent_figures,
    brand: around.brand,
    get post() {
      return around.mail();
    },
    webhooks: { hosts: config.webhook_hosts, setting: 'CHATLEDGER_WEBHOOK_HOSTS' },
    sending: createSending(),
    owner: { process: process.pid, began: clock(), isAlive: isProcessAlive },
    log: around.log,
  };
}

interface DigestWatch {
  /** Resolves when running deliveries are recorded, or after a few seconds. */
  stop(): Promise<void>;
}

const patience_ms = 2500;

/** node-cron only wakes it; the ledger decides what is due. */
export function watchDigests(deps: DigestDeps): DigestWatch {
  const running = new Set<Promise<void>>();
  let is_stopped = false;
  // After the files are closed, unfinished work fails; such errors are meaningless and not logged.
  const log = (sentence: string): void => (is_stopped ? undefined : deps.log(sentence));
  // A check does not wait for the previous one, which may be waiting for a slow host.
  const digests = schedule('* * * * *', () => {
    const mine = inScope(() => round(deps))
      .catch((error: unknown) =>
        log(`digests could not be looked after: ${error instanceof Error ? error.message : String(error)}`),
      )
      .finally(() => running.delete(mine));
    running.add(mine);
    return Promise.resolve();
  });
  const release = schedule('23 3 * * *', () =>
    releaseSnapshots(deps).then(
      (ids) => ids.forEach((id) => log(`snapshot ${id} is not pinned any more: no digest needs it`)),
      (error: unknown) =>
        log(`pins of snapshots could not be looked after: ${error instanceof Error ? error.message : String(error)}`),
    ),
  );
  digests.now();
  release.now();
  return {
    async stop() {
      digests.stop();
      release.stop();
      deps.sending.stop();
      await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, patience_ms).unref())]);
      is_stopped = true;
    },
  };
}
