// One statement of a person against a snapshot: read-only, without files, extensions or settings to reach for.
import { DuckDBInstance } from '@duckdb/node-api';

interface ConsoleAnswer {
  columns: string[];
  rows: unknown[][];
  /** There are rows beyond the limit. */
  more: boolean;
}

const locked = {
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  memory_limit: '1GB',
  max_temp_directory_size: '0B',
  lock_configuration: 'true',
};

/** @throws Error with the engine's message, or if it is not exactly one statement. */
export async function ask(file: string, statement: string, limit: number): Promise<ConsoleAnswer> {
  const instance = await DuckDBInstance.create(file, locked);
  const connection = await instance.connect();
  try {
    const statements = await connection.extractStatements(statement);
    if (statements.count !== 1) throw new Error(`one statement at a time, please; this holds ${statements.count}`);
    const reader = await connection.streamAndReadUntil(statement, limit + 1);
    const rows = reader.getRowsJson() as unknown[][];
    return { columns: reader.columnNames(), rows: rows.slice(0, limit), more: rows.length > limit };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
