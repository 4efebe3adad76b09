// The process that makes documents: one after another, for as long as whoever started it lives.
import { bytesOf, type RenderJob } from './job.ts';

export interface Ordered {
  id: number;
  job: RenderJob;
}

export interface RenderedJob {
  id: number;
  bytes?: Uint8Array;
  /** Why there are none. */
  error?: string;
  /** Bytes that this process has of the machine. */
  memory: number;
}

async function made({ id, job }: Ordered): Promise<RenderedJob> {
  try {
    const bytes = await bytesOf(job);
    return { id, bytes, memory: process.memoryUsage.rss() };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, error: reason, memory: process.memoryUsage.rss() };
  }
}

process.on('message', (ordered) => void made(ordered as Ordered).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of a terminal; whoever started this one ends it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
