// Copies a DuckDB file while nobody writes it.
import { execFile as execFileWithCallback } from 'node:child_process';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Copy } from '../engine.ts';
import { duckdb } from './duckdb-dialect.ts';

const execFile = promisify(execFileWithCallback);

/**
 * Bytes, not rows: many times faster than copying table by table.
 * TRICKY: another process copies, because closing a file that this process holds locked would drop the lock.
 */
const copyFile = async (from: string, to: string): Promise<void> => {
  const script =
    "const { copyFileSync, constants } = require('node:fs'); const [from, to] = process.argv.slice(1); copyFileSync(from, to, constants.COPYFILE_FICLONE);";
  await execFile(process.execPath, ['-e', script, from, to]).catch((error: Error) => {
    const [, reason] = /^Error: (E[A-Z]+: .*)$/m.exec(error.message) ?? [];
    throw reason === undefined ? error : new Error(reason);
  });
};

/** `connection` is the one that writes `from`, whose database is `here`; it is kept until the end. */
export async function copyDatabase(
  connection: DuckDBConnection,
  { file: from, database: here }: { file: string; database: string },
  file: string,
  finish: (copy: Copy) => Promise<void>,
): Promise<void> {
  const isFile = from !== ':memory:';
  if (isFile) {
    // Nothing is written between the checkpoint and the last byte copied.
    await connection.run('checkpoint');
    await copyFile(from, file);
  }
  await fillDatabase(connection, here, file, async (copy) => {
    if (!isFile) await copy.exec(`copy from database "${here}" to ${copy.name}`);
    await finish(copy);
  });
}

/** Another file, made when it is not there, which `connection` may write beside its own database `here`. */
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
