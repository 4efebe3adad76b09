// What the web process knows of pulls: running ones, and those that ended since it started.
import type { PullState } from '#api/contract/health.ts';
import type { FinishedPull, PullActivity, ActivePull } from '#api/deps.ts';
import type { PullOutcome, PullProgress } from '#etl/pull.ts';

export interface PullWatch {
  pulls(): PullActivity;
  /** All that run, as one. */
  together(): Omit<PullState, 'last_success_at' | 'pulled_since'>;
  progress(account: string, progress: PullProgress): void;
  /** All of them, while a backup is made. */
  resting(is_resting: boolean): void;
  ended(account: string, end: { outcome: PullOutcome } | { sentence: string }): void;
  /** The pull process has ended. After a failure, accounts that reported nothing get this message. */
  gone(accounts: readonly string[], sentence: string | null): void;
}

const most_kept = 200;

/** `clock` in milliseconds. */
export function watchPulls(clock: () => number): PullWatch {
  const running = new Map<string, Omit<ActivePull, 'is_resting'>>();
  const ended: FinishedPull[] = [];
  const told = new Set<string>();
  let is_resting = false;
  const now = (): string => new Date(clock()).toISOString();
  return {
    pulls: () => ({ running: [...running.values()].map((pull) => ({ ...pull, is_resting })), ended }),
    together: () => together([...running.values()]),
    progress(account, { stage, done, total }) {
      const before = running.get(account);
      const isSame = before?.stage === stage;
      running.set(account, {
        ...{ account, stage, done, total },
        started_at: before?.started_at ?? now(),
        stage_began: isSame ? before.stage_began : { at: clock(), done },
      });
    },
    resting: (state) => void (is_resting = state),
    ended(account, end) {
      told.add(account);
      const started_at = running.get(account)?.started_at ?? now();
      running.delete(account);
      const none = { pull_id: '', requests: 0, chats_new: 0, chats_changed: 0, chats_unchanged: 0 };
      const { pull_id, requests, chats_new, chats_changed, chats_unchanged } = 'outcome' in end ? end.outcome : none;
      const error = 'sentence' in end ? end.sentence : null;
      ended.push({
        ...{ account, pull_id, started_at, ended_at: now(), state: error === null ? 'done' : 'failed', error },
        ...{ requests, chats_new, chats_changed, chats_unchanged },
      });
      if (ended.length > most_kept) ended.shift();
    },
    gone(accounts, sentence) {
      const silent = accounts.filter((account) => !told.has(account));
      if (sentence !== null) for (const account of silent) this.ended(account, { sentence });
      running.clear();
      told.clear();
      is_resting = false;
    },
  };
}

/** Several pulls as one: steps added up. */
function together(running: readonly Omit<ActivePull, 'is_resting'>[]): ReturnType<PullWatch['together']> {
  return {
    running: running.length > 0,
    stage: running[0]?.stage ?? null,
    done: running.reduce((sum, { done }) => sum + done, 0),
    total: running.reduce((sum, { total }) => sum + total, 0),
  };
}
