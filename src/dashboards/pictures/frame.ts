// The parts that charts have in common: type, grid, axes, round scale ends and the hatch of unsettled periods.
import { sayShort } from '../numbers.ts';
import type { Unit } from '../panel.ts';
import { ticksByStep } from '../periods.ts';
import type { Theme } from '../theme.ts';
import { words } from '../words.ts';
import { widthOf } from './name-room.ts';
import type { Setting } from './picture.ts';
import type { RenderItemApi } from './render-item.ts';

export const FONT = "'Inter Variable', Inter, system-ui, sans-serif";

/** Options of every chart. */
export function base(theme: Theme) {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, fontSize: 12, color: theme.muted },
  };
}

const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** A round maximum for an axis from zero, and the distance between its grid lines. */
export function scale(largest: number, unit: Unit): { max: number; interval: number } {
  if (!(largest > 0)) return { max: unit === 'share' ? 0.1 : 4, interval: unit === 'share' ? 0.05 : 2 };
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const decimal = ([1, 2, 2.5, 5, 10].find((step) => step * power >= rough) ?? 10) * power;
  let interval = unit === 'seconds' ? (timeSteps.find((step) => step >= rough) ?? decimal) : decimal;
  if (unit === 'count' && !Number.isInteger(interval)) interval = interval < 1 ? 1 : 5;
  const max = Math.ceil(largest / interval - 1e-9) * interval;
  return unit === 'share' && largest <= 1 ? { max: Math.min(max, 1), interval } : { max, interval };
}

/** The value axis: starts at zero, or below if there are negative numbers; faint lines, labels by unit. */
export function valueAxis(largest: number, unit: Unit, { theme, locale }: Setting, smallest = 0) {
  const { max, interval } = scale(Math.max(largest, -smallest), unit);
  return {
    type: 'value',
    min: smallest < 0 ? -Math.ceil(-smallest / interval - 1e-9) * interval : 0,
    max: smallest < 0 ? Math.max(0, Math.ceil(largest / interval - 1e-9)) * interval : max,
    interval,
    axisLabel: { color: theme.muted, fontSize: 12, formatter: (value: number) => sayShort(value, unit, locale) },
    splitLine: { lineStyle: { color: theme.hairline, width: 1 } },
    axisLine: { show: false },
    axisTick: { show: false },
  };
}

/** Pixels that the value axis takes with the edge beside it, and between two names on the time axis. */
const LEFT = 64;
const APART = 12;

/**
 * The time axis: names an even step apart. `media` chooses the step by the width of the chart, at drawing and at resizing.
 * `right`: pixels beside the axis.
 */
export function timeAxis(labels: string[], isBar: boolean, right: number, { theme, locale }: Setting) {
  const lineStyle = { color: theme.before };
  return {
    xAxis: {
      type: 'category',
      data: labels,
      boundaryGap: isBar,
      axisLine: { lineStyle },
      axisTick: { show: true, alignWithLabel: true, length: 4, lineStyle },
      axisLabel: { color: theme.muted, fontSize: 12, hideOverlap: true, margin: 8 },
    },
    // The last that fits counts; the first always fits.
    media: ticksByStep(labels, locale).map(({ step, names }, place) => {
      const each = APART + Math.max(...names.map(widthOf));
      const minWidth = place && LEFT + right + (labels.length / step) * each;
      const interval = (index: number) => !!names[index];
      const formatter = (_label: string, index: number) => names[index];
      return {
        query: { minWidth },
        option: { xAxis: { axisTick: { interval }, axisLabel: { interval, formatter } } },
      };
    }),
  };
}

/** Diagonal lines in the colour of the canvas over a fill: the period may still change. */
export function unsettledHatch(theme: Theme) {
  return { symbol: 'rect', color: theme.hatchOver, dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4 };
}

/** Width of the label in pixels: areas narrower than this have none, since it would overlap the axis or a neighbour. */
const LABELLED_FROM = 96;

/** Runs of periods that were never pulled, as grey areas behind the chart; long runs say so. No series without one. */
export function notPulledAreas(states: string[], theme: Theme): object[] {
  const runs: [number, number][] = [];
  states.forEach((state, index) => {
    if (state !== 'not_pulled') return;
    const last = runs.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  });
  if (!runs.length) return [];
  const draw = (
    { coordSys }: { coordSys: { x: number; y: number; width: number; height: number } },
    api: RenderItemApi,
  ) => {
    const [from, to] = [Number(api.value(0)), Number(api.value(1))];
    const step = [api.size([1, 0])].flat()[0] ?? 0;
    const left = Math.max(coordSys.x, (api.coord([from, 0])[0] ?? 0) - step / 2);
    const right = Math.min(coordSys.x + coordSys.width, (api.coord([to, 0])[0] ?? 0) + step / 2);
    const shape = { x: left, y: coordSys.y, width: right - left, height: coordSys.height };
    const text = right - left > LABELLED_FROM ? words.not_pulled : '';
    const fill = { type: 'rect', shape, style: { fill: theme.hairline, opacity: 0.7 } };
    const place = { x: (left + right) / 2, y: coordSys.y + 8, align: 'center', verticalAlign: 'top' };
    return {
      type: 'group',
      children: [fill, { type: 'text', style: { text, ...place, fill: theme.muted, font: `12px ${FONT}` } }],
    };
  };
  return [
    {
      type: 'custom',
      silent: true,
      tooltip: { show: false },
      z: 0,
      encode: { x: [0, 1] },
      data: runs,
      renderItem: draw,
    },
  ];
}
