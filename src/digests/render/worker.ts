// The process that renders documents: one at a time, for as long as its parent lives.
import { bytesOf, type RenderJob } from './job.ts';

export interface Ordered {
  id: number;
  job: RenderJob;
}

export interface RenderedJob {
  id: number;
  bytes?: Uint8Array;
  /** Why there are no bytes. */
  error?: string;
  /** What the document goes without, in sentences. */
  warnings: string[];
  /** Bytes that this process has of the machine. */
  memory: number;
}

async function made({ id, job }: Ordered): Promise<RenderedJob> {
  const warnings: string[] = [];
  try {
    const bytes = await bytesOf(job, (sentence) => void warnings.push(sentence));
    return { id, bytes, warnings, memory: process.memoryUsage.rss() };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, error: reason, warnings, memory: process.memoryUsage.rss() };
  }
}

process.on('message', (ordered) => void made(ordered as Ordered).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of a terminal; the parent ends this one.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
