// What a user may see of single agents.
import type { Me } from '#api/contract/sign-in.ts';
import type { SeesAgents } from '#dashboards/panel.ts';

/** Whether the user is an agent, who sees only their own figures and no list of agents. */
export const isAgent = ({ rows }: Pick<Me, 'rows'>): boolean => rows?.agent !== undefined;

/** What to show a user of single agents; agents see themselves on separate pages. */
export const seesAgents = (me: Pick<Me, 'rights' | 'rows' | 'agents_from'>): SeesAgents => ({
  isShown: me.rights.includes('agents:read') && !isAgent(me),
  isRanked: me.agents_from === null,
});
