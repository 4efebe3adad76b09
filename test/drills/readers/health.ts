// Asks after the health of the product every tenth of a second, in a thread of its own: what else the drill does must not show.
import { Agent, request } from 'undici';
import { parentPort, workerData } from 'node:worker_threads';

const { url } = workerData as { url: string };
const agent = new Agent({ connections: 1 });
/** Milliseconds of each answer; negative for one that was none. */
const took: number[] = [];

parentPort?.on('message', () => {
  parentPort?.postMessage(took.splice(0));
});

async function look(): Promise<void> {
  const began = performance.now();
  try {
    const { statusCode, body } = await request(`${url}/api/health`, { dispatcher: agent, headersTimeout: 20_000 });
    await body.dump();
    took.push(statusCode === 200 ? performance.now() - began : -1);
  } catch {
    took.push(-1);
  }
  setTimeout(() => void look(), 100);
}
void look();
