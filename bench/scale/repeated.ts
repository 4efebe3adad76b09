// One question repeated by eight clients, alternating with a bare route that sends the same body.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { median } from '../clock.ts';

const clients = 8;
const round_ms = 3000;
const rounds = 3;

/** Answers a second. */
async function rateOf(address: string): Promise<number> {
  const dispatcher = new Agent({ connections: clients });
  const until = performance.now() + round_ms;
  let answers = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const { statusCode, body } = await request(address, { dispatcher });
        await body.dump({ limit: 10_000_000 });
        if (statusCode !== 200) throw new Error(`${address}: ${statusCode}`);
        answers += 1;
      }
    }),
  );
  await dispatcher.close();
  return (answers / round_ms) * 1000;
}

/** The product's answers as a share of those that the bare route gives in the same time. */
export async function repeatedShare(address: string): Promise<{ ours: number; bare: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-bare-'));
  const file = join(folder, 'body.json');
  writeFileSync(file, await (await fetch(address)).text());
  const child = fork(join(import.meta.dirname, 'bare.ts'), [file]);
  try {
    const [port] = (await once(child, 'message')) as [number];
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const [ours, bare] = [await rateOf(address), await rateOf(`http://127.0.0.1:${port}/`)];
      if (round > 0) rates.ours.push(ours);
      if (round > 0) rates.bare.push(bare);
    }
    return { ours: median(rates.ours), bare: median(rates.bare) };
  } finally {
    child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
