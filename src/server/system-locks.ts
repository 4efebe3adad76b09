// One `start` at a time in a data folder, one embedded service, and one that changes pins: locks of the system on files there, which end with the process however it ends.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCodes, Stopped, stoppedBySqlite } from './errors.ts';

/** Empty: SQLite writes nothing to it, only its lock counts. */
export const startLock = 'start.lock';
const pinsLock = 'pins.lock';

/** Returns what lets the folder go. @throws Stopped while somebody else has it. */
export const holdStartLock = (folder: string): (() => void) =>
  hold(
    join(folder, startLock),
    `another 'chatledger start' runs on ${folder}, and two would pull, send and write to it at once: ` +
      'stop that one, or set CHATLEDGER_DATA to another folder',
  );

/** The same for the embedded service, which `start` runs too. */
export const holdServiceLock = (folder: string): (() => void) =>
  hold(
    join(folder, 'service', 'service.lock'),
    `the embedded service of ${folder} runs already, by 'chatledger start' or 'chatledger service', and two would write to its account at ` +
      'once: use that one, or set CHATLEDGER_DATA to another folder',
  );

/** Waits for whoever has it: they need milliseconds. Returns what lets it go. @throws Stopped if that does not come. */
export async function holdPinsLock(folder: string): Promise<() => void> {
  const began = performance.now();
  while (performance.now() - began < pins_wait_ms) {
    const letGo = unlessHeld(join(folder, pinsLock));
    if (letGo) return letGo;
    await pause(10);
  }
  throw new Stopped(
    `another program has been changing the pins of ${folder} for ${pins_wait_ms / 1000} s: stop that one`,
    exitCodes.failed,
  );
}

const pins_wait_ms = 20_000;

function hold(file: string, held: string): () => void {
  const letGo = unlessHeld(file);
  if (!letGo) throw new Stopped(held);
  return letGo;
}

/** TRICKY: a process that closes any descriptor of the file loses its lock, so one that is there is opened by SQLite alone. */
function unlessHeld(file: string): (() => void) | undefined {
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma busy_timeout = 0; begin immediate;');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw stoppedBySqlite(error, file) ?? error;
  }
  return () => lock.close();
}

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
