// Precomputed counts of a snapshot for a reader with a row rule: counts without anything hidden are read from the file; the others are
// recomputed over the visible chats, or left out.
import type { Dialect } from '../dialect.ts';
import type { NarrowedTable } from '../engine.ts';
import { agentNumbersTable, openChangesTable, outcomePartsTable, outcomesTable } from './agent-outcomes.ts';
import { levelDaysTable, levelPartsTable, levelTables } from './levels.ts';
import { isPartial, ofOneGroup, type RowRule } from './reader.ts';
import { rollupPartsTable, rollupOfSome, rollupTable } from './rollup.ts';
import { tableOf } from '../tables/tables.ts';

const { account: ofAccount, agent: ofAgents, group: ofGroups } = levelTables;

interface CountContext {
  rule: RowRule;
  dialect: Dialect;
  /** Gives the name of a table of the file. */
  whole: (table: string) => string;
  /** Columns of the file's tables. */
  tableColumns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Tables beside those of the facts, which they read. */
export const narrowedCounts = (counted: CountContext): NarrowedTable[] =>
  isPartial({ id: '', rows: counted.rule }) ? ofSomeChats(counted) : ofAllChats(counted);

const accountsIn = ({ rule: { accounts }, dialect }: CountContext): string[] =>
  accounts === undefined
    ? []
    : [
        accounts.length === 0
          ? 'false'
          : `account in (${accounts.map((id) => dialect.literal(id, 'text')).join(', ')})`,
      ];

/** A table of the file with some rows and columns hidden; undefined if the file lacks it. */
function view(
  { whole, tableColumns }: CountContext,
  table: string,
  { of = table, columns = ['*'], where = [] }: { of?: string; columns?: readonly string[]; where?: readonly string[] },
): NarrowedTable[] {
  if (!tableColumns.has(of)) return [];
  const which = where.length > 0 ? `\nwhere ${where.join('\n  and ')}` : '';
  return [{ name: table, select: `select ${columns.join(', ')}\nfrom ${whole(of)}${which}` }];
}

/** Every chat of the accounts remains. */
function ofAllChats(counted: CountContext): NarrowedTable[] {
  const where = accountsIn(counted);
  const byAccount = [
    ...[rollupTable, levelDaysTable, ofAccount.table, ofGroups.table, openChangesTable],
    ...(counted.rule.hides_agents ? [] : [ofAgents.table, outcomesTable, agentNumbersTable]),
  ];
  const described = [...[rollupPartsTable, levelPartsTable], ...(counted.rule.hides_agents ? [] : [outcomePartsTable])];
  return [
    ...byAccount.flatMap((table) => view(counted, table, { where })),
    ...described.flatMap((table) => view(counted, table, {})),
  ];
}

/** Quarter hours are recomputed. For a reader of one group, that group's levels serve as those of the account. */
function ofSomeChats(counted: CountContext): NarrowedTable[] {
  const { rule, dialect, tableColumns } = counted;
  const there = tableColumns.get('facts.chats');
  const isComplete = Object.keys(tableOf('facts', 'chats').columns).every((name) => there?.has(name));
  const quarters = isComplete ? rollupOfSome(dialect) : [];
  const group = ofOneGroup({ id: '', rows: rule });
  if (group === undefined) return quarters;
  const where = [...accountsIn(counted), `"${ofGroups.whose.column}" = ${dialect.literal(group, 'int')}`];
  const levels = tableColumns.get(ofGroups.table);
  if (!levels) return quarters;
  const columns = [...levels].filter((name) => name !== ofGroups.whose.column).map((name) => `"${name}"`);
  return [
    ...quarters,
    ...view(counted, ofGroups.table, { where }),
    ...view(counted, ofAccount.table, { of: ofGroups.table, columns, where }),
    ...view(counted, levelPartsTable, {}),
    // Reveals only whose levels are stored, not how many chats others have.
    ...view(counted, levelDaysTable, { columns: ['distinct account'], where: accountsIn(counted) }),
  ];
}
