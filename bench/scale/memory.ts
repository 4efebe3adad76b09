// Memory of the default account's web process after many pages and documents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dashboards } from '#dashboards/dashboards.ts';
import { freePort } from '../../test/ports.ts';
import { running } from './served.ts';

const pages = 2000;
const documents = 30;
const clients = 8;
const rest_ms = 10_000;

async function untilPulled(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { pull } = (await (await fetch(`${url}/api/health`)).json()) as { pull: { last_success_at: string | null } };
    if (pull.last_success_at !== null) return;
    await pause(500);
  }
  throw new Error('the default account was not pulled within five minutes');
}

/** Megabytes, after a rest. */
export async function memoryOfDefault(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-memory-'));
  const product = await running('start', {
    CHATLEDGER_DATA: folder,
    CHATLEDGER_SERVICE_PORT: String(await freePort()),
  });
  try {
    await untilPulled(product.url);
    const get = async (path: string): Promise<void> => {
      const answer = await fetch(product.url + path);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    };
    const presets = ['7d', '30d', '90d'];
    let next = 0;
    const reader = async (): Promise<void> => {
      for (let page = next++; page < pages; page = next++) {
        const { path } = dashboards[page % dashboards.length] ?? { path: '' };
        await get(`/${path}?preset=${presets[page % presets.length]}&group=${1 + (page % 5)}`);
      }
    };
    await Promise.all(Array.from({ length: clients }, reader));
    for (let count = 0; count < documents; count += 1)
      await get(`/api/dashboards/${dashboards[count % dashboards.length]?.id}.pdf?group=${1 + (count % 5)}`);
    await pause(rest_ms);
    return product.own_mb();
  } finally {
    await product.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
