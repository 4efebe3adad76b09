// Lines over time, with a band behind them when the panel has one; gaps stay gaps and unsettled periods are dashed.
import { isUnsettled, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import { compared, comparedPeriod, comparisonName } from '../comparison.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';
import { comparedLine } from './compared-line.ts';
import { daysOf, DENSE, highestAndLowest } from './dense.ts';
import { endLabels, ROOM, type Ending } from './end-labels.ts';
import { flags, withNotes } from './flags.ts';
import { base, notPulledAreas, timeAxis, valueAxis } from './frame.ts';
import type { ThemeToken } from '../theme.ts';
import type { KeyEntry, Picture, Setting } from './picture.ts';
import { colour, summaryOf, tableOf, tipsOf, tokenOf, told as inWords, tracksOf, type Track } from './telling.ts';

/** From this many lines on a key is needed; fewer are labelled at their ends. */
export const KEY_FROM = 5;
export const HEIGHT = 264;
/** Height taken by the time axis and the upper edge. */
export const FRAME = 40;

export function lines(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const all = tracksOf(withBand(panel), answers);
  const { labels, rows, parts } = all;
  const drawn = all.tracks.slice(0, panel.measures.length);
  const edges = all.tracks.slice(panel.measures.length).map((track) => ({ ...track, token: bandToken(panel) }));
  const before = compared(panel, answers[0]).slice(0, labels.length);
  // What is late falls towards the end for no reason but its age. Without a final number it is drawn all the same.
  const isAnyFinal = drawn.some(({ figures }) =>
    figures.some((it, at) => it.kind === 'number' && !isUnsettled(rows[at])),
  );
  const endsEarly = panel.isLate === true && isAnyFinal;
  const name = answers[0] ? comparisonName(answers[0]) : '';
  const target = setting.targets?.line(panel, answers[0], labels, drawn[0]?.figures.map(numberOf) ?? [], setting);
  const team = setting.team?.band(panel, labels, setting);
  const numbers = [
    team?.highest ?? 0,
    ...all.tracks.flatMap((track) => track.figures.map((it) => numberOf(it) ?? 0)),
    ...before.map((value) => value ?? 0),
    ...(target?.values.map((value) => value ?? 0) ?? []),
  ];
  const days = daysOf(labels);
  const axis = valueAxis(Math.max(0, ...numbers), panel.unit, setting, Math.min(0, ...numbers));
  const named = panel.measures.length < KEY_FROM ? endingsOf(panel, drawn, edges) : [];
  const endings = target?.series.length ? [...named, target.ending] : named;
  const option = {
    ...base(setting.theme),
    grid: {
      left: 8,
      right: endings.length ? ROOM : 24,
      top: 12,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: { trigger: 'axis', axisPointer: { type: 'line', lineStyle: { color: setting.theme.before, width: 1 } } },
    ...timeAxis(labels, false, endings.length ? ROOM : 24, setting),
    yAxis: axis,
    series: [
      ...notPulledAreas(
        rows.map((row) => row.state),
        setting.theme,
      ),
      ...(team?.series ?? []),
      ...band(panel, edges, drawn[0], days, setting),
      ...(before.length ? [comparedLine(name, drawnOf(before, days), 2, setting)] : []),
      ...drawn.flatMap((track) => strokes(track, rows, days, setting).slice(0, endsEarly ? 1 : 2)),
      ...(target?.series ?? []),
      ...flags(labels, setting),
      ...endLabels(endings, axis, HEIGHT - FRAME, setting),
    ],
  };
  const told = { labels, rows, parts, tracks: [...drawn, ...edges] };
  // The uncertainty of a number is not a number to ask about.
  const asked = edges.length > 1 ? { ...told, tracks: [...drawn, ...edges.map((it) => ({ ...it, cells: [] }))] } : told;
  const tips = (team?.tips ?? same)((target?.tips ?? same)(tipsOf(panel, asked, setting.locale)));
  tips.forEach((tip, index) => {
    const value = before[index];
    if (value == null) return;
    tip.lines.push({
      token: 'before',
      name: (answers[0] && comparedPeriod(answers[0], index, setting.locale)) ?? name,
      get value() {
        return inWords({ kind: 'number', value }, panel.unit, setting.locale);
      },
    });
  });
  return {
    charts: [{ option, tips: withNotes(tips, labels, setting), hits: 'column', height: HEIGHT }],
    key: [
      ...key(panel, drawn, endsEarly ? [] : rows, named.length > 0, before.length ? name : ''),
      ...(target?.key ?? []),
      ...(team?.key ?? []),
    ],
    table: (target?.table ?? same)(tableOf(panel, told, setting.locale)),
    summary: [
      summaryOf(panel, { labels, rows, parts, tracks: drawn }, setting.locale, endsEarly),
      ...(target?.sentence ? [target.sentence] : []),
      ...(team ? [team.sentence] : []),
      ...(days ? [words.rangeOfDays] : []),
    ].join(' '),
  };
}

const same = <T>(it: T): T => it;

type Point = number | null | { value: number; symbol: string; symbolSize: number };

/** Data of a series: one point per period, or `[place, value]` of each day's lowest and highest. */
function drawnOf(points: Point[], days: number[] | undefined): unknown[] {
  if (!days) return points;
  return highestAndLowest(days, points.map(valueAt)).map((place) => [place, valueAt(points[place] ?? null)]);
}

const valueAt = (point: Point): number | null => (typeof point === 'object' && point ? point.value : point);

/** A single line is named by the title; several lines, or a band, are each labelled, the band at its upper edge. */
function endingsOf(panel: Panel, drawn: Track[], edges: Track[]): Ending[] {
  if (drawn.length < 2 && !panel.band) return [];
  const named = drawn.map(({ measure, token, figures }) => ({
    name: measure.label,
    token,
    values: figures.map(numberOf),
  }));
  const upper = edges.at(-1);
  const first = drawn[0];
  if (!panel.band || !upper || !first) return named;
  const edge = { name: panel.band.label, token: bandToken(panel), values: upper.figures.map(numberOf) };
  // Where both end at the same height, the upper edge is named above.
  return panel.band.isApart ? [...named, edge] : [edge, ...named];
}

/** A band has its line's colour, unless it describes a different population. */
const bandToken = ({ band, measures: [line] }: Panel): ThemeToken =>
  band?.isApart || !line ? 'series-2' : tokenOf(line, 0);

/** The ends of the band are read, told and tabled like measures, unless one already is. */
function withBand(panel: Panel): Panel {
  if (!panel.band) return panel;
  const { from, to, label } = panel.band;
  const known = new Set(panel.measures.map((it) => it.measure));
  const ends = [from, to].filter((measure) => !known.has(measure));
  const named = ends.map((measure, index) => ({
    measure,
    label: ends.length > 1 ? `${label}, ${index ? 'upper' : 'lower'} end` : label,
  }));
  return { ...panel, measures: [...panel.measures, ...named] };
}

/** The fill: an invisible lower edge and the distance to the upper one stacked on it. */
function band(
  panel: Panel,
  edges: Track[],
  line: Track | undefined,
  days: number[] | undefined,
  setting: Setting,
): object[] {
  const [lower, upper] = edges.length > 1 ? [edges[0], edges[1]] : [line, edges[0]];
  if (!lower || !upper || !line) return [];
  const low = lower.figures.map(numberOf);
  const high = upper.figures.map(numberOf);
  const span = high.map((value, index) => (value === null || low[index] == null ? null : value - low[index]));
  // Both edges need the same positions to be stacked.
  const places = days && highestAndLowest(days, low, high);
  const at = (values: (number | null)[]) => places?.map((place) => [place, values[place] ?? null]) ?? values;
  const color = colour(bandToken(panel), setting);
  const isApart = panel.band?.isApart === true;
  const lineStyle = isApart ? { width: 1, color, opacity: 0.6 } : { width: 0 };
  const unseen = { type: 'line', stack: 'band', silent: true, symbol: 'none', lineStyle };
  const opacity = (setting.theme.name === 'light' ? 0.14 : 0.22) * (isApart ? 2 : 1);
  const fill = { color, opacity };
  return [
    { ...unseen, data: at(low.map((value, index) => (span[index] === null ? null : value))) },
    { ...unseen, data: at(span), areaStyle: fill },
  ];
}

/** A settled stroke and a dashed one that begins at the last settled point; a lone point is a dot. */
export function strokes(track: Track, rows: AnswerRow[], days: number[] | undefined, setting: Setting) {
  const values = track.figures.map(numberOf);
  const soft = rows.map(isUnsettled);
  const dot = (index: number) => values[index - 1] == null && values[index + 1] == null;
  const points = (keep: (index: number) => boolean) =>
    values.map((value, index): Point => {
      if (value === null || !keep(index)) return null;
      return dot(index) ? { value, symbol: 'circle', symbolSize: 6 } : value;
    });
  const stroke = (data: ReturnType<typeof points>, type: 'solid' | 'dashed') => ({
    type: 'line',
    name: track.measure.label,
    data: drawnOf(data, days),
    symbol: 'none',
    ...(!days && rows.length > DENSE ? { sampling: 'minmax' } : {}),
    connectNulls: false,
    showAllSymbol: true,
    lineStyle: {
      width: 2,
      type: type === 'solid' ? 'solid' : [4, 4],
      color: colour(track.token, setting),
      cap: 'butt',
    },
    itemStyle: { color: colour(track.token, setting) },
    emphasis: { disabled: true },
    z: 3,
  });
  return [
    stroke(
      points((index) => !soft[index]),
      'solid',
    ),
    stroke(
      points((index) => soft[index] === true || soft[index + 1] === true),
      'dashed',
    ),
  ];
}

function key(panel: Panel, drawn: Track[], rows: AnswerRow[], isNamed: boolean, before: string): KeyEntry[] {
  const many = !isNamed && (drawn.length > 1 || before !== '');
  const entries: KeyEntry[] = many
    ? drawn.map((track) => ({ token: track.token, label: track.measure.label, mark: 'line' }))
    : [];
  const first = drawn[0];
  if (panel.band && first && !isNamed) entries.push({ token: bandToken(panel), label: panel.band.label, mark: 'band' });
  if (before) entries.push({ token: 'before', label: before, mark: 'line' });
  if (first && rows.some(isUnsettled)) entries.push({ token: first.token, label: words.unsettledKey, mark: 'dash' });
  return entries;
}
