// Digests in the running program: what they need of it, and a look every minute at what is due.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Desk, Snapshot } from '#digests/desk.ts';
import { releaseSnapshots } from '#digests/pins.ts';
import { readyDigests } from '#digests/ready.ts';
import { round } from '#digests/rounds.ts';
import { openStore } from '#digests/store.ts';
import { pin, pins, unpin } from '#warehouse/pins.ts';
import { sourcesOf } from './accounts.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';
import { schedule } from './schedule.ts';

/** What else the program knows that digests ask for. */
export interface Around {
  current(): Snapshot | null;
  open(id: string): Promise<Snapshot>;
  /** ISO instant of the last pull that brought everything, or null. */
  last_success_at(): string | null;
  log(sentence: string): void;
}

export function createDesk(config: Config, folder: Folder, database: DatabaseSync, around: Around): Desk {
  // What was handed over must stay written down also when the power goes.
  database.exec('pragma synchronous = full');
  const random = (): string => randomBytes(24).toString('hex');
  return {
    store: openStore(database, readyDigests(config.accounts[0].timezone), clock(), random),
    current: around.current,
    open: around.open,
    pins: {
      all: () => pins(folder.published),
      add: (id, reason) => pin(folder.published, id, reason),
      remove: (id) => unpin(folder.published, id),
    },
    accounts: () => sourcesOf(config, folder, clock()).map(({ id, timezone, since }) => ({ id, timezone, since })),
    pulled_at() {
      const at = around.last_success_at();
      return at === null ? null : Date.parse(at);
    },
    clock: () => clock() * 1000,
    folder: join(folder.path, 'digests'),
    public_url: config.public_url,
    post: config.mail,
    owner: { process: process.pid, began: clock(), isAlive },
    log: around.log,
  };
}

function isAlive(process_id: number): boolean {
  try {
    process.kill(process_id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface DigestWatch {
  /** Resolves when what is being handed over is written down, or after a few seconds. */
  stop(): Promise<void>;
}

const patience_ms = 8000;

/** node-cron only wakes; what is due is decided from the ledger. */
export function watchDigests(desk: Desk): DigestWatch {
  let running: Promise<void> = Promise.resolve();
  const digests = schedule('* * * * *', () => {
    running = round(desk).catch((error: unknown) =>
      desk.log(`digests could not be looked after: ${error instanceof Error ? error.message : String(error)}`),
    );
    return running;
  });
  const release = schedule('23 3 * * *', () =>
    releaseSnapshots(desk).then(
      (ids) => ids.forEach((id) => desk.log(`snapshot ${id} is not pinned any more: no digest needs it`)),
      (error: unknown) =>
        desk.log(
          `pins of snapshots could not be looked after: ${error instanceof Error ? error.message : String(error)}`,
        ),
    ),
  );
  digests.now();
  release.now();
  return {
    async stop() {
      digests.stop();
      release.stop();
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, patience_ms).unref())]);
    },
  };
}
