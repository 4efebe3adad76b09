// Names of agents, groups and goals as the snapshot has them, for keys that a reader does not know.
import { nameTable } from '#dashboards/names.ts';
import type { QueryContext } from '#warehouse/context.ts';

export type Names = Record<string, Record<string, string>>;

export async function namesIn({ snapshot, account }: QueryContext): Promise<Names> {
  const { engine } = snapshot;
  const of = { account: account.id };
  const { param } = engine.dialect;
  const read = async (table: string, key: string): Promise<Record<string, string>> => {
    const rows = await engine.query(
      `select ${key} as id, name\nfrom account.${table}\nwhere account = ${param('account', 'text')}`,
      of,
    );
    return nameTable(rows.flatMap(({ id, name }) => (name ? [[String(id), String(name)]] : [])));
  };
  const [agent, group, goal] = await Promise.all([
    read('agents', 'login'),
    read('groups', 'group_id'),
    read('goals', 'goal_id'),
  ]);
  return { agent, group, goal };
}
