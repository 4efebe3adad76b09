// Builds the app when its sources are newer than what was built.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, Stopped } from './errors.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const build_handler = join(root, 'build', 'handler.js');
const stamp = join(root, 'build', 'sources.txt');
const sources = ['src/app/**/*', 'src/dashboards/**/*', 'svelte.config.js', 'vite.config.ts', 'package-lock.json'];

/** What the sources look like: names, sizes and times. */
function look(): string {
  const hash = createHash('sha1');
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

export const isBuilt = (): boolean =>
  existsSync(build_handler) && existsSync(stamp) && readFileSync(stamp, 'utf8') === look();

/** Runs the build and waits for it. @throws Stopped with the end of its output when it fails. */
export async function build(): Promise<void> {
  const before = look();
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) throw new Stopped("the app cannot be built: run 'npm ci' first");
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Stopped(`the app could not be built:\n${said.slice(-2000)}`, exitCodes.failed);
  writeFileSync(stamp, before);
}
