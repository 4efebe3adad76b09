// A panel split by its reader: one line for each of the largest values, and one for the rest where values add up; the table lists every
// value.
import { figure, isUnsettled, numberOf, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Measure, Panel } from '../panel.ts';
import { periodName } from '../periods.ts';
import { columnOf } from '../variables.ts';
import { stateWords, words } from '../words.ts';
import { daysOf } from './dense.ts';
import { endLabels, ROOM } from './end-labels.ts';
import { flags, withNotes } from './flags.ts';
import { base, notPulledAreas, timeAxis, valueAxis } from './frame.ts';
import { FRAME, HEIGHT, KEY_FROM, strokes } from './lines.ts';
import type { Chart, KeyEntry, Picture, Setting, Tip } from './picture.ts';
import { nameIn } from './ranking.ts';
import { splitTable } from './split-table.ts';
import { splitWords } from './split-words.ts';
import { capital, partsOf, remarks, told, type Track, type Tracks } from './telling.ts';

/** The number of lines that can be told apart. */
const MOST = 5;
/** Longer names do not fit at the ends of lines. */
const LONGEST = 40;

/** One value of the split: its rows over time, and its row over the whole range. */
export interface SplitPart {
  name: string;
  /** The count that ranks it, over the whole range. */
  size: number;
  rows: (AnswerRow | undefined)[];
  figures: Figure[];
  cells: (Cell | undefined)[];
  /** Over the whole range. */
  row: AnswerRow | undefined;
  whole: Figure;
  cell: Cell | undefined;
}

/** The periods in order, and every value of the split, largest first or by name. */
export interface SplitValues extends Pick<Tracks, 'labels' | 'rows' | 'parts'> {
  values: SplitPart[];
}

/** Draws the first measure; for panels with several, the reader chooses the measure. */
export function split(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const measure = panel.measures[0] ?? { measure: '', label: '' };
  const all = valuesOf(panel, measure, answers, setting);
  const { labels, rows, values } = all;
  const known = values.filter(({ figures }) => figures.some((it) => it.kind === 'number'));
  // A rest of a single value is drawn as that value.
  const shown = known.length === MOST + 1 ? known : known.slice(0, MOST);
  const rest = known.slice(shown.length);
  const tracks: Track[] = shown.map(({ name, figures, cells }, index) => ({
    ...{ measure: { ...measure, label: name }, token: `series-${index + 1}` as const, figures, cells },
  }));
  if (panel.addsUp && rest.length) tracks.push(otherTrack(measure, rest, labels));
  const isNamed = tracks.length < KEY_FROM && shown.every(({ name }) => name.length <= LONGEST);
  return {
    charts: [chartOf(panel, all, tracks, isNamed, setting)],
    key: keyOf(tracks, rows, isNamed),
    table: splitTable(panel, measure, all, setting),
    summary: summaryOf(panel, measure, shown, rest, rows, setting),
  };
}

/** Splits whose values may be missing: chats without a value belong to the whole. */
const withNone: readonly string[] = ['tag', 'country', 'variable'];

function valuesOf(panel: Panel, measure: Measure, answers: Answer[], setting: Setting): SplitValues {
  const [split = ''] = panel.split ?? [];
  const by = columnOf(split);
  const metric = measure.metric ?? panel.metric;
  const overTime = answers.find((it) => it.metric === metric && it.grain !== 'total');
  const over = answers.find((it) => it.metric === metric && it.grain === 'total');
  const keyOf = (row: AnswerRow) => (row[by] == null ? null : String(row[by]));
  const labels = [...new Set((overTime?.rows ?? []).map((row) => String(row.period ?? '')))].sort();
  const byKey = Map.groupBy(overTime?.rows ?? [], keyOf);
  const wholes = new Map(over?.rows.map((row) => [keyOf(row), row]));
  const size = sizeOf(panel, measure, answers, keyOf);
  const keys = [...new Set([...byKey.keys(), ...wholes.keys()])].filter((key) => key !== null || withNone.includes(by));
  const values = keys.map((key): SplitPart => {
    const byPeriod = new Map(byKey.get(key)?.map((row) => [String(row.period ?? ''), row]));
    const rows = labels.map((label) => byPeriod.get(label));
    const figures = rows.map((row) => figure(overTime ?? {}, row, measure.measure));
    const row = wholes.get(key);
    const whole = figure(over ?? {}, row, measure.measure);
    return {
      ...{ size: size(key), name: nameIn(split, { state: 'complete', [by]: key }, setting), rows, figures, row, whole },
      cells: rows.map((one, at) => cellOf(panel, measure, one, figures[at] ?? { kind: 'no_data' })),
      cell: cellOf({ ...panel, grain: 'total' }, measure, row, whole),
    };
  });
  const { compare } = new Intl.Collator(setting.locale);
  values.sort((one, other) => (panel.byName ? compare(one.name, other.name) : other.size - one.size));
  const rows = labels.map((_, at) => stateAt(values.flatMap(({ rows }) => rows[at] ?? [])));
  return { labels, rows, parts: partsOf(labels, answers[0]), values };
}

/** The size of a value: its count over the whole range. */
function sizeOf(panel: Panel, measure: Measure, answers: Answer[], keyOf: (row: AnswerRow) => string | null) {
  const counted =
    panel.basis?.measure ?? (panel.unit === 'count' || panel.unit === 'hours' ? measure.measure : 'chats');
  const answer = answers.find(({ grain, rows }) => grain === 'total' && rows.some((row) => counted in row));
  const sizes = new Map(answer?.rows.map((row) => [keyOf(row), numberOf(figure({}, row, counted))]));
  return (key: string | null): number => sizes.get(key) ?? -1;
}

