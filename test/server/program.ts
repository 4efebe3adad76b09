// Runs the command line as a person would: another process, its own data folder, its words and its exit code.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const program = join(import.meta.dirname, '..', '..', 'src', 'server', 'chatledger.js');

export interface Ended {
  code: number | null;
  said: string;
  complained: string;
}

export interface Running {
  child: ChildProcess;
  /** Everything on standard output so far. */
  said: () => string;
  ended: Promise<Ended>;
}

/** The environment without settings of whoever runs the tests. */
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CHATLEDGER_'));
  return { ...Object.fromEntries(own), ...settings };
}

/** `folder` is the working folder too, so that no `.env` of this one is read. */
export const begin = (command: readonly string[], settings: Record<string, string>, folder: string): Running =>
  beginNode([program, ...command], settings, folder);

/** Another file than the command line, with its words. */
export function beginNode(words: readonly string[], settings: Record<string, string>, folder: string): Running {
  const child = spawn(process.execPath, [...words], { cwd: folder, env: environment(settings) });
  let said = '';
  let complained = '';
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  child.stderr.on('data', (part: Buffer) => (complained += part.toString()));
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, said, complained })));
  return { child, said: () => said, ended };
}

export const runToEnd = (
  command: readonly string[],
  settings: Record<string, string>,
  folder: string,
): Promise<Ended> => begin(command, settings, folder).ended;

/** Another file than the command line, with its words. */
export const runNode = (words: readonly string[], settings: Record<string, string>, folder: string): Promise<Ended> =>
  beginNode(words, settings, folder).ended;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'chatledger-test-'));

/** The same files in a folder that is empty: names of one file stay names of one file, and times stay as they are. */
export const copyFiles = (from: string, to: string): void => void execFileSync('cp', ['-a', `${from}/.`, to]);

/** Another folder with the same files. */
export function copiedFolder(folder: string): string {
  const copy = newFolder();
  copyFiles(folder, copy);
  return copy;
}

/** What the program knows of a folder, with the data files of another: somebody has put back a backup. */
export function withFilesOf(older: string, folder: string): string {
  const copy = copiedFolder(folder);
  for (const name of ['warehouse', 'published']) {
    rmSync(join(copy, 'data', name), { recursive: true });
    cpSync(join(older, 'data', name), join(copy, 'data', name), { recursive: true });
  }
  return copy;
}

/** Waits until it is true. @throws when it does not become true in time. */
export async function until(isTrue: () => boolean | Promise<boolean>, seconds: number, what: string): Promise<void> {
  for (let left = seconds * 20; left > 0; left -= 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${seconds} s`);
}
