// Describes in words what an answer is compared with.
import { figure, isUnsettled, numberOf, type Answer, type Slots } from './answer.ts';
import type { Panel } from './panel.ts';
import { dayCount, named, periodName, rangeName, read } from './periods.ts';
import { words } from './words.ts';

/** The number of days in the answer, and how many days earlier the compared range begins. */
function distanceOf({ from, to, compare }: Answer): { days: number; earlier: number } {
  return { days: dayCount(from, to), earlier: dayCount(compare?.from ?? from, from) - 1 };
}

/** The same weeks of two years are 52 or 53 weeks apart; a range of about that length is compared with the preceding one. */
function isYearBefore(answer: Answer): boolean {
  const { days, earlier } = distanceOf(answer);
  if (answer.grain === 'month') return days < 360 && answer.from.slice(5, 7) === answer.compare?.from.slice(5, 7);
  return (earlier === 364 || earlier === 371) && days <= 357;
}

/**
 * The comparison at the end of a sentence: "the 4 weeks before", "19 Sep – 18 Oct", "the same weekdays a year before"; of a range that
 * is not over "the week before up to 14:15", or "the week before, in whole days" where the vendor's reports give no more, of one day "the
 * same weekday a week before, the whole day".
 */
export function than(answer: Answer, locale: string): string {
  if (!answer.compare) return '';
  const end = clockTime(answer);
  const days = daysBefore(answer, locale);
  if (end !== undefined) return `${days} ${words.upTo(end)}`;
  return isOfWholeDays(answer) ? words.inWholeDays(days, distanceOf(answer).days) : days;
}

/** Whether a range that is not over is compared with whole days. */
const isOfWholeDays = ({ grain, rows, compare }: Answer): boolean =>
  grain !== 'hour' && compare?.until === undefined && rows.some(({ state }) => state === 'open');

/** The same where whole days alone are compared. */
export const thanWholeDays = (answer: Answer, locale: string): string =>
  answer.compare ? daysBefore(answer, locale) : '';

/** The clock time up to which chats of the last compared day count: "14:15". */
export function clockTime({ compare, timezone }: Pick<Answer, 'compare' | 'timezone'>): string | undefined {
  if (compare?.until === undefined) return undefined;
  const format = { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(compare.until));
}

function daysBefore(answer: Answer, locale: string): string {
  const { from = '', to = '', slots } = answer.compare ?? {};
  if (slots) return slotsBefore(slots);
  const { days, earlier } = distanceOf(answer);
  if (isYearBefore(answer)) return answer.grain === 'month' ? words.sameMonths : words.sameWeekdays;
  if (days === 1 && earlier === 7) return words.sameWeekday;
  if (days === earlier && days % 7 === 0) return words.weeksBefore(days / 7);
  // A line may break after the dash, and nowhere else: a space that does not break would begin the next one.
  return rangeName(from, to, locale, from.slice(0, 4) !== answer.to.slice(0, 4))
    .replaceAll(' ', '\u00a0')
    .replace('–\u00a0', '– ');
}

/** "the four Tuesdays before", "the four Tuesdays before from 14:00 to 15:00", "the week before", "the four months before". */
function slotsBefore({ count, period }: Slots): string {
  const { kind, day, hour } = read(period);
  if (kind === 'week' || kind === 'month') return words.periodsBefore(count, kind);
  const weekday = words.periodsBefore(count, named('en', { weekday: 'long' }, day));
  return kind === 'hour' ? words.betweenHours(weekday, hour, hour + 1) : weekday;
}

/** The same after a count: "on the four Tuesdays before", "in the four weeks before". */
export function inTimeOf(answer: Answer, locale: string): string {
  const { days, earlier } = distanceOf(answer);
  const kind = answer.compare?.slots && read(answer.compare.slots.period).kind;
  const isOn = kind === 'day' || kind === 'hour' || (!kind && days === 1 && earlier === 7);
  return words.inTime(isOn ? 'on' : 'in', than(answer, locale));
}

/** The comparison as a name in a key or a tooltip. */
export function comparisonName(answer: Answer): string {
  if (isYearBefore(answer)) return words.aYearBefore;
  if (answer.grain === 'month') return words.previousMonths;
  return distanceOf(answer).earlier === 7 ? words.weeksBefore(1) : words.previous;
}

/** The period that one of the answer is compared with, at the same place: "Mon 19 Oct", "Mon 27 Oct 2025". */
export function comparedPeriod(answer: Answer, place: number, locale: string): string | undefined {
  const period = answer.compare?.rows[place]?.period;
  if (period === undefined) return undefined;
  const isNamed = answer.grain === 'month' || !isYearBefore(answer);
  return `${periodName(period, locale)}${isNamed ? '' : ` ${period.slice(0, 4)}`}`;
}

/**
 * The days that answers are compared with: "2026-04-27 – 2026-05-03", "2026-04-27 – 2026-05-03 14:15", of one day
 * "2026-04-27", or that they are not.
 */
export function comparedDays(answers: readonly (Pick<Answer, 'compare' | 'timezone'> | undefined)[]): string {
  const compared = answers.filter((answer) => answer?.compare !== undefined);
  const compare = compared[0]?.compare;
  if (!compare) return 'not compared';
  // Numbers from reports are compared by whole days.
  const ends = new Set(compared.map((answer) => answer && clockTime(answer)));
  const [end] = ends.size === 1 ? ends : [];
  if (end === undefined) return compare.from === compare.to ? compare.to : words.fromTo(compare.from, compare.to);
  return words.fromTo(compare.from, `${compare.to} ${end}`);
}

/**
 * The first measure over the compared periods, in order; nothing where most of them are unknown: a scrap of a line compares nothing. Of what
 * is late, only where the period compared with them is final.
 */
export function compared(panel: Panel, answer: Answer | undefined): (number | null)[] {
  if (!panel.compare || !answer?.compare) return [];
  const measure = panel.measures[0]?.measure ?? '';
  const numbers = answer.compare.rows.map((row) => numberOf(figure({}, row, measure)));
  const known = numbers.filter((value) => value !== null).length;
  if (known <= 1 || known * 2 < numbers.length) return [];
  const own = panel.isLate ? answer.rows : [];
  const kept = numbers.map((value, at) => (isUnsettled(own[at]) ? null : value));
  return kept.some((value) => value !== null) ? kept : [];
}
