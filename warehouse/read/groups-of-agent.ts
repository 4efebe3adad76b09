// The groups that an agent is a member of, and who else is, as the account lists them.
import type { QueryContext } from '../query/context.ts';

export interface Group {
  id: number;
  name: string;
  /** Logins, the agent's own among them. */
  members: string[];
}

/** In the order of their numbers. */
export async function groupsOfAgent({ snapshot, account }: QueryContext, login: string): Promise<Group[]> {
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select g.group_id as id, g.name, m.login
     from account.groups as g
     join account.group_agents as m on m.account = g.account and m.group_id = g.group_id
     where g.account = ${param('account', 'text')}
     order by g.group_id, m.login`,
    { account: account.id },
  );
  const byGroup = Map.groupBy(rows, ({ id }) => Number(id));
  const groups = [...byGroup].map(([id, own]) => ({
    ...{ id, name: String(own[0]?.name ?? ''), members: own.map((row) => String(row.login)) },
  }));
  return groups.filter(({ members }) => members.includes(login));
}
