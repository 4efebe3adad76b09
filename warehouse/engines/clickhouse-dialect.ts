// The dialect in ClickHouse's syntax, under the settings of clickhouse-connection.ts.
import type { CheckedColumn, Dialect, FileColumn } from '../dialect.ts';
import type { ColumnType } from '../tables/tables.ts';

const types = {
  text: 'String',
  int: 'Int32',
  bigint: 'Int64',
  double: 'Float64',
  decimal: 'Decimal(18, 4)',
  bool: 'Bool',
  date: 'Date32',
  instant: "DateTime64(6, 'UTC')",
} as const;

const labels = { hour: '%Y-%m-%d %H:00', day: '%Y-%m-%d', week: '%G-W%V', month: '%Y-%m' } as const;

/** TRICKY: a backslash begins an escape. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const typeOf = (type: ColumnType, nullable: boolean): string => (nullable ? `Nullable(${types[type]})` : types[type]);

/** TRICKY: one letter for each letter: the engine makes two of one, and another of a sigma that ends a word. */
const lower = (text: string): string => `lowerUTF8(replaceAll(replaceAll(${text}, 'İ', 'i'), 'Σ', 'σ'))`;

/** Values in order, as a list that is made once however often it is named. */
const sorted = (expression: string): string => `arraySort(groupArray(${expression}))`;

/** The element of `values` up to which a share of the others lies; the last one counts from 0. */
const placed = (values: string, q: number): string => {
  const place = `(${q}e0 * (length(${values}) - 1))`;
  const part = `(${place} - floor(${place}))`;
  const at = (round: 'floor' | 'ceil'): string => `${values}[toInt64(${round}(${place})) + 1]`;
  // The engine's own percentiles reckon with one product, and differ in the last digit.
  return `if(empty(${values}), null, ${at('floor')} * (1 - ${part}) + ${at('ceil')} * ${part})`;
};

/** As in the dialect of files: a text that is another one where the value is. */
function written({ name, type }: CheckedColumn): string {
  const column = `"${name}"`;
  if (type === 'instant') return `toString(toUnixTimestamp64Micro(${column}))`;
  if (type === 'decimal') return `toDecimalString(${column}, 4)`;
  if (type === 'bool') return `toString(toInt32(${column}))`;
  if (type === 'double')
    return `toString(toInt64(floor(${column}))) || '.' || toString(toInt64(floor((${column} - floor(${column})) * 9007199254740992)))`;
  return `toString(${column})`;
}

const noFiles = (): never => {
  throw new Error('files are written by the client of this engine, not by statements');
};

export const clickhouse: Dialect = {
  name: 'clickhouse',
  type: typeOf,
  typeName: (type) => (type === 'local' ? types.instant : types[type]),
  param: (name, type) => `{${name}:${types[type]}}`,
  literal: (value, type) => {
    if (value === null) return `cast(null as Nullable(${types[type]}))`;
    if (typeof value !== 'string') return String(value);
    return type === 'text' ? quoted(value) : `cast(${quoted(value)} as ${types[type]})`;
  },
  quarters: (first, last) =>
    `(select cast(number + ${first} as Int32) as quarter from numbers(toUInt64(greatest(${last} - ${first}, 0))))`,
  rowForEach: (first, last) => `arrayJoin(range(${first}, ${last}))`,
  fingerprint: (columns) => `toString(groupBitXor(sipHash64(${columns.join(', ')})))`,
  checksum: (columns) => {
    const row = columns.map((column) => `coalesce(${written(column)}, char(30))`).join(' || char(31) || ');
    const high = `reinterpretAsUInt64(reverse(substring(MD5(${row}), 1, 8)))`;
    return `toString(coalesce(sum(toInt128(bitShiftRight(${high}, 4))), 0))`;
  },
  pseudonym: (text, secret) => `lower(hex(MD5(${quoted(secret)} || ${text})))`,
  digest: (text) => `lower(hex(MD5(${text})))`,
  filled: (character, text) => `repeat('${character}', lengthUTF8(${text}))`,
  // TRICKY: also worked out of rows that are left out afterwards.
  numberIn: (text) => `toInt32OrZero(${text})`,
  characters: (text) => `lengthUTF8(${text})`,
  slice: (text, first, length) => `substringUTF8(${text}, ${first}, ${length})`,
  // TRICKY: of spaces only, but of every kind that Unicode has.
  trimmed: (text) => `replaceRegexpAll(${text}, '^\\\\p{Zs}+|\\\\p{Zs}+$', '')`,
  placeOf: (words, text) => `positionUTF8(${lower(text)}, ${lower(words)})`,
  // TRICKY: the engine rounds halves of floating-point numbers to even ones.
  rounded: (number) => `(sign(${number}) * (floor(abs(${number})) + (abs(${number}) - floor(abs(${number})) >= 0.5)))`,
  before: (value, window) =>
    `lagInFrame(toNullable(${value})) over (${window} rows between unbounded preceding and unbounded following)`,
  after: (value, window) =>
    `leadInFrame(toNullable(${value})) over (${window} rows between unbounded preceding and unbounded following)`,
  wholes: (number, size) => `intDiv(${number}, ${size})`,
  second: (instant) => `(toUnixTimestamp64Micro(${instant}) / 1e6)`,
  dayNumber: (date) => `toInt32(cast(${date} as Date32))`,
  quarterOf: (second) => `cast(intDiv(${second}, 900) as Int32)`,
  localTime: (quarter) => `fromUnixTimestamp64Micro(toInt64(${quarter}) * 900000000, 'UTC')`,
  localOf: (text) => `cast(${text} as DateTime64(6, 'UTC'))`,
  localMoment: (second) => `fromUnixTimestamp64Micro(toInt64(${second}) * 1000000, 'UTC')`,
  period: (local, grain) => `cast(date_trunc('${grain}', ${local}) as DateTime64(6, 'UTC'))`,
  label: (period, grain) => `formatDateTime(${period}, '${labels[grain]}')`,
  localPart: (local, part) => (part === 'weekday' ? `toDayOfWeek(${local})` : `toHour(${local})`),
  writeRows: noFiles as (columns: readonly FileColumn[], from: string, file: string) => string,
  rowsOf: noFiles as (columns: readonly FileColumn[], files: readonly string[]) => string,
  joined: (text, order, where = 'true') => {
    const rows = `groupArrayIf((${order}, ${text}), ${where} and ${text} is not null)`;
    return `if(countIf(${where}) = 0, null, arrayStringConcat(arrayMap(each -> each.2, arraySort(arrayDistinct(${rows}))), '; '))`;
  },
  inOrder: (text, order, between) => {
    const rows = `groupArray((${order}, ${text}))`;
    return `if(count() = 0, null, arrayStringConcat(arrayMap(each -> each.2, arraySort(${rows})), '${between}'))`;
  },
  last: (value, order) => `argMax(${value}, ${order})`,
  anyBits: (column) => `groupBitOr(${column})`,
  shareBits: (one, other) => `bitAnd(${one}, ${other}) <> 0`,
  joinLatest: (table, same, column, value) => `asof left join ${table} on ${same} and ${column} <= ${value}`,
  impliedByJoin: (conditions) => conditions,
  quantile: (expression, q) => placed(sorted(expression), q),
  quantiles: (expression, qs) => `[${qs.map((q) => placed(sorted(expression), q)).join(', ')}]`,
  element: (list, place) => `${list}[${place}]`,
};
