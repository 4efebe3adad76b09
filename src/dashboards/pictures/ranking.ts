// A ranking by agent, goal or tag: dots for scores, bars from zero for counts; long names are cut in the chart and whole in the table.
import { figure, numberOf, type Answer, type Row } from '../answer.ts';
import { cellOf } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';
import { base, valueAxis } from './frame.ts';
import type { Picture, Setting, Table } from './picture.ts';
import { capital, cell, colour } from './telling.ts';

const MOST = 20;

export function ranking(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const answer = answers[0];
  const main = panel.measures[0];
  const split = panel.split?.[0] ?? 'agent';
  const nameOf = (row: Row) => nameIn(split, row, setting);
  const value = (row: Row) => numberOf(figure(answer ?? {}, row, main?.measure ?? ''));
  const rows = [...(answer?.rows ?? [])].filter((row) => row[split] != null || split === 'tag');
  if (panel.unit === 'count') rows.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0));
  const shown = rows.filter((row) => value(row) !== null).slice(0, MOST);
  const first = shown[0];
  const last = shown.at(-1);
  const told = first
    ? `${words.highest(capital(main?.label ?? panel.title), say(value(first) ?? 0, panel.unit, setting.locale), nameOf(first))}${last && last !== first ? `, ${words.lowest(say(value(last) ?? 0, panel.unit, setting.locale), nameOf(last))}` : ''}.`
    : words.nothing;
  return {
    charts: [
      {
        option: chart(panel, shown.map(nameOf), shown.map(value), setting),
        tips: shown.map((row) => ({
          title: nameOf(row),
          lines: panel.measures.map((it, index) => {
            const shown = figureCell(panel, answer, row, index, setting);
            return { name: it.label, value: shown.text, cell: shown.cell };
          }),
        })),
        hits: 'row',
        height: 40 + Math.max(shown.length, 2) * 28,
      },
    ],
    key: [],
    table: tableOf(panel, answer, rows, nameOf, setting),
    summary: [told, ...(rows.length > shown.length ? [words.first(shown.length, rows.length)] : [])].join(' '),
  };
}

function nameIn(split: string, row: Row, { names }: Setting): string {
  if (split === 'tag' && row[split] == null) return words.untagged;
  const key = String(row[split] ?? '');
  return names?.[split]?.[key] ?? (key || words.no_data);
}

/** The first measure has the panel's unit, the others are counts beside it. */
function figureCell(panel: Panel, answer: Answer | undefined, row: Row, index: number, { locale }: Setting) {
  const measure = panel.measures[index] ?? { measure: '', label: '' };
  const it = figure(answer ?? {}, row, measure.measure);
  return cell(it, index ? 'count' : panel.unit, locale, false, '', cellOf(panel, measure, row, it));
}

function chart(panel: Panel, names: string[], values: (number | null)[], setting: Setting) {
  const isCount = panel.unit === 'count';
  const { theme, locale } = setting;
  const axis = {
    ...valueAxis(Math.max(0, ...values.map((value) => value ?? 0)), panel.unit, setting),
    position: 'top',
  };
  const mark = isCount
    ? { type: 'bar', barMaxWidth: 14, itemStyle: { color: colour('series-1', setting) } }
    : {
        type: 'line',
        lineStyle: { width: 0 },
        symbol: 'circle',
        symbolSize: 10,
        showAllSymbol: true,
        itemStyle: { color: colour('series-1', setting) },
      };
  const label = {
    show: true,
    position: 'right',
    color: theme.text,
    fontSize: 12,
    formatter: ({ dataIndex }: { dataIndex: number }) => say(values[dataIndex] ?? 0, panel.unit, locale),
  };
  return {
    ...base(theme),
    grid: { left: 8, right: 56, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: { trigger: 'item' },
    xAxis: axis,
    yAxis: {
      type: 'category',
      inverse: true,
      data: names,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: { color: theme.text, fontSize: 12, width: 136, overflow: 'truncate', interval: 0 },
    },
    series: [{ ...mark, data: values, label, emphasis: { disabled: true } }],
  };
}

function tableOf(
  panel: Panel,
  answer: Answer | undefined,
  rows: Row[],
  nameOf: (row: Row) => string,
  setting: Setting,
): Table {
  return {
    columns: [
      { title: panel.split?.[0] ?? '', numeric: false },
      ...panel.measures.map((it) => ({ title: it.label, numeric: true })),
    ],
    rows: rows.map((row) => [
      { text: nameOf(row), kind: 'head' },
      ...panel.measures.map((_, index) => figureCell(panel, answer, row, index, setting)),
    ]),
  };
}
