// Saved queries for the template: a chart as panels have theirs, or the first rows and columns that fit beside each other.
import { say } from '#dashboards/numbers.ts';
import { chartNotes } from '#dashboards/queries/chart-notes.ts';
import { pictureOf } from '#dashboards/queries/chart-picture.ts';
import { pointsOf } from '#dashboards/queries/chart-points.ts';
import { cellOf } from '#dashboards/queries/cells.ts';
import type { ChartChoice } from '#dashboards/queries/chart-choice.ts';
import { kindOfType } from '#dashboards/queries/chart-choice.ts';
import type { Picture } from '#dashboards/pictures/picture.ts';
import type { ResultTable } from '#dashboards/queries/result.ts';
import { light } from '#dashboards/theme.ts';
import { plainText } from '../plain-text.ts';
import type { ShownQuery } from '../shown-queries.ts';
import { words } from '../words.ts';

/** On paper; files have all of them. */
const most_rows = 30;
/** Of one cell; longer texts are cut. */
const most_characters = 90;
/** Of the names of columns that did not fit. */
const most_names = 12;
/** Characters of a column's width at least and at most, of all columns together, and from how many on these take the whole page. */
const width = { least: 5, most: 28, all: 112, between: 3, roomy: 80 };

/** In characters of a usual width. */
const widthOf = (text: string): number =>
  [...text].length +
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);

interface PrintedResult {
  columns: { title: string; isNumeric: boolean; width: number }[];
  /** Of the width of the page. */
  share: number;
  rows: string[][];
  notes: string[];
}

const shortened = (text: string): string => {
  const plain = plainText(text);
  const letters = [...plain];
  return letters.length > most_characters ? `${letters.slice(0, most_characters).join('')}…` : plain;
};

/** The rows of a result that are printed, and what is not in sentences. */
function printedResult({ result, rest }: ShownQuery, locale: string): PrintedResult | null {
  if (!result || result.rows.length === 0) return null;
  const inWords = (count: number): string => say(count, 'count', locale);
  const rows = result.rows
    .slice(0, most_rows)
    .map((row) => result.columns.map((_, at) => shortened(cellOf(row[at] ?? null))));
  const columns = result.columns.map(({ name, type }, at) => {
    const title = shortened(name);
    const longest = rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(title));
    const room = Math.min(width.most, Math.max(width.least, longest)) + width.between;
    return { title, isNumeric: kindOfType(type) === 'number', width: room };
  });
  const count = fitting(columns);
  const left = columns.slice(count).map(({ title }) => title);
  const names = left.slice(0, most_names).join(', ') + (left.length > most_names ? ', …' : '.');
  const unprinted = result.rows.length - rows.length;
  return {
    columns: columns.slice(0, count),
    share: Math.min(1, columns.slice(0, count).reduce((sum, column) => sum + column.width, 0) / width.roomy),
    rows: rows.map((row) => row.slice(0, count)),
    notes: [
      ...(unprinted > 0 ? [words.query.rest(inWords(unprinted), unprinted)] : []),
      ...(left.length > 0 ? [words.query.columns(names, left.length)] : []),
      ...(rest ? [rest.text] : []),
    ],
  };
}

/** How many of the first fit beside each other; at least one. */
function fitting(columns: PrintedResult['columns']): number {
  let used = 0;
  const over = columns.findIndex((column) => (used += column.width) > width.all);
  return over < 0 ? columns.length : Math.max(1, over);
}

/** As it is drawn on pages, with what the chart leaves out in its summary. */
export function pictureOfQuery(
  { rest }: ShownQuery,
  result: ResultTable,
  choice: ChartChoice,
  locale: string,
): Picture {
  const points = pointsOf(result, choice);
  const picture = pictureOf(points, choice.kind, { theme: light, locale });
  const notes = chartNotes(points, 0, (count) => say(count, 'count', locale));
  return { ...picture, summary: [picture.summary, ...notes, ...(rest ? [rest.text] : [])].join(' ') };
}

/** Panels beside or below each other, and after them a table, in the order of the board. */
interface Run<Panel> {
  panels: Panel[];
  result: (Pick<ShownQuery, 'title' | 'sentence'> & PrintedResult) | null;
}

/** One that is drawn, or has nothing to show, is a panel. */
export function inRuns<Panel>(
  queries: readonly ShownQuery[],
  locale: string,
  panelOf: (query: ShownQuery) => Panel,
): Run<Panel>[] {
  const runs: Run<Panel>[] = [];
  let panels: Panel[] = [];
  for (const query of queries) {
    const { title, sentence, chart, nothing } = query;
    const printed = chart === undefined && nothing === undefined ? printedResult(query, locale) : null;
    if (!printed) {
      panels.push(panelOf(query));
      continue;
    }
    runs.push({ panels, result: { title, sentence, ...printed } });
    panels = [];
  }
  return panels.length > 0 ? [...runs, { panels, result: null }] : runs;
}
