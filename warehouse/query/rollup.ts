// Chats counted per quarter hour once, before a snapshot is published: questions about the whole account read a hundred times fewer rows.
// The columns are the measure parts of the metrics themselves, so that no number is defined twice. store/counts.ts keeps them up to date.
import type { Ask } from './ask.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine, NarrowedTable, Queryable } from '../engine.ts';
import type { Archived, MeasurePart } from '../definitions/metric.ts';
import { metrics } from '../definitions/metrics.ts';
import { memoized } from '../memoize.ts';
import { asWritten, partSql } from './parts.ts';
import { tableOf } from '../tables/tables.ts';
import { quarterSeconds } from './time-buckets.ts';

/** Column by the part that it keeps, as files say it. */
export type Rollup = ReadonlyMap<string, string>;

export const rollupTable = 'facts.chat_quarters';
export const rollupPartsTable = 'facts.chat_quarter_parts';

/** Counted over chats as they are, or with the next one of the same visitor, without joins and conditions of the metric. */
const isPlain = ({ rows, sale, sweep, where, businessHours }: Archived): boolean =>
  rows === 'chats' && !businessHours && !sale && !sweep && !where;

/** The number of quarter hours after a chat in which the visitor's next one may start and still be counted with it. */
export const followingQuarters =
  Math.max(0, ...metrics.map(({ archived }) => archived?.nextWithin ?? 0)) * (86_400 / quarterSeconds);

/** Quarter hours from `first` up to, not including, `last`. */
export interface QuarterSpan {
  first: number;
  last: number;
}

/** Parts that depend on the question cannot be stored, nor can those that cannot be merged. */
const isKeepable = (part: MeasurePart, sql: string): boolean => part.merge !== 'rows' && !sql.includes(':');

/** A column: what it keeps, as the file says it and in the engine's SQL. */
interface KeptPart {
  name: string;
  written: string;
  sql: string;
}

/** `withNext`: includes parts about a visitor's next chat. */
function keepable(dialect: Dialect, withNext: boolean): KeptPart[] {
  const kept: KeptPart[] = [];
  for (const { archived } of metrics) {
    if (!archived || !isPlain(archived) || (archived.nextWithin !== undefined && !withNext)) continue;
    for (const [name, part] of Object.entries(archived.parts)) {
      const written = partSql(part, asWritten);
      if (!isKeepable(part, written) || kept.some((other) => other.written === written)) continue;
      const isTaken = kept.some((other) => other.name === name);
      kept.push({ name: isTaken ? `${name}_${kept.length}` : name, written, sql: partSql(part, dialect) });
    }
  }
  return kept;
}

/** The second in which the visitor of a chat (`n`) starts the next one; null for visitors whom the source does not distinguish. */
export const nextSecond = ({ after }: Dialect): string =>
  `case when n.visitor_id <> '' then ${after('n.started_second', 'partition by n.account, n.visitor_id order by n.started_second, n.chat_id')} end as next_second`;

/** A row for each quarter hour with chats, and with what visitors did next. */
export function rollupRows(dialect: Dialect, { first, last }: QuarterSpan): string {
  return counted(
    keepable(dialect, true),
    `(\n  select n.*, ${nextSecond(dialect)}\n  from facts.chats as n\n` +
      `  where n.started_quarter >= ${first} and n.started_quarter <= ${last + followingQuarters}\n) as c\n` +
      `where c.started_quarter >= ${first} and c.started_quarter < ${last}`,
  );
}

const counted = (kept: readonly KeptPart[], from: string): string =>
  `select c.account, c.started_quarter, ${kept.map(({ name, sql }) => `${sql} as ${name}`).join(', ')}\nfrom ${from}\n` +
  'group by c.account, c.started_quarter\norder by c.account, c.started_quarter';

/**
 * Recreates the table without rows; `rollupRows` of all spans fill it. Also records the definition of each column, for programs whose
 * definitions have changed since.
 */
export const rollupStatements = (dialect: Dialect): string[] =>
  statements(dialect, keepable(dialect, true), rollupRows(dialect, { first: 0, last: 0 }));

