// A ranking by agent, goal or tag: dots for scores, shares and times, bars from zero for counts; the table shows long names in full.
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import { cellOf } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Measure, Panel, Unit } from '../panel.ts';
import { weekdayName } from '../periods.ts';
import { ranked } from '../ranks.ts';
import { variableOf } from '../variables.ts';
import { words } from '../words.ts';
import type { Picture, Setting, PictureTable } from './picture.ts';
import { fitted, widthOf } from './name-room.ts';
import { NAME_ROOM, rankingChart } from './ranking-chart.ts';
import { capital, cell, tokenOf, told } from './telling.ts';

const MOST = 20;
/** Names in the sentence about what there is nothing of. */
const MOST_NAMED = 5;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** One agent, goal or tag, and its row in each answer. */
interface RankedEntry {
  name: string;
  rows: (AnswerRow | undefined)[];
  /** Entries that cannot be told apart share a rank. */
  rank?: number;
}

type ValueOf = (entry: RankedEntry, measure: Measure) => number | null;

export function ranking(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const valueOf: ValueOf = (entry, measure) => {
    const place = placeOf(panel, answers, measure);
    return numberOf(figure(answers[place] ?? {}, entry.rows[place], measure.measure));
  };
  const main = panel.measures[0] ?? { measure: '', label: '' };
  const drawn = panel.beside ? panel.measures : [main];
  const entries = ordered(panel, entriesOf(panel, answers, setting), drawn, valueOf, setting);
  const without = entries.filter((it) =>
    hasNone(
      panel,
      drawn.map((measure) => valueOf(it, measure)),
    ),
  );
  const some = entries.filter((it) => !without.includes(it));
  const shown = some.filter((it) => valueOf(it, main) !== null).slice(0, MOST);
  const heightOf: ValueOf = (entry, measure) => {
    const value = valueOf(entry, measure);
    return panel.oneOfEach && value === 0 ? null : value;
  };
  const cellAt = (entry: RankedEntry, measure: Measure) => figureCell(panel, answers, entry, measure, setting);
  const ends = panel.band;
  const chart: Picture['charts'][number] = {
    option: rankingChart(
      panel.unit,
      shown.map(axisName),
      drawn.map((measure) => shown.map((it) => heightOf(it, measure))),
      ends ? [ends.from, ends.to].map((measure) => shown.map((it) => valueOf(it, { measure, label: '' }))) : undefined,
      drawn.map(tokenOf),
      setting,
      panel.oneOfEach,
    ),
    tips: shown.map((entry) => ({
      title: entry.name,
      lines: [
        ...measuresOf(entry, panel, heightOf).map((it) => {
          const { text, cell } = cellAt(entry, it);
          return { name: it.label, value: text, cell };
        }),
        ...(ends ? [{ name: ends.label, value: intervalOf(panel, entry, valueOf, setting) }] : []),
      ],
    })),
    hits: 'row',
    height: 40 + Math.max(shown.length, 2) * (panel.beside && !panel.oneOfEach ? 8 + 15 * drawn.length : 28),
  };
  return {
    // Axes alone would be no picture.
    charts: shown.length > 0 ? [chart] : [],
    key: panel.beside ? drawn.map((it, index) => ({ token: tokenOf(it, index), label: it.label, mark: 'fill' })) : [],
    table: tableOf(panel, entries, cellAt, valueOf, setting),
    summary: [
      ...(some.length > 0 || without.length === 0
        ? [summary(panel, panel.oneOfEach ? drawn : [main], some, shown.length, heightOf, setting)]
        : []),
      ...noneOf([...without.map(({ name }) => name), ...neverReached(panel, answers, setting)]),
    ].join(' '),
  };
}

/** Bars from zero in the order of their size have none for what there is nothing of; it is named below them. */
function hasNone({ unit, inOrder, byName }: Panel, values: (number | null)[]): boolean {
  return (unit === 'count' || unit === 'hours') && !inOrder && !byName && values.every((value) => value === 0);
}

