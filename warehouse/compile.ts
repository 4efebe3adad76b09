// Metric and question to one select: the only place where the SQL of a metric is put together.
import { cells, localKeys, quarters, type LocalKey } from './cells.ts';
import { parameters, type Bind } from './bind.ts';
import { chosen } from './chosen.ts';
import type { Ask } from './ask.ts';
import type { Dialect } from './dialect.ts';
import type { Row } from './engine.ts';
import type { Archived, Metric, Part, Source } from './metric.ts';
import { groupBy, lines, merged, partSql, type Parts } from './parts.ts';
import { reportedParts } from './reported.ts';
import { sweepParts } from './sweep.ts';

export interface Compiled {
  sql: string;
  params: Row;
}

/** Parts of metrics that count rows of facts: first by quarter hour, then by local cell. */
function countedParts(archived: Archived, ask: Ask, bind: Bind): Parts {
  const local: LocalKey[] = localKeys(ask);
  const quarter = archived.rows === 'chats' ? 'c.started_quarter' : 'g.reached_quarter';
  const { first, last } = quarters(ask);
  const from = bind.value('first', first, 'int');
  const until = bind.value('last', last, 'int');
  const within = (column: string): string[] => [`${column} >= ${from}`, `${column} < ${until}`];
  const near = archived.rows === 'chats' ? (alias: string) => within(`${alias}.started_quarter`) : undefined;
  const rows = chosen(archived, ask, bind, within(quarter), near);
  const splits = rows.columns.map(({ name }) => `"${name}"`);
  const columns = rows.columns.map(({ name, sql }) => `${sql} as "${name}"`);
  const parts = Object.entries(archived.parts);
  const direct = parts.map(([name, part]) => `${rows.fill(partSql(part, bind.dialect))} as ${name}`);
  const where = rows.where.map(rows.fill).join('\n    and ');
  const keys = [...local, ...splits];
  if (local.length === 0) {
    const sql = `archived as (\n  select\n${lines([...columns, ...direct])}\n  ${rows.from}\n  where ${where}${groupBy(splits)}\n)`;
    return { ctes: [sql], table: 'archived', keys };
  }
  const calendar = cells(ask, bind, local);
  if (parts.some(([, part]) => part.merge === 'rows')) {
    const sql =
      `archived as (\n  select\n${lines([...local.map((key) => `cells.${key}`), ...columns, ...direct])}\n` +
      `  ${rows.from}\n  join cells on cells.quarter = ${quarter}\n  where ${where}${groupBy(keys)}\n)`;
    return { ctes: [calendar, sql], table: 'archived', keys };
  }
  const inner =
    `by_quarter as (\n  select\n${lines([`${quarter} as quarter`, ...columns, ...direct])}\n` +
    `  ${rows.from}\n  where ${where}\n  group by ${[quarter, ...splits].join(', ')}\n)`;
  const outer =
    `archived as (\n  select\n${lines([...keys, ...parts.map(([name, part]) => merged(name, part))])}\n` +
    `  from by_quarter\n  join cells using (quarter)${groupBy(keys)}\n)`;
  return { ctes: [calendar, inner, outer], table: 'archived', keys };
}

const emptyPart = (part: Part, column: string): string => (part.merge === 'sum' ? `coalesce(${column}, 0)` : column);

/** The parts of both sources, side by side in one row per cell; those of a source left out are null. */
function combined(metric: Metric, found: Partial<Record<Source, Parts>>): Parts {
  const { archived, reported } = found;
  const only = archived ?? reported;
  if (!only) throw new Error(`${metric.id} has no source`);
  const columns: string[] = [];
  for (const source of ['archived', 'reported'] as const) {
    for (const [name, part] of Object.entries(metric[source]?.parts ?? {})) {
      const value = found[source] ? emptyPart(part, `${source}.${name}`) : 'cast(null as double precision)';
      columns.push(`${value} as ${name}`);
    }
  }
  const keys = only.keys;
  let from = `from ${only.table}`;
  let shown = keys.map((key) => `${only.table}.${key} as ${key}`);
  if (archived && reported) {
    const on = keys.map((key) => `archived.${key} = reported.${key}`).join(' and ');
    from = keys.length > 0 ? `from archived\n  full join reported on ${on}` : 'from archived\n  cross join reported';
    shown = keys.map((key) => `coalesce(archived.${key}, reported.${key}) as ${key}`);
  }
  const sql = `parts as (\n  select\n${lines([...shown, ...columns])}\n  ${from}\n)`;
  return { ctes: [...(archived?.ctes ?? []), ...(reported?.ctes ?? []), sql], table: 'parts', keys };
}

/** The whole statement; `sources` says which of the metric's sources can answer. */
export function statement(metric: Metric, ask: Ask, bind: Bind, sources: readonly Source[]): string {
  const found: Partial<Record<Source, Parts>> = {};
  if (metric.archived && sources.includes('archived'))
    found.archived = metric.archived.sweep
      ? sweepParts(metric.archived, ask, bind)
      : countedParts(metric.archived, ask, bind);
  if (metric.reported && sources.includes('reported')) found.reported = reportedParts(metric.reported, ask, bind);
  const { ctes, keys } = combined(metric, found);
  const shown = keys.map((key) =>
    key === 'period' && ask.grain !== 'total' ? `${bind.dialect.label('period', ask.grain)} as period` : key,
  );
  const measures = Object.entries(metric.measures).map(([name, measure]) => `${measure.sql} as ${name}`);
  const order = keys.length > 0 ? `\norder by ${keys.join(', ')}` : '';
  return `with ${ctes.join(',\n')}\nselect\n${[...shown, ...measures].map((item) => `  ${item}`).join(',\n')}\nfrom parts${order}`;
}

/** The statement with its parameters, as it is run: what a receipt shows and what reviewers read. */
export function compile(
  metric: Metric,
  ask: Ask,
  dialect: Dialect,
  sources: readonly Source[] = ['archived', 'reported'],
): Compiled {
  const bind = parameters(dialect);
  const sql = statement(metric, ask, bind, sources);
  return { sql, params: bind.params };
}
