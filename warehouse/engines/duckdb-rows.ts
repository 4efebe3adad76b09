// Converts values between DuckDB and plain JavaScript.
import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { Numbers, Row, Value } from '../engine.ts';

function toPlain(value: DuckDBValue): Value {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue)
    return new Date(Number(value.micros / 1000n)).toISOString();
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBDecimalValue) return Number(value.toString());
  return String(value);
}

/** Rows of a result in the chunks that the engine delivers, with the names of the select list. */
export async function* piecesOf(result: DuckDBResult): AsyncGenerator<Row[]> {
  const names = result.columnNames();
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const columns = chunk.getColumns();
    const rows: Row[] = [];
    for (let index = 0; index < chunk.rowCount; index++) {
      const row: Row = {};
      for (const [at, name] of names.entries()) row[name] = toPlain(columns[at]?.[index] ?? null);
      rows.push(row);
    }
    // Texts live outside the heap, where the garbage collector cannot see how much memory they take.
    chunk.reset();
    yield rows;
  }
}

/** Contents of a numeric vector: reading values one by one takes ten times as long as copying all. */
interface Vector {
  items: Numbers;
  /** `data`: null where every value is there. */
  validity: { data: unknown; itemValid(index: number): boolean };
}

/** Columns of a result, keyed by name. */
export async function numbersOf(result: DuckDBMaterializedResult): Promise<Record<string, Numbers>> {
  const names = result.columnNames();
  const types = result.columnTypes();
  const columns = names.map((name, at): Numbers => {
    if (types[at]?.typeId === DuckDBTypeId.INTEGER) return new Int32Array(result.rowCount);
    if (types[at]?.typeId === DuckDBTypeId.DOUBLE) return new Float64Array(result.rowCount);
    throw new Error(`column ${name} is ${String(types[at])}: cast it to integer or double precision`);
  });
  let row = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const { rowCount } = chunk;
    for (const [at, column] of columns.entries()) {
      const { items, validity } = chunk.getColumnVector(at) as unknown as Vector;
      for (let index = 0; validity.data !== null && index < rowCount; index += 1)
        if (!validity.itemValid(index)) throw new Error(`column ${names[at]} has a null`);
      column.set(items, row);
    }
    row += rowCount;
    chunk.reset();
  }
  return Object.fromEntries(names.map((name, at) => [name, columns[at] ?? new Float64Array(0)]));
}
