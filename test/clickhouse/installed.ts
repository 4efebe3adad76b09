// Where ClickHouse in a process is installed for tests: outside the tree, because it is ten times the size of everything else.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
/** The folder by the pinned version, so that another one is installed beside it. */
const folder = join(cache, 'chatledger', 'clickhouse-3.4.0');

/** The entry of the package, or undefined where it is not installed. */
export function installedPeer(): string | undefined {
  const entry = join(folder, 'node_modules', 'chdb', 'index.mjs');
  return existsSync(entry) ? entry : undefined;
}

/** Why tests against ClickHouse are skipped. */
export const whyNoPeer = `ClickHouse in a process is not in ${folder}: npm run drill:clickhouse installs it (550 MB)`;

/** Installs what `peer/package.json` pins. */
export function installPeer(): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(new URL('peer/package.json', import.meta.url), join(folder, 'package.json'));
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}
