// The periods of an answer: labels in order, zero-filled, on the wall clock of the asked zone (docs/counting.md).
import type { Grouping, ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import { refuse } from '../refusals.ts';
import { cut, dateOf, dayAt, dayOf, startOfDay, wallAt, zoneNamed, type Zone } from '../zone.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** No clock is ever set back by more, so a day never begins again later than this. */
export const longestRepeat = 4 * HOUR;

export interface ReportPeriods {
  /** The instant of the answer; later events do not exist yet. */
  now: number;
  zone: Zone;
  grouping: Grouping;
  labels: string[];
  /** Instants outside of [from, to) are in no period; inside, `cellAt` decides. */
  from: number;
  to: number;
  /** Index of the label whose period contains the instant, or -1. */
  cellAt(instant: number): number;
  /** Cuts an interval at the borders of periods; `take` receives a label's index and the seconds in it. */
  spread(from: number, to: number, take: (cell: number, seconds: number) => void): void;
  /** `begin` and `end` of a clipped month; nothing in other groupings. */
  clip(cell: number): { begin?: string; end?: string };
  /** One zero for every label. */
  zeros(): number[];
  /** The answer, one value for every label. */
  fill<T>(each: (cell: number) => T): Record<string, T>;
}

/** The first and last requested day, with missing dates filled in. Throws a refusal if they are reversed. */
export function daysOf(
  account: ServiceAccount,
  zone: Zone,
  now: number,
  args: Pick<ReportArgs, 'date_from' | 'date_to'>,
) {
  const earliest = account.earliest <= now ? account.earliest : now;
  const first = args.date_from ? dayOf(args.date_from) : dayAt(zone, earliest);
  const last = args.date_to ? dayOf(args.date_to) : dayAt(zone, now);
  if (first > last) {
    throw refuse.arguments(`date_from: ${dateOf(first)} must not be after date_to, which is ${dateOf(last)}`);
  }
  return { first, last };
}

export function periodsOf(account: ServiceAccount, args: ReportArgs): ReportPeriods {
  const now = account.now();
  const zone = args.timezone ? zoneNamed(args.timezone) : account.zone;
  const { first, last } = daysOf(account, zone, now, args);
  const grouping = groupingOf(args.group_by, first === last);
  const dates = Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index));
  const months = grouping === 'month' ? monthsOf(dates) : null;
  const unit = grouping === 'hour' ? HOUR : DAY;
  const origin = (first * DAY) / unit;
  const units = ((last - first + 1) * DAY) / unit;
  const labels = months ? months.labels : grouping === 'hour' ? hours : dates;

  const cellOf = (wallUnit: number): number => {
    const index = wallUnit - origin;
    if (index < 0 || index >= units) return -1;
    return months ? months.cells[index]! : index;
  };
  return {
    now,
    zone,
    grouping,
    labels,
    from: startOfDay(zone, first) - longestRepeat,
    to: startOfDay(zone, last + 1) + longestRepeat,
    cellAt: (instant) => cellOf(Math.floor(wallAt(zone, instant) / unit)),
    spread(from, to, take) {
      cut(zone, Math.max(from, this.from), Math.min(to, this.to), unit, (wallUnit, begin, end) => {
        const cell = cellOf(wallUnit);
        if (cell >= 0) take(cell, end - begin);
      });
    },
    clip: (cell) => (months ? { begin: months.begins[cell]!, end: months.ends[cell]! } : {}),
    zeros: () => new Array<number>(labels.length).fill(0),
    fill: (each) => Object.fromEntries(labels.map((label, cell) => [label, each(cell)])),
  };
}

/** The 24 labels of a day, in every zone and on every day. */
export const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** Hours are for one day only; over several days they become days. */
function groupingOf(asked: Grouping | undefined, is_one_day: boolean): Grouping {
  if (asked === 'month' || asked === 'day') return asked;
  return is_one_day ? 'hour' : 'day';
}

function monthsOf(dates: string[]) {
  const labels: string[] = [];
  const begins: string[] = [];
  const ends: string[] = [];
  const cells = dates.map((date) => {
    const label = date.slice(0, 7);
    if (labels.at(-1) !== label) {
      labels.push(label);
      begins.push(date);
    }
    ends[labels.length - 1] = date;
    return labels.length - 1;
  });
  return { labels, begins, ends, cells };
}
