// Statements of people: each in a process of its own, a few at a time, bounded in time, memory and rows.
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';
import type { SqlAnswer, SqlConsole } from '#api/deps.ts';
import { currentSignal, reasonOf } from '#warehouse/cancellation.ts';
import type { StatementOrder, StatementOutcome } from './worker.ts';

interface ConsoleBounds {
  /** Of one answer. */
  rows: number;
  characters: number;
  seconds: number;
  /** Of one file. */
  file_rows: number;
  file_bytes: number;
  file_seconds: number;
  /** What the engine may take, and the whole process. */
  engine_memory: string;
  process_bytes: number;
  at_once: number;
  waiting: number;
  /** How many of one reader run or wait. */
  of_one: number;
}

export const standardBounds: ConsoleBounds = {
  ...{ rows: 10_000, characters: 10_000_000, seconds: 30 },
  ...{ file_rows: 1_000_000, file_bytes: 250e6, file_seconds: 120 },
  ...{ engine_memory: '512MB', process_bytes: 1.2e9 },
  ...{ at_once: 2, waiting: 8, of_one: 4 },
};

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** How often the memory of a process is looked at. */
const look_ms = 100;

export function createSqlConsole(bounds: ConsoleBounds = standardBounds): SqlConsole {
  const queue = new PQueue({ concurrency: bounds.at_once });
  /** Statements of each reader that run or wait. */
  const asked = new Map<string, number>();
  const count = (reader: string, more: number): void => {
    const now = (asked.get(reader) ?? 0) + more;
    if (now > 0) asked.set(reader, now);
    else asked.delete(reader);
  };
  /** In its turn. Errors: Cancelled. */
  async function inTurn<T>(reader: string, work: (signal: AbortSignal | undefined) => Promise<T>) {
    if (queue.size >= bounds.waiting || (asked.get(reader) ?? 0) >= bounds.of_one) return { kind: 'busy' } as const;
    const signal = currentSignal();
    count(reader, 1);
    try {
      // Who leaves gives the place in the queue free.
      return await queue.add(() => work(signal), { ...(signal && { signal }) });
    } catch (error) {
      throw signal?.aborted ? reasonOf(signal) : error;
    } finally {
      count(reader, -1);
    }
  }
  return {
    ask: (file, statement, reader, parameters = {}) =>
      inTurn(reader, async (signal) => {
        const { rows, characters } = bounds;
        // Making a file of a kept snapshot takes time of its own.
        const seconds = typeof file === 'string' ? bounds.seconds : bounds.file_seconds;
        const order = { file, statement, parameters, limits: { rows, characters, ...limitsOf(bounds) } };
        const outcome = await outcomeOf(order, seconds, bounds, signal);
        if ('answer' in outcome) return { kind: 'answered', ...outcome.answer, milliseconds: outcome.milliseconds };
        return wrongOf(outcome);
      }),
    write: ({ file, statement, parameters, ...to }, reader) =>
      inTurn(reader, async (signal) => {
        const { file_rows: rows, file_bytes: bytes, file_seconds } = bounds;
        const order = { file, statement, parameters, limits: { rows, ...limitsOf(bounds) }, to: { ...to, bytes } };
        const outcome = await outcomeOf(order, file_seconds, bounds, signal);
        return 'written' in outcome ? { kind: 'written', rows: outcome.written } : wrongOf(outcome);
      }),
  };
}

const limitsOf = ({ engine_memory }: ConsoleBounds) => ({ memory: engine_memory, threads: 1 });

function wrongOf(outcome: StatementOutcome): Extract<SqlAnswer, { kind: 'wrong' }> {
  if ('wrong' in outcome) {
    const { wrong: message, place, parameters } = outcome;
    return { kind: 'wrong', message, place, parameters };
  }
  return { kind: 'wrong', message: 'its process answered something else: ask again', place: null };
}

/** Errors: Cancelled. */
function outcomeOf(
  order: StatementOrder,
  seconds: number,
  { process_bytes }: ConsoleBounds,
  signal: AbortSignal | undefined,
): Promise<StatementOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementOutcome>();
  const child = fork(program, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256'],
    // It needs none of the program's settings, and none of its secrets; times are those of UTC on any machine.
    env: { TZ: 'UTC' },
    serialization: 'advanced',
  });
  giveWay(child);
  const end = (wrong: string): void => resolve({ wrong, place: null, parameters: [] });
  const stop = (sentence: string): void => {
    child.kill('SIGKILL');
    end(sentence);
  };
  const remedy =
    typeof order.file === 'string'
      ? 'ask for less'
      : "ask for less, or make a file of that snapshot first: 'npx chatledger snapshot --as-of INSTANT --out FILE'";
  const late = setTimeout(() => stop(`it was stopped after ${seconds} seconds: ${remedy}`), seconds * 1000);
  const watch = setInterval(() => {
    if (memoryOf(child) > process_bytes) stop('it was stopped because it took too much memory: ask for less');
  }, look_ms);
  const leave = (): void => {
    child.kill('SIGKILL');
    reject(signal ? reasonOf(signal) : new Error('nobody waits'));
  };
  signal?.addEventListener('abort', leave, { once: true });
  child.once('message', (told) => resolve(told as StatementOutcome));
  child.once('error', reject);
  child.once('exit', () => end('its process was ended for taking too much memory: ask for less'));
  child.send(order, (error) => (error ? end(String(error)) : undefined));
  return promise.finally(() => {
    clearTimeout(late);
    clearInterval(watch);
    signal?.removeEventListener('abort', leave);
    child.kill('SIGKILL');
  });
}

/** Pages and numbers come first. */
function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it has ended already
  }
}

/** Bytes in memory; 0 where the system does not tell. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
