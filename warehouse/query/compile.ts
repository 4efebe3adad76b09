// Metric and question to one select: the only place where the SQL of a metric is put together.
import { parameters, type Bind } from './bind.ts';
import { aggregateParts } from './aggregate.ts';
import type { Ask } from './ask.ts';
import type { Dialect } from '../dialect.ts';
import type { Row } from '../engine.ts';
import type { Metric, Part, Source } from '../definitions/metric.ts';
import { fromLevels } from './levels.ts';
import { lines, type Parts } from './parts.ts';
import { reportedParts } from './reported.ts';
import { none, type Shortcuts } from './shortcuts.ts';
import { sweepParts } from './sweep.ts';

export interface Compiled {
  sql: string;
  params: Row;
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
export function statement(
  metric: Metric,
  ask: Ask,
  bind: Bind,
  sources: readonly Source[],
  shortcuts: Shortcuts = none,
): string {
  const found: Partial<Record<Source, Parts>> = {};
  if (metric.archived && sources.includes('archived'))
    found.archived = metric.archived.sweep
      ? (fromLevels(metric.archived, ask, bind, shortcuts.levels) ?? sweepParts(metric.archived, ask, bind))
      : aggregateParts(metric.archived, ask, bind, shortcuts);
  if (metric.reported && sources.includes('reported')) found.reported = reportedParts(metric.reported, ask, bind);
  const { ctes, keys } = combined(metric, found);
  const shown = keys.map((key) =>
    key === 'period' && ask.grain !== 'total' ? `${bind.dialect.label('period', ask.grain)} as period` : key,
  );
  const finished = shortcuts.isAnswered ? Object.keys(metric.finish ?? {}) : [];
  const measures = Object.entries(metric.measures)
    .filter(([name]) => !finished.includes(name))
    .map(([name, measure]) => `${measure.sql} as ${name}`);
  const order = keys.length > 0 ? `\norder by ${keys.join(', ')}` : '';
  return `with ${ctes.join(',\n')}\nselect\n${[...shown, ...measures].map((item) => `  ${item}`).join(',\n')}\nfrom parts${order}`;
}

/** The statement with its parameters, as it is run: what a receipt shows and what reviewers read. */
export function compile(
  metric: Metric,
  ask: Ask,
  dialect: Dialect,
  sources: readonly Source[] = ['archived', 'reported'],
  shortcuts: Shortcuts = none,
): Compiled {
  const bind = parameters(dialect, shortcuts.onlyAccount);
  const sql = statement(metric, ask, bind, sources, shortcuts);
  return { sql, params: bind.params };
}
