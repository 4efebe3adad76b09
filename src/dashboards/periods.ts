// Reads period labels (hour, day, ISO week, month) and names them for people; labels are wall-clock text, never instants.
import type { DateRange } from './ranges.ts';

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Readers choose the language, so the cache of formats is limited. */
const most_formats = 500;

/** A day, a UTC midnight, in words. */
export function named(locale: string, options: Intl.DateTimeFormatOptions, day: number): string {
  const key = locale + JSON.stringify(options);
  let made = formats.get(key);
  if (!made) {
    if (formats.size >= most_formats) formats.clear();
    formats.set(key, (made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })));
  }
  return amongOthers(made.format(day));
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name written from right to left keeps its own numbers, and none of the sentence around it: a mark of direction on each side. */
const amongOthers = (text: string): string => (rightToLeft.test(text) ? `\u200f${text}\u200e` : text);

type ParsedLabel = { kind: 'hour' | 'day' | 'week' | 'month' | 'other'; day: number; hour: number; week: number };

/** The first day of a label as a UTC midnight, and its kind. */
export function read(label: string): ParsedLabel {
  const week = /^(\d{4})-W(\d{2})$/.exec(label);
  if (week) {
    const fourth = Date.UTC(Number(week[1]), 0, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
    return { kind: 'week', day: monday + (Number(week[2]) - 1) * 7 * DAY, hour: 0, week: Number(week[2]) };
  }
  const parts = /^(\d{4})-(\d{2})(?:-(\d{2})(?: (\d{2}):00)?)?$/.exec(label);
  if (!parts) return { kind: 'other', day: 0, hour: 0, week: 0 };
  const day = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3] ?? 1));
  const kind = parts[4] !== undefined ? 'hour' : parts[3] !== undefined ? 'day' : 'month';
  return { kind, day, hour: Number(parts[4] ?? 0), week: 0 };
}

const short = { day: 'numeric', month: 'short' } as const;
const full = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/**
 * A period in full: "Mon, 3 Nov, 14:00", "Mon, 3 Nov", "week 45, 2 Nov to 8 Nov", "November 2026"; of a part of it "week 45, only 5 Nov
 * to 8 Nov".
 */
export function periodName(label: string, locale: string, part?: DateRange): string {
  const { kind, day, hour, week } = read(label);
  if (part) return `${kind === 'week' ? `week ${week}` : periodName(label, locale)}, only ${partName(part, locale)}`;
  if (kind === 'hour') return `${named(locale, full, day)}, ${String(hour).padStart(2, '0')}:00`;
  if (kind === 'day') return named(locale, full, day);
  if (kind === 'week') return `week ${week}, ${named(locale, short, day)} to ${named(locale, short, day + 6 * DAY)}`;
  return kind === 'month' ? named(locale, { month: 'long', year: 'numeric' }, day) : label;
}

const partName = ({ from, to }: DateRange, locale: string): string =>
  from === to ? dayName(from, locale) : `${dayName(from, locale)} to ${dayName(to, locale)}`;

/** The days of a week or month that a range covers, where it does not cover all of them. */
export function partOf(label: string, { from, to }: DateRange): DateRange | undefined {
  const { kind } = read(label);
  if (kind !== 'week' && kind !== 'month') return undefined;
  const whole = daysOf(label, label);
  if (whole.from >= from && whole.to <= to) return undefined;
  return { from: whole.from < from ? from : whole.from, to: whole.to > to ? to : whole.to };
}

/** A date as day and month, with the year when asked. */
export function dayName(date: string, locale: string, withYear = false): string {
  return named(locale, withYear ? { ...short, year: 'numeric' } : short, read(date).day);
}

/** First and last date of a range: "3 Nov – 9 Nov 2026", "30 Dec 2025 – 3 Jan 2026", "9 Nov 2026". */
export function rangeName(from: string, to: string, locale: string, hasYear = true): string {
  const last = dayName(to, locale, hasYear);
  return from === to ? last : `${dayName(from, locale, hasYear && from.slice(0, 4) !== to.slice(0, 4))} – ${last}`;
}

