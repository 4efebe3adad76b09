// Names of agents, groups and goals as the snapshot has them, for keys that a reader does not know.
import { nameTable } from '#dashboards/names.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { listOf, type AccountList } from '#warehouse/read/account-lists.ts';

export type Names = Record<string, Record<string, string>>;

export async function namesIn(context: QueryContext): Promise<Names> {
  const read = async (list: AccountList): Promise<Record<string, string>> => {
    const listed = await listOf(context, list);
    return nameTable(listed.flatMap(({ id, name }) => (name ? [[String(id), String(name)]] : [])));
  };
  const [agent, group, goal] = await Promise.all([read('agents'), read('groups'), read('goals')]);
  return { agent, group, goal };
}
