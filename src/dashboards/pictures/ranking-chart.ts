// Draws a ranking: bars from zero for what adds up, dots for the rest, with a line from end to end of an interval.
import { say } from '../numbers.ts';
import type { Unit } from '../panel.ts';
import { base, FONT, valueAxis } from './frame.ts';
import type { ThemeToken } from '../theme.ts';
import type { Setting } from './picture.ts';
import { colour } from './telling.ts';
import type { RenderItemApi } from './render-item.ts';

/** Pixels for a name in front of its row, and for its rank. */
export const NAME_ROOM = 136;

type Values = (number | null)[];

/** `measures` side by side, the first with its numbers; `ends` are the lower and upper ends of intervals, `tokens` the colours; with `isOneEach` a row has one bar. */
export function rankingChart(
  unit: Unit,
  names: string[],
  measures: Values[],
  ends: Values[] | undefined,
  tokens: ThemeToken[],
  setting: Setting,
  isOneEach = false,
) {
  const { theme } = setting;
  const numbers = [...measures, ...(ends ?? [])].flat().map((value) => value ?? 0);
  const axis = valueAxis(Math.max(0, ...numbers), unit, setting);
  const colours = tokens.map((token) => colour(token, setting));
  const isBar = unit === 'count' || unit === 'hours';
  return {
    ...base(theme),
    grid: { left: 8, right: 64, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: { trigger: 'item' },
    xAxis: { ...axis, axisLabel: { ...axis.axisLabel, hideOverlap: true }, position: 'top' },
    yAxis: {
      type: 'category',
      inverse: true,
      data: names,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: { color: theme.text, fontSize: 12, width: NAME_ROOM, overflow: 'truncate', interval: 0 },
    },
    series: [
      ...(ends ? [intervals(ends, measures[0] ?? [], unit, colours[0] ?? '', setting)] : []),
      ...measures.map((values, index) => ({
        ...mark(isBar, colours[index] ?? ''),
        ...(isOneEach ? { stack: 'one' } : {}),
        data: values,
        ...(ends ? {} : { label: label(values, unit, setting) }),
        emphasis: { disabled: true },
      })),
    ],
  };
}

function mark(isBar: boolean, color: string) {
  const itemStyle = { color };
  if (isBar) return { type: 'bar', barMaxWidth: 14, barGap: '10%', itemStyle };
  return { type: 'line', lineStyle: { width: 0 }, symbol: 'circle', symbolSize: 10, showAllSymbol: true, itemStyle };
}

function label(values: Values, unit: Unit, { theme, locale }: Setting) {
  return {
    show: true,
    position: 'right',
    color: theme.text,
    fontSize: 12,
    formatter: ({ dataIndex }: { dataIndex: number }) => {
      const value = values[dataIndex];
      return value == null ? '' : say(value, unit, locale);
    },
  };
}

/** A line from end to end with the number at its right; where the line begins at the number, each end has its own. */
function intervals([low = [], high = []]: Values[], values: Values, unit: Unit, stroke: string, setting: Setting) {
  const { theme, locale } = setting;
  const renderItem = (_: unknown, api: RenderItemApi) => {
    const row = Number(api.value(0));
    const [x1 = 0, y1 = 0] = api.coord([Number(api.value(1)), row]);
    const [x2 = 0, y2 = 0] = api.coord([Number(api.value(2)), row]);
    const style = { stroke, lineWidth: 5, lineCap: 'round', opacity: theme.name === 'light' ? 0.22 : 0.4 };
    const text = (value: number | null | undefined, x: number, fill: string, align: 'left' | 'right') => ({
      type: 'text',
      style: {
        text: value == null ? '' : say(value, unit, locale),
        ...{ x, y: y1, align, verticalAlign: 'middle', fill, font: `12px ${FONT}` },
      },
    });
    return {
      type: 'group',
      silent: true,
      children: [
        { type: 'line', shape: { x1, y1, x2, y2 }, style },
        ...(values[row] === low[row]
          ? [text(values[row], x1 - 10, theme.text, 'right'), text(high[row], x2 + 10, theme.muted, 'left')]
          : [text(values[row], x2 + 10, theme.text, 'left')]),
      ],
    };
  };
  const data = low.flatMap((from, index) => (from == null || high[index] == null ? [] : [[index, from, high[index]]]));
  return { type: 'custom', renderItem, data, encode: { x: [1, 2], y: 0 }, z: 1 };
}