function noneOf(names: string[]): string[] {
  const named = names.slice(0, MOST_NAMED);
  return names.length > 0 ? [words.noneOf(named.join(', '), names.length - named.length)] : [];
}

/** Goals of the account without a row: an answer has those alone that were reached. */
function neverReached({ split }: Panel, answers: Answer[], { names }: Setting): string[] {
  const rows = answers.flatMap((answer) => answer.rows);
  if (split?.[0] !== 'goal' || rows.some((row) => row.state === 'not_pulled')) return [];
  const reached = new Set(rows.map((row) => String(row['goal'])));
  return Object.entries(names?.['goal'] ?? {}).flatMap(([id, name]) => (reached.has(id) ? [] : [name]));
}

/** What an entry can have: of measures that exclude each other, the one it has. */
function measuresOf(entry: RankedEntry, { measures, oneOfEach }: Panel, heightOf: ValueOf): Measure[] {
  return oneOfEach ? measures.filter((it) => heightOf(entry, it) !== null) : measures;
}

/** Ranks line up at the axis; names are shortened so that ranks never are, in either writing direction. */
function axisName({ name, rank }: RankedEntry): string {
  if (rank === undefined) return name;
  const cut = fitted(name, NAME_ROOM - widthOf(words.ranked(rank, '')));
  return words.ranked(rank, RIGHT_TO_LEFT.test(cut) ? `\u2068${cut}\u2069` : cut);
}

/** Index of the answer that holds a measure. */
function placeOf(panel: Panel, answers: Answer[], { metric }: Measure): number {
  return Math.max(
    0,
    answers.findIndex((answer) => answer.metric === (metric ?? panel.metric)),
  );
}

function entriesOf(panel: Panel, answers: Answer[], setting: Setting): RankedEntry[] {
  const split = panel.split?.[0] ?? 'agent';
  const keyOf = (row: AnswerRow) => (row[split] == null ? null : String(row[split]));
  const byKey = answers.map((answer) => new Map(answer.rows.map((row) => [keyOf(row), row])));
  const keys = [...new Set(byKey.flatMap((rows) => [...rows.keys()]))].filter((it) => it !== null || split === 'tag');
  return keys.map((key) => ({
    name: nameIn(split, { state: 'complete', [split]: key }, setting),
    rows: byKey.map((rows) => rows.get(key)),
  }));
}

/** Scores keep the order of the answer; intervals are ranked; everything else is sorted by size or name. */
function ordered(
  panel: Panel,
  entries: RankedEntry[],
  drawn: Measure[],
  valueOf: ValueOf,
  { locale }: Setting,
): RankedEntry[] {
  const { band } = panel;
  const main = (it: RankedEntry) => (drawn[0] ? valueOf(it, drawn[0]) : null);
  if (panel.byName) {
    const { compare } = new Intl.Collator(locale);
    return entries.sort((a, b) => compare(a.name, b.name));
  }
  if (panel.ranks && band) {
    const end = (it: RankedEntry, measure: string) => valueOf(it, { measure, label: '' }) ?? 0;
    const known = entries.filter((it) => main(it) !== null);
    const ranks = ranked(known, (it) => ({ low: end(it, band.from), high: end(it, band.to) }));
    return ranks.map(({ it, rank }) => ({ ...it, rank }));
  }
  if (panel.unit === 'score' || panel.inOrder) return entries;
  const bySize = (a: RankedEntry, b: RankedEntry) => (measure: Measure) =>
    (valueOf(b, measure) ?? -1) - (valueOf(a, measure) ?? -1);
  return entries.sort((a, b) => drawn.map(bySize(a, b)).find((apart) => apart !== 0) ?? 0);
}

/** The display name of a row's value in a split. */
export function nameIn(split: string, row: AnswerRow, { names, locale }: Pick<Setting, 'names' | 'locale'>): string {
  if (split === 'weekday') return weekdayName(String(row[split]), locale);
  if (split === 'tag' && row[split] == null) return words.untagged;
  const variable = variableOf(split);
  if (variable !== undefined)
    return String(row['variable'] ?? words.without(names?.['variable']?.[variable] ?? variable));
  const key = String(row[split] ?? '');
  return names?.[split]?.[key] ?? (key || words.no_data);
}

