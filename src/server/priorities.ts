// Who waits for a processor when there are too few: the thread that answers comes first, what computes comes after it.
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/** So much lower than the thread that answers, and still before processes that give way: a question comes before a pull. */
const questions_below = PRIORITY_BELOW_NORMAL / 2;

/** The process takes what others leave of the processors. Where a system does not allow it, it takes its share. */
export function giveWay({ pid }: { readonly pid?: number | undefined }): void {
  if (pid !== undefined) lower(pid, PRIORITY_BELOW_NORMAL);
}

/**
 * The threads of this process that compute questions, read files and pack answers take what the thread that answers leaves. Linux
 * gives a thread a priority of its own, and Node 22 and newer name these threads; elsewhere nothing changes. New threads of the engine come
 * with a file that is opened, so this is called after each.
 */
export function questionsGiveWay(): void {
  // The id of a process is that of its first thread.
  const priority = Math.min(PRIORITY_LOW, getPriority(process.pid) + questions_below);
  for (const thread of ownThreads()) lower(thread, priority);
}

/** Their ids: those of the pool, and those of the engine, which take over the name of the thread that began them. */
function ownThreads(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task')
    .filter((thread) => nameOf(thread) === 'libuv-worker')
    .map(Number);
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
  } catch {
    return ''; // it has ended meanwhile
  }
}

function lower(id: number, priority: number): void {
  try {
    setPriority(id, priority);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
