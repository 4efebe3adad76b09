// Releases memory when idle: the collector otherwise keeps the heap of a busy hour until it needs more.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Idle {
  /** Called with every request. */
  busy(): void;
  stop(): void;
}

/** The heap has grown so far since it was collected last. */
const worthwhile = 48 * 1024 * 1024;

let collector: (() => void) | undefined;

/** A whole collection; nothing where the engine of the language does not offer it. */
function collect(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}

/** After `quiet_ms` without requests, the heap is collected once, if worthwhile. */
export function watchIdle(quiet_ms = 8000): Idle {
  let timer: NodeJS.Timeout | undefined;
  let left = 0;
  const rest = (): void => {
    const { heapTotal, external } = process.memoryUsage();
    if (heapTotal + external - left < worthwhile) return;
    collect();
    const after = process.memoryUsage();
    left = after.heapTotal + after.external;
  };
  return {
    busy() {
      timer = timer?.refresh() ?? setTimeout(rest, quiet_ms).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
