// The split that a reader chooses for a panel: the choices, and the effect of the page's filters.
import type { Narrowing, PageFilters } from './panel-queries.ts';
import type { Panel, PictureName } from './panel.ts';
import { chosenOf, columnOf, splitByVariable, variableSplits, type VariableSplit } from './variables.ts';

export const splitNames = ['group', 'agent', 'tag', 'country', 'weekday'] as const;
/** What every account has. */
export type UsualSplit = (typeof splitNames)[number];

/** By something that every account has, or by a variable that this one has declared. */
export type SplitName = UsualSplit | VariableSplit;

/** A chosen split in an address: `volume.group`, or `volume.none` where values would otherwise be compared. */
const chosenName = new RegExp(`^([\\w-]+)\\.(none|${[...splitNames, variableSplits].join('|')})$`);

const nameOfSplit = new RegExp(`^(?:${[...splitNames, variableSplits].join('|')})$`);

/** The split of that name. */
export const splitNamed = (text: string): SplitName | undefined =>
  nameOfSplit.test(text) ? (text as SplitName) : undefined;

export const isSplit = (text: string): boolean => chosenName.test(text);

/** Pictures over time that show the whole. */
export const isWholeOverTime = ({ picture, grain, split }: Panel): boolean =>
  grain === 'asked' && (picture === 'lines' || picture === 'bars') && !split;

/** Those, which become lines, and heatmaps, which become several; others are divided as they are. */
export const isSplittable = (panel: Panel): boolean =>
  isWholeOverTime(panel) || (panel.picture === 'heatmap' && !panel.isUnsplittable);

/** A metric as the catalogue lists it. */
export interface SplittableMetric {
  splits: readonly string[];
}

/** Splits of a panel that every account has; the rows of a heatmap are weekdays already. */
export const splitsFor = (
  { picture }: Pick<Panel, 'picture'>,
  metric: SplittableMetric | undefined,
  isAgentShown: boolean,
): UsualSplit[] =>
  splitNames
    .filter((name) => metric?.splits.includes(name) && (name !== 'agent' || isAgentShown))
    .filter((name) => !isAxis(picture, name));

/** Whether the picture has it as an axis already. */
const isAxis = (picture: PictureName, by: SplitName): boolean =>
  by === 'weekday' && (picture === 'heatmap' || picture === 'split_heatmap');

/** The declared variables of the account by which it can be split. */
export const variableSplitsFor = (
  metric: SplittableMetric | undefined,
  declared: readonly { id: string }[],
): VariableSplit[] => (metric?.splits.includes('variable') ? declared.map(({ id }) => splitByVariable(id)) : []);

/** The filters of a page that determine how its panels are split. */
export type SplitChoice = Pick<PageFilters, Narrowing | 'split' | 'isTogether'>;

/** Whether a panel of the metric can be split so; a variable may be declared in one account and not in another. */
export const canSplit = (
  { picture }: Pick<Panel, 'picture'>,
  metric: SplittableMetric | undefined,
  by: SplitName,
): boolean => metric?.splits.includes(columnOf(by)) === true && !isAxis(picture, by);

/** Several selected values are compared, unless the reader wants them combined. */
export function comparedBy(
  { group, agent, tag, variable, isTogether }: Omit<SplitChoice, 'split'>,
  metric: SplittableMetric | undefined,
): SplitName | undefined {
  if (isTogether) return undefined;
  const named = variable.flatMap((text) => chosenOf(text)?.variable ?? []);
  const chosen: [SplitName, readonly unknown[]][] = [
    ...Object.entries({ group, agent, tag }).map(([name, values]): [SplitName, string[]] => [
      name as SplitName,
      values,
    ]),
    ...[...Map.groupBy(named, (id) => id)].map(([id, each]): [SplitName, string[]] => [splitByVariable(id), each]),
  ];
  return chosen.find(([name, values]) => values.length > 1 && metric?.splits.includes(columnOf(name)))?.[0];
}

/** The split of a panel under the filters of its page. */
export function splitOf(
  panel: Panel,
  filters: SplitChoice,
  metric: SplittableMetric | undefined,
): SplitName | undefined {
  if (!isSplittable(panel)) return undefined;
  const [, , own] = filters.split.map((it) => chosenName.exec(it) ?? []).find(([, id]) => id === panel.id) ?? [];
  const said = own ?? panel.splitBy;
  if (said === undefined) return comparedBy(filters, metric);
  return said === 'none' || isAxis(panel.picture, said as SplitName) ? undefined : (said as SplitName);
}
