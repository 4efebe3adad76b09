// The account's local days as instants, and how busy each day and hour is.
import { Temporal } from 'temporal-polyfill';
import type { Random } from './random.ts';

/** One local day: [start, end) in Unix seconds; 23 or 25 hours long when the clocks change. */
export interface LocalDay {
  index: number;
  /** YYYY-MM-DD */
  date: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  start: number;
  end: number;
  /** The instant at which the clocks change, else null. */
  switchAt: number | null;
}

/** Expected chats of a working day in the first week. */
const WORKING_DAY_CHATS = 244;
const GROWTH_A_YEAR = 0.1;
const HOLIDAYS = ['01-01', '12-25'];
const WEEKDAY = [1.1, 1.03, 1, 0.98, 0.93, 0.42, 0.33];
const HOURS_WORKING = [4, 3, 2, 2, 2, 3, 7, 16, 38, 64, 82, 88, 84, 86, 80, 72, 62, 50, 40, 36, 32, 24, 14, 8];
const HOURS_WEEKEND = [8, 6, 4, 3, 3, 3, 5, 8, 18, 36, 56, 66, 68, 64, 60, 58, 56, 54, 52, 50, 44, 34, 22, 14];

/** The days of an account, counted from its first; each is worked out once. */
export function createCalendar(zone: string, firstDay: string): (index: number) => LocalDay {
  const first = Temporal.PlainDate.from(firstDay);
  const known = new Map<number, LocalDay>();
  return (index) => {
    const found = known.get(index);
    if (found) return found;
    const date = first.add({ days: index });
    const midnight = date.toZonedDateTime(zone);
    const start = seconds(midnight);
    const end = seconds(date.add({ days: 1 }).toZonedDateTime(zone));
    const change = end - start === 86_400 ? null : midnight.getTimeZoneTransition('next');
    const changed = change ? seconds(change) : start;
    // TRICKY: where the clocks change at midnight, the day begins after the change, which then lies outside the day.
    const switchAt = end - start === 86_400 ? null : changed < end ? changed : start;
    const day = { index, date: date.toString(), weekday: date.dayOfWeek, start, end, switchAt };
    known.set(index, day);
    return day;
  };
}

/** Local time of day at an instant, in seconds since midnight. */
export function wallSeconds(day: LocalDay, instant: number): number {
  const passed = instant - day.start;
  return day.switchAt === null || instant < day.switchAt ? passed : passed + shift(day);
}

/** The instant at which the wall clock of the day shows these seconds; also past 24 hours, for what ends tomorrow. */
export function instantAt(day: LocalDay, wall: number): number {
  const plain = day.start + wall;
  if (day.switchAt === null || plain < day.switchAt) return plain;
  return Math.max(day.switchAt, plain - shift(day));
}

export function isHoliday(day: LocalDay): boolean {
  return HOLIDAYS.includes(day.date.slice(5));
}

/** Monday to Friday and no holiday. */
function isWorkingDay(day: LocalDay): boolean {
  return day.weekday <= 5 && !isHoliday(day);
}

/** How many visitors can be expected to ask for a chat on this day. */
export function expectedArrivals(day: LocalDay): number {
  const weekday = isHoliday(day) ? 0.22 : (WEEKDAY[day.weekday - 1] ?? 1);
  return WORKING_DAY_CHATS * weekday * (1 + (GROWTH_A_YEAR * day.index) / 365) * 1.03;
}

/** The weight of each real hour of the day (23, 24 or 25 of them); now and then a campaign makes one hour busy. */
export function hourWeights(day: LocalDay, random: Random): number[] {
  const shape = isWorkingDay(day) ? HOURS_WORKING : HOURS_WEEKEND;
  const weights: number[] = [];
  for (let at = day.start; at < day.end; at += 3600) {
    weights.push(shape[Math.floor(wallSeconds(day, at) / 3600)] ?? 1);
  }
  if (random.chance(0.25)) {
    const hour = random.between(10, 16);
    weights[hour] = (weights[hour] ?? 0) * 2;
  }
  return weights;
}

function shift(day: LocalDay): number {
  return 86_400 - (day.end - day.start);
}

function seconds(moment: Temporal.ZonedDateTime): number {
  return Math.floor(moment.epochMilliseconds / 1000);
}
