// Money over time, one small chart for each currency: two currencies are never added, never on one axis.
import { figure, isUnsettled, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import { cellOf } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { periodName } from '../periods.ts';
import { stateWords, words } from '../words.ts';
import { flags, withNotes } from './flags.ts';
import { base, timeAxis, unsettledHatch, valueAxis } from './frame.ts';
import type { Chart, KeyEntry, Picture, Setting } from './picture.ts';
import { part_opacity, partKey } from './part-bars.ts';
import { cell, colour, extremes, ofWhole, partsOf, told, type Tracks } from './telling.ts';

export function amounts(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const answer = answers[0];
  const rows = (answer?.rows ?? []).filter((row) => typeof row['currency'] === 'string' && row['currency'] !== '');
  const currencies = [...new Set(rows.map((row) => String(row['currency'])))].sort();
  const labels = [...new Set((answer?.rows ?? []).map((row) => String(row.period ?? '')))].sort();
  const parts = partsOf(labels, answer);
  const byCurrency = currencies.map((currency) => {
    const own = new Map(
      rows.filter((row) => row['currency'] === currency).map((row) => [String(row.period ?? ''), row]),
    );
    return { currency, rows: labels.map((label) => own.get(label)) };
  });
  const { measure } = measureOf(panel);
  const summaries = byCurrency.map(({ currency, rows }) => {
    const all = rows.map((row) => numberOf(figure(answer ?? {}, row, measure)));
    const numbers = ofWhole(all, rows, parts);
    return `${extremes(currency, numbers, 'money', setting.locale, (index) => periodName(labels[index] ?? '', setting.locale, parts[index]), currency)}.`;
  });
  return {
    charts: byCurrency.map(({ currency, rows }) =>
      chart(panel, answer ?? {}, currency, { labels, parts }, rows, setting),
    ),
    key: [
      ...(rows.some(isUnsettled)
        ? [{ token: 'series-1', label: words.unsettledKey, mark: 'hatch' } satisfies KeyEntry]
        : []),
      ...partKey(labels, byCurrency[0]?.rows ?? [], parts, 'series-1'),
    ],
    table: {
      columns: [{ title: words.period, numeric: false }, ...currencies.map((title) => ({ title, numeric: true }))],
      rows: labels.map((label, index) => [
        { text: periodName(label, setting.locale, parts[index]), kind: 'head' },
        ...byCurrency.map(({ currency, rows }) => moneyCell(panel, answer ?? {}, rows[index], currency, setting)),
      ]),
    },
    summary: summaries.join(' ') || words.nothing,
  };
}

const measureOf = (panel: Panel) => panel.measures[0] ?? { measure: 'value', label: '' };

function moneyCell(
  panel: Panel,
  given: Pick<Answer, 'not_given'>,
  row: AnswerRow | undefined,
  currency: string,
  { locale }: Setting,
) {
  const it = figure(given, row, measureOf(panel).measure);
  return cell(it, 'money', locale, isUnsettled(row), currency, cellOf(panel, measureOf(panel), row, it));
}

function chart(
  panel: Panel,
  given: Pick<Answer, 'not_given'>,
  currency: string,
  { labels, parts }: Pick<Tracks, 'labels' | 'parts'>,
  rows: (AnswerRow | undefined)[],
  setting: Setting,
): Chart {
  const figures = rows.map((row) => figure(given, row, measureOf(panel).measure));
  const color = colour('series-1', setting);
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: setting.theme.before, opacity: 0.14 } },
    },
    ...timeAxis(labels, true, 8, setting),
    yAxis: valueAxis(Math.max(0, ...figures.map((it) => numberOf(it) ?? 0)), 'money', setting),
    series: [
      ...flags(labels, setting),
      {
        type: 'bar',
        name: currency,
        barMaxWidth: 32,
        itemStyle: { color },
        emphasis: { disabled: true },
        data: figures.map((it, index) => {
          const value = numberOf(it);
          if (isUnsettled(rows[index])) return { value, itemStyle: { color, decal: unsettledHatch(setting.theme) } };
          return parts[index] ? { value, itemStyle: { color, opacity: part_opacity } } : { value };
        }),
      },
    ],
  };
  const tips = labels.map((label, index) => {
    const row = rows[index];
    const sales = row?.['sales_count'];
    const lines = [
      {
        name: panel.measures[0]?.label ?? currency,
        value: told(figures[index] ?? { kind: 'no_data' }, 'money', setting.locale, currency),
        cell: cellOf(panel, measureOf(panel), row, figures[index] ?? { kind: 'no_data' }),
      },
      ...(typeof sales === 'number' ? [{ name: 'sales', value: say(sales, 'count', setting.locale) }] : []),
    ];
    const title = periodName(label, setting.locale, parts[index]);
    return row && row.state !== 'complete' ? { title, lines, note: stateWords(row.state) } : { title, lines };
  });
  return { title: currency, option, tips: withNotes(tips, labels, setting), hits: 'column', height: 184 };
}
