// Tables, tips and summary sentences over periods: the same numbers as the chart, in words.
import { figure, isUnsettled, numberOf, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { fewest } from '../chance.ts';
import { cellOf, type Cell } from '../cell.ts';
import { say } from '../numbers.ts';
import { type Measure, type Panel, type Unit } from '../panel.ts';
import { partOf, periodName, read } from '../periods.ts';
import type { DateRange } from '../ranges.ts';
import type { ThemeToken } from '../theme.ts';
import { silence, stateWords, words } from '../words.ts';
import type { Setting, PictureTable, TableCell, Tip } from './picture.ts';

/** One measure over the periods of the chart. */
export interface Track {
  measure: Measure;
  token: ThemeToken;
  figures: Figure[];
  cells: (Cell | undefined)[];
}

/** The periods of a chart in order, and each measure over them. */
export interface Tracks {
  labels: string[];
  rows: AnswerRow[];
  /** Of each week or month of which the range covers a part: its days. */
  parts: (DateRange | undefined)[];
  tracks: Track[];
}

/** The colour of a panel's measure, by its index among the drawn ones. */
export const tokenOf = ({ tone }: Measure, index: number): ThemeToken => tone ?? `series-${index + 1}`;

/** Lines the answers up by period; measures of another metric are found by their metric's answer. */
export function tracksOf(panel: Panel, answers: Answer[]): Tracks {
  const labels = [...new Set(answers.flatMap((answer) => answer.rows.map((row) => String(row.period ?? ''))))].sort();
  const byPeriod = answers.map((answer) => new Map(answer.rows.map((row) => [String(row.period ?? ''), row])));
  const rows = labels.map((label) => worst(byPeriod.flatMap((rowOf) => rowOf.get(label) ?? [])));
  const tracks = panel.measures.map((measure, index) => {
    const place = Math.max(
      0,
      answers.findIndex((answer) => answer.metric === (measure.metric ?? panel.metric)),
    );
    const answer = answers[place];
    const own = labels.map((label) => byPeriod[place]?.get(label));
    const figures = own.map((row) => figure(answer ?? {}, row, measure.measure));
    const cells = own.map((row, at) => cellOf(panel, measure, row, figures[at] ?? { kind: 'no_data' }));
    return { measure, token: tokenOf(measure, index), figures, cells };
  });
  return { labels, rows, parts: partsOf(labels, answers[0]), tracks };
}

export const partsOf = (labels: readonly string[], range: DateRange | undefined): Tracks['parts'] =>
  labels.map((label) => range && partOf(label, range));

function worst(rows: AnswerRow[]): AnswerRow {
  return rows.find((row) => isUnsettled(row)) ?? rows[0] ?? { state: 'not_pulled' };
}

export function cell(
  it: Figure,
  unit: Unit,
  locale: string,
  unsettled: boolean,
  currency = '',
  behind?: Cell,
): TableCell {
  if (it.kind === 'number')
    return { text: say(it.value, unit, locale, currency), kind: 'number', unsettled, cell: behind };
  return { text: silence(it), kind: it.kind };
}

/** A figure in a tooltip, with the reason if the source does not provide it. */
export function told(it: Figure, unit: Unit, locale: string, currency = ''): string {
  return it.kind === 'number' ? say(it.value, unit, locale, currency) : whyNone(it);
}

/** Why there is no number, with the reason if the source does not provide it. */
export const whyNone = (it: Exclude<Figure, { kind: 'number' }>): string =>
  it.kind === 'not_given' && it.reason ? `${words.not_given}: ${it.reason}` : silence(it);

/** The tooltip line with the count behind a number, if the panel names a basis. */
export function basisLine(panel: Panel, row: AnswerRow | undefined, locale: string) {
  const value = panel.basis ? row?.[panel.basis.measure] : undefined;
  return panel.basis && typeof value === 'number'
    ? [{ name: panel.basis.label, value: say(value, 'count', locale) }]
    : [];
}

/** Texts are generated on demand: of a year by hour, few are ever read. */
export function tipsOf(panel: Panel, { labels, rows, parts, tracks }: Tracks, locale: string): Tip[] {
  return labels.map((label, index) => {
    const row = rows[index];
    const lines = tracks.map((track) => ({
      token: track.token,
      name: track.measure.label,
      get value() {
        return told(track.figures[index] ?? { kind: 'no_data' }, panel.unit, locale);
      },
      cell: track.cells[index],
    }));
    return {
      ...(row && row.state !== 'complete' ? { note: stateWords(row.state) } : {}),
      get title() {
        return periodName(label, locale, parts[index]);
      },
      lines: [...lines, ...basisLine(panel, row, locale)],
    };
  });
}

/** Rows are generated on demand: few readers open the table. */
export function tableOf(panel: Panel, { labels, rows, parts, tracks }: Tracks, locale: string): PictureTable {
  const made = (): TableCell[][] =>
    labels.map((label, index) => {
      const row = rows[index];
      const unsettled = isUnsettled(row);
      const basis = basisCells(panel, row, locale);
      const cells = tracks.map((track) =>
        cell(track.figures[index] ?? { kind: 'no_data' }, panel.unit, locale, unsettled, '', track.cells[index]),
      );
      return [{ text: periodName(label, locale, parts[index]), kind: 'head', unsettled }, ...cells, ...basis];
    });
  let kept: TableCell[][] | undefined;
  return {
    columns: [
      { title: words.period, numeric: false },
      ...tracks.map((track) => ({ title: track.measure.label, numeric: true })),
      ...(panel.basis ? [{ title: panel.basis.label, numeric: true }] : []),
    ],
    get rows() {
      return (kept ??= made());
    },
  };
}

function basisCells(panel: Panel, row: AnswerRow | undefined, locale: string): TableCell[] {
  if (!panel.basis) return [];
  const it = figure({}, row, panel.basis.measure);
  return [cell(it, 'count', locale, isUnsettled(row), '', cellOf(panel, panel.basis, row, it))];
}

/** One measure in one sentence: its highest and lowest number and where they are. */
export function extremes(
  name: string,
  numbers: (number | null)[],
  unit: Unit,
  locale: string,
  where: (index: number) => string,
  currency = '',
): string {
  let high = -1;
  let low = -1;
  numbers.forEach((value, index) => {
    if (value === null) return;
    if (high < 0 || value > (numbers[high] ?? 0)) high = index;
    if (low < 0 || value < (numbers[low] ?? 0)) low = index;
  });
  const [most, least] = [numbers[high], numbers[low]];
  if (most === undefined || most === null || least === undefined || least === null) return `${name}: ${words.no_data}`;
  const filled = numbers.filter((value) => value !== null).length;
  if (filled === 1) return words.single(name, say(most, unit, locale, currency), where(high));
  if (most === least) return words.always(name, say(most, unit, locale, currency));
  return `${words.highest(name, say(most, unit, locale, currency), where(high))}, ${words.lowest(say(least, unit, locale, currency), where(low))}`;
}

/** Without the numbers of periods that have not ended or are not whole in the range, which are small for that alone; all where no other is there. */
export function ofWhole(
  numbers: (number | null)[],
  rows: (AnswerRow | undefined)[],
  parts: Tracks['parts'],
): (number | null)[] {
  const whole = numbers.map((value, index) => (rows[index]?.state === 'open' || parts[index] ? null : value));
  return whole.some((value) => value !== null) ? whole : numbers;
}

/** What is the same throughout is not when one of `all` is higher already: then all are told. */
function unlessHigher(numbers: (number | null)[], all: (number | null)[]): (number | null)[] {
  const told = numbers.filter((value) => value !== null);
  const [one = 0] = told;
  const isSame = told.length > 1 && told.every((value) => value === one);
  return isSame && all.some((value) => value !== null && value > one) ? all : numbers;
}

/** Highest and lowest value of the first two measures, and how much is not final. `endsEarly`: that is not drawn. */
export function summaryOf(
  panel: Panel,
  { labels, rows, parts, tracks }: Tracks,
  locale: string,
  endsEarly = false,
): string {
  const told = tracks.slice(0, 2).map(({ measure, figures }) => {
    const every = figures.map((it) => (it.kind === 'number' ? it.value : null));
    const isSaid = (row: AnswerRow): boolean => !isOfFew(panel, row) && !(panel.isLate && isUnsettled(row));
    const counted = every.map((value, place) => (rows[place] && !isSaid(rows[place]) ? null : value));
    const numbers = counted.some((value) => value !== null) ? counted : every;
    const ofMany = every.map((value, place) => (rows[place] && isOfFew(panel, rows[place]) ? null : value));
    const said = unlessHigher(ofWhole(numbers, rows, parts), ofMany);
    return `${extremes(capital(measure.label), said, panel.unit, locale, (index) => periodName(labels[index] ?? '', locale, parts[index]))}.`;
  });
  return [...told, ...leftOut(panel, rows, tracks, locale), ...remarks(rows, endsEarly)].join(' ');
}

/** Whether what is named leaves out a number that is drawn beyond it. */
function leftOut(panel: Panel, rows: AnswerRow[], tracks: Track[], locale: string): string[] {
  const isBeyond = tracks.slice(0, 2).some(({ figures }) => {
    const [few, many] = [true, false].map((isFew) =>
      figures.flatMap((it, place) => (it.kind === 'number' && isOfFew(panel, rows[place]) === isFew ? [it.value] : [])),
    );
    if (!few?.length || !many?.length) return false;
    return Math.max(...few) > Math.max(...many) || Math.min(...few) < Math.min(...many);
  });
  return isBeyond && panel.basis ? [words.notNamed(`${say(fewest, 'count', locale)} ${panel.basis.label}`)] : [];
}

/** A share or duration over a handful of chats does not count as an extreme. */
export function isOfFew(panel: Panel, row: AnswerRow | undefined): boolean {
  const n = panel.basis ? numberOf(figure({}, row, panel.basis.measure)) : null;
  return n !== null && n < fewest;
}

/** A label at the start of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** What the rows are one of each: hour, day, week or month. */
function nameOfPeriods(rows: readonly AnswerRow[]): string {
  const { kind } = read(rows.find(({ period }) => period !== undefined)?.period ?? '');
  return kind === 'other' ? words.period.toLowerCase() : kind;
}

const hasNumber = (row: AnswerRow): boolean => Object.values(row).some((value) => typeof value === 'number');

export function remarks(rows: AnswerRow[], endsEarly = false): string[] {
  // The last ones without a number have not begun.
  const unsettled = rows.slice(0, rows.findLastIndex(hasNumber) + 1).filter(isUnsettled).length;
  const missing = rows.filter((row) => row.state === 'not_pulled').length;
  const kind = nameOfPeriods(rows);
  return [
    ...(unsettled ? [words.mayChange(unsettled, kind), ...(endsEarly ? [words.notDrawn] : [])] : []),
    ...(missing ? [words.notPulledCount(missing, kind)] : []),
  ];
}

/** The colour of a token in a theme. */
export function colour(token: ThemeToken, { theme }: Setting): string {
  if (token === 'good' || token === 'bad' || token === 'before' || token === 'muted' || token === 'hatch')
    return theme[token];
  const place = Number(token.split('-')[1]);
  const shades = token.startsWith('heat') ? theme.heat : theme.series;
  return shades[(place - 1) % shades.length] ?? theme.text;
}
