// Names for the keys that answers are split by: logins, group and goal numbers, ids of variables.
import { nameTable, type NamesBySplit } from '#dashboards/names.ts';
import type { Account } from '#api/contract/accounts.ts';
import { variableTitles } from '#lib/variable-titles.ts';

export function namesOf({ agents, groups, other_groups, goals, variables }: Account): NamesBySplit {
  return {
    agent: nameTable(agents.map(({ login, name }) => [login, name || login])),
    group: nameTable([...groups, ...other_groups].map(({ id, name }) => [String(id), name])),
    goal: nameTable(goals.map(({ id, name }) => [String(id), name])),
    variable: variableTitles({ variables }),
  };
}
