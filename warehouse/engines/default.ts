// The default engine, and the names of its files.
export { open, openViews } from './duckdb.ts';
export type { OpenOptions } from './duckdb-settings.ts';

/** Ending of the files that analysts open. */
export const extension = 'duckdb';
