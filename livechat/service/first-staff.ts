// The account's lists at a start: seeded from the simulated account once, kept ever after; the owner is who the settings say.
import { withOwner } from './owner.ts';
import type { Staff } from './records.ts';
import type { ChatStore } from './store.ts';

/** Name of the setting that says whether the lists are in the file, and who was made for the settings alone. */
const setting = 'lists';

interface Seeded {
  /** Login of an owner whom the simulated account does not have. */
  owner: string | null;
}

/** The lists of the file. A file of an older version has none yet: they become those of its simulated account. */
export function settleStaff(store: ChatStore, seeded: Staff, login: string, apiKey: string): Staff {
  return store.transact(() => {
    const had = store.setting(setting) as Seeded | undefined;
    if (!had) store.staff.write(withOwner(seeded, login, apiKey));
    else {
      if (had.owner !== null && had.owner !== login) store.staff.remove('agents', had.owner);
      for (const agent of withOwner(store.staff.read(), login, apiKey).agents) store.staff.put('agents', agent);
    }
    const is_made = had?.owner === login || !seeded.agents.some((agent) => agent.login === login);
    store.putSetting(setting, { owner: is_made ? login : null } satisfies Seeded);
    store.forgetRemovedAgent(login);
    return store.staff.read();
  });
}

/** Whether the lists are in the file. */
export const hasStaff = (store: ChatStore): boolean => store.setting(setting) !== undefined;
