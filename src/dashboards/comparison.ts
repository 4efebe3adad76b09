// With what an answer is compared, in words and as a thin grey line behind the picture.
import { figure, numberOf, type Answer } from './answer.ts';
import type { Panel } from './panel.ts';
import { dayCount } from './periods.ts';
import type { Setting } from './pictures/picture.ts';
import { words } from './words.ts';

/** The same dates a year earlier (of 29 February the 28th), rather than the days right before. */
function isYearBefore({ from, compare }: Answer): boolean {
  const earlier = `${Number(from.slice(0, 4)) - 1}${from.slice(4)}`.replace('-02-29', '-02-28');
  return compare?.from === earlier;
}

/** The comparison at the end of a sentence: "the 30 days before", "the same 30 days a year before". */
export function than(answer: Answer): string {
  if (!answer.compare) return '';
  const days = dayCount(answer.compare.from, answer.compare.to);
  return isYearBefore(answer) ? words.yearBefore(days) : words.daysBefore(days);
}

/** The comparison as a name in a key or a tooltip. */
export function comparisonName(answer: Answer): string {
  return isYearBefore(answer) ? words.aYearBefore : words.previous;
}

/** The first measure over the compared periods, in order; nothing where most of them are unknown: a scrap of a line compares nothing. */
export function compared(panel: Panel, answer: Answer | undefined): (number | null)[] {
  if (!panel.compare || !answer?.compare) return [];
  const measure = panel.measures[0]?.measure ?? '';
  const numbers = answer.compare.rows.map((row) => numberOf(figure({}, row, measure)));
  const known = numbers.filter((value) => value !== null).length;
  return known > 1 && known * 2 >= numbers.length ? numbers : [];
}

/** The compared periods as a series of a chart, in order or as `[place, value]`; `z` says before or behind what. */
export function comparedLine(name: string, data: unknown[], z: number, { theme }: Setting) {
  return { type: 'line', name, data, symbol: 'none', silent: true, lineStyle: { width: 1.5, color: theme.before }, z };
}
