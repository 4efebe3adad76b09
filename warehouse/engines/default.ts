// The default engine, and the names of its files.
export { open, openViews, type OpenOptions } from './duckdb.ts';

/** Ending of the files that analysts open. */
export const extension = 'duckdb';
