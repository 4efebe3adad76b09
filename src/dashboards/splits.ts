// By what the reader splits a panel: what may be chosen, and what the filters of the page say of it.
import type { PageFilters } from './asked.ts';
import type { Panel } from './panel.ts';

export const splitNames = ['group', 'agent', 'tag', 'country', 'weekday'] as const;
export type SplitName = (typeof splitNames)[number];

/** What is chosen of a panel in an address: `volume.group`; `volume.none` where its values would be compared otherwise. */
const chosenName = new RegExp(`^([\\w-]+)\\.(none|${splitNames.join('|')})$`);

export const isSplit = (text: string): boolean => chosenName.test(text);

/** Pictures over time that show the whole; others are divided as they are. */
export const isSplittable = ({ picture, grain, split }: Panel): boolean =>
  grain === 'asked' && (picture === 'lines' || picture === 'bars') && !split;

/** Of a metric, as the catalogue lists it. */
interface Divisible {
  splits: readonly string[];
}

/** What a panel can be split by. */
export const splitsFor = (metric: Divisible | undefined, isAgentShown: boolean): SplitName[] =>
  splitNames.filter((name) => metric?.splits.includes(name) && (name !== 'agent' || isAgentShown));

/** What of the filters of a page says how its panels are split. */
export type Choice = Pick<PageFilters, 'group' | 'agent' | 'tag' | 'split' | 'isTogether'>;

/** Several chosen values stand beside each other unless the reader wants them together. */
export const comparedBy = (
  { group, agent, tag, isTogether }: Omit<Choice, 'split'>,
  metric: Divisible | undefined,
): SplitName | undefined =>
  isTogether
    ? undefined
    : Object.entries({ group, agent, tag })
        .map(([name, values]) => (values.length > 1 ? (name as SplitName) : undefined))
        .find((name) => name && metric?.splits.includes(name));

/** By what a panel is split under the filters of its page. */
export function splitOf(panel: Panel, filters: Choice, metric: Divisible | undefined): SplitName | undefined {
  if (!isSplittable(panel)) return undefined;
  const [, , own] = filters.split.map((it) => chosenName.exec(it) ?? []).find(([, id]) => id === panel.id) ?? [];
  const said = own ?? panel.splitBy;
  return said === undefined ? comparedBy(filters, metric) : splitNames.find((name) => name === said);
}
