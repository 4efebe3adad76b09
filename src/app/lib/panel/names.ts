// Names for the keys that answers are split by: logins, group and goal numbers.
import { nameTable } from '#dashboards/names.ts';
import type { Account } from '#api/contract/accounts.ts';

export function namesOf({ agents, groups, goals }: Account): Record<string, Record<string, string>> {
  return {
    agent: nameTable(agents.map(({ login, name }) => [login, name || login])),
    group: nameTable(groups.map(({ id, name }) => [String(id), name])),
    goal: nameTable(goals.map(({ id, name }) => [String(id), name])),
  };
}
