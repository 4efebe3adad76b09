// How long a server is waited for, and whether one that says nothing is still there.

export interface Patience {
  /** Waits before a request that did not reach the server is sent again. */
  again_ms: readonly number[];
  /** For a connection. */
  connect_ms: number;
  /** A server that has said nothing of a request for as long is asked whether it is there, and again after as long. */
  quiet_ms: number;
  /** For its answer to that. */
  there_ms: number;
}

export const patient: Patience = { again_ms: [200, 1000], connect_ms: 10_000, quiet_ms: 5000, there_ms: 10_000 };

/** Where another host has the same, it is asked rather than this one again. */
export const beside_others: Patience = { ...patient, again_ms: [], connect_ms: 3000, there_ms: 5000 };

/**
 * Calls `leave` when a server is not there any more while a request to it goes on: the connection may stay open for hours then. That a
 * question takes long is no reason. Returns what ends the watch.
 */
export function watch(
  url: string,
  { quiet_ms, there_ms }: Pick<Patience, 'quiet_ms' | 'there_ms'>,
  leave: (why: string) => void,
): () => void {
  let asking: AbortController | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    asking = new AbortController();
    const late = setTimeout(() => asking?.abort(), there_ms);
    const is_there = await isThere(url, asking.signal);
    clearTimeout(late);
    asking = undefined;
    if (isOver) return;
    if (is_there) timer = later();
    else leave('it took a request, and is not there any more');
  };
  const later = (): NodeJS.Timeout => setTimeout(() => void look(), quiet_ms).unref();
  let timer = later();
  return () => {
    isOver = true;
    clearTimeout(timer);
    asking?.abort();
  };
}

/** Whatever answers is there, also one that refuses the question. */
async function isThere(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await fetch(new URL('/ping', url), { signal, redirect: 'manual' });
    await body?.cancel();
    return true;
  } catch {
    return false;
  }
}
