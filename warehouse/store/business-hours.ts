// Writes business hours to the writer's file, with the resulting open time as far as there are chats.
import { bitOf, everybody, sameHours, segmentsOf, type BusinessHours, type HoursFrom } from '../business-hours.ts';
import type { Row, Store } from '../engine.ts';
import { weekdays } from '../periods.ts';
import { businessHoursIn } from '../query/file-hours.ts';
import { tableOf } from '../tables/tables.ts';

const rowOf = (account: string, group_id: number | null, bit: number, entry: HoursFrom): Row => ({
  ...{ account, group_id, bit, valid_from: entry.valid_from, timezone: entry.timezone },
  ...Object.fromEntries(weekdays.map((name) => [name, (entry.week[name] ?? []).join(' ')])),
  holidays: entry.holidays.join(' '),
});

/** False when the file has them already. */
export async function setBusinessHours(engine: Store, account: string, written: BusinessHours): Promise<boolean> {
  if (sameHours(await businessHoursIn(engine, account), written)) return false;
  const rows = [
    ...written.hours.map((entry) => rowOf(account, null, everybody, entry)),
    ...written.groups.flatMap(({ group, hours }, at) => hours.map((entry) => rowOf(account, group, bitOf(at), entry))),
  ];
  await engine.transaction(async () => {
    await engine.load(tableOf('account', 'business_hours'), rows, { replacing: ['account'], marks: [{ account }] });
    await keepOpenHours(engine, account);
  });
  return true;
}

/** Chats of no time that calendars know make no hours. */
const day_seconds = 86_400;
const bounds = { from: Date.UTC(2000, 0, 1) / 1000, until: Date.UTC(2101, 0, 1) / 1000 };

/**
 * Whole days from the first to the last with a wait in any account: superfluous hours do no harm, and finding those of one account would
 * mean reading the account of each chat.
 */
async function extentOf(engine: Store): Promise<{ from: number; until: number } | undefined> {
  const [row] = await engine.query(
    'select least(min(c.started_second - coalesce(c.queue_seconds, 0)), ' +
      '(select min(t.asked_second) from facts.chat_turns as t)) as first,\n' +
      '  greatest(max(c.ended_second), (select max(t.answered_second) from facts.chat_turns as t)) as last\n' +
      'from facts.chats as c',
  );
  if (row?.first == null || row.last == null) return undefined;
  return {
    from: Math.max(bounds.from, Math.floor(Number(row.first) / day_seconds) * day_seconds),
    until: Math.min(bounds.until, (Math.floor(Number(row.last) / day_seconds) + 1) * day_seconds),
  };
}

async function keepOpenHours(engine: Store, account: string): Promise<void> {
  const extent = await extentOf(engine);
  const written = await businessHoursIn(engine, account);
  const wanted = extent ? segmentsOf(written, extent.from, extent.until) : [];
  const rows = wanted.map(({ from, until, open_in }) => ({ account, from_second: from, until_second: until, open_in }));
  const now = await engine.query(
    'select account, from_second, until_second, open_in\nfrom account.open_hours\nwhere account = $account\norder by from_second',
    { account },
  );
  if (JSON.stringify(now) === JSON.stringify(rows)) return;
  await engine.load(tableOf('account', 'open_hours'), rows, { replacing: ['account'], marks: [{ account }] });
}

/** Brings the open time of every account up to its newest chats. */
export async function keepAllOpenHours(engine: Store): Promise<void> {
  const found = await engine.query('select distinct account from account.business_hours order by account');
  for (const { account } of found) await engine.transaction(() => keepOpenHours(engine, String(account)));
}
