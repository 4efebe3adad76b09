// Weekday by hour as squares of one hue; a cell without data is hatched, a cell with zero has the palest shade, one of few chats is small.
import { figure, isUnsettled, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { fewest } from '../chance.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { weekdayNames } from '../periods.ts';
import { stateWords, words } from '../words.ts';
import { base } from './frame.ts';
import { cellDrawer } from './heatmap-cell.ts';
import { shadeOf, shades } from './heatmap-shades.ts';
import type { KeyEntry, Picture, Setting, Tip } from './picture.ts';
import { basisLine, capital, cell, extremes, isOfFew, told } from './telling.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
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
  const measure = panel.measures[0];
  const answer = answers.find((it) => it.metric === (measure?.metric ?? panel.metric)) ?? answers[0];
  const places = placesOf(panel, answer);
  const numbers = places.map(({ it }) => (it.kind === 'number' ? it.value : null));
  const few = places.map(({ row, it }) => it.kind === 'number' && isOfFew(panel, row));
  const many = numbers.map((value, index) => (few[index] ? null : value));
  // What rests on a handful of chats neither makes the scale nor is the highest.
  const firm = many.some((value) => value !== null) ? many : numbers;
  const steps = shades(firm);
  const name = measure?.label ?? panel.title;
  const days = weekdayNames(setting.locale);
  const long = weekdayNames(setting.locale, 'long');
  const where = (index: number) => `${long[places[index]?.weekday ?? 0]} ${HOURS[places[index]?.hour ?? 0]}:00`;
  const data = places.map(({ weekday, hour, it }, index) => [
    hour,
    weekday,
    it.kind === 'number' ? shadeOf(it.value, steps) : -1,
    few[index] ? 1 : 0,
  ]);
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: { trigger: 'item' },
    xAxis: axis(HOURS, setting, (index) => index % 3 === 0),
    yAxis: { ...axis(days, setting, () => true), inverse: true },
    series: [{ type: 'custom', renderItem: cellDrawer(setting.theme, steps), data, encode: { x: 0, y: 1 } }],
  };
  return {
    charts: [
      {
        option,
        tips: places.map((place, index) => tip(panel, name, place, where(index), setting)),
        hits: 'cell',
        height: 264,
      },
    ],
    key: keyOf(panel, steps, numbers.includes(null), setting),
    table: {
      columns: [{ title: words.hour, numeric: false }, ...long.map((title) => ({ title, numeric: true }))],
      rows: HOURS.map((hour, at) => [
        { text: `${hour}:00`, kind: 'head' },
        ...places
          .filter((place) => place.hour === at)
          .map((place) => cell(place.it, panel.unit, setting.locale, isUnsettled(place.row), '', place.cell)),
      ]),
    },
    summary: [
      `${extremes(capital(name), firm, panel.unit, setting.locale, where)}.`,
      ...(few.includes(true) && panel.basis ? [words.ofFew(`${fewest} ${panel.basis.label}`)] : []),
    ].join(' '),
  };
}

function placesOf(panel: Panel, answer: Answer | undefined): WeekdayCell[] {
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const rows = new Map(answer?.rows.map((row) => [`${row['weekday']} ${row['hour_of_day']}`, row]));
  return WEEKDAYS.flatMap((day, weekday) =>
    HOURS.map((label, hour) => {
      const row = rows.get(`${day} ${label}`);
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
  hasEmpty: boolean,
  { locale }: Setting,
): KeyEntry[] {
  const entries: KeyEntry[] = steps.map(({ from, to, shade, whole }) => {
    const end = whole ? to - 1 : to;
    const label =
      from === end || (whole && end <= from)
        ? say(from, panel.unit, locale)
        : `${say(from, panel.unit, locale)} – ${say(end, panel.unit, locale)}`;
    return { token: `heat-${shade + 1}`, label, mark: 'fill' };
  });
  return hasEmpty ? [...entries, { token: 'hatch', label: words.no_data, mark: 'hatch' }] : entries;
}
