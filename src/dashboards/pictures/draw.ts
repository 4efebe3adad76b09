// Finds the picture by its name; tiles are no charts and are drawn by pictures/tile.ts, split panels by what
// pictures/draw-split.ts finds.
import type { Answer } from '../answer.ts';
import type { Panel, PictureName } from '../panel.ts';
import { amounts } from './amounts.ts';
import { bars } from './bars.ts';
import { changes } from './changes.ts';
import { fourWeeks } from './four-weeks.ts';
import { funnel } from './funnel.ts';
import { heatmap } from './heatmap.ts';
import { lines } from './lines.ts';
import type { Picture, Setting } from './picture.ts';
import { ranking } from './ranking.ts';

/** Of a split, or no chart. */
type Elsewhere = 'tile' | 'split' | 'split_heatmap';

export type Draw = (panel: Panel, answers: Answer[], setting: Setting) => Picture;

const pictures: Record<Exclude<PictureName, Elsewhere>, Draw> = {
  lines,
  bars,
  heatmap,
  ranking,
  amounts,
  changes,
  four_weeks: fourWeeks,
  funnel,
};

const isElsewhere = (name: PictureName): name is Elsewhere => !(name in pictures);

export const draw: Draw = (panel, answers, setting) =>
  pictures[isElsewhere(panel.picture) ? 'lines' : panel.picture](panel, answers, setting);
