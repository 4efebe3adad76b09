// Watches the event loop of the product from inside (`node --import`): each turn that took long, and what it was spent on. It is
// written to a file that the drill reads, so that a slow answer has a cause.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds, but for the instant at which the turn ended. */
export interface LongTurn {
  at: string;
  took: number;
  /** The thread that answers was working. */
  working: number;
  /** It waited for a processor. */
  waiting: number;
  /** Of all the time: memory was collected, by this thread or while it waited for others that do. */
  collecting: number;
}

const long_ms = 150;
const look_every_ms = 10;

interface Seen {
  now: number;
  working: number;
  waiting: number;
}

/** Linux tells how long the first thread of a process has worked and waited, in nanoseconds. */
function look(): Seen {
  const [working = 0, waiting = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
  return { now: performance.now(), working: working / 1e6, waiting: waiting / 1e6 };
}

function watch(file: string): void {
  let collecting = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting += duration;
  }).observe({ entryTypes: ['gc'] });
  let before = look();
  setInterval(() => {
    const after = look();
    const turn: LongTurn = {
      at: new Date().toISOString(),
      took: Math.round(after.now - before.now),
      working: Math.round(after.working - before.working),
      waiting: Math.round(after.waiting - before.waiting),
      collecting: Math.round(collecting),
    };
    if (turn.took > long_ms) appendFileSync(file, `${JSON.stringify(turn)}\n`);
    [before, collecting] = [after, 0];
  }, look_every_ms).unref();
}

/** What was written, in order. */
export const longTurnsIn = (file: string): LongTurn[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LongTurn)
    : [];

/** The environment of a program whose own loop is watched; its children are not. */
export const watched = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${import.meta.url}`,
  DRILL_LOOP: `${process.pid} ${file}`,
});

const [parent, file] = process.env['DRILL_LOOP']?.split(' ') ?? [];
if (file !== undefined && isMainThread && Number(parent) === process.ppid) watch(file);
