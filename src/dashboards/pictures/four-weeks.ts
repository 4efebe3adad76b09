// The last four occurrences of each weekday, hour by hour: one row per day, so that Mondays stand below each other.
import { figure, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import type { Panel } from '../panel.ts';
import { dayName, periodName } from '../periods.ts';
import { stateWords, words } from '../words.ts';
import { base } from './frame.ts';
import { cellDrawer } from './heatmap-cell.ts';
import { shadeOf, shades } from './heatmap-shades.ts';
import { axis, HOURS, keyOf } from './heatmap.ts';
import type { Picture, Setting, Tip } from './picture.ts';
import { capital, cell, extremes, told } from './telling.ts';

interface HourCell {
  day: string;
  hour: string;
  row: AnswerRow | undefined;
  it: Figure;
  cell: Cell | undefined;
}

/** Monday is 0. */
const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

export function fourWeeks(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const { locale } = setting;
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const answer = answers[0];
  const rows = new Map(answer?.rows.map((row) => [String(row.period ?? ''), row]));
  const days = [...new Set([...rows.keys()].map((label) => label.slice(0, 10)))];
  days.sort((a, b) => weekdayOf(a) - weekdayOf(b) || a.localeCompare(b));
  const places: HourCell[] = days.flatMap((day) =>
    HOURS.map((hour) => {
      const row = rows.get(`${day} ${hour}:00`);
      const known = figure(answer ?? {}, row, measure.measure);
      // A future hour must not be shown as zero.
      const it: Figure =
        row?.state === 'open' && known.kind === 'number' && known.value === 0 ? { kind: 'no_data' } : known;
      return { day, hour, row, it, cell: cellOf(panel, measure, row, it) };
    }),
  );
  const numbers = places.map(({ it }) => (it.kind === 'number' ? it.value : null));
  const steps = shades(numbers);
  const where = (index: number) => periodName(`${places[index]?.day} ${places[index]?.hour}:00`, locale);
  const rowNames = days.map((day, index) =>
    weekdayOf(day) === weekdayOf(days[index - 1] ?? '') ? dayName(day, locale) : periodName(day, locale),
  );
  const data = places.map(({ it }, index) => [
    index % HOURS.length,
    Math.floor(index / HOURS.length),
    it.kind === 'number' ? shadeOf(it.value, steps) : -1,
  ]);
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: axis(HOURS, setting, (index) => index % 3 === 0),
    yAxis: { ...axis(rowNames, setting, () => true), inverse: true },
    series: [{ type: 'custom', renderItem: cellDrawer(setting.theme, steps), data, encode: { x: 0, y: 1 } }],
  };
  return {
    charts: [
      {
        option,
        tips: places.map((place, index) => tip(panel, place, where(index), setting)),
        hits: 'cell',
        height: 32 + days.length * 16,
      },
    ],
    key: keyOf(panel, steps, numbers, setting),
    table: {
      columns: [{ title: words.day, numeric: false }, ...HOURS.map((title) => ({ title, numeric: true }))],
      rows: days.map((day) => [
        { text: periodName(day, locale), kind: 'head' },
        ...places
          .filter((place) => place.day === day)
          .map((place) => cell(place.it, panel.unit, locale, place.row?.state === 'settling', '', place.cell)),
      ]),
    },
    summary: `${extremes(capital(measure.label), numbers, panel.unit, locale, where)}.`,
  };
}

function tip(panel: Panel, { row, it, cell }: HourCell, title: string, { locale }: Setting): Tip {
  const lines = [{ name: panel.measures[0]?.label ?? '', value: told(it, panel.unit, locale), cell }];
  return row && row.state !== 'complete' ? { title, lines, note: stateWords(row.state) } : { title, lines };
}