/** The first measure has the panel's unit; the others are counts unless they state a unit. */
function unitOf(panel: Panel, measure: Measure): Unit {
  return measure.unit ?? (measure === panel.measures[0] || panel.beside ? panel.unit : 'count');
}

function figureCell(panel: Panel, answers: Answer[], { rows }: RankedEntry, measure: Measure, { locale }: Setting) {
  const place = placeOf(panel, answers, measure);
  const it = figure(answers[place] ?? {}, rows[place], measure.measure);
  return cell(it, unitOf(panel, measure), locale, false, '', cellOf(panel, measure, rows[place], it));
}

function intervalOf(panel: Panel, entry: RankedEntry, valueOf: ValueOf, { locale }: Setting): string {
  if (!panel.band) return '';
  const [low, high] = [panel.band.from, panel.band.to].map((measure) => valueOf(entry, { measure, label: '' }));
  if (low == null || high == null) return told({ kind: 'no_data' }, panel.unit, locale);
  return panel.band.from === panel.measures[0]?.measure
    ? say(high, panel.unit, locale)
    : words.fromTo(say(low, panel.unit, locale), say(high, panel.unit, locale));
}

function summary(
  panel: Panel,
  measures: Measure[],
  entries: RankedEntry[],
  shown: number,
  valueOf: ValueOf,
  setting: Setting,
): string {
  const left = entries.length > shown ? [words.first(shown, entries.length)] : [];
  const told = measures.flatMap((it) => extremes(panel, it, entries, (entry) => valueOf(entry, it), setting));
  if (told.length === 0) return words.nothing;
  return [...(panel.byName ? [words.byName] : told), ...left].join(' ');
}

/** Who has most and least of a measure; nothing where nobody has any. */
function extremes(
  { unit, title }: Panel,
  { label }: Measure,
  entries: RankedEntry[],
  value: (it: RankedEntry) => number | null,
  { locale }: Setting,
): string[] {
  // Ranks go by certainty: the first entry need not have the highest value.
  const known = entries.filter((it) => value(it) !== null);
  const byValue = known.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0));
  const [first, last] = [byValue[0], byValue.at(-1)];
  if (!first || !last) return [];
  const name = capital(label || title);
  const [highest, lowest] = [value(first) ?? 0, value(last) ?? 0];
  const isSame = last !== first && highest === lowest;
  const ends = isSame
    ? [words.always(name, say(highest, unit, locale))]
    : [words.highest(name, say(highest, unit, locale), first.name)];
  if (last !== first && !isSame) ends.push(words.lowest(say(lowest, unit, locale), last.name));
  const apart = new Set(known.map(({ rank }) => rank)).size;
  return [
    `${ends.join(', ')}.`,
    ...(first.rank === undefined ? [] : [apart > 1 ? words.apart(apart) : words.notApart]),
  ];
}

function tableOf(
  panel: Panel,
  entries: RankedEntry[],
  cellAt: (entry: RankedEntry, measure: Measure) => ReturnType<typeof cell>,
  valueOf: ValueOf,
  setting: Setting,
): PictureTable {
  const { band, measures, ranks } = panel;
  return {
    columns: [
      { title: panel.split?.[0] ?? '', numeric: false },
      ...(ranks ? [{ title: words.rank, numeric: true }] : []),
      ...measures.map((it) => ({ title: it.label, numeric: true })),
      ...(band ? [{ title: band.label, numeric: true }] : []),
    ],
    rows: entries.map((entry) => [
      { text: entry.name, kind: 'head', cell: measures[0] && cellAt(entry, measures[0]).cell },
      ...(ranks ? [{ text: String(entry.rank ?? ''), kind: 'number' as const }] : []),
      ...measures.map((measure) => cellAt(entry, measure)),
      ...(band ? [{ text: intervalOf(panel, entry, valueOf, setting), kind: 'number' as const }] : []),
    ]),
  };
}