/** Everything at once, without what visitors did next: for chats that are few, and that not everybody may see. */
export function rollupOfSome(dialect: Dialect): NarrowedTable[] {
  const kept = keepable(dialect, false);
  const text = (value: string): string => dialect.literal(value, 'text');
  const described = kept.map(({ name, written }) => `select ${text(name)} as name, ${text(written)} as sql`);
  return [
    { name: rollupTable, select: counted(kept, 'facts.chats as c'), isCopied: true },
    { name: rollupPartsTable, select: described.join('\nunion all\n'), isCopied: true },
  ];
}

function statements(dialect: Dialect, kept: readonly KeptPart[], filling: string): string[] {
  const text = (value: string): string => dialect.literal(value, 'text');
  const rows = kept.map(({ name, written }) => `(${text(name)}, ${text(written)})`);
  const describe = (table: string, name: string, said: string): string =>
    `comment on column ${table}."${name}" is ${dialect.literal(said, 'text')}`;
  const { account, started_quarter } = tableOf('facts', 'chats').columns;
  const words: Record<string, string> = {
    account: account?.comment ?? '',
    started_quarter: started_quarter?.comment ?? '',
    ...Object.fromEntries(kept.map(({ name, written }) => [name, written])),
  };
  const about =
    'Chats per quarter hour in which they started, counted when the snapshot was published; chat_quarter_parts says what each column is.';
  return [
    `create or replace table ${rollupTable} as\n${filling}`,
    `comment on table ${rollupTable} is ${dialect.literal(about, 'text')}`,
    `create or replace table ${rollupPartsTable} (name ${dialect.type('text', false)}, sql ${dialect.type('text', false)})`,
    `insert into ${rollupPartsTable} values ${rows.join(', ')}`,
    `comment on table ${rollupPartsTable} is ${dialect.literal(`What the columns of ${rollupTable} count.`, 'text')}`,
    ...Object.entries(words).map(([name, said]) => describe(rollupTable, name, said)),
    describe(rollupPartsTable, 'name', 'name of the column'),
    describe(
      rollupPartsTable,
      'sql',
      'aggregate over facts.chats as c; next_second: when its visitor starts the next chat',
    ),
  ];
}

/** The rollup of a published file: in a file that is still being written, chats may be newer than the counts. */
export async function rollupIn(engine: Engine): Promise<Rollup> {
  return engine.isFrozen ? memoized(engine, 'kept quarters', () => readRollup(engine)) : new Map();
}

/** A file keeps what this program would, column by column. */
export const keepsRollup = async (engine: Queryable): Promise<boolean> =>
  JSON.stringify([...(await readRollup(engine))]) ===
  JSON.stringify(keepable(engine.dialect, true).map(({ name, written }) => [written, name]));

async function readRollup(engine: Queryable): Promise<Rollup> {
  if (!(await engine.columns()).has(rollupPartsTable)) return new Map();
  const rows = await engine.query(`select name, sql from ${rollupPartsTable}`);
  return new Map(rows.map(({ name, sql }) => [String(sql), String(name)]));
}

/** The stored parts of a metric if the question covers all chats: no filter, and no split except local time and the account. */
export function fromRollup(
  archived: Archived,
  ask: Ask,
  dialect: Dialect,
  kept: Rollup,
): (readonly [string, MeasurePart])[] | undefined {
  const isOfAll =
    Object.keys(ask.filters).length === 0 &&
    ask.split.every((name) => name === 'account' || name === 'weekday' || name === 'hour_of_day');
  if (kept.size === 0 || !isOfAll || !isPlain(archived)) return undefined;
  const found: [string, MeasurePart][] = [];
  for (const [name, part] of Object.entries(archived.parts)) {
    const column = kept.get(partSql(part, asWritten));
    if (column === undefined || part.merge === 'rows') return undefined;
    found.push([name, { sql: `${part.merge}(c.${column})`, merge: part.merge }]);
  }
  return found;
}
