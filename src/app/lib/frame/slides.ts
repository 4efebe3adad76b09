// What TV mode shows one after the other: the tiles of a page together, then its panels, two side by side.
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Dashboard, type Panel, type SeesAgents } from '#dashboards/panel.ts';

export interface Slide {
  dashboard: Dashboard;
  panels: Panel[];
}

/** Of the pages with these ids, or of all. `agents`: what of single agents is shown. */
export function slidesOf(ids: string[], agents: SeesAgents): Slide[] {
  const known = dashboards.filter(({ id }) => ids.includes(id));
  return (known.length ? known : dashboards).flatMap((dashboard) => {
    const panels = panelsFor(dashboard.panels, agents);
    const tiles = panels.filter(({ picture }) => picture === 'tile');
    const slides: Slide[] = tiles.length ? [{ dashboard, panels: tiles }] : [];
    for (const panel of panels.filter(({ picture }) => picture !== 'tile')) {
      const last = slides.at(-1)?.panels;
      if (last?.length === 1 && last[0]?.picture !== 'tile') last.push(panel);
      else slides.push({ dashboard, panels: [panel] });
    }
    return slides;
  });
}

/** Seconds that a picture can stay. */
export const intervals = [10, 20, 30, 60, 120] as const;
export const defaultInterval = 20;
