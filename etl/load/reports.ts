// Turns one report answer into rows of its table, day by day; an unchanged day is not written again.
import { hash } from 'node:crypto';
import { reports } from '#contract/reports.ts';
import { addDays, boundsOf } from '../days.ts';
import type { FlatRow } from '../decode/chats.ts';
import { decodeReport, type DayRows } from '../decode/reports.ts';
import { costOf, failureOf, type Gathered } from '../fetched.ts';
import type { PeriodNews } from '../ledger/period.ts';
import { daysNamedBy, daysOf, type ReportUnit } from '../unit.ts';
import { failedPeriods, periodOf, type Batch, type Loading } from './batch.ts';

export function bundleReport(loading: Loading, item: Gathered<ReportUnit>): PeriodNews[] {
  const { unit, bodies, failure, answers } = item;
  const { batch } = loading;
  const cost = costOf(item);
  if (failure) {
    if (failure.state === 'quarantined') setAside(loading, unit, daysOf(unit), failure.message, answers.at(-1)?.body);
    return failedPeriods(unit, daysOf(unit), failure, batch, cost);
  }
  let decoded: DayRows;
  try {
    decoded = decodeReport(unit.report, bodies[0], unit.asked);
  } catch (error) {
    const failure = failureOf(error);
    setAside(loading, unit, daysOf(unit), failure.message, JSON.stringify(bodies[0]));
    return failedPeriods(unit, daysOf(unit), failure, batch, cost);
  }
  const { days, misfits } = decoded;
  for (const { day, reason, body } of misfits) setAside(loading, unit, [day], reason, body);
  // A date in the year 9999, or the 99th of a month, is not a day that the ledger could ask again. Clocks may differ by a day.
  const known = new Set([...daysNamedBy(unit), addDays(unit.to, 1)]);
  const wrong = misfits
    .filter(({ day }) => known.has(day))
    .flatMap(({ day, reason }) => failedPeriods(unit, [day], { state: 'quarantined', message: reason }, batch, cost));
  const isWrong = new Set(misfits.map(({ day }) => day));
  const isMoment = reports[unit.report].keyed === 'moment';
  const [strange, ...more] = isMoment ? [...days.keys()].filter((day) => !known.has(day)) : [];
  if (strange !== undefined)
    setAside(
      loading,
      unit,
      [strange],
      `${1 + more.length} days are named that were not asked`,
      JSON.stringify(bodies[0]),
    );
  const asked = isMoment ? [...days.keys()].filter((day) => known.has(day)) : daysOf(unit);
  return asked
    .filter((day) => !isWrong.has(day))
    .flatMap((day): PeriodNews[] => {
      const silence = silenceOf(unit, day, days.get(day), batch);
      if (silence) return failedPeriods(unit, [day], { state: 'failed', message: silence }, batch, cost);
      return [bundleDay(loading, item, day, days)];
    })
    .concat(wrong);
}

/** Periods of a question that an answer should list but omits. */
function silenceOf({ report, asked }: ReportUnit, day: string, rows: FlatRow[] | undefined, batch: Batch) {
  // A ranking without rated agents names no row, but its day has been answered.
  if (reports[report].keyed === 'ranking') return undefined;
  if (!rows) return 'the answer does not name this day';
  if (asked.grain === 'day') return undefined;
  const { first, last } = boundsOf(day, batch.timezone);
  // On the day of a clock change sources name the hours in their own ways; of a day that is not over, not all of them.
  const isWhole = last - first === 86_400 && last <= batch.now;
  const hours = new Set(rows.map(({ period }) => period)).size;
  return isWhole && hours < 24 ? `the answer names ${hours} of the 24 hours of this day` : undefined;
}

function bundleDay(
  { bundle, batch, ledger }: Loading,
  item: Gathered<ReportUnit>,
  day: string,
  days: DayRows['days'],
): PeriodNews {
  const { unit } = item;
  const rows = days.get(day) ?? [];
  const period = periodOf(unit, day, batch);
  const content = hash('sha1', JSON.stringify(rows), 'base64url');
  const mark = ledger.quarantine.release(unit.source, recordOf(unit, day), batch.account);
  if (mark) bundle.setAside(mark);
  if (ledger.hashOf(period) !== content) {
    const entry = bundle.of('reports', unit.report);
    const { sales_tracker } = unit.asked;
    for (const row of rows) entry.rows.push({ ...row, pulled_at: batch.now, pull_id: batch.pull_id });
    entry.marks.push({ account: batch.account, ...period, ...(sales_tracker === undefined ? {} : { sales_tracker }) });
  }
  return { ...period, state: 'pulled', hash: content, rows: rows.length, cost: costOf(item) };
}

const recordOf = ({ asked }: ReportUnit, day: string): string =>
  [asked.grain, asked.split, asked.split_value, day].filter(Boolean).join(' ');

/** Uses the same id whenever the day is received, so that a later valid answer releases it. */
function setAside(loading: Loading, unit: ReportUnit, days: readonly string[], reason: string, body = ''): void {
  const { bundle, batch, ledger, tally } = loading;
  for (const day of days) {
    tally.quarantined += 1;
    const misfit = { source: unit.source, record_id: recordOf(unit, day), reason, body };
    bundle.setAside(...ledger.quarantine.add(misfit, batch));
  }
}
