// How much memory, disk and how many threads an open file may take.
import type { DuckDBInstance } from '@duckdb/node-api';
import { allowedMemory } from '../allowed-memory.ts';
import type { Table } from '../tables/tables.ts';

export interface OpenOptions {
  readOnly?: boolean;
  /** Memory limit such as `1GB`; by default the engine's. */
  memory?: string;
  /** Limit for temporary files when memory is short, such as `2GB`; by default the engine's. */
  spill?: string;
  threads?: number;
  /** What may be loaded; by default the tables of the warehouse. */
  tables?: readonly Table[];
  /** A new file for long texts, which are stored compressed. */
  long_texts?: boolean;
}

/** The raised limit of an engine that needs more: four times what a file with many long texts once needed, or a quarter of what there is. */
export const mostMemory = (): string => `${Math.floor(Math.min(2e9, allowedMemory() / 4) / 1e6)}MB`;

/** Texts longer than these bytes are compressed, JSON about ten times; it takes long when it begins anew every few pages. */
export const forLongTexts = {
  storage_compatibility_version: 'v1.2.0',
  zstd_min_string_length: '256',
  checkpoint_threshold: '128MB',
};

export const limitsOf = ({ memory, threads }: OpenOptions): Record<string, string> => ({
  ...(memory ? { memory_limit: memory } : {}),
  ...(threads ? { threads: String(threads) } : {}),
});

/** TRICKY: the engine forgets this limit when it is given at its start. */
export async function limitSpill(instance: DuckDBInstance, { spill }: OpenOptions): Promise<void> {
  if (spill === undefined) return;
  const connection = await instance.connect();
  try {
    await connection.run(`set max_temp_directory_size = '${spill}'`);
  } finally {
    connection.closeSync();
  }
}

/** Rows of 32 groups, which is how much of a table a thread reads at a time: those of the turns of a million chats. */
const rows_of_one_thread = 32 * 122_880;

/**
 * A small file is read by one thread: several have little to share, and what each prepares for its part costs a fifth more of a processor.
 * Questions that come together still run beside each other.
 */
export async function chooseThreads(instance: DuckDBInstance, { readOnly, threads }: OpenOptions): Promise<void> {
  if (!readOnly || threads !== undefined) return;
  const connection = await instance.connect();
  try {
    const [row] = (await connection.runAndReadAll('select max(estimated_size) from duckdb_tables()')).getRows();
    if (Number(row?.[0] ?? 0) <= rows_of_one_thread) await connection.run('set threads = 1');
  } finally {
    connection.closeSync();
  }
}
