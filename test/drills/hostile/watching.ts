// Asks for the health of a server ten times a second, in a process of its own: `node watching.ts URL`; told anything, it says what it saw.
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Watched {
  asked: number;
  slowest_ms: number;
  /** Answers that were neither 200 nor 503, and questions without an answer. */
  wrong: string[];
}

const [url = ''] = process.argv.slice(2);
const seen: Watched = { asked: 0, slowest_ms: 0, wrong: [] };
let isOver = false;

/** On a connection of its own: a kept one may be closed by the server while a question is on its way. */
const health = (): Promise<number | string> =>
  new Promise((resolve) => {
    const asked = get(`${url}/api/health`, { agent: false, timeout: 60_000 }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer within a minute')));
    asked.once('error', (error) => resolve(String(error)));
  });

process.once('message', () => (isOver = true));
process.once('disconnect', () => process.exit());
while (!isOver) {
  const began = performance.now();
  const said = await health();
  seen.slowest_ms = Math.max(seen.slowest_ms, performance.now() - began);
  seen.asked += 1;
  if (said !== 200 && said !== 503) seen.wrong.push(String(said));
  await wait(100);
}
process.send?.(seen, () => process.disconnect());
