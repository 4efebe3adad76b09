// Copies a DuckDB file while nobody writes it.
import { execFile as execFileWithCallback } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Copy, CopyOptions } from '../engine.ts';
import { heldCode } from './duckdb-bytes.ts';
import { duckdb } from './duckdb-dialect.ts';

const execFile = promisify(execFileWithCallback);

/**
 * Copies bytes instead of rows: many times faster than copying tables. Returns the exit code that says why nothing was written, or 0.
 * TRICKY: a separate process copies, because closing a file that this process has locked would release the lock.
 */
const putBytes = async (how: 'whole' | 'over', from: string, to: string): Promise<number> => {
  const script = join(import.meta.dirname, 'duckdb-bytes.ts');
  try {
    await execFile(process.execPath, [script, how, from, to]);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === heldCode) return heldCode;
    const [, reason] = /^Error: (E[A-Z]+: .*)$/m.exec(error.message) ?? [];
    throw reason === undefined ? error : new Error(reason);
  }
};

/** False if the file cannot be overwritten because it is damaged or being read; it is then unchanged. */
async function writeOver(connection: DuckDBConnection, from: string, file: string): Promise<boolean> {
  try {
    // The engine locks files it may write: the attach fails while another process has the file open, even in another container.
    await connection.run(`attach ${duckdb.literal(file, 'text')} as older_copy`);
    await connection.run('detach older_copy');
  } catch {
    return false;
  }
  return (await putBytes('over', from, file)) === 0;
}

/** `connection` is the one that writes `from`, whose database is `here`; it is held until the end. */
export async function copyDatabase(
  connection: DuckDBConnection,
  { file: from, database: here }: { file: string; database: string },
  file: string,
  finish: (copy: Copy) => Promise<void>,
  { isOver = false }: CopyOptions = {},
): Promise<void> {
  const isFile = from !== ':memory:';
  // Nothing is written between the checkpoint and the last byte copied.
  if (isFile) await connection.run('checkpoint');
  if (!(isFile && isOver && (await writeOver(connection, from, file)))) {
    if (isOver) await rm(file); // existing readers keep the old file
    if (isFile) await putBytes('whole', from, file);
  }
  await fillDatabase(connection, here, file, async (copy) => {
    if (!isFile) await copy.exec(`copy from database "${here}" to ${copy.name}`);
    await finish(copy);
  });
}

/** Another file, created if missing, which `connection` may write next to its own database `here`. */
export async function fillDatabase(
  connection: DuckDBConnection,
  here: string,
  file: string,
  fill: (copy: Copy) => Promise<void>,
): Promise<void> {
  const name = 'snapshot_copy';
  await connection.run(`attach ${duckdb.literal(file, 'text')} as ${name}`);
  try {
    await fill({
      name,
      exec: async (sql) => void (await connection.run(sql)),
      inside: async (statements, { isAtOnce = false } = {}) => {
        await connection.run(`use ${name}`);
        try {
          if (isAtOnce) await connection.run('begin');
          for (const statement of statements) await connection.run(statement);
          if (isAtOnce) await connection.run('commit');
        } catch (error) {
          if (isAtOnce) await connection.run('rollback').catch(() => undefined);
          throw error;
        } finally {
          await connection.run(`use "${here}"`);
        }
      },
    });
    await connection.run(`checkpoint ${name}`);
  } finally {
    await connection.run(`detach ${name}`);
  }
}
