// A panel split by its reader: a line or a heatmap for each value, or a row for each weekday, in place of the whole.
import type { Panel } from './panel.ts';
import { splitOf, type SplitChoice, type SplitName, type SplittableMetric } from './splits.ts';
import { columnOf, variableOf } from './variables.ts';

interface AddableMetric extends SplittableMetric {
  /** Splits whose values add up to the whole. */
  adds_up_by: readonly string[];
}

/** Titles of declared variables by id. */
type Titles = Readonly<Record<string, string>>;

/** The same panel with an additional split; the metric decides which splits it supports. */
export const splitPanel = (
  panel: Panel,
  by: SplitName,
  metric: AddableMetric | undefined,
  titles: Titles = {},
): Panel =>
  panel.picture === 'heatmap'
    ? byHeatmaps(panel, by, splitTitle(by, titles))
    : by === 'weekday'
      ? byWeekday(panel)
      : byLines(panel, by, {
          name: splitTitle(by, titles),
          addsUp: metric?.adds_up_by.includes(columnOf(by)) ?? false,
        });

/** The name of a split: for variables, their title. */
export function splitTitle(by: string, titles: Titles = {}): string {
  const variable = variableOf(by);
  return variable === undefined ? by : (titles[variable] ?? variable);
}

/** The panel under the filters of its page. */
export function splitUnder(
  panel: Panel,
  filters: SplitChoice,
  metric: AddableMetric | undefined,
  titles?: Titles,
): Panel {
  const by = splitOf(panel, filters, metric);
  return by ? splitPanel(panel, by, metric, titles) : panel;
}

function byLines(panel: Panel, by: SplitName, { name, addsUp }: { name: string; addsUp: boolean }): Panel {
  const { band: _, stacked: __, ...rest } = panel;
  return {
    ...rest,
    isSplit: true,
    title: titled(panel, name),
    sentence: panel.band
      ? `${meaning(panel)}: ${panel.measures[0]?.label ?? ''}, a line for each ${name}.`
      : `${panel.sentence} A line for each ${name}.`,
    picture: 'split',
    split: [by],
    compare: false,
    byName: by === 'agent' && panel.byName === true,
    addsUp: addsUp && panel.unit === 'count',
  };
}

/** A line by weekday would be one of single days: weekdays are rows over the whole range. */
function byWeekday(panel: Panel): Panel {
  const { band, basis, stacked: _, ...rest } = panel;
  const ends = band && !band.isApart ? band : undefined;
  const isBeside = panel.measures.length > 1;
  return {
    ...rest,
    isSplit: true,
    title: titled(panel, 'weekday'),
    sentence: ends
      ? `${meaning(panel)}: a dot for ${panel.measures[0]?.label ?? ''}, a line for ${ends.label}.`
      : band
        ? `${meaning(panel)}.`
        : panel.sentence,
    picture: 'ranking',
    split: ['weekday'],
    grain: 'total',
    inOrder: true,
    byName: false,
    compare: false,
    measures: [...panel.measures, ...(basis && !isBeside ? [{ ...basis, unit: 'count' as const }] : [])],
    ...(ends ? { band: ends } : {}),
    ...(isBeside ? { beside: true } : {}),
  };
}

const byHeatmaps = (panel: Panel, by: SplitName, name: string): Panel => ({
  ...panel,
  isSplit: true,
  title: titled(panel, name),
  sentence: `${panel.sentence} One for each ${name}, all on one scale.`,
  picture: 'split_heatmap',
  split: [by, ...(panel.split ?? [])],
  byName: by === 'agent' && panel.byName === true,
});

const titled = ({ title }: Panel, by: string): string => `${title}, by ${by}`;

/** The first part of its sentence describes the number, the rest the band. */
const meaning = ({ sentence }: Panel): string => sentence.split(/[:;.]/)[0] ?? '';
