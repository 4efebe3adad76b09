// All rows of a statement of a person, to be written into a file: in pieces, or by the engine as a file of columns.
import { statSync } from 'node:fs';
import { DuckDBInstance, type DuckDBConnection, type DuckDBResult, type Json } from '@duckdb/node-api';
import { ConsoleError } from './console-error.ts';
import type { ConsoleColumn } from './console.ts';

const tooMany = (most: number): ConsoleError =>
  new ConsoleError(`the statement has more than ${most.toLocaleString('en')} rows`, [], 'rows');

export const tooLarge = (bytes: number): ConsoleError =>
  new ConsoleError(
    `the file is larger than ${(bytes / 1e6).toLocaleString('en')} MB, the most that a file of a statement may have: ask for fewer rows or columns, or export whole tables`,
  );

/** Names that differ, also where the statement gives one twice: `n` and `n_2`. */
export function distinctNames(columns: readonly Pick<ConsoleColumn, 'name'>[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let own = name;
    for (let count = 2; taken.has(own.toLowerCase()); count += 1) own = `${name}_${count}`;
    taken.add(own.toLowerCase());
    return own;
  });
}

/** Errors: ConsoleError, once there are more rows than `most`, or than the format of the file has room for. */
export async function* rowsInPieces(result: DuckDBResult, most: number, room = Infinity): AsyncGenerator<Json[][]> {
  let count = 0;
  for await (const rows of result.yieldRowsJson()) {
    count += rows.length;
    if (count > most) throw tooMany(most);
    if (count > room)
      throw new ConsoleError(
        `such a file has room for ${room.toLocaleString('en')} rows: ask for fewer, or for another format`,
      );
    yield rows;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Writes the rows as Parquet and returns their number. TRICKY: a second engine writes the file, because that of the statement reaches no
 * files. Errors: ConsoleError, also once the file is larger than `bytes`.
 */
export async function writeParquetRows(
  result: DuckDBResult,
  columns: readonly ConsoleColumn[],
  path: string,
  { rows: most, bytes, memory }: { rows: number; bytes: number; memory: string },
): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...{ memory_limit: memory, threads: '1', temp_directory: '' },
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
  });
  const connection = await instance.connect();
  try {
    await connection.run(`create table rows (${columns.map(({ type }, at) => `c${at} ${type}`).join(', ')})`);
    const appender = await connection.createAppender('rows');
    let count = 0;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      count += chunk.rowCount;
      if (count > most) throw tooMany(most);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const named = distinctNames(columns).map((name, at) => `c${at} as ${quoted(name)}`);
    const copy = `copy (select ${named.join(', ')} from rows) to '${path.replaceAll("'", "''")}' (format parquet, compression zstd)`;
    await runWithin(connection, copy, path, bytes);
    return count;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const look_ms = 50;

/** Ends the statement that writes `path` once the file is larger. Errors: ConsoleError. */
async function runWithin(connection: DuckDBConnection, statement: string, path: string, bytes: number): Promise<void> {
  const isTooLarge = (): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytes;
  const watch = setInterval(() => {
    if (isTooLarge()) connection.interrupt();
  }, look_ms);
  try {
    await connection.run(statement);
  } catch (error) {
    throw isTooLarge() ? tooLarge(bytes) : error;
  } finally {
    clearInterval(watch);
  }
  if (isTooLarge()) throw tooLarge(bytes);
}
