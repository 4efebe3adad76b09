// Names on a time axis: an even step apart, as many as there is room for at any width.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read, ticks } from '#dashboards/periods.ts';
import { bars } from '#dashboards/pictures/bars.ts';
import { timeAxis } from '#dashboards/pictures/frame.ts';
import { widthOf } from '#dashboards/pictures/name-room.ts';
import { drawn } from '#digests/charts.ts';
import { tries } from '../chance.ts';
import { answer, days, panel, setting } from './answers.ts';

const { locale } = setting;
const HOUR = 3_600_000;
const iso = (instant: number): string => new Date(instant).toISOString();
const labelOf = {
  hour: (first: number, at: number) =>
    iso(first + at * HOUR)
      .slice(0, 13)
      .replace('T', ' ') + ':00',
  day: (first: number, at: number) => iso(first + at * 24 * HOUR).slice(0, 10),
  month: (first: number, at: number) => {
    const day = new Date(first);
    return iso(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + at)).slice(0, 7);
  },
};
type Kind = keyof typeof labelOf;

const periods = (kind: Kind, count: number, from = '2026-11-16'): string[] =>
  Array.from({ length: count }, (_, at) => labelOf[kind](Date.parse(from), at));

/** The names in their places at a width, as ECharts chooses them: of the queries that match, the last one counts. */
function namesAt(labels: string[], width: number, right: number): string[] {
  const { media } = timeAxis(labels, true, right, setting);
  const chosen = media.findLast(({ query }) => width >= query.minWidth);
  const { axisTick, axisLabel } = chosen?.option.xAxis ?? {};
  return labels.map((label, index) => {
    expect(axisTick?.interval(index)).toBe(axisLabel?.interval(index));
    return axisLabel?.interval(index) ? (axisLabel.formatter(label, index) ?? '') : '';
  });
}
const placesOf = (names: string[]): number[] => names.flatMap((name, index) => (name ? [index] : []));

test('a narrow chart names fewer days, an even step apart', () => {
  const named = (count: number, width: number) => namesAt(periods('day', count), width, 8).filter(Boolean);
  expect(named(14, 1000)).toEqual(['16 Nov', '18 Nov', '20 Nov', '22 Nov', '24 Nov', '26 Nov', '28 Nov']);
  expect(named(14, 350)).toEqual(['16 Nov', '19 Nov', '22 Nov', '25 Nov', '28 Nov']);
  expect(named(14, 200)).toEqual(['16 Nov', '23 Nov']);
  expect(named(21, 350)).toEqual(['16 Nov', '23 Nov', '30 Nov']);
  expect(namesAt(periods('hour', 48), 350, 8).filter(Boolean)).toEqual(['16 Nov', '12:00', '17 Nov', '12:00']);
});

test('the names that are drawn are an even step apart at every width', () => {
  const [chart] = bars(
    panel(),
    [
      answer(
        days(
          'n',
          Array.from({ length: 14 }, (_, at) => at + 1),
        ),
      ),
    ],
    setting,
  ).charts;
  if (!chart) throw new Error('no chart');
  for (let width = 240; width <= 960; width += 24) {
    const named = [...drawn(chart, width).matchAll(/>(\d+) Nov</g)].map(([, day]) => Number(day));
    expect(named.length).toBeGreaterThan(1);
    const step = (named[1] ?? 0) - (named[0] ?? 0);
    expect({ width, named }).toEqual({ width, named: named.map((_, at) => 1 + at * step) });
  }
});

test('weeks are named on Mondays, fewer days than three weeks from the first', () => {
  expect(ticks(periods('day', 60, '2026-09-03'), locale).filter(Boolean)[0]).toBe('7 Sept');
  expect(ticks(periods('day', 20, '2026-09-03'), locale).filter(Boolean)[0]).toBe('3 Sept');
});

test('at any width names are an even step apart and do not touch', () => {
  const kind = fc.constantFrom<Kind>('hour', 'day', 'month');
  const first = fc.integer({ min: 0, max: 800 }).map((days) => labelOf.day(Date.parse('2025-01-01'), days));
  fc.assert(
    fc.property(
      kind,
      first,
      fc.integer({ min: 1, max: 800 }),
      fc.integer({ min: 200, max: 2000 }),
      fc.constantFrom(8, 24, 104),
      (of, from, count, width, right) => {
        const labels = periods(of, count, from);
        const names = namesAt(labels, width, right);
        const places = placesOf(names);
        const step = (places[1] ?? count) - (places[0] ?? 0);
        expect(places).toEqual(places.map((_, at) => (places[0] ?? 0) + at * step));
        // From three weeks on the first name is that of the first Monday.
        const isOfWeeks = of === 'day' && count >= 21;
        const wanted = isOfWeeks ? labels.findIndex((label) => new Date(read(label).day).getUTCDay() === 1) : 0;
        expect(places[0]).toBe(wanted);
        expect(places.length).toBeLessThanOrEqual(8);
        const apart = ((width - right - 64) * step) / count;
        if (places.length > 1) expect(apart).toBeGreaterThan(Math.max(...names.map(widthOf)) + 8);
      },
    ),
    { numRuns: tries(200, 5000) },
  );
});
