// The engine that a warehouse is opened with when nothing else is asked for, and how its files are named.
export { open, openViews, type OpenOptions } from './duckdb.ts';

/** Ending of the files that analysts open. */
export const extension = 'duckdb';
