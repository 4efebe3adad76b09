// Writes all rows of a statement into a file: text, a workbook, or columns with types.
import { open } from 'node:fs/promises';
import { csvInPieces } from '#digests/tables/csv.ts';
import { isTime, isWhole, resultCell } from '#digests/tables/result-cells.ts';
import { most_rows, workbookInPieces, type SheetCell } from '#digests/tables/sheet-stream.ts';
import type { SheetFormat } from '#digests/tables/number-formats.ts';
import { withResult, type ConsoleColumn } from '#warehouse/engines/console.ts';
import { distinctNames, rowsInPieces, tooLarge, writeParquetRows } from '#warehouse/engines/console-files.ts';
import type { StatementOrder } from './worker.ts';

const formatOf = ({ type }: ConsoleColumn): SheetFormat =>
  isTime(type) ? 'moment' : isWhole(type) ? 'whole' : 'general';

type Pieces = AsyncGenerator<string | Uint8Array>;

async function* cellsIn(
  pieces: AsyncIterable<unknown[][]>,
  columns: readonly ConsoleColumn[],
): AsyncGenerator<SheetCell[][]> {
  for await (const rows of pieces)
    yield rows.map((row) => columns.map((column, at) => resultCell(column.type, row[at] ?? null, true)));
}

/** An array, one row a line. */
async function* jsonInPieces(names: readonly string[], pieces: AsyncIterable<unknown[][]>): Pieces {
  let before = '[';
  for await (const rows of pieces) {
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))),
    );
    if (lines.length === 0) continue;
    yield `${before}\n${lines.join(',\n')}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** Errors: ConsoleError, once it is larger than `bytes`. */
async function writeInto(path: string, bytes: number, parts: Pieces): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const part of parts) {
      const piece = typeof part === 'string' ? Buffer.from(part) : part;
      size += piece.length;
      if (size > bytes) throw tooLarge(bytes);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
}

/** The number of rows. Errors: ConsoleError. */
export const writeRows = (order: Required<StatementOrder> & { file: string }): Promise<number> => {
  const { file, statement, limits, parameters, to } = order;
  const { path, format, bytes, dated } = to;
  return withResult(file, statement, limits, parameters, async (result, columns) => {
    const { rows: most, memory = '512MB' } = limits;
    if (format === 'parquet') return writeParquetRows(result, columns, path, { rows: most, bytes, memory });
    let count = 0;
    async function* counted(): AsyncGenerator<unknown[][]> {
      for await (const rows of rowsInPieces(result, most, format === 'xlsx' ? most_rows : Infinity)) {
        count += rows.length;
        yield rows;
      }
    }
    const names = distinctNames(columns);
    const csvCells = (row: unknown[]) =>
      columns.map((column, at) => {
        const cell = resultCell(column.type, row[at] ?? null, false);
        return typeof cell === 'boolean' ? String(cell) : cell;
      });
    const heads = columns.map((column, at) => ({ title: names[at] ?? '', format: formatOf(column) }));
    const parts: Record<Exclude<typeof format, 'parquet'>, () => Pieces> = {
      csv: () => csvInPieces(names, counted(), csvCells),
      json: () => jsonInPieces(names, counted()),
      xlsx: () => workbookInPieces('Result', heads, cellsIn(counted(), columns), dated),
    };
    await writeInto(path, bytes, parts[format]());
    return count;
  });
};
