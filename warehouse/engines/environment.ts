// Environment variables that the engine reads at the start of a process.

/**
 * For processes that must stay small: otherwise the engine's allocator (jemalloc) keeps memory freed by a thread for that thread, for
 * seconds or for ever.
 */
export const writerEnvironment: Readonly<Record<string, string>> = {
  DUCKDB_JE_MALLOC_CONF: 'narenas:1,dirty_decay_ms:50,muzzy_decay_ms:0',
};

/** For processes that answer questions: what freed memory is kept for a next question is given back after half a second. */
export const readerEnvironment: Readonly<Record<string, string>> = {
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:500,muzzy_decay_ms:0',
};
