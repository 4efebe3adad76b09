// One number of today so far, next to the same weekday a week ago: up to the same hour if possible, and in total.
import { figure, numberOf, type Answer, type Figure } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
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

/** `asOf` is the wall-clock label of the hour up to which numbers are known: `2026-11-03 14:00`. */
export function today(
  panel: Panel,
  [now, weekAgo, byHour]: (Answer | undefined)[],
  { locale, asOf, weekday }: { locale: string; asOf: string; weekday: string },
): TodayFace {
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const told = (value: number) => say(value, panel.unit, locale);
  const it = figure(now ?? {}, now?.rows[0], measure.measure);
  const whole = numberOf(figure(weekAgo ?? {}, weekAgo?.rows[0], measure.measure));
  const hours = byHour?.rows ?? [];
  const hoursByThen = hours.filter((row) => (row.period ?? '').slice(11) < asOf.slice(11));
  const counted = hoursByThen.map((row) => numberOf(figure(byHour ?? {}, row, measure.measure)));
  // In the first hour of a day nothing was counted by then: that is 0, not unknown.
  const isKnown = hours.length > 0 && counted.every((value) => value !== null);
  const byThen = counted.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const cell = cellOf(panel, measure, now?.rows[0], it);
  return {
    text: it.kind === 'number' ? told(it.value) : silence(it),
    kind: it.kind,
    ...(it.kind === 'not_given' && it.reason !== undefined ? { reason: it.reason } : {}),
    cell: cell && now ? { ...cell, from: now.from, to: now.to } : undefined,
    than:
      whole === null
        ? todayWords.noWeekAgo(weekday)
        : isKnown
          ? todayWords.weekAgoByThen(weekday, told(byThen), asOf.slice(11), told(whole))
          : todayWords.weekAgo(weekday, told(whole)),
  };
}
