// Names of agents, groups, goals and declared variables as the snapshot has them, for keys that a reader does not know.
import { nameTable, type NamesBySplit } from '#dashboards/names.ts';
import { declaredIn } from '#warehouse/query/file-variables.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { listOf, otherGroups, type AccountList } from '#warehouse/read/account-lists.ts';

export async function namesIn(context: QueryContext): Promise<NamesBySplit> {
  const read = async (list: AccountList): Promise<Record<string, string>> => {
    const listed = await listOf(context, list);
    return nameTable(listed.flatMap(({ id, name }) => (name ? [[String(id), String(name)]] : [])));
  };
  const { snapshot, account } = context;
  const [agent, group, others, goal, declared] = await Promise.all([
    read('agents'),
    read('groups'),
    otherGroups(context),
    read('goals'),
    declaredIn(snapshot.engine, account.id),
  ]);
  return {
    ...{ agent, goal },
    group: nameTable([...Object.entries(group), ...others.map(({ id, name }) => [String(id), name] as const)]),
    variable: nameTable(declared.map(({ id, title }) => [id, title])),
  };
}
