// What the web process knows while it runs: the served snapshot, the pull's progress, the accounts. Assembles the door.
import packageJson from '../../package.json' with { type: 'json' };
import type { Door } from '#api/door.ts';
import { sourcesOf } from './accounts.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';
import { watchPulls, type PullWatch } from './pulls.ts';
import { openSnapshots, type Snapshots } from './snapshots.ts';

export interface Runtime {
  door: Door;
  snapshots: Snapshots;
  pulls: PullWatch;
  close(): Promise<void>;
}

/** A snapshot that another process publishes is noticed within this time. */
const look_every_ms = 1000;

export function createRuntime(config: Config, folder: Folder): Runtime {
  const accounts = () => sourcesOf(config, folder, clock()).map(({ id, timezone, since }) => ({ id, timezone, since }));
  const snapshots = openSnapshots(folder.published, () => new Map(accounts().map(({ id, since }) => [id, since])));
  const pulls = watchPulls(() => clock() * 1000);
  const timer = setInterval(() => void snapshots.refresh().catch(say), look_every_ms).unref();
  const door: Door = {
    snapshot: () => snapshots.current(),
    shelf: { ...snapshots.older, space: config.snapshot_space },
    clock: () => clock() * 1000,
    accounts,
    pull: () => ({ last_success_at: snapshots.last_success_at(), ...pulls.together() }),
    pulls: pulls.pulls,
    token: config.api_token,
    loopback: true,
    version: packageJson.version,
  };
  return {
    door,
    snapshots,
    pulls,
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
