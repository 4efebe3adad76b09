// One writer at a time in a folder that may be one of another machine. The lock of a process that is gone is taken over: of this machine at
// once, of another (a container that was replaced, for one) when it has said nothing for a while.
import { lstatSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { exitCodes, Stopped } from './errors.ts';
import { isProcessAlive } from './process-alive.ts';

/** How often whoever has a lock says so. */
export const said_ms = 60_000;
/** Whoever said nothing for this long is gone. */
const silent_ms = 15 * 60_000;

const holder = z.object({
  pid: z.int(),
  host: z.string(),
  /** Where the pid counts; not said: on the whole host. */
  processes: z.string().optional(),
});

/** `file`: of the lock, within the folder unless another place is named. Returns what lets it go. @throws Stopped while another process has it. */
export function lockFolder(file: string, place = dirname(file)): () => void {
  while (!wasMade(file)) removeLeft(file, place);
  const saying = setInterval(() => sayHeld(file), said_ms).unref();
  return () => {
    clearInterval(saying);
    if (isOwn(file)) rmSync(file, { force: true });
  };
}

/** False: it is there already. */
function wasMade(file: string): boolean {
  try {
    writeFileSync(file, lockText(), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** One at a time, or the second would remove the lock of the first. @throws Stopped unless whoever has the lock is gone. */
function removeLeft(file: string, place: string): void {
  if (!isLeft(file)) {
    // A link to nothing is there too, and would be waited for here for ever.
    if (lstatSync(file, { throwIfNoEntry: false })) throw inUse(file, place);
    return;
  }
  const removing = `${file}.removing`;
  if (!wasMade(removing)) {
    if (!isSilent(removing)) throw inUse(removing, place);
    rmSync(removing, { force: true });
    return;
  }
  try {
    if (isLeft(file)) rmSync(file, { force: true });
  } finally {
    rmSync(removing, { force: true });
  }
}

/** Looks twice: it may have been let go, and taken by another, before its process was looked for. */
function isLeft(file: string): boolean {
  const text = textOf(file);
  return (!isHeld(text) || isSilent(file)) && textOf(file) === text;
}

function inUse(file: string, place: string): Stopped {
  const who = holderIn(textOf(file));
  return new Stopped(
    `${place} is in use by ${who ? `process ${who.pid} of ${who.host}` : 'another process'}: wait until it is done; ` +
      `if there is no such process, remove ${file}`,
    exitCodes.failed,
  );
}

const isOwn = (file: string): boolean => textOf(file) === lockText();

/** Written without being shortened first, so that nobody finds it empty. One that another took over is left. */
function sayHeld(file: string): void {
  try {
    if (isOwn(file)) writeFileSync(file, lockText(), { flag: 'r+' });
  } catch {
    // The next time, or it is taken for gone.
  }
}

/** By the clock of the disk that it is on, which may be another machine's. */
function isSilent(file: string): boolean {
  const now = `${file}.${process.pid}.now`;
  try {
    writeFileSync(now, '', { mode: 0o600 });
    return statSync(now).mtimeMs - statSync(file).mtimeMs > silent_ms;
  } catch {
    return false;
  } finally {
    rmSync(now, { force: true });
  }
}

/** This process, as its locks name it. */
const lockHolder = (): z.infer<typeof holder> => ({ pid: process.pid, host: hostname() });

/** What a lock says of the process that has it. */
export const lockText = (): string => JSON.stringify(lockHolder());

/** Undefined: it is none of ours. */
export function holderIn(text: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether whoever wrote the lock may still be there. */
export function isHeld(text: string): boolean {
  const who = holderIn(text);
  const isElsewhere = who?.host !== hostname() || (who.processes !== undefined && who.processes !== processesHere());
  return isElsewhere || isProcessAlive(who.pid);
}

/** This process, also where containers that number their processes apart have one host name. */
export function processHere(): z.infer<typeof holder> {
  const processes = processesHere();
  return { ...lockHolder(), ...(processes === undefined ? {} : { processes }) };
}

/** Undefined: the system does not say. */
function processesHere(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Empty: it was let go just now. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
