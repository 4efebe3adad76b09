// The rows of ledger.pulls: one for each run, opened when it begins and closed when it ends.
import type { Store } from '#warehouse/engine.ts';
import { cutOffRunning, removeRequests } from '#warehouse/ledger/pulls.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import type { FlatRow } from '../decode/chats.ts';
import { emptyTally, type Tally } from '../tally.ts';

const pulls = tableOf('ledger', 'pulls');

/** Opens the run's row; a run that a crash cut off is named so. True when there was one: it may have loaded rows that nobody saw. */
export async function beginPull(engine: Store, account: string, pull_id: string, now: number): Promise<boolean> {
  const wasCutOff = await cutOffRunning(engine, account);
  const row = pullRow(account, pull_id, { started: now, ended: null }, 'running', emptyTally(), null);
  await engine.load(pulls, [row], { replacing: pulls.key });
  return wasCutOff;
}

export async function endPull(
  engine: Store,
  account: string,
  pull_id: string,
  times: { started: number; ended: number },
  tally: Tally,
  error: string | null,
): Promise<void> {
  const row = pullRow(account, pull_id, times, error ? 'failed' : 'done', tally, error);
  await engine.load(pulls, [row], { replacing: pulls.key });
}

const pullRow = (
  account: string,
  pull_id: string,
  { started, ended }: { started: number; ended: number | null },
  state: 'running' | 'done' | 'failed',
  tally: Tally,
  error: string | null,
): FlatRow => ({ account, pull_id, started_at: started, ended_at: ended, state, ...tally, error });

/** Records of successful requests are kept for a week, those of failures for three months. */
const answered_days = 7;
const failed_days = 90;

/** Lets go of old rows of ledger.requests. `now` in Unix seconds. */
export async function forgetRequests(engine: Store, account: string, now: number): Promise<void> {
  const before = (days: number): string => new Date((now - days * 86_400) * 1000).toISOString();
  await removeRequests(engine, account, { answered: before(answered_days), failed: before(failed_days) });
}
