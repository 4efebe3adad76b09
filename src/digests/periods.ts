// The period of a digest: local dates and a label, derived from the due day or from the label itself.
import { dateOf, dayNumber, first_day, last_day } from '#warehouse/periods.ts';
import type { PeriodName } from './digest.ts';

export interface DigestPeriod {
  /** `2026-11-20`, `2026-W46`, `2026-10` or `2026-Q3`; names the period in the ledger and in folders. */
  label: string;
  kind: 'day' | 'week' | 'month' | 'quarter';
  /** Local dates, both inclusive. */
  from: string;
  to: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

const day = (date: string): DigestPeriod => ({ label: date, kind: 'day', from: date, to: date });

function week(monday: number): DigestPeriod {
  const thursday = new Date((monday + 3) * 86_400_000);
  const year = thursday.getUTCFullYear();
  const first = Math.floor(Date.UTC(year, 0, 1) / 86_400_000);
  const label = `${year}-W${two(Math.floor((monday + 3 - first) / 7) + 1)}`;
  return { label, kind: 'week', from: dateOf(monday), to: dateOf(monday + 6) };
}

function months(year: number, month: number, count: 1 | 3): DigestPeriod {
  const from = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  const to = new Date(Date.UTC(year, month + count, 0)).toISOString().slice(0, 10);
  const label = count === 1 ? from.slice(0, 7) : `${from.slice(0, 4)}-Q${Number(from.slice(5, 7)) / 3 + 2 / 3}`;
  return { label, kind: count === 1 ? 'month' : 'quarter', from, to };
}

/** The last complete period before `today`, a local date. */
export function periodBefore(name: PeriodName, today: string): DigestPeriod {
  const at = dayNumber(today);
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (name === 'yesterday') return day(dateOf(at - 1));
  if (name === 'last_week') return week(at - ((at + 3) % 7) - 7);
  if (name === 'last_month') return months(year, month - 2, 1);
  return months(year, Math.floor((month - 1) / 3) * 3 - 3, 3);
}

const real = (date: string): boolean => !Number.isNaN(dayNumber(date)) && dateOf(dayNumber(date)) === date;

/** The period of a label, or undefined if it is not one. */
export function periodOf(label: string): DigestPeriod | undefined {
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(label) ?? [];
  if (year && quarter) return months(Number(year), (Number(quarter) - 1) * 3, 3);
  const [, ofWeek, number] = /^(\d{4})-W(\d\d)$/.exec(label) ?? [];
  if (ofWeek && number) {
    const fourth = dayNumber(`${ofWeek}-01-04`);
    const found = week(fourth - ((fourth + 3) % 7) + (Number(number) - 1) * 7);
    return found.label === label ? found : undefined;
  }
  if (/^\d{4}-\d\d$/.test(label) && real(`${label}-01`))
    return months(Number(label.slice(0, 4)), Number(label.slice(5)) - 1, 1);
  return /^\d{4}-\d\d-\d\d$/.test(label) && real(label) ? day(label) : undefined;
}

/** Why nothing can be told of a period; undefined: it lies in the days that there are. */
export const outside = ({ from, to }: DigestPeriod): string | undefined =>
  from < first_day || to > last_day ? `lies outside the days that there are, ${first_day} to ${last_day}` : undefined;

/** A custom range of days, as a page asks for it. */
export const rangeOf = (from: string, to: string): DigestPeriod => ({
  label: from === to ? from : `${from} to ${to}`,
  kind: 'day',
  from,
  to,
});
