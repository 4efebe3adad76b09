// Requests a number's comparison and decomposition, and combines the answers.
import { figure, numberOf, type Answer, type AnswerRow } from '#dashboards/answer.ts';
import { narrowings } from '#dashboards/panel-queries.ts';
import { grainOf, grainWithin } from '#dashboards/grains.ts';
import { panelsFor, whatChanged, type Grain, type Panel, type SeesAgents } from '#dashboards/panel.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import type { Setting } from '#dashboards/pictures/picture.ts';
import { finalDaysOf } from '#dashboards/final-days.ts';
import { dayCount, read } from '#dashboards/periods.ts';
import { chosenOf, columnOf, variableOf } from '#dashboards/variables.ts';
import { daysBefore, most_before, slotOf, slotsBefore } from '#dashboards/why/before.ts';
import { comparedOf, type Compared, type Periods } from '#dashboards/why/compared.ts';
import { measuredOf, type Catalogued, type Measured } from '#dashboards/why/measured.ts';
import { partsOf, type Parts } from '#dashboards/why/parts.ts';
import type { Pointed } from '#dashboards/why/asked-about.ts';
import { daysIn } from '#dashboards/why/pointed.ts';
import type { MetricOutcome } from '#lib/metric-question.ts';

/** A question about the metric under the filters of the number. */
export interface WhyQuestion {
  from: string;
  to: string;
  grain: Grain;
  split: string[];
  compare?: 'previous' | 'year';
}

export interface Numbers {
  /** As the questions found it. */
  value: number | null;
  compared: Compared | undefined;
  parts: Parts | undefined;
}

/** The line must be as fine as a tile's for its change to be judged the same way. */
const MOST_POINTS = 100;

interface About {
  pointed: Pointed;
  metric: Catalogued;
  measured: Measured;
  /** Splits by which the reader sees the difference decomposed. */
  by: string[];
  /** Parts of the cell that are not filters, and are matched in the rows. */
  at: Record<string, string>;
  setting: Pick<Setting, 'locale' | 'names'>;
  ask: (asked: WhyQuestion) => Promise<Answer | undefined>;
}

const filterable = ['group', 'agent', 'tag', 'country', 'variable'];
const isFilter = ([split, value]: [string, string], metric: Catalogued): boolean =>
  filterable.includes(columnOf(split)) && value !== '' && metric.filters.includes(columnOf(split));

/** Filters of the questions: those of the page, and the parts of the cell that can be filters. */
export function filtersOf({ cell, asking }: Pointed, metric: Catalogued): [string, string][] {
  const own = Object.entries(cell.at).filter((it) => isFilter(it, metric));
  const ofPage = narrowings.flatMap((name) => asking[name].map((value): [string, string] => [name, value]));
  const isOwn = ([name, value]: [string, string]): boolean =>
    own.some(([split]) => split === name || (name === 'variable' && variableOf(split) === chosenOf(value)?.variable));
  return [...ofPage.filter((it) => !isOwn(it)), ...own.map(([split, value]) => filterOf(split, value))];
}

/** The filter that leaves one value of a split. */
function filterOf(split: string, value: string): [string, string] {
  const variable = variableOf(split);
  return variable === undefined ? [split, value] : ['variable', `${variable}:${value}`];
}

export async function readNumbers(
  ask: (asked: WhyQuestion) => Promise<MetricOutcome>,
  pointed: Pointed,
  metric: Catalogued,
  sees: SeesAgents,
  today: string,
  setting: About['setting'],
): Promise<Numbers> {
  const { cell, asking } = pointed;
  const measured = measuredOf(metric, cell.measure, cell.at['currency']);
  const at = Object.fromEntries(Object.entries(cell.at).filter((it) => !isFilter(it, metric)));
  const kinds = panelsFor([{ ...whatChanged, metric: metric.id, unit: 'count', measures: [] }], sees)[0]?.by ?? [];
  const isOne = (name: string) => name in asking && asking[name as 'group'].length === 1;
  const by = kinds.filter(
    (name) =>
      metric.splits.includes(name) &&
      cell.at[name] === undefined &&
      !isOne(name) &&
      !(name === 'hour_of_day' && cell.grain === 'hour'),
  );
  const about: About = {
    ...{ pointed, metric, measured, at, setting },
    by: measured.divided ? by : [],
    ask: async (asked) => {
      const outcome = await ask(asked);
      return outcome.kind === 'answered' ? outcome.answer : undefined;
    },
  };
  const days = daysIn(pointed);
  const isOver = days.isWhole && days.to < today;
  return (isOver ? await besidePeriods(about) : undefined) ?? (await besideRange(about));
}

const picked = (rows: readonly AnswerRow[] | undefined, at: Record<string, string>): AnswerRow[] =>
  (rows ?? []).filter((row) =>
    Object.entries(at).every(([name, value]) => String(row[columnOf(name)] ?? '') === value),
  );

