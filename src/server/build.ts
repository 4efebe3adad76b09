// Builds the app if its sources are newer than the last build.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Children } from './children.ts';
import { exitCodes, Stopped } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { out } from './terminal.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const build_handler = join(root, 'build', 'handler.js');
const stamp = join(root, 'build', 'sources.txt');
const sources = ['src/app/**/*', 'src/dashboards/**/*', 'svelte.config.js', 'vite.config.ts', 'package-lock.json'];

/** Fingerprint of the sources: names, sizes and times. */
function look(): string {
  const hash = createHash('sha1');
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
/** A package that is for development alone; others of them may be there because a library would go with them. */
const adapter = join(root, 'node_modules', '@sveltejs', 'adapter-node');

/** Where nothing can build it (an installation without packages for development), what is there is what was built for it. */
export const isBuilt = (): boolean =>
  existsSync(build_handler) && (!existsSync(adapter) || (existsSync(stamp) && readFileSync(stamp, 'utf8') === look()));

const lock = join(root, 'node_modules', '.cache', 'build.lock');
const looked_ms = 250;

/**
 * Runs the build and waits for it, or for another program of this checkout that builds, which `say` is told. @throws Stopped with the end
 * of its output if it fails.
 */
export async function build(children: Children, say: (sentence: string) => void = out): Promise<void> {
  if (!existsSync(vite)) throw new Stopped("the app cannot be built: run 'npm ci' first");
  mkdirSync(dirname(lock), { recursive: true });
  const letGo = await ownTurn(say);
  try {
    if (!isBuilt()) await buildAlone(children);
  } finally {
    letGo();
  }
}

/** Two builds at once would remove each other's files. Returns what lets the next one have its turn. */
async function ownTurn(say: (sentence: string) => void): Promise<() => void> {
  for (let looks = 0; ; looks += 1) {
    try {
      return lockFolder(lock);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      // A lock that was left by whoever built them, and cannot let it go any more, keeps nobody waiting.
      if (isBuilt()) return () => undefined;
      if (looks === 0) say(`another program builds the pages: ${error.message}`);
      await pause(looked_ms);
    }
  }
}

async function buildAlone(children: Children): Promise<void> {
  const before = look();
  let said = '';
  const hear = (text: string): void => void (said = (said + text).slice(-most_told));
  const code = await children.runOther(vite, ['build', '--logLevel', 'warn'], root, hear);
  if (code !== exitCodes.done)
    throw new Stopped(
      ['the app could not be built:', ...stripVTControlCharacters(said).trimEnd().split('\n')],
      exitCodes.failed,
    );
  writeFileSync(stamp, before);
}

/** Characters shown from the end of a failed build's output. */
const most_told = 2000;
