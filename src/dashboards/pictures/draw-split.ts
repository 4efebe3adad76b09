// Finds what draws a panel that its reader has split; few pages have one, and they alone load it.
import type { Panel } from '../panel.ts';
import type { Draw } from './draw.ts';
import { split } from './split.ts';
import { splitHeatmap } from './split-heatmap.ts';

/** Undefined for panels that are drawn as they are. */
export function drawSplit({ picture }: Panel): Draw | undefined {
  if (picture === 'split') return split;
  return picture === 'split_heatmap' ? splitHeatmap : undefined;
}
