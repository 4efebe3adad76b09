// Which panels show figures of agents by name.
import { dashboards } from '#dashboards/dashboards.ts';
import type { Panel } from '#dashboards/panel.ts';

const hasAgents = ({ split = [], by = [], splitBy }: Panel): boolean => [...split, ...by, splitBy].includes('agent');

export const isAnyByAgent = (panels: readonly Panel[]): boolean => panels.some(hasAgents);

/** For a page by id, or one of its panels. */
export function isByAgent(dashboard: string, panel?: string): boolean {
  const panels = dashboards.find(({ id, path }) => [id, path].includes(dashboard))?.panels ?? [];
  return isAnyByAgent(panels.filter(({ id }) => panel === undefined || id === panel));
}
