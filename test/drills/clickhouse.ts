// ClickHouse as the engine of readers, in a process: its suite, and a thousand random questions that a file answers too.
// `npm run drill:clickhouse -- [seed] [files]`: installs the engine where it is missing, outside the tree.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installedPeer, installPeer } from '../clickhouse/installed.ts';

const [seed = String(Date.now() % 1e9), ...files] = process.argv.slice(2);
if (!/^\d+$/.test(seed)) throw new Error(`the seed comes first and is a whole number, not ${seed}`);
if (installedPeer() === undefined) installPeer();
process.stdout.write(`seed ${seed}\n`);
const run = spawn('npm', ['exec', '--', 'vitest', 'run', ...(files.length > 0 ? files : ['test/clickhouse'])], {
  cwd: join(import.meta.dirname, '..', '..'),
  env: { ...process.env, CHANCE: 'whole', CHANCE_SEED: seed },
  stdio: 'inherit',
});
const [code] = (await once(run, 'exit')) as [number | null];
process.stdout.write(`seed ${seed}: ${code === 0 ? 'all is well' : 'see above'}\n`);
process.exitCode = code ?? 1;
