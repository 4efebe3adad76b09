// One question repeated by eight clients, as programs and as browsers ask it, alternating with a bare route that sends the same body.
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

/** As browsers say what they take. */
const asBrowser = { 'accept-encoding': 'gzip, deflate, br, zstd' };

/** Answers a second. */
async function rateOf(address: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const dispatcher = new Agent({ connections: clients });
  const until = performance.now() + round_ms;
  let answers = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const { statusCode, body } = await request(address, { dispatcher, headers });
        await body.dump({ limit: 10_000_000 });
        if (statusCode !== 200) throw new Error(`${address}: ${statusCode}`);
        answers += 1;
      }
    }),
  );
  await dispatcher.close();
  return (answers / round_ms) * 1000;
}

interface Rates {
  ours: number;
  /** The same, compressed. */
  as_browser: number;
  bare: number;
}

/** Answers a second of the product, and of the bare route in turns with it. */
export async function repeatedRates(address: string): Promise<Rates> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-bare-'));
  const file = join(folder, 'body.json');
  writeFileSync(file, await (await fetch(address)).text());
  const child = fork(join(import.meta.dirname, 'bare.ts'), [file]);
  try {
    const [port] = (await once(child, 'message')) as [number];
    const seen: Rates[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [ours, as_browser] = [await rateOf(address), await rateOf(address, asBrowser)];
      const bare = await rateOf(`http://127.0.0.1:${port}/`);
      if (round > 0) seen.push({ ours, as_browser, bare });
    }
    const of = (name: keyof Rates): number => median(seen.map((rates) => rates[name]));
    return { ours: of('ours'), as_browser: of('as_browser'), bare: of('bare') };
  } finally {
    child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
