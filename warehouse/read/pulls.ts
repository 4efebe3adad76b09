// The ledger's history of pulls: results, failures, quarantined records and announced deprecations.
import type { AskedAccounts } from '../query/asked-accounts.ts';
import { parameters } from '../query/bind.ts';
import type { Queryable, Row, Value } from '../engine.ts';

const mine = (engine: Queryable): string => `account = ${engine.dialect.param('account', 'text')}`;

/**
 * Newest first, no more than `most`; those of a clock that ran ahead of `now` (Unix seconds) come last. Columns as of ledger.pulls.
 */
export const newestPulls = (engine: Queryable, account: string, most: number, now: number): Promise<Row[]> =>
  engine.query(
    `select
       account, pull_id, started_at, ended_at, state, requests, faults, chats_new, chats_changed, chats_unchanged, error
     from ledger.pulls
     where ${mine(engine)}
     order by case when started_at > ${engine.dialect.literal(new Date(now * 1000).toISOString(), 'instant')} then 1 else 0 end,
       started_at desc
     limit ${most}`,
    { account },
  );

/**
 * Failed questions, by source, split, grain, state and error: `first_day`, `last_day`, `days`, `last_asked_at`. The most recently asked
 * comes first.
 */
export const failedQuestions = (engine: Queryable, account: string): Promise<Row[]> =>
  engine.query(
    `select
       account, source, split, split_value, grain, min(day) as first_day, max(day) as last_day, count(*) as days,
       state, error, max(coalesce(asked_at, pulled_at)) as last_asked_at
     from ledger.periods
     where ${mine(engine)}
       and (state <> 'pulled' or error is not null)
     group by account, source, split, split_value, grain, state, error
     order by last_asked_at desc, source, split <> 'account', split, split_value, grain, first_day desc`,
    { account },
  );

/**
 * Quarantined records, by source and reason: the first `record_id`, `records`, `seen_at`. Single ones come first: an unreadable answer is
 * quarantined once for each of its days.
 */
export const setAside = (engine: Queryable, account: string, most: number): Promise<Row[]> =>
  engine.query(
    `select
       account, source, min(record_id) as record_id, count(*) as records, reason, max(seen_at) as seen_at
     from ledger.quarantine
     where ${mine(engine)}
     group by account, source, reason
     order by records, max(seen_at) desc, source, min(record_id)
     limit ${most}`,
    { account },
  );

export async function countSetAside(engine: Queryable, account: string): Promise<number> {
  const [all] = await engine.query(`select count(*) as n from ledger.quarantine where ${mine(engine)}`, { account });
  return Number(all?.n ?? 0);
}

/** Headers by which the source announces the end of an interface. */
export const announcements = (engine: Queryable, account: string): Promise<Row[]> =>
  engine.query(
    `select source, header, value, first_seen_at, last_seen_at
     from ledger.notices
     where ${mine(engine)}
     order by source, header, value`,
    { account },
  );

interface PullTimes {
  started_at: Value;
  ended_at: Value;
}

/** When pulls with these ids ran, by account and id; unknown ones are left out. */
export async function timesOfPulls(
  engine: Queryable,
  whose: AskedAccounts,
  ids: readonly string[],
): Promise<Map<string, Map<string, PullTimes>>> {
  const bind = parameters(engine.dialect);
  const rows = await engine.query(
    `select p.account, p.pull_id, p.started_at, p.ended_at
     from ledger.pulls as p
     where ${bind.ofAccount('p', whose).join('')}
       and p.pull_id in (${bind.list('pull', ids, 'text')})`,
    bind.params,
  );
  const times = new Map<string, Map<string, PullTimes>>();
  for (const { account, pull_id, started_at = null, ended_at = null } of rows) {
    const own = times.get(String(account)) ?? new Map<string, PullTimes>();
    times.set(String(account), own);
    own.set(String(pull_id), { started_at, ended_at });
  }
  return times;
}

export interface LastSuccess {
  /** When the last pull that succeeded ended; ISO instant. */
  ended_at: string | null;
  /** First local day of the archive that was pulled. */
  pulled_since: string | null;
}

/** By account. */
export async function lastSuccesses(engine: Queryable): Promise<Map<string, LastSuccess>> {
  const rows = await engine.query(
    `select account, max(ended_at) filter (where state = 'done') as ended_at, min(first_day) as pulled_since
     from ledger.pulls as each
     left join (
       select account, min(day) as first_day
       from ledger.periods
       where source = 'archive'
         and state = 'pulled'
       group by account
     ) as archived using (account)
     group by account`,
  );
  const textOf = (value: Value | undefined): string | null => (value ? String(value) : null);
  return new Map(
    rows.map(({ account, ended_at, pulled_since }) => [
      String(account),
      { ended_at: textOf(ended_at), pulled_since: textOf(pulled_since) },
    ]),
  );
}
