// What a child process says to the one that started it: progress, a new snapshot, readiness, an end.
import type { Outcome, Progress } from '#etl/pull.ts';

export type Message =
  | { kind: 'pull'; account: string; progress: Progress }
  | { kind: 'published' }
  | { kind: 'rebuilding'; played: number; total: number }
  | { kind: 'pulled'; account: string; outcome: Outcome }
  | { kind: 'given_up'; account: string; sentence: string }
  | { kind: 'simulating'; day: number; days: number }
  | { kind: 'service'; url: string; first_day: string }
  | { kind: 'stopped'; sentence: string; code: number };

/** Says it to the parent, when there is one. */
export const tell = (message: Message): void => {
  if (process.connected) process.send?.(message);
};

/** A child must not outlive its parent. */
export function endWithParent(): void {
  if (!process.send) return;
  process.on('disconnect', () => process.exit());
  process.channel?.unref(); // TRICKY: the listener alone would keep a finished child alive
}
