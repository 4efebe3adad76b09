// Runs the program as a supervisor sees it: its exit code, its words, the time it takes, and what it leaves behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './program.ts';

const root = join(import.meta.dirname, '..', '..');

/** Named in the environment of whatever a run starts. */
const marker = 'SUPERVISED_RUN';

const page = "export const handler = (request, response) => response.end('page');";

/** The build as a test wants it: `BUILD` says whether it works, is slow and written down in the file `BUILDS`, fails or never ends. The pages are one word. */
const build = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
process.on('SIGTERM', () => undefined);
if (process.env.BUILD === 'hangs') setInterval(() => undefined, 1000);
else if (process.env.BUILD === 'fails') {
  console.error('\\u001b[31mno such colour\\u001b[0m');
  process.exitCode = 1;
} else {
  const isSlow = process.env.BUILD === 'slow';
  if (isSlow) appendFileSync(process.env.BUILDS, 'began\\n');
  if (isSlow) await pause(1500);
  if (isSlow) appendFileSync(process.env.BUILDS, 'ended\\n');
  mkdirSync('build', { recursive: true });
  writeFileSync('build/handler.js', \`${page}\`);
}
`;

/** A copy of the program, so that it can be built, or not, without touching this one. Returns its command line. */
export function copyProgram({ has_pages }: { has_pages: boolean }): string {
  const copy = newFolder();
  for (const name of ['src', 'livechat', 'network', 'etl', 'warehouse', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, 'node_modules', 'vite', 'bin'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'vite' && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  // Its lock of builds is its own, too.
  mkdirSync(join(copy, 'node_modules', '.cache'));
  writeFileSync(join(copy, 'node_modules', 'vite', 'package.json'), '{"type": "module"}');
  writeFileSync(join(copy, 'node_modules', 'vite', 'bin', 'vite.js'), build);
  if (has_pages) {
    mkdirSync(join(copy, 'build'));
    writeFileSync(join(copy, 'build', 'handler.js'), page);
  }
  return join(copy, 'src', 'server', 'chatledger.js');
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Standard output and standard error. */
  said: string;
}

export interface Run {
  child: ChildProcess;
  /** Everything printed so far. */
  said: () => string;
  exit: Promise<Exit>;
  /** Processes of this run that live, itself among them. */
  living: () => number[];
}

/** Begins a command in a process group of its own. `words` begin with the file to run. */
export function begin(words: readonly string[], settings: Readonly<Record<string, string>>, folder: string): Run {
  const mark = randomUUID();
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CHATLEDGER_'));
  const env = { ...Object.fromEntries(own), ...settings, [marker]: mark };
  const child = spawn(process.execPath, [...words], { cwd: folder, env, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const exit = new Promise<Exit>((resolve) =>
    child.on('exit', (code, signal) => {
      // What it said last may still be in the pipes; they close only when nobody else holds them any more.
      const end = (): void => resolve({ code, signal, said });
      child.once('close', end);
      setTimeout(end, 2000);
    }),
  );
  const run: Run = { child, said: () => said, exit, living: () => processesWith(`${marker}=${mark}`) };
  runs.push(run);
  return run;
}

/** Ends what a test that failed left. */
export function endRuns(): void {
  for (const { living } of runs.splice(0)) for (const id of living()) process.kill(id, 'SIGKILL');
}
const runs: Run[] = [];

/** A process that is gone and not yet waited for has no environment. */
function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(words);
      } catch {
        return false; // gone meanwhile
      }
    })
    .map(Number);
}

/** What may be doing something still a moment after the end. It is ended here, so that it disturbs no other test. */
export async function leftBehind({ living }: Run): Promise<number[]> {
  for (let tries = 40; tries > 0 && living().length > 0; tries -= 1) await new Promise((done) => setTimeout(done, 50));
  const left = living();
  for (const id of left) process.kill(id, 'SIGKILL');
  return left;
}
