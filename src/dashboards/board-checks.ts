// What cannot stand on a board, in sentences.
import { definedAt, placeId, sizesOf, type Placed } from './boards.ts';
import { isSplittable, splitsFor, type SplittableMetric } from './splits.ts';

/** What is wrong with a panel on a board, in a sentence; whoever asks knows whether it stood there before. */
export function problemOf(one: Placed, metricOf: (id: string) => SplittableMetric | undefined): string | undefined {
  const found = definedAt(one.panel)?.panel;
  if (!found) return `there is no panel ${one.panel}: name a page and one of its panels such as overview/volume`;
  const choices = sizesOf(found);
  if (!choices.includes(one.size)) return `${one.panel} cannot be ${one.size}, only ${choices.join(' or ')}`;
  if (one.split === undefined || one.split === 'none') return undefined;
  const splits = isSplittable(found) && one.size !== 'tile' ? splitsFor(metricOf(found.metric), true) : [];
  if (splits.includes(one.split)) return undefined;
  return `${one.panel} can be split by ${splits.length ? splits.join(', ') : 'nothing'}, not by ${one.split}`;
}

/** The panel that stands there twice. */
export function twiceIn(panels: readonly Placed[]): Placed | undefined {
  const ids = panels.map(placeId);
  return panels.find((_, at) => ids.indexOf(ids[at] ?? '') !== at);
}
