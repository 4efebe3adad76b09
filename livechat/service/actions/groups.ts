// Creates, changes and removes groups of agents. Group 0 contains everybody and cannot be changed.
import type { ServiceAccount } from '../account.ts';
import { listsOf } from '../lists.ts';
import { refuse } from '../refusals.ts';
import { demandAgents, idOf, named, nextId, type Action } from './action.ts';

interface GroupWish {
  name?: string;
  agents?: string[];
  language?: string;
}

export const createGroup: Action = ({ account, args }) => {
  const { name = '', agents = [], language = 'en' } = args as GroupWish;
  demandAgents(account, 'agents', agents);
  const id = nextId(account, 'groups', account.staff.groups);
  account.store.staff.put('groups', { id, name, language });
  fill(account, id, agents);
  return shown(account, id);
};

export const updateGroup: Action = ({ account, name, args }) => {
  const { staff } = account.store;
  const had = named(staff.one('groups', idOf(name)));
  keepFirst(had.id, 'changed');
  const { agents, ...wish } = args as GroupWish;
  const { name: called = had.name, language = had.language } = wish;
  staff.put('groups', { id: had.id, name: called, language });
  if (agents) {
    demandAgents(account, 'agents', agents);
    fill(account, had.id, agents);
  }
  return shown(account, had.id);
};

export const deleteGroup: Action = ({ account, name }) => {
  const { staff } = account.store;
  const { id } = named(staff.one('groups', idOf(name)));
  keepFirst(id, 'removed');
  fill(account, id, []);
  staff.remove('groups', id);
  return () => ({ result: 'group removed successfully' });
};

function keepFirst(id: number, what: string): void {
  if (id === 0) throw refuse.arguments(`group: group 0 holds all agents and cannot be ${what}`);
}

/** Makes these agents the members of the group, and nobody else. */
function fill({ store }: ServiceAccount, id: number, logins: readonly string[]): void {
  for (const agent of store.staff.all('agents')) {
    const others = agent.groups.filter((group) => group !== id);
    const groups = logins.includes(agent.login) ? [...others, id].sort((a, b) => a - b) : others;
    if (groups.length !== agent.groups.length) store.staff.put('agents', { ...agent, groups });
  }
}

const shown = (account: ServiceAccount, id: number) => () => listsOf(account).groups.one?.(String(id), '');
