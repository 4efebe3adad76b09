// Parts of metrics that count rows of facts: chats or goals, in the local cells of a question.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import {
  cells,
  localColumn,
  localKeys,
  numbered,
  quarters,
  type LocalKey,
  type NumberedPeriods,
} from './time-buckets.ts';
import { scanOf } from './scan.ts';
import { fromRollup, rollupTable } from './rollup.ts';
import type { Archived } from '../definitions/metric.ts';
import { groupBy, lines, merged, partSql, type QueryParts } from './parts.ts';
import { aggregates, countable, countedValues, type NamedPart } from './quantiles.ts';
import type { Shortcuts } from './shortcuts.ts';

/** When the chats started whose goals were reached at the requested time: goals follow hours or days after the chat. */
function nearGoals(when: readonly string[], ask: Ask, bind: Bind): (column: string) => string[] {
  const which = [...bind.ofAccount('g', ask), ...when].join(' and ');
  const bound = (aggregate: string): string =>
    `(select ${aggregate}(g.started_quarter) from facts.chat_goals as g where ${which})`;
  return (column) => [`${column} >= ${bound('min')}`, `${column} <= ${bound('max')}`];
}

/** The rows of a question and the aggregates over them. */
interface Aggregation {
  ask: Ask;
  bind: Bind;
  /** Column with the quarter hour of a row. */
  quarter: string;
  local: readonly LocalKey[];
  /** Columns of the splits that are not local time, and their names. */
  columns: readonly string[];
  splits: readonly string[];
  /** What the rows are grouped by for the splits. */
  groups: readonly string[];
  parts: readonly NamedPart[];
  fill: (sql: string) => string;
  /** `from … where …`, with a join in between. */
  from: (join?: string) => string;
  /** The rows are quarter hours already. */
  isKept: boolean;
}

const select = (name: string, columns: readonly string[], from: string): string =>
  `${name} as (\n  select\n${lines(columns)}\n  ${from}\n)`;

/** The rows grouped by the columns `by`, which `own` selects, and by the splits. */
function grouped(
  reading: Aggregation,
  name: string,
  own: readonly string[],
  by: readonly string[],
  join?: string,
): string {
  const { taken } = aggregates(reading.parts, reading.bind.dialect, reading.fill);
  const columns = [...own, ...reading.columns, ...taken];
  return select(name, columns, `${reading.from(join)}${groupBy([...by, ...reading.groups])}`);
}

/** Rows grouped by the number of their period, which is written out for the groups only. */
const byNumber = (reading: Aggregation, { cell, period }: NumberedPeriods, shown: readonly string[]): string[] => [
  grouped(reading, 'by_cell', [`${cell} as cell`], ['cell']),
  select('archived', [`${period('cell')} as period`, ...shown], 'from by_cell'),
];

/**
 * Mergeable aggregates: many rows are first grouped by quarter hour, which needs no local time. With a split most rows of a quarter hour
 * have a group of their own, so that they are grouped by their cells at once.
 */
function summed(reading: Aggregation): string[] {
  const { ask, bind, quarter, local, splits, parts, isKept } = reading;
  const cellOf = (of: string): string[] => local.map((key) => `${localColumn(ask, bind, key, of)} as ${key}`);
  const isSplit = splits.length > 0 && !isKept;
  const even = isSplit ? numbered(ask, bind, local, quarter) : undefined;
  if (even) return byNumber(reading, even, [...splits, ...parts.map(([name]) => name)]);
  if (isKept || isSplit || local.length === 0) return [grouped(reading, 'archived', cellOf(quarter), local)];
  const columns = [...cellOf('quarter'), ...splits, ...parts.map(([name, part]) => merged(name, part))];
  return [
    grouped(reading, 'by_quarter', [`${quarter} as quarter`], [quarter]),
    select('archived', columns, `from by_quarter${groupBy([...local, ...splits])}`),
  ];
}

/** For shorter ranges, planning a statement with counting takes longer than sorting the chats. */
const longRange = 60 * 96;

/** Percentiles: the rows of a cell are needed all at once. */
function sorted(reading: Aggregation): string[] {
  const { ask, bind, quarter, local, splits, parts, fill, from } = reading;
  const { dialect } = bind;
  const { first, last } = quarters(ask);
  const value = local.length + splits.length === 0 && last - first >= longRange ? countable(parts) : undefined;
  if (value !== undefined) return countedValues(value, parts, dialect, fill, from());
  const shown = [...splits, ...aggregates(parts, dialect, fill).unpacked];
  if (local.length === 0) return [grouped(reading, 'by_split', [], []), select('archived', shown, 'from by_split')];
  const even = numbered(ask, bind, local, quarter);
  if (even) return byNumber(reading, even, shown);
  const ofCells = local.map((key) => `cells.${key}`);
  return [
    cells(ask, bind, local),
    grouped(reading, 'by_cell', ofCells, local, `\n  join cells on cells.quarter = ${quarter}`),
    select('archived', [...local, ...shown], 'from by_cell'),
  ];
}

/** One row per cell. */
export function aggregateParts(archived: Archived, ask: Ask, bind: Bind, shortcuts: Shortcuts): QueryParts {
  const { quarters: counted, lacking, oneGroup, isAnswered } = shortcuts;
  const { dialect } = bind;
  const quarter = archived.rows === 'chats' ? 'c.started_quarter' : 'g.reached_quarter';
  const { first, last } = quarters(ask);
  const within = (column: string): string[] => [
    `${column} >= ${bind.known(first, 'int')}`,
    `${column} < ${bind.known(last, 'int')}`,
  ];
  const near = archived.rows === 'chats' ? within : nearGoals(within(quarter), ask, bind);
  const inTime = (alias: string): string[] => near(`${alias}.started_quarter`);
  const read = Object.values(archived.parts).map((part) => partSql(part, dialect));
  const bridging = { read: [...read, archived.where ?? ''], lacking, oneGroup };
  const { ctes: before, from, where, columns, fill } = scanOf(archived, ask, bind, within(quarter), inTime, bridging);
  const rolledUp = fromRollup(archived, ask, dialect, counted);
  const conditions = where.map(fill);
  // Split values come from the rows themselves; answer.ts fills in periods without any remaining rows.
  if (archived.brings && isAnswered && !rolledUp && columns.length === 0) conditions.push(archived.brings);
  const reading: Aggregation = {
    ...{ ask, bind, quarter, fill },
    local: localKeys(ask),
    columns: columns.map(({ name, sql }) => `${sql} as "${name}"`),
    splits: columns.map(({ name }) => `"${name}"`),
    // TRICKY: every joined table has an account, so that its name alone is ambiguous.
    groups: columns.map(({ name, sql }) => (name === 'account' ? sql : `"${name}"`)),
    parts: rolledUp ?? Object.entries(archived.parts),
    from: (join = '') =>
      `${rolledUp ? `from ${rollupTable} as c` : from}${join}\n  where ${conditions.join('\n    and ')}`,
    isKept: rolledUp !== undefined,
  };
  const ctes = reading.parts.some(([, part]) => part.merge === 'rows') ? sorted(reading) : summed(reading);
  return { ctes: [...before, ...ctes], table: 'archived', keys: [...reading.local, ...reading.splits] };
}
