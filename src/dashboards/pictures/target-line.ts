// The line of a target behind the line of its number, a cross on each day that missed it, and both in words.
import type { Answer } from '../answer.ts';
import { sayShort } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { daysOf } from '../periods.ts';
import { shownDays, targetOf, targetOfTile, targetSentence, type TargetDay, type TargetResult } from '../targets.ts';
import { targetWords as words } from '../target-words.ts';
import type { Ending } from './end-labels.ts';
import type { KeyEntry, Setting, PictureTable, Tip } from './picture.ts';
import type { RenderItemApi } from './render-item.ts';

/** Targets of a range and how to draw them; pages load the drawing only if there are targets, so it imports little. */
export interface ShownTargets {
  /** `numbers`: of the first line of the picture, by label. */
  line(
    panel: Panel,
    answer: Answer | undefined,
    labels: string[],
    numbers: readonly (number | null)[],
    setting: Setting,
  ): TargetLine | undefined;
  tile(panel: Panel, locale: string): string | undefined;
}

export const shownTargets = (judged: readonly TargetResult[]): ShownTargets => ({
  line: (...of) => targetLine(judged, ...of),
  tile: (panel, locale) => targetOfTile(panel, judged, locale),
});

interface TargetLine {
  /** The target of each period, for the axis. */
  values: (number | null)[];
  series: object[];
  ending: Ending;
  key: KeyEntry[];
  sentence: string;
  tips(all: Tip[]): Tip[];
  table(all: PictureTable): PictureTable;
}

/** From this many periods on, crosses are smaller. */
const MANY = 120;

/** Undefined where no target was in force, or the number is shown in parts. */
function targetLine(
  judgedTargets: readonly TargetResult[],
  panel: Panel,
  answer: Answer | undefined,
  labels: string[],
  numbers: readonly (number | null)[],
  setting: Setting,
): TargetLine | undefined {
  const judged = targetOf(panel, judgedTargets);
  if (!judged || !answer) return undefined;
  const sentence = targetSentence(judged, answer.target, setting.locale);
  const days = shownDays(judged, answer.target);
  const isByDay = answer.grain === 'day';
  const byDay = new Map(days.map((it) => [it.day, it]));
  const at = labels.map((label) => (isByDay ? byDay.get(label) : firstIn(label, days)));
  const values = at.map((it) => it?.share ?? null);
  const last = days.at(-1);
  if (!last) return sentence ? { ...nothingDrawn, sentence } : undefined;
  const told = (it: TargetDay | undefined): string | undefined =>
    it && words.told(judged.is_most, sayShort(it.share, 'share', setting.locale), isByDay ? it.verdict : undefined);
  const missed = isByDay ? at.map((it) => it?.verdict === 'missed') : [];
  return {
    values,
    series: [line(values, setting), ...(missed.includes(true) ? [crosses(missed, numbers, setting)] : [])],
    ending: { name: words.line(sayShort(last.share, 'share', setting.locale)), token: 'muted', values },
    key: missed.includes(true) ? [{ token: 'bad', label: words.missedKey, mark: 'cross' }] : [],
    sentence,
    tips: (all) =>
      all.map((tip, place) => {
        const value = told(at[place]);
        return value === undefined
          ? tip
          : { ...tip, lines: [...tip.lines, { token: 'muted', name: words.name, value }] };
      }),
    table: (all) => withColumn(all, (place) => told(at[place]) ?? ''),
  };
}

const nothingDrawn: Omit<TargetLine, 'sentence'> = {
  ...{ values: [], series: [], key: [], ending: { name: '', token: 'muted', values: [] } },
  ...{ tips: (all) => all, table: (all) => all },
};

/** The target at the beginning of a week, month or hour. */
function firstIn(label: string, days: readonly TargetDay[]): TargetDay | undefined {
  const { from, to } = daysOf(label, label);
  return days.findLast(({ day }) => day <= from) ?? days.find(({ day }) => day >= from && day <= to);
}

/** Dotted, since unsettled periods are dashed and compared periods are solid. */
const line = (values: (number | null)[], { theme }: Setting): object => ({
  type: 'line',
  silent: true,
  tooltip: { show: false },
  step: 'middle',
  symbol: 'none',
  connectNulls: false,
  data: values,
  lineStyle: { width: 1.5, type: [1.5, 3], color: theme.muted },
  emphasis: { disabled: true },
  z: 2,
});

const crosses = (missed: boolean[], numbers: readonly (number | null)[], { theme }: Setting): object => {
  const reach = missed.length > MANY ? 2.5 : 4;
  const style = { stroke: theme.bad, lineWidth: 2 };
  return {
    type: 'custom',
    silent: true,
    tooltip: { show: false },
    z: 4,
    encode: { x: 0, y: 1 },
    data: missed.flatMap((isMissed, place) => {
      const value = isMissed ? (numbers[place] ?? null) : null;
      return value === null ? [] : [[place, value]];
    }),
    renderItem: (_: unknown, api: RenderItemApi) => {
      const [x = 0, y = 0] = api.coord([Number(api.value(0)), Number(api.value(1))]);
      const stroke = (slope: 1 | -1) => ({
        type: 'line',
        shape: { x1: x - reach, y1: y - slope * reach, x2: x + reach, y2: y + slope * reach },
        style,
      });
      return { type: 'group', children: [stroke(1), stroke(-1)] };
    },
  };
};

function withColumn(table: PictureTable, text: (place: number) => string): PictureTable {
  let kept: PictureTable['rows'] | undefined;
  return {
    columns: [...table.columns, { title: words.name, numeric: false }],
    get rows() {
      return (kept ??= table.rows.map((row, place) => [...row, { text: text(place), kind: 'text' as const }]));
    },
  };
}
