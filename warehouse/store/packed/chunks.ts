// How the rows of a table are divided so that what does not change stays the same part: by time, the finer the newer.
import type { Dialect, FileColumn } from '../../dialect.ts';
import type { Store } from '../../engine.ts';

/** Rows of a table that are one part. */
export interface PackedChunk {
  /** The same for the same days. */
  name: string;
  /** Condition on the rows; none for all of them. */
  where: string | undefined;
  rows: number;
  /** The same for the same rows. */
  fingerprint: string;
}

const block_days = 32;
/** A block that ended this many days ago is one part, because it rarely changes. */
const settled_days = 35;
/** A later block with more rows than this is a part for each day. */
const most_rows = 20_000;
const quarters_a_day = 96;
const day_seconds = 86_400;

/** A column of a table; `isInstant`: its values are instants. */
export interface OwnColumn extends FileColumn {
  isInstant: boolean;
}

/** A column whose days divide the rows. */
interface Timed {
  /** The day of a row, counted from 1970. */
  day: string;
  /** The column's value for the start of a day. */
  start: (day: number) => string;
  column: string;
}

const isoDate = (day: number): string => new Date(day * day_seconds * 1000).toISOString().slice(0, 10);

/** Prefers the start of the chat over the time a row was written, so that late changes affect only one part. */
function timedBy(dialect: Dialect, columns: readonly OwnColumn[]): Timed | undefined {
  const typed = new Map(columns.map(({ name, type }) => [name, type]));
  for (const name of ['started_quarter', 'quarter'])
    if (typed.has(name))
      return {
        column: name,
        day: dialect.wholes(`"${name}"`, quarters_a_day),
        start: (day) => String(day * quarters_a_day),
      };
  if (typed.get('day') === dialect.type('date', true).toUpperCase())
    return { column: 'day', day: dialect.dayNumber('"day"'), start: (day) => dialect.literal(isoDate(day), 'date') };
  const instant = columns.find(({ isInstant }) => isInstant);
  if (!instant) return undefined;
  return {
    column: instant.name,
    day: dialect.wholes(`cast(${dialect.second(`"${instant.name}"`)} as ${dialect.type('bigint', true)})`, day_seconds),
    start: (day) => dialect.literal(`${isoDate(day)}T00:00:00Z`, 'instant'),
  };
}

interface DayCount {
  day: number | null;
  rows: number;
  fingerprint: bigint;
}

/** A table of the snapshot; `from`: its name in a statement. */
export interface OwnTable {
  from: string;
  columns: readonly OwnColumn[];
}

/** Chunks of each table, in order. `today`: the day of the snapshot, counted from 1970. */
export async function chunksOf(engine: Store, tables: readonly OwnTable[], today: number): Promise<PackedChunk[][]> {
  const { dialect } = engine;
  // One statement: for small tables it costs more to ask than to answer.
  const each = tables.map(({ from, columns }, index) => {
    const fingerprint = dialect.fingerprint(columns.map(({ name }) => `"${name}"`));
    const day = timedBy(dialect, columns)?.day ?? '0';
    return `select ${index} as place, ${day} as day, count(*) as rows, ${fingerprint} as fingerprint from ${from} group by all`;
  });
  const found = await engine.query(each.join('\nunion all\n'));
  // A table without rows and without days is one row that counts none.
  const filled = found.filter(({ rows }) => rows !== 0);
  const byTable = Map.groupBy(filled, ({ place }) => Number(place));
  return tables.map(({ columns }, index) => {
    const days = (byTable.get(index) ?? []).map(({ day, rows, fingerprint }) => ({
      ...{ day: day === null ? null : Number(day), rows: Number(rows), fingerprint: BigInt(String(fingerprint)) },
    }));
    return dividedBy(timedBy(dialect, columns), days, today);
  });
}

function dividedBy(timed: Timed | undefined, days: readonly DayCount[], today: number): PackedChunk[] {
  if (!timed) return days.map((all) => chunkOf('all', [all]));
  const { column, start } = timed;
  const within = (from: number, to: number): string => `"${column}" >= ${start(from)} and "${column}" < ${start(to)}`;
  const untimed = days.filter(({ day }) => day === null);
  const blocks = Map.groupBy(
    days.filter((each): each is DayCount & { day: number } => each.day !== null),
    ({ day }) => Math.floor(day / block_days),
  );
  return [
    ...(untimed.length > 0 ? [chunkOf('none', untimed, `"${column}" is null`)] : []),
    ...[...blocks].flatMap(([block, own]) => {
      const end = (block + 1) * block_days;
      const isWhole = end < today - settled_days || own.reduce((sum, { rows }) => sum + rows, 0) <= most_rows;
      return isWhole
        ? [chunkOf(`b${block}`, own, within(block * block_days, end))]
        : own.map((each) => chunkOf(`d${each.day}`, [each], within(each.day, each.day + 1)));
    }),
  ];
}

const chunkOf = (name: string, days: readonly DayCount[], where?: string): PackedChunk => ({
  name,
  where,
  rows: days.reduce((sum, { rows }) => sum + rows, 0),
  fingerprint: days.reduce((all, { fingerprint }) => all ^ fingerprint, 0n).toString(16),
});
