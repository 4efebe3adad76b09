// Bars over time from zero, stacked when the parts add up; unsettled periods are hatched, and the compared period is a thin grey line.
import { isUnsettled, numberOf, type Answer } from '../answer.ts';
import { compared, comparedPeriod, comparisonName } from '../comparison.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';
import { comparedLine } from './compared-line.ts';
import { daysOf, DENSE, highest } from './dense.ts';
import { flags, withNotes } from './flags.ts';
import { base, notPulledAreas, timeAxis, unsettledHatch, valueAxis } from './frame.ts';
import type { KeyEntry, Picture, Setting } from './picture.ts';
import { part_opacity, partKey } from './part-bars.ts';
import { colour, summaryOf, tableOf, tipsOf, told, tracksOf, type Track, type Tracks } from './telling.ts';

/** From this many bars on, edges between stacked parts would cover the parts. */
const MOST_EDGED = 120;

export function bars(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const every = tracksOf(panel, answers);
  const days = daysOf(every.labels);
  const drawn = days && highest(days, heights(panel, every));
  const all = drawn ? only(every, drawn) : every;
  const known = compared(panel, answers[0]);
  const before = drawn && known.length ? drawn.map((place) => known[place] ?? null) : known;
  // Bars of days stand at their days, and tooltips name the hour.
  const labels = drawn ? all.labels.map((label) => label.slice(0, 10)) : all.labels;
  const name = answers[0] ? comparisonName(answers[0]) : '';
  const team = setting.team?.band(panel, every.labels, setting);
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: setting.theme.before, opacity: 0.14 } },
    },
    ...timeAxis(labels, true, 8, setting),
    yAxis: valueAxis(Math.max(largest(panel, all, before), team?.highest ?? 0), panel.unit, setting),
    series: [
      ...notPulledAreas(
        all.rows.map((row) => row.state),
        setting.theme,
      ),
      ...all.tracks.flatMap((track, place) => barsOf(track, place, panel, all, setting)),
      ...(team?.series ?? []),
      ...flags(labels, setting),
      ...(before.length ? [comparedLine(name, before.slice(0, labels.length), 4, setting)] : []),
    ],
  };
  const plain = tipsOf(panel, all, setting.locale);
  const tips = team ? team.tips(plain) : plain;
  tips.forEach((tip, index) => {
    if (index < before.length)
      tip.lines.push({
        token: 'before',
        name: (answers[0] && comparedPeriod(answers[0], index, setting.locale)) ?? name,
        get value() {
          return told(asFigure(before[index]), panel.unit, setting.locale);
        },
      });
  });
  return {
    charts: [{ option, tips: withNotes(tips, labels, setting), hits: 'column', height: 264 }],
    key: [...key(all, before.length ? name : ''), ...(team?.key ?? [])],
    table: tableOf(panel, every, setting.locale),
    summary: [
      summaryOf(panel, every, setting.locale),
      ...(team ? [team.sentence] : []),
      ...(drawn ? [words.highestOfDays] : []),
    ].join(' '),
  };
}

/** The tracks, reduced to some of their positions. */
function only({ labels, rows, parts, tracks }: Tracks, places: number[]): Tracks {
  const at = <Value>(values: Value[]) => places.flatMap((place) => values.slice(place, place + 1));
  return {
    labels: at(labels),
    rows: at(rows),
    parts: at(parts),
    tracks: tracks.map((track) => ({ ...track, figures: at(track.figures), cells: at(track.cells) })),
  };
}

function asFigure(value: number | null | undefined) {
  return value == null ? ({ kind: 'no_data' } as const) : ({ kind: 'number', value } as const);
}

/** Bar height of each period: the sum of the tracks when they are stacked. */
function heights(panel: Panel, { labels, tracks }: Tracks): number[] {
  return labels.map((_, index) => {
    const parts = tracks.map((track) => numberOf(track.figures[index] ?? { kind: 'no_data' }) ?? 0);
    return panel.stacked ? parts.reduce((sum, part) => sum + part, 0) : Math.max(0, ...parts);
  });
}

function largest(panel: Panel, all: Tracks, before: (number | null)[]): number {
  return Math.max(0, ...heights(panel, all), ...before.map((value) => value ?? 0));
}

function barsOf(track: Track, place: number, panel: Panel, { rows, parts }: Tracks, setting: Setting): object[] {
  const color = colour(track.token, setting);
  const isDense = rows.length > DENSE;
  const series = {
    type: 'bar',
    name: track.measure.label,
    ...(panel.stacked ? { stack: 'parts' } : isDense ? { stack: track.measure.label } : {}),
    barMaxWidth: 32,
    barCategoryGap: '28%',
    barGap: '8%',
    itemStyle: {
      color,
      ...(panel.stacked && place > 0 && rows.length <= MOST_EDGED
        ? { borderColor: setting.theme.canvas, borderWidth: 0.5 }
        : {}),
    },
    emphasis: { disabled: true },
  };
  const values = track.figures.map(numberOf);
  const hatched = { color, decal: unsettledHatch(setting.theme) };
  if (!isDense)
    return [
      {
        ...series,
        data: values.map((value, at) => {
          if (isUnsettled(rows[at])) return { value, itemStyle: hatched };
          return parts[at] ? { value, itemStyle: { color, opacity: part_opacity } } : { value };
        }),
      },
    ];
  return [
    // TRICKY: a gap would remove the whole shape, so missing and unsettled values get height zero.
    { ...series, ...asOne, data: values.map((value, at) => (isUnsettled(rows[at]) ? 0 : (value ?? 0))) },
    { ...series, itemStyle: hatched, data: values.map((value, at) => (isUnsettled(rows[at]) ? value : null)) },
  ];
}

const asOne = { large: true, largeThreshold: 0, progressive: 0 };

function key({ labels, tracks, rows, parts }: Tracks, before: string): KeyEntry[] {
  const many = tracks.length > 1 || before !== '';
  const entries: KeyEntry[] = many
    ? tracks.map((track) => ({ token: track.token, label: track.measure.label, mark: 'fill' }))
    : [];
  if (before) entries.push({ token: 'before', label: before, mark: 'line' });
  const first = tracks[0];
  if (first && rows.some(isUnsettled)) entries.push({ token: first.token, label: words.unsettledKey, mark: 'hatch' });
  if (first) entries.push(...partKey(labels, rows, parts, first.token));
  return entries;
}
