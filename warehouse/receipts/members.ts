// The rows of one cell: those that the metric's own selection gives, cut to the period and the values of the splits.
import type { Ask } from '../ask.ts';
import { parameters, type Bind } from '../bind.ts';
import { cells, localKeys, quarters, quarterSeconds } from '../cells.ts';
import { chosen, type Chosen } from '../chosen.ts';
import type { Engine, Row } from '../engine.ts';
import type { Archived } from '../metric.ts';
import type { Cell } from './cell.ts';
import { rawValue, typeOfSplit } from './cell.ts';

/** First second of the cell and the first after it. */
export const bounds = ({ slot }: Pick<Cell, 'slot'>): { from: number; until: number } => ({
  from: slot.pieces[0]?.from ?? 0,
  until: slot.pieces.at(-1)?.until ?? 0,
});

interface Selection {
  ctes: string[];
  rows: Chosen;
  join: string;
  where: string[];
}

/** Rows counted in the quarter hour in which they lie. */
function countedRows(archived: Archived, ask: Ask, cell: Cell, bind: Bind): Selection {
  const { dialect } = bind;
  const local = localKeys(ask);
  const quarter = archived.rows === 'chats' ? 'c.started_quarter' : 'g.reached_quarter';
  const { first, last } = quarters(ask);
  const near = (alias: string): string[] => [
    `${alias}.started_quarter >= ${bind.value('first', first, 'int')}`,
    `${alias}.started_quarter < ${bind.value('last', last, 'int')}`,
  ];
  const { from, until } = bounds(cell);
  const when = [
    `${quarter} >= ${bind.value('cell_first', Math.floor(from / quarterSeconds), 'int')}`,
    `${quarter} < ${bind.value('cell_last', Math.ceil(until / quarterSeconds), 'int')}`,
  ];
  const rows = chosen(archived, ask, bind, when, archived.rows === 'chats' ? near : undefined);
  const where = local.map((key) => {
    if (key !== 'period')
      return `cells.${key} = ${bind.value(`at_${key}`, rawValue(key, cell.at[key] ?? null), 'int')}`;
    const label = dialect.label('cells.period', ask.grain === 'total' ? 'day' : ask.grain);
    return `${label} = ${bind.value('at_period', cell.period, 'text')}`;
  });
  return {
    ctes: local.length > 0 ? [cells(ask, bind, local)] : [],
    rows,
    join: local.length > 0 ? `\njoin cells on cells.quarter = ${quarter}` : '',
    where,
  };
}

/** Chats that were open at some time of the cell. */
function openRows(archived: Archived, ask: Ask, cell: Cell, bind: Bind): Selection {
  const { from, until } = bounds(cell);
  const first = bind.value('cell_from', from, 'bigint');
  const end = archived.sweep?.end ?? 'c.ended_second';
  const when = [`c.ended_second >= ${first}`, `c.started_second < ${bind.value('cell_until', until, 'bigint')}`];
  return { ctes: [], rows: chosen(archived, ask, bind, [...when, `${end} > ${first}`]), join: '', where: [] };
}

/** Columns that every row has, besides what the receipt of the metric reads. */
const always = { chat_id: ':row.chat_id', pull_id: ':chat.pull_id', started_second: ':chat.started_second' };

/**
 * Rows in order of the chats' starts; several of one chat stand together. `agent` differs from the metric's own for
 * the chats that an agent took part in without being the one the metric credits.
 */
export async function membersOf(
  engine: Engine,
  metricArchived: Archived,
  cell: Cell,
  reads: Readonly<Record<string, string>>,
  agent: Archived['agent'] = metricArchived.agent,
): Promise<Row[]> {
  const { where: _, ...rest } = metricArchived;
  const archived: Archived = { ...rest, agent };
  const { ask } = cell.sources;
  const bind = parameters(engine.dialect);
  const { ctes, rows, join, where } = (archived.sweep ? openRows : countedRows)(archived, ask, cell, bind);
  const row = archived.rows === 'chats' ? 'c' : 'g';
  const isWhole = archived.rows === 'chats' && archived.nextWithin === undefined;
  const chat = isWhole ? 'c' : 'said';
  const whole = isWhole
    ? ''
    : `\njoin facts.chats as said on said.account = ${row}.account and said.started_quarter = ${row}.started_quarter ` +
      `and said.chat_id = ${row}.chat_id`;
  const fill = (sql: string): string => rows.fill(sql.replaceAll(':chat.', `${chat}.`).replaceAll(':row.', `${row}.`));
  const columns = Object.entries({ ...always, ...reads }).map(([name, sql]) => `  ${fill(sql)} as ${name}`);
  const at = rows.columns.map(({ name, sql }) => {
    const value = cell.at[name] ?? null;
    return value === null ? `${sql} is null` : `${sql} = ${bind.value(`at_${name}`, value, typeOfSplit[name])}`;
  });
  const order = ['started_second', 'chat_id', ...('position' in reads ? ['position'] : [])];
  const sql =
    (ctes.length > 0 ? `with ${ctes.join(',\n')}\n` : '') +
    `select\n${columns.join(',\n')}\n${rows.from}${whole}${join}\n` +
    `where ${[...rows.where.map(rows.fill), ...at, ...where].join('\n  and ')}\norder by ${order.join(', ')}`;
  return engine.query(sql, bind.params);
}
