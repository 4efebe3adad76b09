// What the web process knows while it runs: the served snapshot, the pull's progress, the accounts. Assembles the door.
import packageJson from '../../package.json' with { type: 'json' };
import type { Door } from '#api/door.ts';
import type { Progress } from '#etl/pull.ts';
import { default_account, sourceOf } from './accounts.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';
import { openSnapshots, type Snapshots } from './snapshots.ts';

export interface Runtime {
  door: Door;
  snapshots: Snapshots;
  /** The progress of the pull that runs now, or null when none does. */
  pulling(progress: Progress | null): void;
  close(): Promise<void>;
}

/** A snapshot that another process publishes is noticed within this time. */
const look_every_ms = 1000;

export function createRuntime(config: Config, folder: Folder): Runtime {
  const since = (): string => folder.state.since[default_account] ?? sourceOf(config, folder, clock()).since;
  const snapshots = openSnapshots(folder.published, since);
  let progress: Progress | null = null;
  const timer = setInterval(() => void snapshots.refresh().catch(say), look_every_ms).unref();
  const door: Door = {
    snapshot: () => snapshots.current(),
    shelf: { ...snapshots.older, space: config.snapshot_space },
    clock: () => clock() * 1000,
    accounts: () => [{ id: default_account, timezone: config.timezone, since: since() }],
    pull: () => ({
      last_success_at: snapshots.last_success_at(),
      running: progress !== null,
      stage: progress?.stage ?? null,
      done: progress?.done ?? 0,
      total: progress?.total ?? 0,
      pulled_since: progress?.pulled_since ?? null,
    }),
    token: config.api_token,
    loopback: true,
    version: packageJson.version,
  };
  return {
    door,
    snapshots,
    pulling: (now) => (progress = now),
    async close() {
      clearInterval(timer);
      await snapshots.close();
    },
  };
}

const say = (error: unknown): void =>
  void process.stderr.write(
    `the new snapshot could not be opened: ${error instanceof Error ? error.message : String(error)}\n`,
  );
