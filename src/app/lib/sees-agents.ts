// What a user may see of single agents.
import type { Me } from '#api/contract/sign-in.ts';
import type { SeesAgents } from '#dashboards/panel.ts';

/** Whether the user is an agent, who sees only their own figures and no list of agents. */
export const isAgent = ({ rows }: Pick<Me, 'rows'>): boolean => rows?.agent !== undefined;

/** Whether the user sees a part of the chats only, and of groups and agents those of that part. */
export const seesPart = ({ rows }: Pick<Me, 'rows'>): boolean =>
  rows?.agent !== undefined || rows?.groups !== undefined;

/** Whether an agent who is not listed to the user is not in the account. */
export const seesEveryAgent = (me: Pick<Me, 'rights' | 'rows'>): boolean =>
  me.rights.includes('agents:read') && !seesPart(me);

/** What to show a user of single agents; agents see themselves on separate pages. */
export const seesAgents = (me: Pick<Me, 'rights' | 'rows' | 'agents_from'>): SeesAgents => ({
  isShown: me.rights.includes('agents:read') && !isAgent(me),
  isRanked: me.agents_from === null,
});
