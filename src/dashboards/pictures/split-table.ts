// The table of a split panel: every value of it, and the count behind each; few values are columns, many are rows.
import { figure, isUnsettled, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import type { Measure, Panel } from '../panel.ts';
import { periodName } from '../periods.ts';
import { words } from '../words.ts';
import type { Setting, PictureTable, TableCell } from './picture.ts';
import type { SplitPart, SplitValues } from './split.ts';
import { splitTitle } from '../split-panel.ts';
import { splitWords } from './split-words.ts';
import { capital, cell } from './telling.ts';

/** More columns are not read from side to side. */
const MOST_COLUMNS = 6;

export function splitTable(panel: Panel, measure: Measure, all: SplitValues, setting: Setting): PictureTable {
  return all.values.length > MOST_COLUMNS ? byRows(panel, measure, all, setting) : byColumns(panel, all, setting);
}

function byColumns(panel: Panel, { labels, rows, parts, values }: SplitValues, setting: Setting): PictureTable {
  const { basis } = panel;
  return {
    columns: [
      { title: words.period, numeric: false },
      ...values.flatMap(({ name }) => [
        { title: name, numeric: true },
        ...(basis ? [{ title: splitWords.countOf(name, basis.label), numeric: true }] : []),
      ]),
    ],
    rows: [
      [head(splitWords.inAll), ...values.flatMap((value) => wholeOf(panel, value, setting))],
      ...labels.map((label, at) => [
        { ...head(periodName(label, setting.locale, parts[at])), unsettled: isUnsettled(rows[at]) },
        ...values.flatMap((value) => periodOf(panel, value, at, setting)),
      ]),
    ],
  };
}

function byRows(
  panel: Panel,
  measure: Measure,
  { labels, parts, values }: SplitValues,
  setting: Setting,
): PictureTable {
  const { basis } = panel;
  return {
    columns: [
      { title: capital(splitTitle(panel.split?.[0] ?? '', setting.names?.['variable'])), numeric: false },
      { title: words.period, numeric: false },
      { title: measure.label, numeric: true },
      ...(basis ? [{ title: basis.label, numeric: true }] : []),
    ],
    rows: values.flatMap((value) => [
      [head(value.name), head(splitWords.inAll), ...wholeOf(panel, value, setting)],
      ...labels.map((label, at) => [
        head(value.name),
        head(periodName(label, setting.locale, parts[at])),
        ...periodOf(panel, value, at, setting),
      ]),
    ]),
  };
}

const head = (text: string): TableCell => ({ text, kind: 'head' });

const wholeOf = (panel: Panel, { row, whole, cell }: SplitPart, setting: Setting): TableCell[] =>
  cellsOf({ ...panel, grain: 'total' }, row, whole, cell, setting);

const periodOf = (panel: Panel, { rows, figures, cells }: SplitPart, at: number, setting: Setting): TableCell[] =>
  cellsOf(panel, rows[at], figures[at] ?? { kind: 'no_data' }, cells[at], setting);

function cellsOf(
  panel: Panel,
  row: AnswerRow | undefined,
  it: Figure,
  behind: Cell | undefined,
  { locale }: Setting,
): TableCell[] {
  const unsettled = isUnsettled(row);
  const own = cell(it, panel.unit, locale, unsettled, '', behind);
  if (!panel.basis) return [own];
  const count = figure({}, row, panel.basis.measure);
  return [own, cell(count, 'count', locale, unsettled, '', cellOf(panel, panel.basis, row, count))];
}
