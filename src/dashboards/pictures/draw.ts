// Finds the picture by its name; tiles are no charts and are drawn by pictures/tile.ts.
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

const pictures: Record<Exclude<PictureName, 'tile'>, (panel: Panel, answers: Answer[], setting: Setting) => Picture> = {
  lines,
  bars,
  heatmap,
  ranking,
  amounts,
  changes,
  four_weeks: fourWeeks,
  funnel,
};

export function draw(panel: Panel, answers: Answer[], setting: Setting): Picture {
  return pictures[panel.picture === 'tile' ? 'lines' : panel.picture](panel, answers, setting);
}
