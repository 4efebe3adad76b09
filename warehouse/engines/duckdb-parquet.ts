// Columns written as a file of Parquet (format version 1, one group of rows, no compression), the form in which DuckDB reads values
// without parsing anything. https://parquet.apache.org/docs/file-format/
import { closeSync, openSync, writeSync } from 'node:fs';
import type { ColumnBatch, ColumnValues, Layout } from '../columns.ts';

/** A value of Thrift's compact protocol: its type number and bytes. */
interface Thrift {
  type: number;
  bytes: readonly number[];
}

function varint(number: number): number[] {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** None of the numbers here is negative. */
const int32 = (number: number): Thrift => ({ type: 5, bytes: varint(number * 2) });
const int64 = (number: number): Thrift => ({ type: 6, bytes: varint(number * 2) });
const text = (words: string): Thrift => {
  const bytes = Buffer.from(words);
  return { type: 8, bytes: [...varint(bytes.length), ...bytes] };
};
const list = (items: readonly Thrift[]): Thrift => ({
  type: 9,
  bytes: [0xf0 + (items[0]?.type ?? 12), ...varint(items.length), ...items.flatMap(({ bytes }) => bytes)],
});
/** Fields by their numbers, in rising order. */
function struct(fields: Readonly<Record<number, Thrift>>): Thrift {
  const bytes: number[] = [];
  let before = 0;
  for (const [number, field] of Object.entries(fields)) {
    bytes.push((Number(number) - before) * 16 + field.type, ...field.bytes);
    before = Number(number);
  }
  return { type: 12, bytes: [...bytes, 0] };
}

const physical: Record<Layout, number> = { bits: 0, int32: 1, int64: 2, double: 5, text: 6 };
const utf8 = 0;
const [dataPage, dictionaryPage] = [0, 2];
const [plain, runs, byDictionary] = [0, 3, 8];
const uncompressed = 0;

const page = (type: number, size: number, header: Record<number, Thrift>): Buffer =>
  Buffer.from(struct({ 1: int32(type), 2: int32(size), 3: int32(size), ...header }).bytes);

/** Which of the rows have a value; nothing when all have. */
function levels(column: ColumnValues): Buffer[] {
  const { count, nulls, isConstant } = column;
  if (nulls === 0) return [];
  const said = isConstant
    ? [Buffer.from([...varint(count * 2), 0])]
    : [Buffer.from(varint(column.present.length * 2 + 1)), column.present];
  const length = Buffer.alloc(4);
  length.writeInt32LE(said.reduce((sum, { length: bytes }) => sum + bytes, 0));
  return [length, ...said];
}

interface ParquetChunk {
  pages: Buffer[];
  /** Where the page of values begins. */
  data_offset: number;
  bytes: number;
}

/** What all rows have is written once, as the only entry of a dictionary. */
function chunkOf(column: ColumnValues): ParquetChunk {
  const { count, nulls, isConstant } = column;
  const isOnce = isConstant && nulls === 0;
  const dictionary = isOnce
    ? [page(dictionaryPage, column.values.length, { 7: struct({ 1: int32(1), 2: int32(plain) }) }), column.values]
    : [];
  const data = [...levels(column), isOnce ? Buffer.from([1, ...varint(count * 2), 0]) : column.values];
  const header = struct({
    ...{ 1: int32(count), 2: int32(isOnce ? byDictionary : plain) },
    ...{ 3: int32(runs), 4: int32(runs) },
  });
  const pages = [...dictionary, page(dataPage, sizeOf(data), { 5: header }), ...data];
  return { pages, data_offset: sizeOf(dictionary), bytes: sizeOf(pages) };
}

const sizeOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

const schemaOf = ({ name, layout, nulls }: ColumnValues): Thrift =>
  struct({
    ...{ 1: int32(physical[layout]), 3: int32(nulls === 0 ? 0 : 1), 4: text(name) },
    ...(layout === 'text' ? { 6: int32(utf8) } : {}),
  });

function metaOf(column: ColumnValues, { data_offset, bytes }: ParquetChunk, offset: number): Thrift {
  const isOnce = data_offset > 0;
  const meta = struct({
    ...{
      1: int32(physical[column.layout]),
      2: list([int32(plain), int32(runs), ...(isOnce ? [int32(byDictionary)] : [])]),
    },
    ...{
      3: list([text(column.name)]),
      4: int32(uncompressed),
      5: int64(column.count),
      6: int64(bytes),
      7: int64(bytes),
    },
    ...{ 9: int64(offset + data_offset), ...(isOnce ? { 11: int64(offset) } : {}) },
  });
  return struct({ 2: int64(offset), 3: meta });
}

const magic = Buffer.from('PAR1');

/** Overwrites the file. */
export function writeParquet(file: string, { columns, count }: ColumnBatch): void {
  const handle = openSync(file, 'w', 0o600);
  try {
    let offset = 0;
    const write = (buffer: Buffer): void => {
      for (let done = 0; done < buffer.length;) done += writeSync(handle, buffer, done);
      offset += buffer.length;
    };
    write(magic);
    const chunks = columns.map((column) => {
      const chunk = chunkOf(column);
      const meta = metaOf(column, chunk, offset);
      for (const part of chunk.pages) write(part);
      return { meta, bytes: chunk.bytes };
    });
    const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
    const group = struct({ 1: list(chunks.map(({ meta }) => meta)), 2: int64(total), 3: int64(count) });
    const root = struct({ 4: text('rows'), 5: int32(columns.length) });
    const footer = Buffer.from(
      struct({ 1: int32(1), 2: list([root, ...columns.map(schemaOf)]), 3: int64(count), 4: list([group]) }).bytes,
    );
    const length = Buffer.alloc(4);
    length.writeInt32LE(footer.length);
    for (const part of [footer, length, magic]) write(part);
  } finally {
    closeSync(handle);
  }
}
