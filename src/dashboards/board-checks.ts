// Checks whether a panel can be placed on a board; problems are sentences.
import { queryNamed, querySizes } from './board-queries.ts';
import { definedAt, placeId, sizesOf, type Placed } from './boards.ts';
import { canSplit, isSplittable, splitsFor, type SplittableMetric } from './splits.ts';
import { splitByVariable } from './variables.ts';

/** The problem with a panel on a board, as a sentence; the caller knows whether the board already had it. */
export function problemOf(one: Placed, metricOf: (id: string) => SplittableMetric | undefined): string | undefined {
  if (queryNamed(one) !== undefined) return queryProblem(one);
  const found = definedAt(one.panel)?.panel;
  if (!found) return `there is no panel ${one.panel}: name a page and one of its panels such as overview/volume`;
  const choices = sizesOf(found);
  if (!choices.includes(one.size)) return `${one.panel} cannot be ${one.size}, only ${choices.join(' or ')}`;
  if (one.split === undefined || one.split === 'none') return undefined;
  const metric = isSplittable(found) && one.size !== 'tile' ? metricOf(found.metric) : undefined;
  if (canSplit(found, metric, one.split)) return undefined;
  const splits = [
    ...splitsFor(found, metric, true),
    ...(canSplit(found, metric, splitByVariable('x')) ? ['a variable'] : []),
  ];
  return `${one.panel} can be split by ${splits.length ? splits.join(', ') : 'nothing'}, not by ${one.split}`;
}

function queryProblem({ panel, size, split }: Placed): string | undefined {
  if (!querySizes.some((one) => one === size)) return `${panel} cannot be ${size}, only ${querySizes.join(' or ')}`;
  return split === undefined ? undefined : `${panel} is a saved query, which a board does not split`;
}

/** The panel that is on the board twice. */
export function twiceIn(panels: readonly Placed[]): Placed | undefined {
  const ids = panels.map(placeId);
  return panels.find((_, at) => ids.indexOf(ids[at] ?? '') !== at);
}
