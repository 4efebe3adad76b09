// What somebody sees of single agents.
import type { Me } from '#api/contract/sign-in.ts';
import type { SeesAgents } from '#dashboards/panel.ts';

/** An agent, who sees the own figures and no list of agents. */
export const isAgent = ({ rows }: Pick<Me, 'rows'>): boolean => rows?.agent !== undefined;

/** What of single agents somebody is shown; agents see themselves on pages of their own. */
export const seesAgents = (me: Pick<Me, 'rights' | 'rows' | 'agents_from'>): SeesAgents => ({
  isShown: me.rights.includes('agents:read') && !isAgent(me),
  isRanked: me.agents_from === null,
});
