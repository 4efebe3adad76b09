// A board: panels from the pages, chosen, ordered and sized by its owner. It refers to them by name; pages define them.
import { boardName } from './board-names.ts';
import { queryNamed } from './board-queries.ts';
import { dashboards } from './dashboards.ts';
import { panelsFor, type Dashboard, type Panel, type SeesAgents } from './panel.ts';
import { isSplittable, isWholeOverTime, type SplitName } from './splits.ts';
import { boardRemarks } from './board-words.ts';

/** Width on a wide screen: a quarter of a row, half of it, or all of it. */
export const sizes = ['tile', 'half', 'full'] as const;
export type Size = (typeof sizes)[number];

/** A panel on a board. */
export interface Placed {
  /** Its page and id, such as `overview/volume`, which a later version may no longer have; or a saved query, `query/…`. */
  panel: string;
  size: Size;
  /** Default split; without it, the filters decide. */
  split?: SplitName | 'none';
  /** Replaces the panel's own title. */
  title?: string;
}

export interface BoardLayout {
  id: string;
  title: string;
  panels: readonly Placed[];
}

/** More are not read at once by anybody, and every one asks its questions. */
export const most_panels = 24;

/** The panel that is named, with its page. */
export function definedAt(name: string): { page: Dashboard; panel: Panel } | undefined {
  const [id, own] = name.split('/');
  const page = dashboards.find((it) => it.id === id);
  const panel = page?.panels.find((it) => it.id === own);
  return page && panel && { page, panel };
}

/** How large a panel can be: one number over time can be that number. */
export function sizesOf(panel: Panel): readonly Size[] {
  if (panel.picture === 'tile') return ['tile'];
  const isOneNumber = isWholeOverTime(panel) && panel.measures.length === 1 && !panel.measures[0]?.metric;
  return isOneNumber ? sizes : ['half', 'full'];
}

/** The size that it has on its page. */
export const usualSize = (panel: Panel): Size => (panel.picture === 'tile' ? 'tile' : panel.half ? 'half' : 'full');

/** Identifies a panel on a board, also in addresses; order, size and title may change. */
export function placeId({ panel, size, split }: Placed): string {
  const isSmall = size === 'tile' && definedAt(panel)?.panel.picture !== 'tile';
  const by = split === undefined || split === 'none' ? '' : `--${split.replace(':', '-')}`;
  return panel.replace('/', '-') + by + (isSmall ? '--tile' : '');
}

function placed(placed: Placed): Panel | undefined {
  const found = definedAt(placed.panel)?.panel;
  if (!found) return undefined;
  const size = sizesOf(found).includes(placed.size) ? placed.size : usualSize(found);
  const { title = found.title, split } = placed;
  const panel: Panel = { ...found, id: placeId(placed), home: placed.panel, title, half: size === 'half' };
  if (size === 'tile' && found.picture !== 'tile')
    return { ...panel, picture: 'tile', measures: found.measures.slice(0, 1) };
  return split === undefined ? panel : { ...panel, splitBy: split };
}

/** A board as a page; saved queries are no panels of it. */
export function pageOfBoard({ id, title, panels }: BoardLayout): Dashboard {
  const shown = panels.flatMap((one) => placed(one) ?? []);
  return { id: boardName(id), title, sentence: '', path: boardName(id), menu: { group: '', icon: '' }, panels: shown };
}

/** The part of a board that a reader sees, and sentences about the rest: removed panels by name, panels about agents by number. */
export function boardFor(board: BoardLayout, agents: SeesAgents): { page: Dashboard; unshown: string[] } {
  const whole = pageOfBoard(board);
  const panels = whole.panels.filter((panel) => panelsFor([asSplitBy(panel)], agents).length > 0);
  const gone = board.panels.filter((one) => !definedAt(one.panel) && queryNamed(one) === undefined);
  const withheld = whole.panels.length - panels.length;
  const unshown = [
    ...(gone.length
      ? [boardRemarks.gone(gone.map(({ title, panel }) => (title ? `${title} (${panel})` : panel)))]
      : []),
    ...(withheld ? [boardRemarks.withheld(withheld)] : []),
  ];
  return { page: { ...whole, panels }, unshown };
}

/** The default split is applied first, because a panel split by agent is about agents. */
const asSplitBy = (panel: Panel): Panel =>
  panel.splitBy && panel.splitBy !== 'none' && isSplittable(panel)
    ? { ...panel, split: [panel.splitBy], isSplit: true }
    : panel;
