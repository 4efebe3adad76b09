// Priorities when processors or memory are scarce: the thread that answers comes first, computations after it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/** Below the answering thread, but above processes that give way: questions come before pulls. */
const questions_below = PRIORITY_BELOW_NORMAL / 2;

/** Lowers the priority of the process. If the system does not allow it, it keeps its share. */
export function giveWay({ pid }: { readonly pid?: number | undefined }): void {
  if (pid !== undefined) lower(pid, PRIORITY_BELOW_NORMAL);
}

/**
 * Of 1000: added to what part of the memory a process has, when the system chooses which to end. Whoever asked a statement is told, and what a
 * pull did not bring the next one brings; nobody is answered without the process of the pages.
 */
const ended_before_pages = { statement: 500, command: 300 } as const;

/** Where memory runs out, as in a small container, the system ends this process before others. Only Linux can be told. */
export function endsBeforePages(
  { pid }: { readonly pid?: number | undefined },
  what: keyof typeof ended_before_pages,
): void {
  try {
    if (pid !== undefined && process.platform === 'linux')
      writeFileSync(`/proc/${pid}/oom_score_adj`, String(ended_before_pages[what]));
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

/**
 * Lowers the priority of this process's threads that compute questions, read files and compress answers. Linux has priorities per thread,
 * and Node 22 and newer name these threads; elsewhere nothing changes. Opening a file starts new engine threads, so this is called after
 * each.
 */
export function questionsGiveWay(): void {
  // The process id is that of its first thread.
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
