// Asks after the health of the product every tenth of a second, in a thread of its own: what else the drill does must not show.
import { Agent, request } from 'undici';
import { parentPort, workerData } from 'node:worker_threads';

const { url, slow_ms } = workerData as { url: string; slow_ms: number };
const agent = new Agent({ connections: 1 });
/** Milliseconds of each answer; negative for one that was none. */
const took: number[] = [];

/** What this says: every time, when it is asked; a slow answer, when there was one. */
export type Told = { took: number[] } | { slow: number };

const tell = (told: Told): void => parentPort?.postMessage(told);

parentPort?.on('message', () => tell({ took: took.splice(0) }));

async function look(): Promise<void> {
  const began = performance.now();
  try {
    const { statusCode, body } = await request(`${url}/api/health`, { dispatcher: agent, headersTimeout: 20_000 });
    await body.dump();
    const ms = performance.now() - began;
    took.push(statusCode === 200 ? ms : -1);
    if (ms > slow_ms) tell({ slow: Math.round(ms) });
  } catch {
    took.push(-1);
  }
  setTimeout(() => void look(), 100);
}
void look();
