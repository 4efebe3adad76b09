// Weekday by hour as squares of one hue; a cell without data is hatched, a cell with zero has the palest shade, one of few chats is small.
import { figure, isUnsettled, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { fewest } from '../chance.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { weekdayNames, weekdays } from '../periods.ts';
import { stateWords, words } from '../words.ts';
import { base } from './frame.ts';
import { cellDrawer } from './heatmap-cell.ts';
import { isBeyond, shadeOf, shades } from './heatmap-shades.ts';
import type { Chart, KeyEntry, Picture, Setting, Tip } from './picture.ts';
import { basisLine, capital, cell, extremes, isOfFew, told } from './telling.ts';

export const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

interface WeekdayCell {
  weekday: number;
  hour: number;
  row: AnswerRow | undefined;
  it: Figure;
  cell: Cell | undefined;
}

/** Draws the first measure; a panel with several is drawn once per measure by its reader's choice. */
export function heatmap(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const week = weekOf(panel, answerOf(panel, answers));
  const steps = shades(scaleIn([week]));
  return {
    charts: [chartOf(panel, week, steps, setting)],
    key: keyOf(panel, steps, week.numbers, setting),
    table: {
      columns: [{ title: words.hour, numeric: false }, ...columnsOf(week, setting)],
      rows: HOURS.map((hour) => [{ text: `${hour}:00`, kind: 'head' }, ...hourOf(panel, week, hour, setting)]),
    },
    summary: [`${extremesOf(capital(nameOf(panel)), panel, week, setting)}.`, ...fewWords(panel, [week])].join(' '),
  };
}

/** The answer with the numbers of the first measure. */
export function answerOf({ measures: [measure], metric }: Panel, answers: Answer[]): Answer | undefined {
  return answers.find((it) => it.metric === (measure?.metric ?? metric)) ?? answers[0];
}

/** The hours of a week, Monday first, and which of them are of few chats. A range of fewer days has fewer weekdays. */
export interface Week {
  /** By their place in the week. */
  weekdays: number[];
  places: WeekdayCell[];
  numbers: (number | null)[];
  few: boolean[];
}

export function weekOf(panel: Panel, answer: Answer | undefined): Week {
  const own = weekdaysIn(answer);
  const places = placesOf(panel, answer, own);
  return {
    weekdays: own,
    places,
    numbers: places.map(({ it }) => (it.kind === 'number' ? it.value : null)),
    few: places.map(({ row, it }) => it.kind === 'number' && isOfFew(panel, row)),
  };
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** Places in the week, Monday first, of the days of the range. */
function weekdaysIn(answer: Answer | undefined): number[] {
  const all = weekdays.map((_, place) => place);
  if (!answer) return all;
  const first = dayNumber(answer.from);
  const count = dayNumber(answer.to) - first + 1;
  // 1 January 1970 was a Thursday.
  const there = new Set(all.slice(0, count).map((after) => (first + after + 3) % all.length));
  return all.filter((place) => there.has(place));
}

/** Titles of a table's columns. */
export const columnsOf = ({ weekdays: own }: Week, { locale }: Setting) =>
  own.map((place) => ({ title: weekdayNames(locale, 'long')[place] ?? '', numeric: true }));

/** Of fewer numbers than this share of all, a scale says little of the others. */
const least_of_scale = 0.1;

/** What makes the scale: the numbers that rest on more than a handful of chats, unless hardly any do. */
export function scaleIn(weeks: readonly Week[]): (number | null)[] {
  const [firm, all] = [firmIn(weeks), weeks.flatMap(({ numbers }) => numbers)];
  const count = (numbers: readonly (number | null)[]): number => numbers.filter((value) => value !== null).length;
  return count(firm) >= least_of_scale * count(all) ? firm : all;
}

/** What can be the highest: the numbers that rest on more than a handful of chats, where there are any. */
function firmIn(weeks: readonly Week[]): (number | null)[] {
  const many = weeks.flatMap(({ numbers, few }) => numbers.map((value, index) => (few[index] ? null : value)));
  return many.some((value) => value !== null) ? many : weeks.flatMap(({ numbers }) => numbers);
}

/** What is drawn. */
export const nameOf = ({ measures: [measure], title }: Panel): string => measure?.label ?? title;

function whereIn({ places }: Week, { locale }: Setting): (index: number) => string {
  const long = weekdayNames(locale, 'long');
  return (index) => `${long[places[index]?.weekday ?? 0]} ${HOURS[places[index]?.hour ?? 0]}:00`;
}

/** The highest and the lowest hour of what is named. */
export const extremesOf = (name: string, panel: Panel, week: Week, setting: Setting): string =>
  extremes(name, firmIn([week]), panel.unit, setting.locale, whereIn(week, setting));

export const fewWords = ({ basis }: Panel, weeks: readonly Week[]): string[] =>
  basis && weeks.some(({ few }) => few.includes(true)) ? [words.ofFew(`${fewest} ${basis.label}`)] : [];

/** The cells of an hour in a table, Monday first. */
export const hourOf = (panel: Panel, { places }: Week, hour: string, { locale }: Setting) =>
  places
    .filter((place) => HOURS[place.hour] === hour)
    .map((place) => cell(place.it, panel.unit, locale, isUnsettled(place.row), '', place.cell));

const row_height = 34;
/** Hours, and what surrounds all. */
const around_rows = 26;

export function chartOf(panel: Panel, week: Week, steps: ReturnType<typeof shades>, setting: Setting): Chart {
  const { places, few, weekdays: own } = week;
  const where = whereIn(week, setting);
  const data = places.map(({ weekday, hour, it }, index) => [
    hour,
    own.indexOf(weekday),
    it.kind === 'number' ? shadeOf(it.value, steps) : -1,
    few[index] ? 1 : 0,
  ]);
  const names = weekdayNames(setting.locale);
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: { trigger: 'item' },
    xAxis: axis(HOURS, setting, (index) => index % 3 === 0),
    yAxis: {
      ...axis(
        own.map((place) => names[place] ?? ''),
        setting,
        () => true,
      ),
      inverse: true,
    },
    series: [{ type: 'custom', renderItem: cellDrawer(setting.theme, steps), data, encode: { x: 0, y: 1 } }],
  };
  return {
    option,
    tips: places.map((place, index) => tip(panel, nameOf(panel), place, where(index), setting)),
    hits: 'cell',
    height: around_rows + own.length * row_height,
  };
}

function placesOf(panel: Panel, answer: Answer | undefined, own: readonly number[]): WeekdayCell[] {
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const rows = new Map(answer?.rows.map((row) => [`${row['weekday']} ${row['hour_of_day']}`, row]));
  return own.flatMap((weekday) =>
    HOURS.map((label, hour) => {
      const row = rows.get(`${weekdays[weekday]} ${label}`);
      const it = figure(answer ?? {}, row, measure.measure);
      return { weekday, hour, row, it, cell: cellOf(panel, measure, row, it) };
    }),
  );
}

function tip(panel: Panel, name: string, { row, it, cell }: WeekdayCell, title: string, { locale }: Setting): Tip {
  const lines = [{ name, value: told(it, panel.unit, locale), cell }, ...basisLine(panel, row, locale)];
  return row && row.state !== 'complete' ? { title, lines, note: stateWords(row.state) } : { title, lines };
}

export function axis(labels: string[], { theme }: Setting, isNamed: (index: number) => boolean) {
  return {
    type: 'category',
    data: labels,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: { color: theme.muted, fontSize: 12, interval: isNamed },
  };
}

export function keyOf(
  panel: Panel,
  steps: ReturnType<typeof shades>,
  numbers: readonly (number | null)[],
  { locale }: Setting,
): KeyEntry[] {
  const largest = Math.max(...numbers.map((value) => value ?? 0));
  const entries: KeyEntry[] = steps.map(({ from, to, shade, whole }, place) => {
    const end = whole ? to - 1 : to;
    // Numbers of few chats do not make the scale, and may lie beyond it.
    const isOpen = place === steps.length - 1 && isBeyond(largest, steps);
    const label = isOpen
      ? words.andMore(say(from, panel.unit, locale))
      : from === end || (whole && end <= from)
        ? say(from, panel.unit, locale)
        : `${say(from, panel.unit, locale)} – ${say(end, panel.unit, locale)}`;
    return { token: `heat-${shade + 1}`, label, mark: 'fill' };
  });
  return numbers.includes(null) ? [...entries, { token: 'hatch', label: words.no_data, mark: 'hatch' }] : entries;
}
