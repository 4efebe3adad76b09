// What changed most: the change of one measure against the time before, divided by each of several splits; each adds up.
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import type { Cell } from '../cell.ts';
import { divideMean, divideSum, type Division, type Pair, type ChangePart, type Weighed } from '../changes.ts';
import { than } from '../comparison.ts';
import { signed } from '../numbers.ts';
import { finalDaysOf } from '../final-days.ts';
import type { Measure, Panel, Unit } from '../panel.ts';
import { words } from '../words.ts';
import { isPartByChance, isWholeByChance, scatterIn, spreadOf } from './change-chance.ts';
import { largestIn, summary } from './change-words.ts';
import { base } from './frame.ts';
import type { Chart, KeyEntry, Picture, Setting, PictureTable, TableCell, Tip } from './picture.ts';
import { nameIn } from './ranking.ts';
import { capital, cell, colour, remarks } from './telling.ts';
import { changeOfFinalDays } from './tile.ts';
import type { TileChange } from './tile-change.ts';

/** Parts of each list that are named; the others are one row. */
const MOST = 5;
/** Less than this, in the smallest unit of a count, is dust of the arithmetic. */
const DUST = 1e-9;

interface Bar {
  name: string;
  change: number;
  /** Whether the part's change may be chance. */
  isByChance?: boolean;
  token: 'series-1' | 'before' | 'text';
  part?: ChangePart;
}

/** A change of the whole by one split: bars that add up. */
export interface List {
  split: string;
  division: Division;
  bars: Bar[];
}

/** Draws the first measure; a panel with several is drawn once per measure by its reader's choice. */
export function changes(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const divided = dividedIn(panel, answers, setting);
  const { measure, unit, lists } = divided;
  return {
    charts: lists.map((list) => chart(list, unit, cellIn(panel, measure), setting)),
    key: lists.some(({ bars }) => bars.some((bar) => bar.isByChance)) ? [CHANCE] : [],
    table: tableOf(lists, unit, measure, cellIn(panel, measure), setting),
    summary: changesSummary(divided, setting.locale),
  };
}

/** What changed of all, and which parts of it account for that. */
export const changesSummary = ({ measure, unit, whole, trend, lists, final }: Divided, locale: string): string =>
  whole && lists[0]
    ? [
        summary(lists, measure, unit, than(whole, locale), locale),
        ...remarks(trend?.rows ?? []),
        ...(final ? [`${capital(final.text)}.`] : []),
      ].join(' ')
    : words.noComparison;

/** Which groups, agents, tags and hours brought most of the change of the first measure, in a sentence; empty where none did clearly. */
export function mostOfChange(panel: Panel, answers: Answer[], setting: Setting): string {
  const { unit, lists } = dividedIn(panel, answers, setting);
  return largestIn(lists, unit, setting.locale);
}

interface Divided {
  measure: Measure;
  unit: Unit;
  whole: Answer | undefined;
  /** By period, where that was asked. */
  trend: Answer | undefined;
  lists: List[];
  /** Where days of the range may still change: the change of those that do not, as a tile tells it. */
  final: TileChange | undefined;
}

/** The change of the first measure by each split of the panel. */
export function dividedIn(panel: Panel, answers: Answer[], setting: Pick<Setting, 'locale' | 'names'>): Divided {
  const measure: Measure = panel.measures[0] ?? { measure: '', label: '' };
  const unit = measure.unit ?? panel.unit;
  const own = answers.filter((it) => it.metric === (measure.metric ?? panel.metric));
  const [whole, trend] = own.filter((it) => !it.split?.length);
  // A share says by its weight what it is a share of.
  const share = measure.weight === undefined ? panel : { ...panel, basis: { measure: measure.weight, label: '' } };
  const ripe = finalDaysOf(share, trend);
  const final = ripe && ripe !== 'none' ? changeOfFinalDays(share, ripe, setting.locale) : undefined;
  const lists = (panel.by ?? []).flatMap((split) => {
    const answer = own.find((it) => it.split?.[0] === split);
    const list = whole && answer && listOf({ split, measure, unit, trend, final }, whole, answer, setting);
    return list ? [list] : [];
  });
  return { measure, unit, whole, trend, lists, final };
}

function weighed(answer: Pick<Answer, 'not_given'>, row: AnswerRow | undefined, { measure, weight }: Measure): Weighed {
  const at = (name: string) => numberOf(figure(answer, row, name));
  const own = { value: at(measure), weight: weight === undefined ? null : at(weight) };
  const [, of] = /^(.*)(?:seconds|average)$/.exec(measure) ?? [];
  const [p50, p90] = of === undefined ? [] : [at(`${of}p50`), at(`${of}p90`)];
  return p50 == null || p90 == null ? own : { ...own, spread: spreadOf(p50, p90) };
}

const CHANCE: KeyEntry = { token: 'before', label: words.byChance, mark: 'fill' };

