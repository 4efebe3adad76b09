// Compiles metric and question to one select: the only place that builds a metric's SQL.
import { parameters, type Bind } from './bind.ts';
import { aggregateParts } from './aggregate.ts';
import type { Ask } from './ask.ts';
import type { QueryContext } from './context.ts';
import type { Dialect } from '../dialect.ts';
import type { Row } from '../engine.ts';
import { withinExtent } from './extent.ts';
import type { MetricDefinition, MeasurePart, MetricSource } from '../definitions/metric.ts';
import { fromLevels } from './levels.ts';
import { groupBy, lines, type QueryParts } from './parts.ts';
import { reportedParts, withoutGroup } from './reported.ts';
import { none, shortcutsOf, type Shortcuts } from './shortcuts.ts';
import type { Sources } from './sources.ts';
import { sweepParts } from './sweep.ts';

interface Compiled {
  sql: string;
  params: Row;
}

const emptyPart = (part: MeasurePart, column: string): string =>
  part.merge === 'sum' ? `coalesce(${column}, 0)` : column;

/** The parts of both sources, side by side in one row per cell; those of a source left out are null. */
function combined(metric: MetricDefinition, found: Partial<Record<MetricSource, QueryParts>>): QueryParts {
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
  if (archived && reported && metric.reported?.each) {
    const on = keys.map((key) => `archived.${key} = reported.${key}`).join(' and ');
    from = `from reported\n  left join archived on ${on}`;
    shown = keys.map((key) => `reported.${key} as ${key}`);
  } else if (archived && reported) {
    const on = keys.map((key) => `archived.${key} = reported.${key}`).join(' and ');
    from = keys.length > 0 ? `from archived\n  full join reported on ${on}` : 'from archived\n  cross join reported';
    shown = keys.map((key) => `coalesce(archived.${key}, reported.${key}) as ${key}`);
  }
  const sql = `parts as (\n  select\n${lines([...shown, ...columns])}\n  ${from}\n)`;
  return { ctes: [...(archived?.ctes ?? []), ...(reported?.ctes ?? []), sql], table: 'parts', keys };
}

/** A question about all agents, as asked of each: a group stands for its members with all their chats. */
function ofEach({ archived, reported }: MetricDefinition, ask: Ask): Ask {
  if (!archived || !reported?.each || ask.split.includes(reported.each)) return ask;
  return { ...ask, split: [...ask.split, reported.each] };
}

/** The same parts without one of their keys. */
function without(key: string, metric: MetricDefinition, { ctes, table, keys }: QueryParts): QueryParts {
  const left = keys.filter((name) => name !== `"${key}"`);
  const parts = [metric.archived, metric.reported].flatMap((source) => Object.entries(source?.parts ?? {}));
  const sums = parts.map(([name, part]) => `coalesce(${part.merge}(${name}), 0) as ${name}`);
  const sql = `together as (\n  select\n${lines([...left, ...sums])}\n  from ${table}${groupBy(left)}\n)`;
  return { ctes: [...ctes, sql], table: 'together', keys: left };
}

/** The complete statement; `sources` lists the metric's sources that can answer. */
export function statement(
  metric: MetricDefinition,
  ask: Ask,
  bind: Bind,
  sources: readonly MetricSource[],
  shortcuts: Shortcuts = none,
): string {
  const found: Partial<Record<MetricSource, QueryParts>> = {};
  const asked = ofEach(metric, ask);
  const isOfEveryChat = asked.filters.group?.some((group) => group === shortcuts.oneGroup) === true;
  const chats = metric.reported?.each || isOfEveryChat ? withoutGroup(asked) : asked;
  if (metric.archived && sources.includes('archived'))
    found.archived = metric.archived.sweep
      ? (fromLevels(metric.archived, chats, bind, shortcuts.levels) ?? sweepParts(metric.archived, chats, bind))
      : aggregateParts(metric.archived, chats, bind, shortcuts);
  if (metric.reported && sources.includes('reported')) found.reported = reportedParts(metric.reported, asked, bind);
  const parts = combined(metric, found);
  const { ctes, keys, table } = asked === ask ? parts : without('agent', metric, parts);
  const shown = keys.map((key) =>
    key === 'period' && ask.grain !== 'total' ? `${bind.dialect.label('period', ask.grain)} as period` : key,
  );
  const finished = shortcuts.isAnswered ? Object.keys(metric.finish ?? {}) : [];
  const measures = Object.entries(metric.measures)
    .filter(([name]) => !finished.includes(name))
    .map(([name, measure]) => `${measure.sql} as ${name}`);
  const order = keys.length > 0 ? `\norder by ${keys.join(', ')}` : '';
  return `with ${ctes.join(',\n')}\nselect\n${[...shown, ...measures].map((item) => `  ${item}`).join(',\n')}\nfrom ${table}${order}`;
}

/** The statement with its parameters as executed: shown on receipts and reviewed in tests. */
export function compile(
  metric: MetricDefinition,
  ask: Ask,
  dialect: Dialect,
  sources: readonly MetricSource[] = ['archived', 'reported'],
  shortcuts: Shortcuts = none,
): Compiled {
  const bind = parameters(dialect, shortcuts.present);
  const sql = statement(metric, ask, bind, sources, shortcuts);
  return { sql, params: bind.params };
}

/** The same for an answer from a file: skips what lies outside the file, and uses what it has precomputed. */
export async function compileAnswer(
  metric: MetricDefinition,
  { ask, can }: Pick<Sources, 'ask' | 'can'>,
  { snapshot: { engine }, reader }: Pick<QueryContext, 'snapshot' | 'reader'>,
): Promise<Compiled> {
  const within = await withinExtent(engine, metric, ask);
  return compile(metric, within, engine.dialect, can, await shortcutsOf(engine, reader));
}
