// The account's lists at the first start: seeded once from the simulated account, stored from then on; the settings name the owner.
import { withOwner } from './owner.ts';
import type { Staff } from './records.ts';
import type { ChatStore } from './store.ts';

/** The setting that records whether the file holds the lists, and which agent was created only for the settings. */
const setting = 'lists';

interface Seeded {
  /** Login of an owner whom the simulated account does not have. */
  owner: string | null;
}

/** The lists of the file. A file of an older version has none yet and gets those of its simulated account. */
export function settleStaff(store: ChatStore, seeded: Staff, login: string, apiKey: string, now: number): Staff {
  return store.transact(() => {
    const had = store.setting(setting) as Seeded | undefined;
    if (!had) store.staff.write(withOwner(seeded, login, apiKey));
    else {
      if (had.owner !== null && had.owner !== login) store.staff.remove('agents', had.owner);
      for (const agent of withOwner(store.staff.read(), login, apiKey).agents) store.staff.put('agents', agent);
    }
    const is_made = had?.owner === login || !seeded.agents.some((agent) => agent.login === login);
    store.putSetting(setting, { owner: is_made ? login : null } satisfies Seeded);
    store.putReturnedAgent(login, now);
    return store.staff.read();
  });
}

/** Whether the lists are in the file. */
export const hasStaff = (store: ChatStore): boolean => store.setting(setting) !== undefined;
