// Converts values between ClickHouse's JSON and plain JavaScript.
import type { Row, Value } from '../engine.ts';

type Convert = (value: unknown) => Value;

/** TRICKY: files of the other engine are read without a mark of byte order at the beginning of a text. */
const plain: Convert = (value) =>
  typeof value === 'string' && value.charCodeAt(0) === 0xfeff ? value.slice(1) : (value as Value);
/** Large ones come as texts, as do numbers that are none. */
const numeric: Convert = (value) => (value === 'nan' ? NaN : Number(value));
/** `2026-03-29 01:00:00.250000`, UTC. */
const instant: Convert = (value) => {
  const [date, time = '00:00:00'] = String(value).split(' ');
  const [second, fraction = ''] = time.split('.');
  return `${date}T${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
};

/** Without what says that it may be null, or how it is stored. */
function bare(type: string): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  return inner === undefined ? type : bare(inner);
}

function convertOf(type: string): Convert {
  const own = bare(type);
  if (/^(U?Int|Float|Decimal)/.test(own)) return numeric;
  return own.startsWith('DateTime') ? instant : plain;
}

/** Makes rows of lists of values in the order of the select list. */
export function rowsBy(names: readonly string[], types: readonly string[]): (values: readonly unknown[]) => Row {
  const converts = types.map(convertOf);
  return (values) => {
    const row: Row = {};
    for (const [at, name] of names.entries()) {
      const value = values[at] ?? null;
      row[name] = value === null ? null : (converts[at] ?? plain)(value);
    }
    return row;
  };
}
