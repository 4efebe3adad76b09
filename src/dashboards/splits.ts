// By what the reader splits a panel: what may be chosen, and what the filters of the page say of it.
import type { Narrowing, PageFilters } from './panel-queries.ts';
import type { Panel } from './panel.ts';
import { chosenOf, columnOf, splitByVariable, variableSplits, type VariableSplit } from './variables.ts';

export const splitNames = ['group', 'agent', 'tag', 'country', 'weekday'] as const;
/** What every account has. */
export type UsualSplit = (typeof splitNames)[number];

/** By something that every account has, or by a variable that this one has declared. */
export type SplitName = UsualSplit | VariableSplit;

/** What is chosen of a panel in an address: `volume.group`; `volume.none` where its values would be compared otherwise. */
const chosenName = new RegExp(`^([\\w-]+)\\.(none|${[...splitNames, variableSplits].join('|')})$`);

export const isSplit = (text: string): boolean => chosenName.test(text);

/** Pictures over time that show the whole; others are divided as they are. */
export const isSplittable = ({ picture, grain, split }: Panel): boolean =>
  grain === 'asked' && (picture === 'lines' || picture === 'bars') && !split;

/** Of a metric, as the catalogue lists it. */
export interface SplittableMetric {
  splits: readonly string[];
}

/** What a panel can be split by in every account. */
export const splitsFor = (metric: SplittableMetric | undefined, isAgentShown: boolean): UsualSplit[] =>
  splitNames.filter((name) => metric?.splits.includes(name) && (name !== 'agent' || isAgentShown));

/** By which variables, of those that the account has declared. */
export const variableSplitsFor = (
  metric: SplittableMetric | undefined,
  declared: readonly { id: string }[],
): VariableSplit[] => (metric?.splits.includes('variable') ? declared.map(({ id }) => splitByVariable(id)) : []);

/** What of the filters of a page says how its panels are split. */
export type SplitChoice = Pick<PageFilters, Narrowing | 'split' | 'isTogether'>;

/** Several chosen values stand beside each other unless the reader wants them together. */
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

/** By what a panel is split under the filters of its page. */
export function splitOf(
  panel: Panel,
  filters: SplitChoice,
  metric: SplittableMetric | undefined,
): SplitName | undefined {
  if (!isSplittable(panel)) return undefined;
  const [, , own] = filters.split.map((it) => chosenName.exec(it) ?? []).find(([, id]) => id === panel.id) ?? [];
  const said = own ?? panel.splitBy;
  if (said === undefined) return comparedBy(filters, metric);
  return said === 'none' ? undefined : (said as SplitName);
}
