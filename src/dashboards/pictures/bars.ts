// Bars over time from zero, stacked when the parts add up; unsettled periods are hatched, the period before is a thin grey line.
import { figure, isUnsettled, numberOf, type Answer, type Row } from '../answer.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';
import { base, notPulledAreas, timeAxis, unsettledHatch, valueAxis } from './frame.ts';
import type { KeyEntry, Picture, Setting } from './picture.ts';
import { colour, summaryOf, tableOf, tipsOf, told, tracksOf, type Track, type Tracks } from './telling.ts';

export function bars(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const all = tracksOf(panel, answers);
  const before = panel.compare ? beforeOf(panel, answers[0]) : [];
  const option = {
    ...base(setting.theme),
    grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: setting.theme.before, opacity: 0.14 } },
    },
    xAxis: timeAxis(all.labels, true, setting),
    yAxis: valueAxis(largest(panel, all, before), panel.unit, setting),
    series: [
      ...notPulledAreas(
        all.rows.map((row) => row.state),
        setting.theme,
      ),
      ...all.tracks.map((track, place) => barsOf(track, place, panel, all.rows, setting)),
      ...(before.length ? [beforeLine(before.slice(0, all.labels.length), setting)] : []),
    ],
  };
  const tips = tipsOf(panel, all, setting.locale);
  tips.forEach((tip, index) => {
    if (index < before.length)
      tip.lines.push({
        token: 'before',
        name: words.previous,
        value: told(asFigure(before[index]), panel.unit, setting.locale),
      });
  });
  return {
    charts: [{ option, tips, hits: 'column', height: 264 }],
    key: key(all, before.length > 0),
    table: tableOf(panel, all, setting.locale),
    summary: summaryOf(panel, all, setting.locale),
  };
}

function asFigure(value: number | null | undefined) {
  return value == null ? ({ kind: 'no_data' } as const) : ({ kind: 'number', value } as const);
}

function beforeOf(panel: Panel, answer: Answer | undefined): (number | null)[] {
  const measure = panel.measures[0]?.measure ?? '';
  const rows = answer?.compare?.rows ?? [];
  const numbers = rows.map((row) => numberOf(figure({}, row, measure)));
  return numbers.filter((value) => value !== null).length > 1 ? numbers : [];
}

function largest(panel: Panel, { labels, tracks }: Tracks, before: (number | null)[]): number {
  const heights = labels.map((_, index) => {
    const parts = tracks.map((track) => numberOf(track.figures[index] ?? { kind: 'no_data' }) ?? 0);
    return panel.stacked ? parts.reduce((sum, part) => sum + part, 0) : Math.max(0, ...parts);
  });
  return Math.max(0, ...heights, ...before.map((value) => value ?? 0));
}

function barsOf(track: Track, place: number, panel: Panel, rows: Row[], setting: Setting) {
  const color = colour(track.token, setting);
  return {
    type: 'bar',
    name: track.measure.label,
    ...(panel.stacked ? { stack: 'parts' } : {}),
    barMaxWidth: 32,
    barCategoryGap: '28%',
    barGap: '8%',
    itemStyle: {
      color,
      ...(panel.stacked && place > 0 ? { borderColor: setting.theme.canvas, borderWidth: 0.5 } : {}),
    },
    emphasis: { disabled: true },
    data: track.figures.map((it, index) => {
      const value = numberOf(it);
      return isUnsettled(rows[index])
        ? { value, itemStyle: { color, decal: unsettledHatch(setting.theme) } }
        : { value };
    }),
  };
}

function beforeLine(data: (number | null)[], { theme }: Setting) {
  return {
    type: 'line',
    name: words.previous,
    data,
    symbol: 'none',
    silent: true,
    lineStyle: { width: 1.5, color: theme.before },
    z: 4,
  };
}

function key({ tracks, rows }: Tracks, hasBefore: boolean): KeyEntry[] {
  const many = tracks.length > 1 || hasBefore;
  const entries: KeyEntry[] = many
    ? tracks.map((track) => ({ token: track.token, label: track.measure.label, mark: 'fill' }))
    : [];
  if (hasBefore) entries.push({ token: 'before', label: words.previous, mark: 'line' });
  const first = tracks[0];
  if (first && rows.some(isUnsettled)) entries.push({ token: first.token, label: words.unsettledKey, mark: 'hatch' });
  return entries;
}
