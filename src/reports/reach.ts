// From when to when a snapshot knows an account, and whom the account lists.
import type { QueryContext } from '#warehouse/context.ts';
import { range } from '#warehouse/periods.ts';

/** From when to when the snapshot knows the account, Unix seconds. */
export interface Reach {
  /** First second of the first day pulled. */
  first: number;
  /** What lies after it does not exist: now, or for a day the end of the last day pulled. */
  now: number;
}

/** Between midnight and the first pull of a day, that day is the future. Later than this, it is missing. */
const graceSeconds = 86_400;

/** Days before the first one to pull are no part of it: the reports say zero there. */
export async function reachOf({ snapshot, account, now }: QueryContext): Promise<Reach> {
  const { id, timezone: zone, since } = account;
  const [row] = await snapshot.engine.query(
    'select min(day) as first, max(day) as last\nfrom ledger.periods\nwhere account = $account\n' +
      "  and timezone = $zone\n  and split = 'account'\n  and state = 'pulled'\n  and day >= cast($since as date)",
    { account: id, zone, since },
  );
  const first = String(row?.first ?? since);
  const last = String(row?.last ?? since);
  const end = range(zone, last, last).until;
  return { first: range(zone, first, first).from, now: now - end < graceSeconds ? Math.min(now, end) : now };
}

/** Whether the account's lists name this group or agent. */
export async function isListed(
  { snapshot, account }: QueryContext,
  kind: 'group' | 'agent',
  value: string,
): Promise<boolean> {
  const [table, column] = kind === 'group' ? ['groups', 'cast(group_id as varchar)'] : ['agents', 'login'];
  const rows = await snapshot.engine.query(
    `select 1 as found\nfrom account.${table}\nwhere account = $account\n  and ${column} = $value\nlimit 1`,
    { account: account.id, value },
  );
  return rows.length > 0;
}
