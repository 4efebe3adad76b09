// Which chats the holder of a token sees.
import type { ServiceAccount } from './account.ts';
import type { ServiceCaller } from './callers.ts';
import { members } from './presence.ts';
import { everyScope } from './tokens.ts';

/** Whether the caller sees the chats of all groups. */
export const seesAll = ({ scopes }: Pick<ServiceCaller, 'scopes'>): boolean =>
  scopes.includes(everyScope) || scopes.some((scope) => scope.startsWith('chats--all:'));

/** Which groups' chats the caller sees. With access to some chats only, those of the own groups; group 0 belongs to everybody. */
export function sightOf(
  account: ServiceAccount,
  { agent, scopes }: ServiceCaller,
): (groups: readonly number[]) => boolean {
  if (seesAll({ scopes })) return () => true;
  const own = new Set(
    account.staff.groups.map(({ id }) => id).filter((id) => members(account, id).some(({ login }) => login === agent)),
  );
  return (groups) => groups.some((group) => own.has(group));
}