function listOf(
  { split, measure, unit, trend, final }: Pick<Divided, 'measure' | 'unit' | 'trend' | 'final'> & { split: string },
  whole: Answer,
  answer: Answer,
  setting: Pick<Setting, 'locale' | 'names'>,
): List | undefined {
  const times = whole.compare?.slots?.count ?? 1;
  const isCount = measure.weight === undefined;
  const both = (now: AnswerRow | undefined, before: AnswerRow | undefined): Pair => {
    const earlier = weighed({}, before, measure);
    // What adds up over several periods is compared with how much it was in one of them.
    const value = isCount && earlier.value !== null ? earlier.value / times : earlier.value;
    return { now: weighed(answer, now, measure), before: { ...earlier, value } };
  };
  const keyOf = (row: AnswerRow) => (row[split] == null ? '' : String(row[split]));
  const now = new Map(answer.rows.map((row) => [keyOf(row), row]));
  const before = new Map((answer.compare?.rows ?? []).map((row) => [keyOf(row), row]));
  const keys = [...new Set([...now.keys(), ...before.keys()])];
  const parts = keys.map((key) => ({ key, ...both(now.get(key), before.get(key)) }));
  const divide = isCount ? divideSum : divideMean;
  const all = both(whole.rows[0], whole.compare?.rows[0]);
  const division = divide(all, parts);
  if (!division) return undefined;
  const scatter = scatterIn(measure, trend, isCount);
  // What may still change is no clearer than what may not.
  const isUnclear = isWholeByChance(all, { unit, measure, times }, whole, trend) || final?.sign === 0;
  const isSaid = (change: number): boolean => signed(change, unit, setting.locale) !== words.noChange;
  const named = division.parts.filter((part) => isSaid(part.change)).slice(0, MOST);
  const others = division.parts.filter((part) => !named.includes(part)).reduce((sum, part) => sum + part.change, 0);
  const nameOf = (key: string) =>
    split === 'hour_of_day' ? `${key}:00` : nameIn(split, { state: 'complete', [split]: key || null }, setting);
  const bars: Bar[] = [
    { name: words.inAll, change: division.change, token: isUnclear ? 'before' : 'text', isByChance: isUnclear },
    ...named.map((part) => {
      const isByChance = isPartByChance(part, unit, isCount, times, scatter);
      const token = isByChance ? ('before' as const) : ('series-1' as const);
      return { name: nameOf(part.key), change: part.change, token, part, isByChance };
    }),
  ];
  if (Math.abs(others) > DUST) bars.push({ name: words.others, change: others, token: 'before' });
  if (Math.abs(division.left) > DUST) bars.push({ name: words.countedTwice, change: division.left, token: 'before' });
  return { split, division, bars };
}

const cellIn =
  (panel: Panel, measure: Measure) =>
  (split: string, part: ChangePart | undefined): Cell | undefined =>
    part && part.now.value !== null
      ? {
          metric: measure.metric ?? panel.metric,
          measure: measure.measure,
          grain: 'total',
          at: { [split]: part.key },
        }
      : undefined;

type CellOf = ReturnType<typeof cellIn>;

function chart({ split, bars }: List, unit: Unit, cellOf: CellOf, setting: Setting): Chart {
  const { theme, locale } = setting;
  const said = bars.filter(({ change }) => signed(change, unit, locale) !== words.noChange);
  // Where every part is as good as nothing, so is the length of its bar.
  const most = said.length > 0 ? Math.max(...said.map(({ change }) => Math.abs(change))) * 1.1 : 1;
  const option = {
    ...base(theme),
    grid: { left: 8, right: 64, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'value',
      min: bars.some(({ change }) => change < 0) ? -most : 0,
      max: bars.some(({ change }) => change > 0) ? most : 0,
      axisLabel: { show: false },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: theme.text, fontSize: 12, width: 136, overflow: 'truncate', interval: 0 },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 14,
        emphasis: { disabled: true },
        data: bars.map(({ change, token }) => ({
          value: change,
          itemStyle: { color: token === 'text' ? theme.text : colour(token, setting) },
        })),
        label: {
          show: true,
          position: 'right',
          color: theme.text,
          fontSize: 12,
          formatter: ({ dataIndex }: { dataIndex: number }) => signed(bars[dataIndex]?.change ?? 0, unit, locale),
        },
      },
    ],
  };
  return {
    title: words.by(words.splits[split] ?? split),
    option,
    tips: bars.map((bar) => tip(bar, unit, cellOf(split, bar.part), locale)),
    hits: 'row',
    height: 16 + bars.length * 26,
  };
}

function tip({ name, change, part, isByChance }: Bar, unit: Unit, receipt: Cell | undefined, locale: string): Tip {
  const told = (value: number | null) =>
    cell(value === null ? { kind: 'no_data' } : { kind: 'number', value }, unit, locale, false).text;
  const lines = part
    ? [
        { name: words.before, value: told(part.before.value) },
        { name: words.now, value: told(part.now.value), cell: receipt },
      ]
    : [];
  const { rate } = part ?? {};
  const ofWhich =
    rate === undefined
      ? []
      : [
          { name: words.ofRate, value: signed(rate, unit, locale) },
          { name: words.ofMix, value: signed(change - rate, unit, locale) },
        ];
  return {
    title: name,
    lines: [...lines, { name: words.partOfChange, value: signed(change, unit, locale) }, ...ofWhich],
    ...(isByChance ? { note: capital(words.byChance) } : {}),
  };
}

function tableOf(lists: List[], unit: Unit, measure: Measure, cellOf: CellOf, { locale }: Setting): PictureTable {
  const figureCell = (value: number | null | undefined, behind?: Cell): TableCell =>
    value == null
      ? { text: value === null ? words.no_data : '', kind: 'no_data' }
      : cell({ kind: 'number', value }, unit, locale, false, '', behind);
  const told = ({ change, isByChance }: Pick<Bar, 'change' | 'isByChance'>): string =>
    `${signed(change, unit, locale)}${isByChance ? ` (${words.byChance})` : ''}`;
  return {
    columns: [
      { title: words.partOfChange, numeric: false },
      { title: words.before, numeric: true },
      { title: words.now, numeric: true },
      { title: capital(measure.label), numeric: true },
    ],
    rows: lists.flatMap(({ split, bars }) =>
      bars.map(({ name, change, part, isByChance = false }): TableCell[] => [
        { text: `${words.splits[split] ?? split}: ${name}`, kind: 'head' },
        figureCell(part?.before.value),
        figureCell(part?.now.value, cellOf(split, part)),
        { text: told({ change, isByChance }), kind: 'number' },
      ]),
    ),
  };
}
