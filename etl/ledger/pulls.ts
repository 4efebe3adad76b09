// The rows of ledger.pulls: one for each run, opened when it begins and closed when it ends.
import { tableOf } from '#warehouse/tables.ts';
import type { Store } from '#warehouse/engine.ts';
import type { FlatRow } from '../decode/chats.ts';
import { emptyTally, type Tally } from '../tally.ts';

const pulls = tableOf('ledger', 'pulls');

/** What a run that was cut off asked, as far as it was written: it never came to add it up. */
const known = ['requests', 'faults']
  .map((column) => {
    const which = column === 'faults' ? ' and r.error is not null' : '';
    return `${column} = (select count(*) from ledger.requests as r where r.account = pulls.account and r.pull_id = pulls.pull_id${which})`;
  })
  .join(', ');

/** Opens the run's row; a run that a crash cut off is named so. True when there was one: it may have loaded rows that nobody saw. */
export async function beginPull(engine: Store, account: string, pull_id: string, now: number): Promise<boolean> {
  const mine = `state = 'running' and account = ${engine.dialect.param('account', 'text')}`;
  const [cutOff] = await engine.query(`select pull_id from ledger.pulls where ${mine} limit 1`, { account });
  if (cutOff) await engine.exec(`update ledger.pulls set state = 'cut_off', ${known} where ${mine}`, { account });
  const row = pullRow(account, pull_id, { started: now, ended: null }, 'running', emptyTally(), null);
  await engine.load(pulls, [row], { replacing: pulls.key });
  return cutOff !== undefined;
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

/** Requests that were answered well tell nothing new after a week; what failed is kept for a quarter of a year. */
export const answered_days = 7;
export const failed_days = 90;

/** Lets go of old rows of ledger.requests. `now` in Unix seconds. */
export async function forgetRequests(engine: Store, account: string, now: number): Promise<void> {
  const { dialect } = engine;
  const before = (days: number): string =>
    dialect.literal(new Date((now - days * 86_400) * 1000).toISOString(), 'instant');
  const old = `account = ${dialect.param('account', 'text')}
       and asked_at < ${before(answered_days)}
       and (error is null or asked_at < ${before(failed_days)})`;
  const [found] = await engine.query(`select 1 as one from ledger.requests where ${old} limit 1`, { account });
  if (found) await engine.exec(`delete from ledger.requests where ${old}`, { account });
}
