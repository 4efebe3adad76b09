// The periods of an answer: labels in order, zero-filled, clipped months (docs/counting.md).
import type { Grouping, ReportArgs } from '#contract/reports.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { BadArguments } from './errors.ts';
import type { KnownSpan } from './reach.ts';

export interface AnswerPeriods {
  zone: string;
  grouping: Grouping;
  labels: readonly string[];
  /** The name of a label's period in an answer of a metric. */
  periodOf(label: string): string;
  /** `begin` and `end` of a clipped month; nothing in other groupings. */
  clip(label: string): { begin?: string; end?: string };
  /** The part of the requested local days that can be known: neither before the first pull nor in the future. */
  known: { from: string; to: string } | null;
}

const mostDays = 36_600;

/** The 24 labels of a day, in every zone and on every day. */
export const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

export function periodsOf({ account, now }: QueryContext, reach: KnownSpan, args: ReportArgs): AnswerPeriods {
  const zone = args.timezone ?? account.timezone;
  const begun = localDate(zone, Math.min(reach.first, now));
  const first = args.date_from ?? begun;
  const last = args.date_to ?? localDate(zone, now);
  if (first > last) throw new BadArguments([`date_from: ${first} must not be after date_to, which is ${last}`]);
  const days = dayNumber(last) - dayNumber(first) + 1;
  if (days > mostDays) throw new BadArguments([`date_to: ${days} days is too long a range, at most ${mostDays}`]);
  const dates = Array.from({ length: days }, (_, index) => dateOf(dayNumber(first) + index));
  const grouping = groupingOf(args.group_by, first === last);
  const months = Map.groupBy(dates, (date) => date.slice(0, 7));
  const today = localDate(zone, reach.now);
  const known = { from: first < begun ? begun : first, to: last > today ? today : last };
  return {
    zone,
    grouping,
    labels: grouping === 'hour' ? hours : grouping === 'day' ? dates : [...months.keys()],
    periodOf: (label) => (grouping === 'hour' ? `${first} ${label}` : label),
    clip(label) {
      const [begin, end] = grouping === 'month' ? [months.get(label)?.[0], months.get(label)?.at(-1)] : [];
      return begin && end ? { begin, end } : {};
    },
    known: known.from > known.to ? null : known,
  };
}

/** Hours are for one day only; over several days they become days. */
function groupingOf(asked: Grouping | undefined, isOneDay: boolean): Grouping {
  if (asked === 'month' || asked === 'day') return asked;
  return isOneDay ? 'hour' : 'day';
}
