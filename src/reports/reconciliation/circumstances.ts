// What may excuse a difference: capped days, chats that changed after the report, removed agents, chats over a border.
import type { QueryContext } from '#warehouse/context.ts';
import { localDate } from '#warehouse/periods.ts';
import type { Range, Split } from './sides.ts';

export interface Excuses {
  /** Local days whose archive names more chats than could be reached. */
  capped: ReadonlySet<string>;
  /** For each local day, the newest moment (Unix seconds) at which a changed chat of that day was received. */
  changed: ReadonlyMap<string, number>;
  removed: ReadonlySet<string>;
  /** Local days with a chat that ran over the end of a quarter hour, and the days that it ran into. */
  bordered: ReadonlySet<string>;
  /** Local days with a chat from an archive that lists no goals: what was reached cannot be recomputed. */
  goalless: ReadonlySet<string>;
}

export async function excusesOf({ snapshot, now }: QueryContext, range: Range): Promise<Excuses> {
  const { engine } = snapshot;
  const { param } = engine.dialect;
  const { account, timezone, from, to } = range;
  const between = `day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)`;
  const capped = await engine.query(
    `select day
     from ledger.periods
     where account = ${param('account', 'text')}
       and source = 'archive'
       and ${between}
       and (state <> 'pulled' or total > rows)`,
    { account, from, to },
  );
  const removed = await engine.query(
    `select login from account.agents where account = ${param('account', 'text')} and is_removed`,
    { account },
  );
  const chats = await engine.query(
    `select started_second, ended_second, c.source = 'agent_v3' as is_goalless, epoch(p.started_at) as received
     from facts.chats as c
     left join ledger.pulls as p on p.pull_id = c.pull_id and p.account = c.account
     where c.account = ${param('account', 'text')}
       and started_second >= ${param('first', 'bigint')}
       and started_second < ${param('last', 'bigint')}`,
    { account, first: roughly(from, -2), last: roughly(to, 3) },
  );
  const changed = new Map<string, number>();
  const bordered = new Set<string>();
  const goalless = new Set<string>();
  const dayOf = memo((hour: number) => localDate(timezone, hour * 3600));
  for (const chat of chats) {
    const [started, ended] = [Number(chat.started_second), Number(chat.ended_second)];
    const [first, last] = [dayOf(Math.floor(started / 3600)), dayOf(Math.floor(ended / 3600))];
    changed.set(first, Math.max(changed.get(first) ?? 0, Number(chat.received ?? now)));
    if (chat.is_goalless) for (const day of [first, last]) goalless.add(day);
    // Periods of every zone begin on a quarter hour: a chat that stays within one crosses no border.
    if (Math.floor(started / 900) !== Math.floor(ended / 900)) for (const day of [first, last]) bordered.add(day);
  }
  return {
    capped: new Set(capped.map((row) => String(row.day))),
    removed: new Set(removed.map((row) => String(row.login))),
    changed,
    bordered,
    goalless,
  };
}

export const isRemoved = (excuses: Excuses, split: Split, value: string): boolean =>
  split === 'agent' ? excuses.removed.has(value) : false;

/** Midnight in UTC, some days off: wide enough for every zone. */
const roughly = (day: string, days: number): number =>
  Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000) + days * 86_400;

function memo<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
