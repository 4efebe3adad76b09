// The parts that charts have in common: type, grid, axes, round scale ends and the hatch of unsettled periods.
import { sayShort } from '../numbers.ts';
import type { Unit } from '../panel.ts';
import { ticks } from '../periods.ts';
import type { Theme } from '../theme.ts';
import { words } from '../words.ts';
import type { Setting } from './picture.ts';

export const FONT = "'Inter Variable', Inter, system-ui, sans-serif";

/** Options of every chart. */
export function base(theme: Theme) {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, fontSize: 12, color: theme.muted },
  };
}

const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** A round end for an axis from zero, and the distance of its grid lines. */
export function scale(largest: number, unit: Unit): { max: number; interval: number } {
  if (!(largest > 0)) return { max: unit === 'share' ? 0.1 : 4, interval: unit === 'share' ? 0.05 : 2 };
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const decimal = ([1, 2, 2.5, 5, 10].find((step) => step * power >= rough) ?? 10) * power;
  let interval = unit === 'seconds' ? (timeSteps.find((step) => step >= rough) ?? decimal) : decimal;
  if (unit === 'count' && interval < 1) interval = 1;
  const max = Math.ceil(largest / interval - 1e-9) * interval;
  return unit === 'share' && largest <= 1 ? { max: Math.min(max, 1), interval } : { max, interval };
}

/** The value axis: starts at zero, faint lines, words by unit. */
export function valueAxis(largest: number, unit: Unit, { theme, locale }: Setting) {
  return {
    type: 'value',
    min: 0,
    ...scale(largest, unit),
    axisLabel: { color: theme.muted, fontSize: 12, formatter: (value: number) => sayShort(value, unit, locale) },
    splitLine: { lineStyle: { color: theme.hairline, width: 1 } },
    axisLine: { show: false },
    axisTick: { show: false },
  };
}

/** The time axis: labels as text, ticks on round places. */
export function timeAxis(labels: string[], isBar: boolean, { theme, locale }: Setting) {
  const named = ticks(labels, locale);
  return {
    type: 'category',
    data: labels,
    boundaryGap: isBar,
    axisLine: { lineStyle: { color: theme.before } },
    axisTick: {
      show: true,
      alignWithLabel: true,
      length: 4,
      lineStyle: { color: theme.before },
      interval: (index: number) => named[index] !== '',
    },
    axisLabel: {
      color: theme.muted,
      fontSize: 12,
      hideOverlap: true,
      margin: 8,
      interval: (index: number) => named[index] !== '',
      formatter: (_label: string, index: number) => named[index] ?? '',
    },
  };
}

/** Diagonal lines in the colour of the canvas over a fill: the period may still change. */
export function unsettledHatch(theme: Theme) {
  return { symbol: 'rect', color: theme.hatchOver, dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4 };
}

/** Runs of periods that were never pulled, as grey areas behind the chart. */
export function notPulledAreas(states: string[], theme: Theme) {
  const runs: [number, number][] = [];
  states.forEach((state, index) => {
    if (state !== 'not_pulled') return;
    const last = runs.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  });
  return {
    silent: true,
    itemStyle: { color: theme.hairline, opacity: 0.7 },
    label: { show: true, position: 'insideTop', color: theme.muted, fontSize: 12 },
    data: runs.map(([from, to]) => [
      { xAxis: from, name: to - from > states.length / 5 ? words.not_pulled : '' },
      { xAxis: to },
    ]),
  };
}
