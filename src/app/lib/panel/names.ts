// Names for the keys that answers are split by: logins, group and goal numbers.
import type { Account } from '#lib/api.ts';

export function namesOf({ agents, groups, goals }: Account): Record<string, Record<string, string>> {
  return {
    agent: Object.fromEntries(agents.map(({ login, name }) => [login, name || login])),
    group: Object.fromEntries(groups.map(({ id, name }) => [String(id), name])),
    goal: Object.fromEntries(goals.map(({ id, name }) => [String(id), name])),
  };
}
