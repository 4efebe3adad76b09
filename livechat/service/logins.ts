// Who can own a token of the embedded account: the logins of its agents.
import { hasStaff } from './first-staff.ts';
import { withOwner } from './owner.ts';
import type { ChatStore } from './store.ts';
import { createWorld, type WorldOptions } from './world/world.ts';

/** Logins of the account in this file, the owner's among them; empty before the first start. */
export function agentLogins(store: ChatStore, owner: string): string[] {
  if (hasStaff(store)) return store.staff.all('agents').map(({ login }) => login);
  const origin = store.setting('origin') as WorldOptions | undefined;
  if (!origin) return [];
  return withOwner(createWorld(origin).staff, owner, '').agents.map(({ login }) => login);
}
