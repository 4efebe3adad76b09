// The rows of ledger.pulls: one for each run, opened when it begins and closed when it ends.
import type { Store } from '#warehouse/engine.ts';
import { cutOffRunning, removeRequests, settlingDaysSet } from '#warehouse/ledger/pulls.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import type { FlatRow } from '../decode/chats.ts';
import { emptyTally, type Tally } from '../tally.ts';

const pulls = tableOf('ledger', 'pulls');

export interface PullBegun {
  account: string;
  pull_id: string;
  /** Unix seconds. */
  started: number;
  /** As somebody has set them. */
  settling_days?: number | undefined;
}

/**
 * Opens the run's row; a run that a crash cut off is named so. True when there was one, which may have loaded rows that nobody saw, and
 * when days settle in another time than at the last pull: answers are to say so.
 */
export async function beginPull(engine: Store, begun: PullBegun): Promise<boolean> {
  const { account, settling_days = null } = begun;
  const isSetAnew = (await settlingDaysSet(engine, account)) !== settling_days;
  const wasCutOff = await cutOffRunning(engine, account);
  await engine.load(pulls, [pullRow(begun, null, 'running', emptyTally(), null)], { replacing: pulls.key });
  return wasCutOff || isSetAnew;
}

export async function endPull(
  engine: Store,
  begun: PullBegun,
  ended: number,
  tally: Tally,
  error: string | null,
): Promise<void> {
  const row = pullRow(begun, ended, error ? 'failed' : 'done', tally, error);
  await engine.load(pulls, [row], { replacing: pulls.key });
}

const pullRow = (
  { account, pull_id, started, settling_days }: PullBegun,
  ended: number | null,
  state: 'running' | 'done' | 'failed',
  tally: Tally,
  error: string | null,
): FlatRow => ({
  account,
  pull_id,
  started_at: started,
  ended_at: ended,
  state,
  ...tally,
  error,
  settling_days: settling_days ?? null,
});

/** Records of successful requests are kept for a week, those of failures for three months. */
const answered_days = 7;
const failed_days = 90;

/** Lets go of old rows of ledger.requests. `now` in Unix seconds. */
export async function forgetRequests(engine: Store, account: string, now: number): Promise<void> {
  const before = (days: number): string => new Date((now - days * 86_400) * 1000).toISOString();
  await removeRequests(engine, account, { answered: before(answered_days), failed: before(failed_days) });
}
