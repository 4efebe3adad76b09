// Messages from a child process to its parent: progress, a new snapshot, readiness, the end.
import { killTree } from './descendants.ts';
import type { AnswerOf } from '#api/contract/endpoint.ts';
import type { planErasure } from '#api/contract/erasures.ts';
import type { PullOutcome, PullProgress } from '#etl/pull.ts';

export type Message =
  | { kind: 'pull'; account: string; progress: PullProgress }
  /** The files of the writer are open. */
  | { kind: 'writing' }
  /** The pulls rest while a backup is made, or are about to; or no more. */
  | { kind: 'resting'; is_resting: boolean }
  | { kind: 'published' }
  | { kind: 'rebuilding'; played: number; total: number }
  | { kind: 'pulled'; account: string; outcome: PullOutcome }
  | { kind: 'given_up'; account: string; sentence: string }
  | { kind: 'simulating'; day: number; days: number }
  | { kind: 'service'; url: string; first_day: string }
  | { kind: 'erasing'; what: string; done: number; total: number }
  | { kind: 'retained'; sentence: string }
  | { kind: 'backing_up'; bytes: number; total: number }
  | { kind: 'backed_up'; sentence: string }
  | { kind: 'erasable'; found: AnswerOf<typeof planErasure> }
  | { kind: 'stopped'; sentence: string; code: number };

/** A child's instructions: what to erase or look for. */
export interface EraseMessage {
  visitor?: string;
  email?: string;
  account?: string;
  by: string;
  /** Nothing is changed. */
  dry: boolean;
}

/** The parent's instructions. */
export const ordered = (): Promise<EraseMessage> =>
  new Promise((resolve) => process.once('message', (order) => resolve(order as EraseMessage)));

const telling = new Set<Promise<void>>();

/** Sends a message to the parent, if there is one. */
export const tell = (message: Message): void => {
  if (!process.connected) return;
  const told = new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));
  telling.add(told);
  void told.then(() => telling.delete(told));
};

/**
 * The end of a command by a sentence: the parent says it. @throws the error itself where there is none, so that it is said to whoever runs
 * the command.
 */
export function endStopped(stopped: Error & { code: number }): void {
  tell({ kind: 'stopped', sentence: stopped.message, code: stopped.code });
  if (!process.send) throw stopped;
  process.exitCode = stopped.code;
}

/** Resolves when all messages have been sent: a child that exits earlier loses its last ones. */
export const allDelivered = (): Promise<unknown> => Promise.all(telling);

/** A child must not outlive its parent, nor leave its own children behind. */
export function endWithParent(): void {
  if (!process.send) return;
  process.on('disconnect', () => {
    killTree(process.pid);
    process.kill(process.pid, 'SIGKILL'); // leaving would wait for whatever is under way
  });
  process.channel?.unref(); // TRICKY: the listener alone would keep a finished child alive
}
