// What the reports are answered from: one account in one snapshot of the warehouse.
import type { Engine } from '#warehouse/engine.ts';
import { range } from '#warehouse/periods.ts';

export interface Account {
  engine: Engine;
  id: string;
  /** The account's own IANA zone, in which its reports are pulled. */
  zone: string;
  /** First day that is to be pulled, YYYY-MM-DD of that zone: before it, everything is zero. */
  since: string;
  /** Unix seconds. */
  now: number;
}

/** From when to when the snapshot knows the account, Unix seconds. */
export interface Reach {
  /** First second of the first day pulled. */
  first: number;
  /** What lies after it does not exist: now, or for a day the end of the last day pulled. */
  now: number;
}

/** Between midnight and the first pull of a day, that day is the future. Later than this, it is missing. */
const graceSeconds = 86_400;

export async function reachOf({ engine, id, zone, since, now }: Account): Promise<Reach> {
  const [row] = await engine.query(
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
export async function isListed({ engine, id }: Account, kind: 'group' | 'agent', value: string): Promise<boolean> {
  const [table, column] = kind === 'group' ? ['groups', 'cast(group_id as varchar)'] : ['agents', 'login'];
  const rows = await engine.query(
    `select 1 as found\nfrom account.${table}\nwhere account = $account\n  and ${column} = $value\nlimit 1`,
    { account: id, value },
  );
  return rows.length > 0;
}
