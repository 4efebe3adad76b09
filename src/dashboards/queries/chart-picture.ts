// The picture of a result, drawn as the dashboards draw theirs: lines and bars over time, ranked bars for texts.
import type { AnswerRow } from '../answer.ts';
import type { Panel, Unit } from '../panel.ts';
import { bars } from '../pictures/bars.ts';
import { valueAxis } from '../pictures/frame.ts';
import { lines } from '../pictures/lines.ts';
import type { Chart, Picture, Setting } from '../pictures/picture.ts';
import { ranking } from '../pictures/ranking.ts';
import { capital, extremes } from '../pictures/telling.ts';
import type { ChartPoints } from './chart-points.ts';

const keyOf = (place: number): string => `y${place}`;
/** So that places sort as they count. */
const placeOf = (place: number): string => String(place).padStart(6, '0');

export function pictureOf(points: ChartPoints, kind: 'line' | 'bar', setting: Setting): Picture {
  const { scale, labels, series } = points;
  const measures = series.map(({ name }, place) => ({ measure: keyOf(place), label: name }));
  const isText = scale === 'text';
  const rows = labels.map((label, at): AnswerRow => {
    const values = series.map(({ values }, place): [string, number | null] => [keyOf(place), values[at] ?? null]);
    const where = isText ? { x: label } : { period: scale === 'period' ? label : placeOf(at) };
    return { state: 'complete', ...where, ...Object.fromEntries(values) };
  });
  const panel: Panel = {
    ...{ id: 'result', title: '', sentence: '', empty: '', metric: 'result', unit: unitOf(points), measures },
    ...{ picture: isText ? 'ranking' : kind === 'line' ? 'lines' : 'bars', grain: isText ? 'total' : 'asked' },
    ...(isText ? { split: ['x'], inOrder: true, beside: measures.length > 1 } : {}),
  };
  const answer = { metric: 'result', timezone: 'UTC', from: '', to: '', grain: 'asked', rows };
  const picture = (isText ? ranking : kind === 'line' ? lines : bars)(panel, [answer], setting);
  const named = scale === 'period' || isText ? picture : withNames(picture, points, panel.unit, setting);
  return withNegatives(named, points, panel.unit, setting);
}

/** Counts have whole steps on their axis, small fractions have others. */
function unitOf({ series }: ChartPoints): Unit {
  const numbers = series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const isSmall = numbers.every((value) => Math.abs(value) <= 2) && numbers.some((value) => !Number.isInteger(value));
  return isSmall ? 'score' : 'count';
}

const withChart = (picture: Picture, change: (chart: Chart) => Partial<Chart>): Picture => ({
  ...picture,
  charts: picture.charts.map((chart) => ({ ...chart, ...change(chart) })),
});

/** Numbers and moments are named as they are; a period would be read as a date. */
function withNames(picture: Picture, { labels, series }: ChartPoints, unit: Unit, { theme, locale }: Setting): Picture {
  const axisOf = ({ option }: Chart): object => ({
    ...(option['xAxis'] as object),
    data: labels,
    axisTick: { show: false },
    axisLabel: { color: theme.muted, fontSize: 12, hideOverlap: true, margin: 8 },
  });
  const named = withChart(picture, (chart) => ({
    option: { ...chart.option, xAxis: axisOf(chart), media: [] },
    tips: chart.tips.map(({ lines }, place) => ({ title: labels[place] ?? '', lines })),
  }));
  const told = series
    .slice(0, 2)
    .map(({ name, values }) => `${extremes(capital(name), values, unit, locale, (place) => labels[place] ?? '')}.`);
  return { ...named, summary: told.join(' ') };
}

/** Bars of the dashboards are never below zero. */
function withNegatives(picture: Picture, { scale, series }: ChartPoints, unit: Unit, setting: Setting): Picture {
  const numbers = series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const smallest = numbers.reduce((least, value) => Math.min(least, value), 0);
  if (smallest >= 0) return picture;
  const largest = numbers.reduce((most, value) => Math.max(most, value), 0);
  const name = scale === 'text' ? 'xAxis' : 'yAxis';
  const axis = valueAxis(largest, unit, setting, smallest);
  return withChart(picture, ({ option }) => ({
    option: { ...option, [name]: { ...(option[name] as object), ...axis } },
  }));
}
