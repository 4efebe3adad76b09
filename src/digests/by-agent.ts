// Which panels show figures of agents by name.
import { dashboards } from '#dashboards/dashboards.ts';
import type { Panel } from '#dashboards/panel.ts';

const hasAgents = ({ split = [], by = [] }: Panel): boolean => [...split, ...by].includes('agent');

/** Of a page, by its id, or of one of its panels. */
export function isByAgent(dashboard: string, panel?: string): boolean {
  const panels = dashboards.find(({ id, path }) => [id, path].includes(dashboard))?.panels ?? [];
  return panels.filter(({ id }) => panel === undefined || id === panel).some(hasAgents);
}
