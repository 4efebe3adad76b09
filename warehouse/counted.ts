// Parts of metrics that count rows of facts: chats or goals, in the local cells of a question.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import { cells, localKeys, numbered, quarters } from './cells.ts';
import { chosen } from './chosen.ts';
import type { Dialect } from './dialect.ts';
import type { Archived, Part } from './metric.ts';
import { fromKept, keptTable, type Kept } from './kept-quarters.ts';
import { groupBy, lines, merged, partSql, type Parts } from './parts.ts';

/** When the chats started whose goals were reached at the asked time: goals come hours or days after the chat. */
function nearGoals(when: readonly string[], ask: Ask, bind: Bind): (column: string) => string[] {
  const which = [`g.account = ${bind.value('account', ask.account, 'text')}`, ...when].join(' and ');
  const bound = (aggregate: string): string =>
    `(select ${aggregate}(g.started_quarter) from facts.chat_goals as g where ${which})`;
  return (column) => [`${column} >= ${bound('min')}`, `${column} <= ${bound('max')}`];
}

/** Aggregates over rows with the columns they fill; several percentiles of the same values are one list. */
function aggregates(
  parts: readonly (readonly [string, Part])[],
  dialect: Dialect,
  fill: (sql: string) => string,
): { taken: string[]; unpacked: string[] } {
  const taken: string[] = [];
  const unpacked: string[] = [];
  const lists = new Map<string, number[]>();
  for (const [, { quantile }] of parts)
    if (quantile) lists.set(quantile.of, [...(lists.get(quantile.of) ?? []), quantile.q]);
  const names = [...lists.keys()];
  for (const [of, qs] of lists) taken.push(`${fill(dialect.quantiles(of, qs))} as quantiles_${names.indexOf(of) + 1}`);
  for (const [name, part] of parts) {
    const { quantile } = part;
    if (!quantile) taken.push(`${fill(partSql(part, dialect))} as ${name}`);
    const place = quantile ? (lists.get(quantile.of) ?? []).indexOf(quantile.q) + 1 : 0;
    const list = quantile ? `quantiles_${names.indexOf(quantile.of) + 1}` : '';
    unpacked.push(quantile ? `${dialect.element(list, place)} as ${name}` : name);
  }
  return { taken, unpacked };
}

/** One row per cell. What can be put together from parts is grouped by quarter hour first, then by cell. */
export function countedParts(archived: Archived, ask: Ask, bind: Bind, kept: Kept): Parts {
  const { dialect } = bind;
  const local = localKeys(ask);
  const quarter = archived.rows === 'chats' ? 'c.started_quarter' : 'g.reached_quarter';
  const { first, last } = quarters(ask);
  const from = bind.value('first', first, 'int');
  const until = bind.value('last', last, 'int');
  const within = (column: string): string[] => [`${column} >= ${from}`, `${column} < ${until}`];
  const near = archived.rows === 'chats' ? within : nearGoals(within(quarter), ask, bind);
  const inTime = (alias: string): string[] => near(`${alias}.started_quarter`);
  const read = Object.values(archived.parts).map((part) => partSql(part, dialect));
  const keptParts = fromKept(archived, ask, dialect, kept);
  const rows = chosen(archived, ask, bind, within(quarter), inTime, [...read, archived.where ?? '']);
  const splits = rows.columns.map(({ name }) => `"${name}"`);
  const columns = rows.columns.map(({ name, sql }) => `${sql} as "${name}"`);
  const parts = keptParts ?? Object.entries(archived.parts);
  const source = keptParts ? `from ${keptTable} as c` : rows.from;
  const where = rows.where.map(rows.fill).join('\n    and ');
  const keys = [...local, ...splits];
  const { taken, unpacked } = aggregates(parts, dialect, rows.fill);
  const select = (name: string, columns: readonly string[], from: string): string =>
    `${name} as (\n  select\n${lines(columns)}\n  ${from}\n)`;
  const grouped = (name: string, own: readonly string[], by: readonly string[], join = ''): string =>
    select(name, [...own, ...columns, ...taken], `${source}${join}\n  where ${where}${groupBy([...by, ...splits])}`);

  if (local.length === 0) {
    const ctes = [grouped('by_split', [], []), select('archived', [...splits, ...unpacked], 'from by_split')];
    return { ctes, table: 'archived', keys };
  }
  if (parts.some(([, part]) => part.merge === 'rows')) {
    const even = numbered(ask, bind, local, quarter);
    const shown = [...splits, ...unpacked];
    const ctes = even
      ? [
          grouped('by_cell', [`${even.cell} as cell`], ['cell']),
          select('archived', [`${even.period('cell')} as period`, ...shown], 'from by_cell'),
        ]
      : [
          cells(ask, bind, local),
          grouped(
            'by_cell',
            local.map((key) => `cells.${key}`),
            local,
            `\n  join cells on cells.quarter = ${quarter}`,
          ),
          select('archived', [...local, ...shown], 'from by_cell'),
        ];
    return { ctes, table: 'archived', keys };
  }
  const outer = [...keys, ...parts.map(([name, part]) => merged(name, part))];
  const ctes = [
    cells(ask, bind, local),
    grouped('by_quarter', [`${quarter} as quarter`], [quarter]),
    select('archived', outer, `from by_quarter\n  join cells using (quarter)${groupBy(keys)}`),
  ];
  return { ctes, table: 'archived', keys };
}
