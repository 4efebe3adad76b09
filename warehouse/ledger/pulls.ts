// The rows of a pull in the ledger, besides its days: the pull itself, its requests, notices and quarantined records.
import type { Queryable, Row, Store } from '../engine.ts';

const mine = ({ dialect }: Queryable): string => `account = ${dialect.param('account', 'text')}`;

/** Totals of an interrupted run, as far as its requests were written: it never stored its own. */
const counted = ['requests', 'faults']
  .map((column) => {
    const which = column === 'faults' ? ' and r.error is not null' : '';
    return `${column} = (select count(*) from ledger.requests as r where r.account = pulls.account and r.pull_id = pulls.pull_id${which})`;
  })
  .join(', ');

/** Names runs of an account that never ended `cut_off`. True when there was one. */
export async function cutOffRunning(store: Store, account: string): Promise<boolean> {
  const running = `state = 'running' and ${mine(store)}`;
  const [found] = await store.query(`select pull_id from ledger.pulls where ${running} limit 1`, { account });
  if (found) await store.exec(`update ledger.pulls set state = 'cut_off', ${counted} where ${running}`, { account });
  return found !== undefined;
}

/** Days during which a day is settling where that is neither set nor measured: late ratings, tags and sales may still change it. */
export const defaultSettlingDays = 7;

/** Days during which a day is settling, as they were set for the newest pull of an account; null: not set, or not pulled. */
export async function settlingDaysSet(engine: Queryable, account: string): Promise<number | null> {
  const [found] = await engine.query(
    `select settling_days from ledger.pulls where ${mine(engine)} order by started_at desc, pull_id desc limit 1`,
    { account },
  );
  return found?.settling_days == null ? null : Number(found.settling_days);
}

/** Removes requests asked before `answered` (ISO instants), and failed ones only if asked before `failed`. */
export async function removeRequests(
  store: Store,
  account: string,
  before: { answered: string; failed: string },
): Promise<void> {
  const { literal } = store.dialect;
  const old = `${mine(store)}
       and asked_at < ${literal(before.answered, 'instant')}
       and (error is null or asked_at < ${literal(before.failed, 'instant')})`;
  const [found] = await store.query(`select 1 as one from ledger.requests where ${old} limit 1`, { account });
  if (found) await store.exec(`delete from ledger.requests where ${old}`, { account });
}

/** `account` and `pull_id` of every pull. */
export const pullsKnown = (engine: Queryable): Promise<Row[]> =>
  engine.query('select account, pull_id from ledger.pulls');

/** `source`, `header`, `value` and when each was first seen. */
export const noticesKnown = (engine: Queryable, account: string): Promise<Row[]> =>
  engine.query(
    `select source, header, value, first_seen_at
     from ledger.notices
     where ${mine(engine)}`,
    { account },
  );

/** `source` and `record_id` of everything that is set aside. */
export const quarantined = (engine: Queryable, account: string): Promise<Row[]> =>
  engine.query(
    `select source, record_id
     from ledger.quarantine
     where ${mine(engine)}`,
    { account },
  );
