// What the engine reads from the environment of a process: it has to be there when that begins.

/**
 * Of a process that is to stay small: the engine's allocator (jemalloc) else keeps what a thread let go, for that thread,
 * for seconds or for ever.
 */
export const writerEnvironment: Readonly<Record<string, string>> = {
  DUCKDB_JE_MALLOC_CONF: 'narenas:1,dirty_decay_ms:50,muzzy_decay_ms:0',
};