/** A period is open or settling for every value at once; hidden and missing figures concern a single value. */
function stateAt(rows: AnswerRow[]): AnswerRow {
  return rows.find(isUnsettled) ?? rows.find(({ state }) => state === 'complete') ?? { state: 'not_pulled' };
}

/** The sum, or nothing when a part is unknown. */
function sumOf(figures: Figure[]): Figure {
  const missing = figures.find(({ kind }) => kind !== 'number');
  return missing ?? { kind: 'number', value: figures.reduce((sum, it) => sum + (numberOf(it) ?? 0), 0) };
}

function otherTrack(measure: Measure, rest: SplitPart[], labels: string[]): Track {
  const figures = labels.map((_, at) => sumOf(rest.map(({ figures }) => figures[at] ?? { kind: 'no_data' })));
  const label = splitWords.others(rest.length);
  return { measure: { ...measure, label }, token: 'before', figures, cells: [] };
}

function chartOf(panel: Panel, all: SplitValues, tracks: Track[], isNamed: boolean, setting: Setting): Chart {
  const { labels, rows } = all;
  const numbers = tracks.flatMap(({ figures }) => figures.map((it) => numberOf(it) ?? 0));
  const days = daysOf(labels);
  const axis = valueAxis(Math.max(0, ...numbers), panel.unit, setting, Math.min(0, ...numbers));
  const endings = isNamed
    ? tracks.map(({ measure, token, figures }) => ({ name: measure.label, token, values: figures.map(numberOf) }))
    : [];
  const states = rows.map(({ state }) => state);
  const option = {
    ...base(setting.theme),
    grid: {
      ...{ left: 8, right: isNamed ? ROOM : 24, top: 12, bottom: 4 },
      ...{ outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    },
    tooltip: { trigger: 'axis', axisPointer: { type: 'line', lineStyle: { color: setting.theme.before, width: 1 } } },
    ...timeAxis(labels, false, isNamed ? ROOM : 24, setting),
    yAxis: axis,
    series: [
      ...notPulledAreas(states, setting.theme),
      ...tracks.flatMap((track) => strokes(track, rows, days, setting)),
      ...flags(labels, setting),
      ...endLabels(endings, axis, HEIGHT - FRAME, setting),
    ],
  };
  return {
    option,
    tips: withNotes(tipsOf(panel, all, tracks, setting), labels, setting),
    hits: 'column',
    height: HEIGHT,
  };
}

/** Shows each value with its count, so that small counts are visible. */
function tipsOf(
  panel: Panel,
  { labels, rows, parts, values }: SplitValues,
  tracks: Track[],
  { locale }: Setting,
): Tip[] {
  return labels.map((label, at) => ({
    ...(rows[at] && rows[at].state !== 'complete' ? { note: stateWords(rows[at].state) } : {}),
    get title() {
      return periodName(label, locale, parts[at]);
    },
    lines: tracks.map((track) => ({
      ...{ token: track.token, name: track.measure.label, cell: track.cells[at] },
      get value() {
        const row = values.find(({ cells }) => cells === track.cells)?.rows[at];
        return withCount(panel, told(track.figures[at] ?? { kind: 'no_data' }, panel.unit, locale), row, locale);
      },
    })),
  }));
}

/** "84.2 % (31 rated chats)". */
function withCount({ basis }: Panel, value: string, row: AnswerRow | undefined, locale: string): string {
  const count = basis && row && numberOf(figure({}, row, basis.measure));
  return count == null || !basis
    ? value
    : splitWords.counted(value, words.counted(count, say(count, 'count', locale), basis.label));
}

function keyOf(tracks: Track[], rows: AnswerRow[], isNamed: boolean): KeyEntry[] {
  const entries: KeyEntry[] = isNamed
    ? []
    : tracks.map(({ token, measure }) => ({ token, label: measure.label, mark: 'line' }));
  const [first] = tracks;
  if (first && rows.some(isUnsettled)) entries.push({ token: first.token, label: words.unsettledKey, mark: 'dash' });
  return entries;
}

/** Describes each drawn value over the whole range, and the values that are not drawn. */
function summaryOf(
  panel: Panel,
  { label }: Measure,
  shown: SplitPart[],
  rest: SplitPart[],
  rows: AnswerRow[],
  { locale }: Setting,
): string {
  const isOther = panel.addsUp && rest.length > 0;
  const values = shown.map(({ name, whole, row }) =>
    splitWords.one(name, withCount(panel, told(whole, panel.unit, locale), row, locale)),
  );
  const other = isOther ? told(sumOf(rest.map(({ whole }) => whole)), panel.unit, locale) : '';
  const all = [...values, ...(isOther ? [splitWords.one(splitWords.others(rest.length), other)] : [])];
  return [
    values.length ? splitWords.whole(capital(label), all.join(', ')) : words.nothing,
    ...(rest.length && !isOther ? [splitWords.more(rest.length)] : []),
    // What a row is of, as the number of a group, is no number of it.
    ...remarks(rows.map((row) => ({ ...row, [panel.split?.[0] ?? '']: null }))),
  ].join(' ');
}