/** A complete past period next to up to four earlier ones, combined. Undefined if there are none. */
async function besidePeriods(about: About): Promise<Numbers | undefined> {
  const { pointed, metric, measured, at, ask } = about;
  const { period = '' } = pointed.cell;
  const { kind } = read(period);
  const slot = slotOf(period);
  if (kind === 'other' || Object.keys(slot).some((name) => !metric.splits.includes(name) || name in at))
    return undefined;
  const { to } = daysIn(pointed);
  const kept = Object.keys(at);
  const line = await ask({ from: daysBefore(period, most_before).from, to, grain: kind, split: kept });
  const rows = picked(line?.rows, at);
  const now = rows.find((row) => row.period === period);
  const periods = slotsBefore(period, rows);
  const count = Math.min(periods.own.length, most_before);
  const isYoung = now?.state === 'open' || (measured.isLate && now?.state === 'settling');
  if (!line || !now || isYoung || count === 0) return undefined;
  const before = daysBefore(period, count);
  const pooled = await ask({ ...before, grain: 'total', split: [...Object.keys(slot), ...kept] });
  const earlier = picked(pooled?.rows, { ...slot, ...at })[0];
  if (!pooled || !earlier) return undefined;
  const compare = { ...before, slots: { count, period } };
  const whole: Answer = { ...line, split: [], rows: [now], compare: { ...compare, rows: [earlier] } };
  const answers = about.by.map(async (by): Promise<Answer[]> => {
    const hour = slot['hour_of_day'];
    const ofHour: Record<string, string> = hour === undefined ? {} : { hour_of_day: hour };
    const days = daysIn(pointed);
    const [own, others] = await Promise.all([
      ask({ from: days.from, to: days.to, grain: 'total', split: [by, ...Object.keys(ofHour), ...kept] }),
      ask({ ...before, grain: 'total', split: [by, ...Object.keys(slot), ...kept] }),
    ]);
    if (!own || !others) return [];
    const rows = picked(own.rows, { ...ofHour, ...at });
    return [{ ...own, split: [by], rows, compare: { ...compare, rows: picked(others.rows, { ...slot, ...at }) } }];
  });
  return numbersOf(about, whole, (await Promise.all(answers)).flat(), periods);
}

/** Everything else as the API compares it: up to the same clock time, by whole weeks, or with the year before. */
async function besideRange(about: About): Promise<Numbers> {
  const { pointed, at, ask, measured, setting } = about;
  const { cell, compare: asked } = pointed;
  const { from, to } = daysIn(pointed);
  const compare = asked === 'year' ? 'year' : 'previous';
  const grain = cell.grain === 'hour' ? 'hour' : 'total';
  const kept = Object.keys(at);
  const ofCell = (answer: Answer | undefined, split: string[]): Answer | undefined => {
    if (!answer?.compare) return undefined;
    const clock = cell.grain === 'hour' ? cell.period?.slice(10) : undefined;
    const isOwn = ({ period = '' }: AnswerRow) => clock === undefined || period.endsWith(clock);
    const rows = (of: AnswerRow[]) => picked(of, at).filter(isOwn);
    return {
      ...answer,
      split,
      rows: rows(answer.rows),
      compare: { ...answer.compare, rows: rows(answer.compare.rows) },
    };
  };
  const fine = grainWithin(MOST_POINTS, { from, to, grain: grainOf(dayCount(from, to)) });
  const trending = { from, to, grain: fine, split: kept, compare } as const;
  const [whole, trend, ...parts] = await Promise.all([
    ask({ from, to, grain, split: kept, compare }).then((it) => ofCell(it, [])),
    grain === 'hour' ? undefined : ask(trending).then((it) => it && ofTrend(it, at)),
    ...about.by.map((by) => ask({ from, to, grain, split: [by, ...kept], compare }).then((it) => ofCell(it, [by]))),
  ]);
  if (!whole) return { value: null, compared: undefined, parts: undefined };
  const numbers = numbersOf(
    about,
    whole,
    parts.filter((it) => it !== undefined),
    undefined,
  );
  const panel = panelOf(about, measured);
  const change = tile(panel, [whole, ...(trend ? [trend] : [])], setting).figures[0]?.change;
  if (!numbers.compared || !change) return numbers;
  const isRipening = finalDaysOf(panel, trend) !== undefined;
  return { ...numbers, compared: { ...numbers.compared, change, ...(isRipening ? { sentence: '' } : {}) } };
}

const ofTrend = (answer: Answer, at: Record<string, string>): Answer => ({
  ...answer,
  rows: picked(answer.rows, at),
  ...(answer.compare ? { compare: { ...answer.compare, rows: picked(answer.compare.rows, at) } } : {}),
});

/** The number as a tile, which states how certain its change is. */
const panelOf = ({ metric }: About, { measure, label, unit, better, basis, isLate }: Measured): Panel => ({
  ...{ id: 'why', title: metric.title, sentence: '', picture: 'tile', grain: 'total', empty: '' },
  ...{ metric: metric.id, unit, measures: [{ measure, label }] },
  ...(better ? { better } : {}),
  ...(basis ? { basis } : {}),
  ...(isLate ? { isLate } : {}),
});

function numbersOf(about: About, whole: Answer, parts: Answer[], periods: Periods | undefined): Numbers {
  const { measured, metric, setting } = about;
  return {
    value: numberOf(figure({}, whole.rows[0], measured.measure)),
    compared: comparedOf(measured, whole, periods, setting.locale),
    parts: partsOf(metric.id, measured, [whole, ...parts], setting),
  };
}
