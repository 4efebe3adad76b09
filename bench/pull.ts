// Pulls a generated account over HTTP: speed, memory, and the cost of a pull without news; then rebuilds the warehouse from the received
// answers.
// As the program does, before anything else is loaded.
import '#server/compile-cache.js';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '#etl/raw/archive.ts';
import { addDays } from '#etl/days.ts';
import { pull, type PullOutcome } from '#etl/pull.ts';
import { pullProcess } from '#server/command-process.ts';
import { isPublicationDue } from '#server/due-publication.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { printTable, shown } from './clock.ts';
import { loadRate } from './load.ts';
import { zone } from './generate.ts';
import { rebuildInProcess } from './rebuild.ts';
import { startSource } from './source.ts';

const chats_a_day = 3000;
const from = '2026-01-01';

/** The cost of one pull in its own process. */
interface Cost {
  outcome: PullOutcome;
  /** Wall time and CPU time of all threads, seconds, from the start of the process. */
  seconds: number;
  cpu: number;
  /** CPU time of the program's own thread, seconds: the rest is the engine's. */
  thread: number;
  /** Most memory at any moment, MB. */
  memory: number;
}

interface Work {
  folder: string;
  url: string;
  now: number;
}

const self = fileURLToPath(import.meta.url);

const pullInProcess = (work: Work): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const child = fork(self, [JSON.stringify(work)], pullProcess);
    child.once('message', (cost) => resolve(cost as Cost));
    child.once('exit', (code) => reject(new Error(`the pull ended with exit code ${code}`)));
  });

async function pullOnce({ folder, url, now }: Work): Promise<Cost> {
  const [warehouse, published] = [join(folder, 'warehouse.file'), join(folder, 'published')];
  const engine = await openWarehouse(warehouse, writerLimits);
  const archive = await openArchive(join(folder, 'archive.file'));
  const source = {
    ...{ id: 'default', base_url: url, authorization: 'Basic', region: 'dal', timezone: zone, since: from },
    requests_per_second: null,
  };
  const outcome = await pull({
    ...{ source, engine, archive, clock: () => now },
    publish: async ({ has_news }) => {
      const isDue = await isPublicationDue({ published, warehouse }, has_news, now * 1000);
      if (isDue) await publish(engine, published, now * 1000);
    },
  });
  await archive.close();
  await engine.close();
  const own = process.threadCpuUsage();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    ...{ outcome, seconds: process.uptime(), cpu: (userCPUTime + systemCPUTime) / 1e6 },
    memory: maxRSS / 1024,
    thread: (own.user + own.system) / 1e6,
  };
}

export async function benchPull(chats: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-pull-'));
  const days = Math.ceil(chats / chats_a_day);
  // Noon of the day after the last one: every day but the newest seven has settled.
  const now = Date.parse(`${addDays(from, days)}T12:00:00Z`) / 1000;
  const source = await startSource({ from, chats, chats_a_day, zone, now });
  try {
    const work = { folder, url: source.url, now };
    const first = await pullInProcess(work);
    const asked = await source.requests();
    const again = await pullInProcess({ ...work, now: now + 300 });
    source.end();
    const rebuilt = await rebuildInProcess(folder);
    if (rebuilt.chats !== first.outcome.chats_new) throw new Error(`${rebuilt.chats} chats were made again`);
    const rebuilt_rate = rebuilt.chats / rebuilt.seconds;
    // Measured at the same time on the same machine: the rebuild should be as fast.
    const load_rate = await loadRate(100_000);
    const rate = first.outcome.chats_new / first.seconds;
    const met = (isMet: boolean, target: string): string => `${isMet ? 'reached' : 'NOT reached'}, target ${target}`;
    console.log('');
    printTable(
      ['pull', 'figure', ''],
      [
        [`${first.outcome.chats_new} chats over HTTP into facts, s`, shown(first.seconds), ''],
        ['chats a second, with requests, raw archive and publishing', rate.toFixed(0), ''],
        ['CPU for a thousand chats, ms', shown((first.cpu / first.outcome.chats_new) * 1e6), ''],
        ['most memory, MB', first.memory.toFixed(0), met(first.memory < 600, '600')],
        ['requests', `${first.outcome.requests}`, `${asked} counted by the source`],
        [
          'a pull with nothing new: requests',
          `${again.outcome.requests}`,
          `${again.outcome.chats_new + again.outcome.chats_changed} chats new`,
        ],
        ['a pull with nothing new: CPU, s', shown(again.cpu), met(again.cpu < 2, '2')],
        ['a pull with nothing new: most memory, MB', again.memory.toFixed(0), ''],
        [`rebuild of ${rebuilt.chats} chats, s`, shown(rebuilt.seconds), ''],
        ['rebuild: chats a second', rebuilt_rate.toFixed(0), met(rebuilt_rate >= 10_000, '10000')],
        [
          'rebuild: times as fast as the load path',
          shown(rebuilt_rate / load_rate),
          met(rebuilt_rate >= load_rate, `1; the load path gave ${load_rate.toFixed(0)} a second right after`),
        ],
        ['rebuild: CPU for a thousand chats, ms', shown((rebuilt.cpu / rebuilt.chats) * 1e6), ''],
        ['rebuild: most memory, MB', rebuilt.memory.toFixed(0), met(rebuilt.memory < 600, '600')],
      ],
    );
  } finally {
    source.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === self && process.send) {
  const cost = await pullOnce(JSON.parse(process.argv[2] ?? '{}') as Work);
  process.send(cost);
  process.disconnect();
}
