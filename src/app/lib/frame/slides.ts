// What TV mode shows one after the other: a short round of four slides, or of pages the tiles together and their panels two side by side.
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Dashboard, type Panel, type SeesAgents } from '#dashboards/panel.ts';

export interface Slide {
  dashboard: Dashboard;
  panels: Panel[];
}

/** The pages of the short round: the key figures of the first, then of each the first two pictures over time. */
const short = ['overview', 'queue', 'ratings'];

/**
 * Of the boards, or of the pages with these ids, all panels; without any, four slides to be read from afar: key figures, chats, queue, ratings. `agents`:
 * what of single agents is shown.
 */
export function slidesOf(ids: string[], agents: SeesAgents, boards: readonly Dashboard[] = []): Slide[] {
  const known = boards.length ? boards : dashboards.filter(({ id }) => ids.includes(id));
  if (known.length > 0) return known.flatMap((dashboard) => slidesIn(dashboard, agents));
  return short.flatMap((id, at) =>
    dashboards
      .filter((dashboard) => dashboard.id === id)
      .flatMap((dashboard): Slide[] => {
        const overTime = panelsFor(dashboard.panels, agents).filter(({ picture }) => /^(lines|bars)$/.test(picture));
        const figures = at === 0 ? slidesIn(dashboard, agents).slice(0, 1) : [];
        return [...figures, { dashboard, panels: overTime.slice(0, 2) }];
      }),
  );
}

function slidesIn(dashboard: Dashboard, agents: SeesAgents): Slide[] {
  const slides: Slide[] = [];
  for (const panel of panelsFor(dashboard.panels, agents)) {
    const last = slides.at(-1)?.panels;
    if (last && isBesides(last, panel)) last.push(panel);
    else slides.push({ dashboard, panels: [panel] });
  }
  return slides;
}

const most_tiles = 8;
const isTile = ({ picture }: Panel): boolean => picture === 'tile';

/** Tiles stand together, and two panels side by side, but for one that somebody put on a board in full width. */
function isBesides(last: readonly Panel[], panel: Panel): boolean {
  const [first] = last;
  if (!first || isTile(first) !== isTile(panel)) return false;
  if (isTile(panel)) return last.length < most_tiles;
  return last.length === 1 && [first, panel].every(({ home, half }) => home === undefined || half);
}

/** Seconds that a picture can stay. */
export const intervals = [10, 20, 30, 60, 120] as const;
export const defaultInterval = 20;
