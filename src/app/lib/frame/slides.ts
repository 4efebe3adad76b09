// What TV mode shows one after the other: a short round of four slides, or of pages and boards the tiles together and their panels two side by side.
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Dashboard, type Panel, type SeesAgents } from '#dashboards/panel.ts';

/** The slides of the short round, in order, with where each leads. */
export const round = [
  { name: 'now', path: '' },
  { name: 'today', path: '' },
  { name: 'queue', path: 'queue' },
  { name: 'targets', path: 'targets' },
] as const;

type Slide =
  | { kind: 'round'; name: (typeof round)[number]['name']; path: string }
  | {
      kind: 'panels';
      dashboard: Dashboard;
      path: string;
      panels: Panel[];
      /** What the board has that no slide shows, as sentences on its last one. */
      unshown: readonly string[];
    };

/** A board as TV mode shows it. */
export interface BoardSlides {
  page: Dashboard;
  unshown: readonly string[];
}

/** Pages that can be shown. */
export const pageIds = dashboards.map(({ id }) => id);

/**
 * All panels of the boards or pages with these ids; without ids, four slides readable from a distance. `agents`: what to show of single
 * agents.
 */
export function slidesOf(ids: string[], agents: SeesAgents, boards: readonly BoardSlides[] = []): Slide[] {
  if (boards.length > 0) return boards.flatMap(({ page, unshown }) => slidesIn(page, agents, unshown));
  const known = dashboards.filter(({ id }) => ids.includes(id));
  if (known.length > 0) return known.flatMap((dashboard) => slidesIn(dashboard, agents));
  return round.map((it) => ({ kind: 'round', ...it }));
}

function slidesIn(dashboard: Dashboard, agents: SeesAgents, unshown: readonly string[] = []): Slide[] {
  const slides: Panel[][] = [];
  for (const panel of panelsFor(dashboard.panels, agents)) {
    const last = slides.at(-1);
    if (last && isBesides(last, panel)) last.push(panel);
    else slides.push([panel]);
  }
  if (slides.length === 0 && unshown.length > 0) slides.push([]);
  return slides.map((panels, at) => ({
    ...{ kind: 'panels', dashboard, path: dashboard.path, panels },
    unshown: at === slides.length - 1 ? unshown : [],
  }));
}

const most_tiles = 8;
const isTile = ({ picture }: Panel): boolean => picture === 'tile';

/** Tiles are grouped, and panels are shown in pairs, except for those at full width on a board. */
function isBesides(last: readonly Panel[], panel: Panel): boolean {
  const [first] = last;
  if (!first || isTile(first) !== isTile(panel)) return false;
  if (isTile(panel)) return last.length < most_tiles;
  return last.length === 1 && [first, panel].every(({ home, half }) => home === undefined || half);
}

/** Seconds that a picture can stay. */
export const intervals = [10, 20, 30, 60, 120] as const;
export const defaultInterval = 20;
