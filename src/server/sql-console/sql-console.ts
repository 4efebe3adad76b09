// Statements of people: each in a process of its own, a few at a time, bounded in time, memory and rows.
import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';
import type { SqlLimits } from '#api/contract/sql.ts';
import type { SqlAnswer, SqlConsole, SqlOrder } from '#api/deps.ts';
import type { Role } from '#auth/rights.ts';
import { currentSignal, reasonOf } from '#warehouse/cancellation.ts';
import { endsBeforePages, giveWay } from '../priorities.ts';
import { exceededWords, processBytes } from './limits.ts';
import type { ExceededOutcome, StatementOrder, StatementOutcome } from './worker.ts';

/** The same for everybody. */
interface ConsoleBounds {
  /** Of one answer, as JSON. */
  characters: number;
  /** Of one file. */
  file_bytes: number;
  /** Besides the time of the statement, for making a file of a kept snapshot. */
  opening_seconds: number;
  at_once: number;
  waiting: number;
  /** How many of one reader run or wait. */
  of_one: number;
}

const standard: ConsoleBounds = {
  ...{ characters: 10_000_000, file_bytes: 250e6, opening_seconds: 120 },
  ...{ at_once: 2, waiting: 8, of_one: 4 },
};

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** How often the memory of a process and its folder are looked at. */
const look_ms = 100;

/** What one statement may take. */
interface Allowance {
  limits: SqlLimits;
  seconds: number;
  /** Before it, for a file of a kept snapshot. */
  opening_seconds: number;
}

export function createSqlConsole(
  limitsOf: (role: Role) => SqlLimits,
  differs: Partial<ConsoleBounds> = {},
): SqlConsole {
  const bounds = { ...standard, ...differs };
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
  const allowanceOf = (limits: SqlLimits, seconds: number, { file }: SqlOrder): Allowance => ({
    ...{ limits, seconds, opening_seconds: typeof file === 'string' ? 0 : bounds.opening_seconds },
  });
  return {
    limitsOf,
    ask: (asked, { reader, role }) =>
      inTurn(reader, async (signal) => {
        const limits = limitsOf(role);
        const { characters } = bounds;
        const order = orderOf(asked, limits, { rows: limits.rows, characters });
        const outcome = await outcomeOf(order, allowanceOf(limits, limits.seconds, asked), signal);
        if ('answer' in outcome) return { kind: 'answered', ...outcome.answer, milliseconds: outcome.milliseconds };
        return wrongOf(outcome);
      }),
    write: ({ path, format, dated, ...asked }, { reader, role }) =>
      inTurn(reader, async (signal) => {
        const limits = limitsOf(role);
        const to = { path, format, dated, bytes: bounds.file_bytes };
        const order = { ...orderOf(asked, limits, { rows: limits.file_rows }), to };
        const outcome = await outcomeOf(order, allowanceOf(limits, limits.file_seconds, asked), signal);
        return 'written' in outcome ? { kind: 'written', rows: outcome.written } : wrongOf(outcome);
      }),
  };
}

function orderOf(
  { file, statement, parameters, folder }: SqlOrder,
  { memory_bytes, spill_bytes }: SqlLimits,
  most: { rows: number; characters?: number },
): StatementOrder {
  const spill = { folder: join(folder, 'spill'), size: megabytes(spill_bytes) };
  const limits = { ...most, memory: megabytes(memory_bytes), threads: 1, ...(spill_bytes > 0 ? { spill } : {}) };
  return { file, statement, parameters, limits };
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)}MB`;

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
  { limits, seconds, opening_seconds }: Allowance,
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
  // Pages and numbers come first.
  giveWay(child);
  endsBeforePages(child, 'statement');
  const end = (wrong: string): void => resolve({ wrong, place: null, parameters: [] });
  const stop = (sentence: string): void => {
    child.kill('SIGKILL');
    end(sentence);
  };
  const exceeds = (what: Parameters<typeof exceededWords>[0]): string => exceededWords(what, limits, seconds);
  const isOpening = opening_seconds > 0;
  const late = setTimeout(
    () => stop(isOpening ? tooLong(seconds + opening_seconds) : exceeds('time')),
    (seconds + opening_seconds) * 1000,
  );
  const { spill } = order.limits;
  const watch = setInterval(() => {
    if (memoryOf(child) > processBytes(limits)) stop(exceeds('memory'));
    // A statement can write there by itself, of which the engine keeps no count.
    if (spill && bytesBelow(spill.folder) > limits.spill_bytes + spill_slack) stop(exceeds('disk'));
  }, look_ms);
  const leave = (): void => {
    child.kill('SIGKILL');
    reject(signal ? reasonOf(signal) : new Error('nobody waits'));
  };
  signal?.addEventListener('abort', leave, { once: true });
  child.once('message', (told) => {
    const outcome = told as StatementOutcome | ExceededOutcome;
    if ('exceeded' in outcome) end(exceeds(outcome.exceeded));
    else resolve(outcome);
  });
  child.once('error', reject);
  child.once('exit', () => end(exceeds('memory')));
  child.send(order, (error) => (error ? end(String(error)) : undefined));
  return promise.finally(() => {
    clearTimeout(late);
    clearInterval(watch);
    signal?.removeEventListener('abort', leave);
    child.kill('SIGKILL');
  });
}

const tooLong = (seconds: number): string =>
  `it was stopped after ${seconds} seconds: ask for less, or make a file of that snapshot first: 'npx chatledger snapshot --as-of INSTANT --out FILE'`;

/** The engine writes pieces of this size at most at once. */
const spill_slack = 50e6;

/** Of the files in a folder; 0 where it is not there. */
function bytesBelow(folder: string): number {
  try {
    return readdirSync(folder)
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
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