/** Weekday names by locale, Monday first. */
export function weekdayNames(locale: string, length: 'short' | 'long' = 'short'): string[] {
  return Array.from({ length: 7 }, (_, index) => named(locale, { weekday: length }, Date.UTC(2024, 0, 1 + index)));
}

/** Weekdays as answers write them, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The name of a weekday as answers write it: `mon`. */
export const weekdayName = (key: string, locale: string): string =>
  weekdayNames(locale, 'long')[weekdays.indexOf(key)] ?? key;

/** The place of the period that holds a day, or -1; labels in order, of an hour the first of the day. */
export function placeOf(day: string, labels: string[]): number {
  const wanted = read(day).day;
  const parts = labels.map(read);
  const place = parts.findLastIndex((part) => part.day <= wanted);
  const found = parts[place];
  const last = parts.at(-1);
  if (!found || !last) return -1;
  const length = { hour: 1, day: 1, week: 7, month: 31, other: 0 }[found.kind];
  if (wanted >= found.day + length * DAY || (found.kind === 'month' && labels[place] !== day.slice(0, 7))) return -1;
  return found.kind === 'hour' ? parts.findIndex((part) => part.day === found.day) : place;
}

/** The days from the beginning of one period to the end of another, in either order. */
export function daysOf(one: string, other: string): DateRange {
  const [first = '', last = ''] = [one, other].sort();
  const { kind, day } = read(last);
  const next = new Date(day);
  if (kind === 'month') next.setUTCMonth(next.getUTCMonth() + 1);
  const end = kind === 'month' ? next.getTime() - DAY : day + (kind === 'week' ? 6 * DAY : 0);
  return { from: dateOf(read(first).day), to: dateOf(end) };
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The last day of the range minus the first, plus one. */
export function dayCount(from: string, to: string): number {
  return Math.round((read(to).day - read(from).day) / DAY) + 1;
}

/** Text for each tick of a time axis, empty where no tick is drawn: an even step apart, on round places. */
export function ticks(labels: string[], locale: string): string[] {
  return ticksByStep(labels, locale).at(-1)?.names ?? [];
}

const MOST_TICKS = 8;
/** From this many days on, ticks are weeks apart and on Mondays; ticks of fewer begin at the first day. */
const WEEKS_FROM = 21;

/** The same for each step that is far enough, from the farthest to the closest; the farthest leaves one tick or two. */
export function ticksByStep(labels: string[], locale: string): { step: number; names: string[] }[] {
  const parts = labels.map(read);
  const first = parts[0];
  if (!first) return [];
  const count = labels.length;
  const isOfWeeks = first.kind === 'day' && count >= WEEKS_FROM;
  const steps =
    first.kind === 'hour'
      ? [1, 3, 6, 12, 24, 48, 168]
      : isOfWeeks
        ? [7, 14, 28, 56]
        : first.kind === 'day'
          ? [1, 2, 3, 4, 7, 14]
          : [1, 2, 3, 4, 6, 12, 13, 26];
  for (let step = steps.at(-1) ?? 1; step < count; steps.push(step)) step *= 2;
  const monday = first.day + ((8 - new Date(first.day).getUTCDay()) % 7) * DAY;
  const round = steps.filter((step) => count <= step * MOST_TICKS);
  return round.reverse().map((step) => {
    const names = parts.map((part, index) => {
      const place =
        part.kind === 'hour'
          ? part.hour + (step > 24 ? (24 * (part.day - first.day)) / DAY : 0)
          : isOfWeeks
            ? (part.day - monday) / DAY
            : index;
      return place % step === 0 ? tick(part, step, locale) : '';
    });
    return { step, names };
  });
}

function tick(part: ParsedLabel, step: number, locale: string): string {
  if (part.kind === 'hour' && step < 24 && part.hour !== 0) return `${String(part.hour).padStart(2, '0')}:00`;
  if (part.kind === 'month') return named(locale, { month: 'short', year: '2-digit' }, part.day);
  return named(locale, short, part.day);
}
