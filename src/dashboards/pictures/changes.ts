// What changed most: the change of one measure against the time before, divided by each of several splits; each adds up.
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import type { Cell } from '../cell.ts';
import { divideMean, divideSum, type Division, type Pair, type ChangePart, type Weighed } from '../changes.ts';
import { fewest, independentCountsDiffer, sharesDiffer } from '../chance.ts';
import { than } from '../comparison.ts';
import { signed } from '../numbers.ts';
import type { Measure, Panel, Unit } from '../panel.ts';
import { words } from '../words.ts';
import { base } from './frame.ts';
import type { Chart, KeyEntry, Picture, Setting, PictureTable, TableCell, Tip } from './picture.ts';
import { nameIn } from './ranking.ts';
import { capital, cell, colour } from './telling.ts';

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
export const changesSummary = ({ measure, unit, whole, lists }: Divided, locale: string): string =>
  whole && lists[0] ? summary(lists, measure, unit, than(whole, locale), locale) : words.noComparison;

/** Which groups, agents, tags and hours brought most of the change of the first measure, in a sentence; empty where none did clearly. */
export function mostOfChange(panel: Panel, answers: Answer[], setting: Setting): string {
  const { unit, lists } = dividedIn(panel, answers, setting);
  const largest = largestIn(lists, unit, setting.locale);
  return largest.length > 0 ? `${words.mostOf} ${largest.join('; ')}.` : '';
}

interface Divided {
  measure: Measure;
  unit: Unit;
  whole: Answer | undefined;
  lists: List[];
}

/** The change of the first measure by each split of the panel. */
export function dividedIn(panel: Panel, answers: Answer[], setting: Pick<Setting, 'locale' | 'names'>): Divided {
  const measure: Measure = panel.measures[0] ?? { measure: '', label: '' };
  const unit = measure.unit ?? panel.unit;
  const own = answers.filter((it) => it.metric === (measure.metric ?? panel.metric));
  const whole = own.find((it) => !it.split?.length);
  const lists = (panel.by ?? []).flatMap((split) => {
    const answer = own.find((it) => it.split?.[0] === split);
    const list = whole && answer && listOf(split, measure, unit, whole, answer, setting);
    return list ? [list] : [];
  });
  return { measure, unit, whole, lists };
}

function weighed(answer: Pick<Answer, 'not_given'>, row: AnswerRow | undefined, { measure, weight }: Measure): Weighed {
  const at = (name: string) => numberOf(figure(answer, row, name));
  return { value: at(measure), weight: weight === undefined ? null : at(weight) };
}

const CHANCE: KeyEntry = { token: 'before', label: words.byChance, mark: 'fill' };

/** Whether a part has changed by no more than chance would have it, as far as that can be told, or is too small to tell. */
function isByChance({ now, before }: ChangePart, unit: Unit, isCount: boolean, times: number): boolean {
  const behind = (before.weight ?? 0) / times;
  const [is, was] = isCount ? [now.value ?? 0, before.value ?? 0] : [now.weight ?? 0, behind];
  if (Math.max(is, was) < fewest) return true;
  if (isCount || unit !== 'share') return isCount && !independentCountsDiffer(is, was);
  const isOwn =
    now.value !== null && before.value !== null
      ? sharesDiffer({ value: now.value, n: is }, { value: before.value, n: was * times })
      : false;
  return !isOwn && !independentCountsDiffer(is, was);
}

function listOf(
  split: string,
  measure: Measure,
  unit: Unit,
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
  const division = divide(both(whole.rows[0], whole.compare?.rows[0]), parts);
  if (!division) return undefined;
  const named = division.parts.filter((part) => Math.abs(part.change) > DUST).slice(0, MOST);
  const others = division.parts.filter((part) => !named.includes(part)).reduce((sum, part) => sum + part.change, 0);
  const nameOf = (key: string) =>
    split === 'hour_of_day' ? `${key}:00` : nameIn(split, { state: 'complete', [split]: key || null }, setting);
  const bars: Bar[] = [
    { name: words.inAll, change: division.change, token: 'text' },
    ...named.map((part) => {
      const isUnclear = isByChance(part, unit, isCount, times);
      const token = isUnclear ? ('before' as const) : ('series-1' as const);
      return { name: nameOf(part.key), change: part.change, token, part, isByChance: isUnclear };
    }),
  ];
  if (division.parts.length > named.length) bars.push({ name: words.others, change: others, token: 'before' });
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
  const most = Math.max(...bars.map(({ change }) => Math.abs(change)), DUST) * 1.1;
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

/** From each list, the largest significant part that changes in the direction of the whole. */
function largestIn(lists: List[], unit: Unit, locale: string): string[] {
  const whole = lists[0]?.division.change ?? 0;
  return lists.flatMap(({ split, bars }) => {
    const bar = bars.find((it) => it.part && !it.isByChance && Math.sign(it.change) === Math.sign(whole));
    return bar ? [words.mostBy(words.splits[split] ?? split, bar.name, signed(bar.change, unit, locale))] : [];
  });
}

/** The change of the whole, the largest significant part of each list in the same direction, and for means the split into rate and mix. */
function summary(lists: List[], { label }: Measure, unit: Unit, than: string, locale: string): string {
  const whole = lists[0]?.division.change ?? 0;
  const told = words.changed(capital(label), signed(whole, unit, locale), than);
  const largest = largestIn(lists, unit, locale);
  const groups = lists.find(({ split }) => split === 'group')?.division;
  const rates = groups?.parts.map(({ rate }) => rate ?? null).filter((rate) => rate !== null) ?? [];
  const rate = rates.reduce((sum, value) => sum + value, 0);
  const sentences = [
    told,
    ...(largest.length ? [`${words.mostOf} ${largest.join('; ')}.`] : []),
    ...(groups && rates.length > 1
      ? [words.rateAndMix(signed(rate, unit, locale), signed(groups.change - groups.left - rate, unit, locale))]
      : []),
  ];
  return sentences.join(' ');
}
