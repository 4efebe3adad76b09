// One number of today so far, next to that of the same weekday a week ago up to the same time, or of that whole day, which is then said.
import { figure, numberOf, type Answer, type Figure } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { clockTime } from '../comparison.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { silence } from '../words.ts';
import { todayWords } from './today-words.ts';

export interface TodayFace {
  text: string;
  kind: Figure['kind'];
  cell?: Cell | undefined;
  /** Label of the compared weekday. */
  than: string;
  /** Why there is no number in this zone or with these filters. */
  reason?: string;
}

interface Moment {
  locale: string;
  /** Wall-clock label of the hour up to which numbers are known: `2026-11-03 14:00`. */
  asOf: string;
  weekday: string;
}

export function today(panel: Panel, [now, byHour]: (Answer | undefined)[], at: Moment): TodayFace {
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const it = figure(now ?? {}, now?.rows[0], measure.measure);
  const cell = cellOf(panel, measure, now?.rows[0], it);
  return {
    text: it.kind === 'number' ? say(it.value, panel.unit, at.locale) : silence(it),
    kind: it.kind,
    ...(it.kind === 'not_given' && it.reason !== undefined ? { reason: it.reason } : {}),
    cell: cell && now ? { ...cell, from: now.from, to: now.to } : undefined,
    than: weekAgo(panel, now, it.kind === 'number' ? byHour : undefined, at),
  };
}

/** What the vendor's reports give is compared by whole days: of a count the hours that have passed are said first. */
function weekAgo(
  { measures, unit }: Panel,
  now: Answer | undefined,
  byHour: Answer | undefined,
  { locale, asOf, weekday }: Moment,
): string {
  const { measure = '' } = measures[0] ?? {};
  // A time stays on one line.
  const told = (value: number) => say(value, unit, locale).replaceAll(' ', '\u00a0');
  const before = numberOf(figure({}, now?.compare?.rows[0], measure));
  if (!now || before === null) return todayWords.noWeekAgo(weekday);
  const end = clockTime(now);
  if (end !== undefined) return todayWords.weekAgo(weekday, told(before), end);
  const hours = byHour?.rows ?? [];
  const counted = hours
    .filter((row) => (row.period ?? '').slice(11) < asOf.slice(11))
    .map((row) => numberOf(figure(byHour ?? {}, row, measure)));
  // In the first hour of a day nothing was counted by then: that is 0, not unknown.
  if (hours.length === 0 || counted.includes(null)) return todayWords.weekAgoInAll(weekday, told(before));
  const byThen = counted.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return todayWords.weekAgoByThen(weekday, told(byThen), asOf.slice(11), told(before));
}
