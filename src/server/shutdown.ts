// How a command ends: its children end with it, whether it fails, receives a signal or hangs.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';
import { killTree } from './descendants.ts';
import { exitCodes, stoppedBy } from './errors.ts';
import { allDelivered } from './ipc.ts';
import { endOutliving } from './request-scope.ts';
import { allWritten, complain, complainOf, say } from './terminal.ts';

/** From the signal to the end of the process: unfinished work is then cut off. Supervisors kill after ten seconds or more. */
const limit_ms = 4000;
/** The loop itself hangs: another thread kills the process. */
const blocked_ms = 4600;
/** A terminal and npm both forward the same Ctrl-C: a signal this soon is not a second one. */
const same_signal_ms = 250;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let telling: Promise<void> | undefined;
let is_ending = false;
let watcher: Worker | undefined;

/**
 * Resolves at Ctrl-C, at a polite kill, or when the terminal closes. From then on the process has `limit_ms`; a second
 * signal ends it at once. A child is not ended by a second one: the terminal and its parent both tell it.
 */
export function untilSignal(): Promise<void> {
  return (telling ??= new Promise((resolve) => {
    let first = 0;
    const hear = (signal: NodeJS.Signals): void => {
      if (first === 0) {
        first = performance.now();
        endWithin(exitCodes.failed);
        return resolve();
      }
      if (process.send || performance.now() - first < same_signal_ms) return;
      endNow(128 + constants.signals[signal]);
    };
    for (const signal of signals) process.on(signal, hear);
  }));
}

/** For a command that has nothing to write down first: a signal ends it and whatever it started. */
export function endOnSignal(): void {
  for (const signal of signals) process.on(signal, () => endNow(128 + constants.signals[signal]));
}

/** Starts the hard limit. */
function endWithin(code: number): void {
  if (is_ending) return;
  is_ending = true;
  setTimeout(() => {
    say(`what was under way did not end within ${limit_ms / 1000} seconds and is cut off`);
    endNow(code);
  }, limit_ms).unref();
  const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${blocked_ms})`;
  watcher = new Worker(kill, { eval: true, execArgv: [] }).on('error', () => undefined);
  watcher.unref();
}

/**
 * Ends the process and its descendants, whatever is still running. TRICKY: `process.exit` waits for the thread pool, where a running
 * engine question ends only once it is answered. A process that replaces itself with another program waits for nothing. Where that is
 * impossible (Windows), it exits.
 */
export function endNow(code: number): never {
  // The loop is not blocked: on a busy machine its watcher would take the exit code away.
  if (process.execve) void watcher?.terminate();
  killTree(process.pid);
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } catch {
    // no memory for another program, for example
  }
  process.exit(code);
}

/** The last step of every command: flushes its output and messages, and ignores whatever is still open. */
export async function leave(): Promise<never> {
  const code = Number(process.exitCode ?? exitCodes.done);
  await Promise.all([allWritten(), allDelivered()]);
  if (is_ending || code !== exitCodes.done) return endNow(code);
  process.exit();
}

/** Says in one sentence why a command cannot go on, or the whole of an error nobody expected; sets the exit code. */
export function report(error: unknown): void {
  const stopped = stoppedBy(error);
  if (stopped) {
    const [first = '', ...more] = stopped.lines;
    say(first, 'error');
    complain(...more);
  } else complainOf(error, 'chatledger: this is a mistake of the program:');
  process.exitCode = stopped?.code ?? exitCodes.failed;
}

export interface Life {
  /** Resolves when the command is told to end. */
  told: Promise<void>;
  /** Something that works: all of them are ended at once, side by side. */
  works(end: () => void | Promise<void>): void;
  /** Something that others work with: closed after them, the newest first. */
  keeps(close: () => void | Promise<void>): void;
}

/**
 * Runs a long-lived command until it is told to end. However it ends, everything it started is ended within the limit; a failure is
 * reported first.
 */
export async function lifetime(work: (life: Life) => Promise<void>): Promise<void> {
  const told = untilSignal();
  const working: (() => void | Promise<void>)[] = [];
  const kept = new AsyncDisposableStack();
  try {
    await Promise.race([told, work({ told, works: (end) => working.push(end), keeps: (close) => kept.defer(close) })]);
  } catch (error) {
    report(error);
  }
  endWithin(Number(process.exitCode ?? exitCodes.failed));
  const ends = await Promise.allSettled(working.map(async (end) => end()));
  await kept.disposeAsync().catch((reason: unknown) => ends.push({ status: 'rejected', reason }));
  for (const end of ends) if (end.status === 'rejected') complainOf(end.reason);
}

/** Whoever is connected is cut off. */
export function closeServer(server: Server): void {
  server.close();
  server.closeAllConnections();
  endOutliving();
}

export const linksSentence = (host: string, port: number): string =>
  `links in mails: port ${port} on ${host}, which a proxy may forward to without being named`;

export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
