// A funnel: one bar for each step, and what share of the step before came so far.
import { figure, numberOf, type Answer } from '../answer.ts';
import { cellOf } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';
import { base, scale } from './frame.ts';
import type { Picture, Setting, TableCell } from './picture.ts';
import { capital, cell, colour, told } from './telling.ts';

export function funnel(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const { theme, locale } = setting;
  const steps = panel.measures.map((measure) => {
    const answer = answers.find((it) => it.metric === (measure.metric ?? panel.metric));
    const row = answer?.rows[0];
    const it = figure(answer ?? {}, row, measure.measure);
    return { name: capital(measure.label), it, value: numberOf(it), cell: cellOf(panel, measure, row, it) };
  });
  const shares = steps.map(({ value }, index) => {
    const before = steps[index - 1]?.value;
    return value !== null && before ? say(value / before, 'share', locale) : '';
  });
  const text = (index: number) => {
    const step = steps[index];
    if (!step) return '';
    const number = told(step.it, panel.unit, locale);
    return shares[index] ? `${number}, ${words.ofStepBefore(shares[index] ?? '')}` : number;
  };
  const option = {
    ...base(theme),
    grid: { left: 8, right: 8, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'value',
      min: 0,
      // Room for the words behind the longest bar.
      max: scale(Math.max(0, ...steps.map(({ value }) => value ?? 0)), 'count').max * 1.4,
      axisLabel: { show: false },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: steps.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: theme.text, fontSize: 12, width: 136, overflow: 'break', interval: 0 },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 28,
        itemStyle: { color: colour('series-1', setting) },
        emphasis: { disabled: true },
        data: steps.map(({ value }) => value ?? 0),
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: 12,
          formatter: ({ dataIndex }: { dataIndex: number }) => text(dataIndex),
        },
      },
    ],
  };
  return {
    charts: [
      {
        option,
        tips: steps.map(({ name, it, cell }, index) => ({
          title: name,
          lines: [
            { name: words.number, value: told(it, panel.unit, locale), cell },
            ...(shares[index] ? [{ name: words.stepBefore, value: shares[index] }] : []),
          ],
        })),
        hits: 'row',
        height: 16 + steps.length * 48,
      },
    ],
    key: [],
    table: {
      columns: [
        { title: words.step, numeric: false },
        { title: words.number, numeric: true },
        { title: words.stepBefore, numeric: true },
      ],
      rows: steps.map(({ name, it, cell: behind }, index): TableCell[] => [
        { text: name, kind: 'head' },
        cell(it, panel.unit, locale, false, '', behind),
        { text: shares[index] ?? '', kind: 'number' },
      ]),
    },
    summary: `${steps.map(({ name }, index) => `${name}: ${text(index)}`).join('; ')}.`,
  };
}
