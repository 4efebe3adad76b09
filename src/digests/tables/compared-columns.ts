// The columns of a panel's table that say what each number is compared with.
import { figure, numberOf, type Answer, type AnswerRow } from '#dashboards/answer.ts';
import { comparedRows } from '#dashboards/compared-rows.ts';
import { clockTime, comparedDays } from '#dashboards/comparison.ts';
import { periodCell, type SheetValue } from './cells.ts';
import type { MeasureColumn } from './measure-columns.ts';
import { general, shownAs, type SheetColumn } from './number-formats.ts';

interface ComparedColumns {
  columns: SheetColumn[];
  cells: (row: AnswerRow) => SheetValue[];
}

/** None where nothing is compared. */
export function comparedColumns(
  measures: readonly MeasureColumn[],
  splits: readonly string[],
  answers: readonly Answer[],
): ComparedColumns {
  const compared = answers.filter((answer) => answer.compare);
  const byMetric = new Map(compared.map((answer) => [answer.metric, comparedRows(answer, splits)]));
  const shown = measures.filter(({ metric }) => byMetric.has(metric));
  const first = byMetric.get(shown[0]?.metric ?? '');
  if (!first) return { columns: [], cells: () => [] };
  const end = compared[0] && clockTime(compared[0]);
  const period = end === undefined ? 'compared with' : `compared with (the last up to ${end})`;
  const of = first.hasPeriods ? 'compared' : comparedDays(compared);
  return {
    columns: [
      ...(first.hasPeriods ? [general(period)] : []),
      ...shown.map((it) => ({ title: `${it.head}, ${of}`, format: shownAs(it) })),
    ],
    cells: (row) => {
      const label = first.periodOf(row);
      return [
        ...(first.hasPeriods ? [label === undefined ? null : periodCell(label)] : []),
        ...shown.map(({ metric, measure }) => numberOf(figure({}, byMetric.get(metric)?.rowOf(row, measure), measure))),
      ];
    },
  };
}
