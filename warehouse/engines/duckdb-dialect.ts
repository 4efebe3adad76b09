// The dialect in DuckDB's syntax.
import type { CheckedColumn, Dialect, FileColumn } from '../dialect.ts';

const types = {
  text: 'varchar',
  int: 'integer',
  bigint: 'bigint',
  double: 'double',
  decimal: 'decimal(18, 4)',
  bool: 'boolean',
  date: 'date',
  instant: 'timestamptz',
} as const;

/** TRICKY: such files lack integers of this size, which would be read back as the nearest double. */
const inFile = ({ name, type }: FileColumn): string =>
  type === 'HUGEINT' ? `cast("${name}" as decimal(38, 0)) as "${name}"` : `"${name}"`;

/** A value as a text that is another one where the value is. TRICKY: floating-point numbers are written otherwise by every engine. */
function written({ name, type }: CheckedColumn): string {
  const column = `"${name}"`;
  if (type === 'instant') return `cast(epoch_us(${column}) as varchar)`;
  if (type === 'bool') return `cast(cast(${column} as integer) as varchar)`;
  if (type === 'double')
    return `cast(cast(floor(${column}) as bigint) as varchar) || '.' || cast(cast(floor((${column} - floor(${column})) * 9007199254740992) as bigint) as varchar)`;
  return `cast(${column} as varchar)`;
}

const labels = { hour: '%Y-%m-%d %H:00', day: '%Y-%m-%d', week: '%G-W%V', month: '%Y-%m' } as const;

export const duckdb: Dialect = {
  name: 'duckdb',
  type: (type, nullable) => types[type] + (nullable ? '' : ' not null'),
  typeName: (type) =>
    type === 'local'
      ? 'TIMESTAMP'
      : type === 'instant'
        ? 'TIMESTAMP WITH TIME ZONE'
        : types[type].replace(', ', ',').toUpperCase(),
  param: (name) => `$${name}`,
  literal: (value, type) => {
    if (value === null) return `cast(null as ${types[type]})`;
    if (typeof value !== 'string') return String(value);
    const quoted = `'${value.replaceAll("'", "''")}'`;
    return type === 'text' ? quoted : `cast(${quoted} as ${types[type]})`;
  },
  quarters: (first, last) => `(select cast(range as integer) as quarter from range(${first}, ${last}))`,
  rowForEach: (first, last) => `unnest(range(${first}, ${last}))`,
  fingerprint: (columns) => `cast(bit_xor(hash(${columns.join(', ')})) as varchar)`,
  checksum: (columns) => {
    const row = columns.map((column) => `coalesce(${written(column)}, chr(30))`).join(' || chr(31) || ');
    return `cast(coalesce(sum(cast('0x' || substr(md5(${row}), 1, 15) as bigint)), 0) as varchar)`;
  },
  // A secret of 128 bits and an id are one block: as fast as the id alone, where a longer hash takes three times as long.
  pseudonym: (text, secret) => `md5(${duckdb.literal(secret, 'text')} || ${text})`,
  digest: (text) => `md5(${text})`,
  filled: (character, text) => `repeat('${character}', length(${text}))`,
  numberIn: (text) => `cast(${text} as integer)`,
  characters: (text) => `length(${text})`,
  slice: (text, first, length) => (first === '1' ? `left(${text}, ${length})` : `substr(${text}, ${first}, ${length})`),
  trimmed: (text) => `trim(${text})`,
  placeOf: (words, text) => `position(lower(${words}) in lower(${text}))`,
  rounded: (number) => `round(${number})`,
  before: (value, window) => `lag(${value}) over (${window})`,
  after: (value, window) => `lead(${value}) over (${window})`,
  wholes: (number, size) => `${number} // ${size}`,
  second: (instant) => `epoch(${instant})`,
  dayNumber: (date) => `datediff('day', date '1970-01-01', ${date})`,
  quarterOf: (second) => `cast(${second} // 900 as integer)`,
  localTime: (quarter) => `make_timestamp((${quarter})::bigint * 900000000)`,
  localOf: (text) => `cast(${text} as timestamp)`,
  localMoment: (second) => `make_timestamp((${second})::bigint * 1000000)`,
  period: (local, grain) => `date_trunc('${grain}', ${local})`,
  label: (period, grain) => `strftime(${period}, '${labels[grain]}')`,
  localPart: (local, part) => (part === 'weekday' ? `isodow(${local})` : `hour(${local})`),
  // Groups of rows are whole in memory while they are written: a third of the usual rows takes a third of the memory, and the file is 6 % longer.
  writeRows: (columns, from, file) =>
    `copy (select ${columns.map(inFile).join(', ')} from ${from})` +
    ` to '${file.replaceAll("'", "''")}' (format parquet, compression zstd, row_group_size 20480)`,
  rowsOf: (columns, files) => {
    const named = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
    const values = columns.map(
      ({ name, type }) => `cast(${files.length === 0 ? 'null' : `"${name}"`} as ${type}) as "${name}"`,
    );
    return `select ${values.join(', ')}${files.length === 0 ? ' where false' : ` from read_parquet([${named}])`}`;
  },
  // TRICKY: an aggregate that orders its rows itself takes three times as long.
  joined: (text, order, where = 'true') =>
    `array_to_string(list_transform(list_sort(list_distinct(list({place: ${order}, words: ${text}}) filter (where ${where}))), ` +
    "lambda each: each.words), '; ')",
  inOrder: (text, order, between) => `string_agg(${text}, '${between}' order by ${order})`,
  last: (value, order) => `arg_max(${value}, ${order})`,
  anyBits: (column) => `bit_or(${column})`,
  shareBits: (one, other) => `(${one} & ${other}) <> 0`,
  joinLatest: (table, same, column, value) => `asof left join ${table} on ${same} and ${column} <= ${value}`,
  impliedByJoin: () => [],
  quantile: (expression, q) => `quantile_cont(${expression}, ${q})`,
  quantiles: (expression, qs) => `quantile_cont(${expression}, [${qs.join(', ')}])`,
  element: (list, place) => `${list}[${place}]`,
};
