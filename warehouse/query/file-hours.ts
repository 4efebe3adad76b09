// The business hours that a file keeps, as they were set.
import { noHours, type BusinessHours, type HoursFrom } from '../business-hours.ts';
import type { Engine, Row } from '../engine.ts';
import { memoized } from '../memoize.ts';
import { weekdays } from '../periods.ts';
import { columnsIn } from './file-columns.ts';

const hoursTable = 'account.business_hours';

const listIn = (text: unknown): string[] => (text === '' ? [] : String(text).split(' '));

const entryOf = (row: Row): HoursFrom => ({
  valid_from: row.valid_from === null ? null : String(row.valid_from),
  timezone: String(row.timezone),
  week: Object.fromEntries(
    weekdays.map((name) => [name, listIn(row[name])] as const).filter(([, shifts]) => shifts.length > 0),
  ),
  holidays: listIn(row.holidays),
});

/** Empty if none are set, and for files published before business hours existed. */
export function businessHoursIn(engine: Engine, account: string): Promise<BusinessHours> {
  return memoized(engine, `business hours ${account}`, async () => {
    const isThere = !engine.isFrozen || (await columnsIn(engine)).has(hoursTable);
    if (!isThere) return noHours;
    const { dialect } = engine;
    const rows = await engine.query(
      `select group_id, valid_from, timezone, ${weekdays.join(', ')}, holidays\nfrom ${hoursTable}\n` +
        `where account = ${dialect.literal(account, 'text')}\norder by bit, valid_from nulls first`,
    );
    const groups = Map.groupBy(rows, (row) => row.group_id ?? null);
    return {
      hours: (groups.get(null) ?? []).map(entryOf),
      groups: [...groups]
        .filter(([group]) => group !== null)
        .map(([group, own]) => ({ group: Number(group), hours: own.map(entryOf) })),
    };
  });
}
