// Parses dates typed into the palette: "2026-10-03", "3 oct", "october", "october 2025", "q3", "tuesday", "last tuesday".
import { periodName, daysOf, rangeName, weekdayNames } from '#dashboards/periods.ts';
import type { DateRange } from '#dashboards/ranges.ts';
import { isDate } from '#lib/dates.ts';

/** Ranges as names with their days, none of them in the future. `today`: the local date. */
export function daysTyped(text: string, today: string, locale: string): (DateRange & { name: string })[] {
  const words = text
    .trim()
    .toLocaleLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const label = labelOf(words, today, locale);
  if (label === undefined) return [];
  const { from, to } = Array.isArray(label) ? { from: label[0] ?? '', to: label[1] ?? '' } : daysOf(label, label);
  if (!isDate(from) || !isDate(to) || from > today) return [];
  const name = Array.isArray(label) || label.length === 10 ? rangeName(from, to, locale) : periodName(label, locale);
  return [{ name, from, to: to > today ? today : to }];
}

/** A day, a week or a month as answers label them, or the first and last day. */
function labelOf(words: string[], today: string, locale: string): string | [string, string] | undefined {
  const [first = '', second = '', third = ''] = words;
  if (words.length === 1 && /^\d{4}-\d\d(-\d\d)?$/.test(first)) return isDay(first) ? first : undefined;
  if (isDate(first) && isDate(words.at(-1) ?? '') && words.length <= 3) return [first, words.at(-1) ?? ''];
  const quarter = /^q([1-4])$/.exec(first)?.[1];
  if (quarter && words.length <= 2) {
    const month = (Number(quarter) - 1) * 3 + 1;
    const year = yearOf(second, `${two(month)}-01`, today);
    return year && [`${year}-${two(month)}-01`, daysOf(`${year}-${two(month + 2)}`, `${year}-${two(month + 2)}`).to];
  }
  const weekday = words.length === 1 ? first : words.length === 2 && first === 'last' ? second : '';
  const at = weekday ? weekdayOf(weekday, locale) : -1;
  if (at >= 0) return dayBefore(today, at, first === 'last');
  const day = Number(/^(\d{1,2})\.?$/.exec(first)?.[1] ?? /^(\d{1,2})\.?$/.exec(second)?.[1] ?? NaN);
  const isDayFirst = /^\d{1,2}\.?$/.test(first);
  const month = monthOf(isDayFirst ? second : first, locale);
  if (!month) return undefined;
  if (Number.isNaN(day)) {
    const year = words.length <= 2 ? yearOf(second, `${two(month)}-01`, today) : undefined;
    return year && `${year}-${two(month)}`;
  }
  const year = words.length <= 3 ? yearOf(third, `${two(month)}-${two(day)}`, today) : undefined;
  const date = `${year ?? ''}-${two(month)}-${two(day)}`;
  return isDate(date) ? date : undefined;
}

const two = (number: number): string => String(number).padStart(2, '0');

const isDay = (text: string): boolean => isDate(text.length === 7 ? `${text}-01` : text);

/** The year that is written, or the last one in which it was already. */
function yearOf(text: string, monthAndDay: string, today: string): string | undefined {
  if (text) return /^\d{4}$/.test(text) ? text : undefined;
  const year = Number(today.slice(0, 4));
  return String(`${year}-${monthAndDay}` > today ? year - 1 : year);
}

/** The place of a whole name in a week, Monday 0; -1 if it is none. A part of one may be the beginning of another word. */
const weekdayOf = (text: string, locale: string): number =>
  ['en', locale]
    .map((language) => weekdayNames(language, 'long').findIndex((name) => name.toLocaleLowerCase() === text))
    .find((at) => at >= 0) ?? -1;

/** The newest day of a place in the week; `isOver`: before today. */
function dayBefore(today: string, at: number, isOver: boolean): string {
  const day = new Date(`${today}T00:00:00Z`);
  const back = (day.getUTCDay() + 6 - at) % 7;
  day.setUTCDate(day.getUTCDate() - (isOver && back === 0 ? 7 : back));
  return day.toISOString().slice(0, 10);
}

/** Matches three or more letters of a month's name, in English and in the language of the page. */
function monthOf(text: string, locale: string): number | undefined {
  const part = text.replace(/\.$/, '');
  if (part.length < 3) return undefined;
  for (const language of ['en', locale]) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month++)
      if (
        format
          .format(Date.UTC(2024, month - 1, 1))
          .toLocaleLowerCase()
          .startsWith(part)
      )
        return month;
  }
  return undefined;
}
