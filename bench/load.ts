// How fast archived pages become committed facts: parse, check, decode, load, by the path that a pull takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger } from '#etl/ledger.ts';
import { load } from '#etl/load.ts';
import { emptyTally } from '#etl/tally.ts';
import { addDays, boundsOf } from '#etl/days.ts';
import type { ArchiveUnit } from '#etl/plan.ts';
import type { Engine } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { elapsed, printTable, shown } from './clock.ts';
import { zone } from './generate.ts';
import { pagesOf } from './pages.ts';

const chatsADay = 3000;
const megabyte = 2 ** 20;

interface Loaded {
  seconds: number;
  characters: number;
  /** Most memory seen after each tenth of the days, MB: flat when it does not grow with what was loaded. */
  memory: number[];
}

async function loadDays(engine: Engine, chats: number): Promise<Loaded> {
  const ledger = await readLedger(engine, { account: 'default', timezone: zone, now: 1_790_000_000 });
  const found: Loaded = { seconds: 0, characters: 0, memory: [] };
  const tally = emptyTally();
  let day = '2026-01-01';
  for (let first = 0; first < chats; first += chatsADay, day = addDays(day, 1)) {
    const count = Math.min(chatsADay, chats - first);
    const pages = pagesOf(first, count, boundsOf(day, zone).first);
    found.characters += pages.reduce((sum, page) => sum + page.length, 0);
    const unit: ArchiveUnit = { kind: 'archive', day, path: '/chats' };
    const batch = { account: 'default', timezone: zone, pull_id: 'p-1', now: 1_790_000_000 };
    found.seconds +=
      (await elapsed(() => {
        const bodies = pages.map((page) => JSON.parse(page) as unknown);
        return load(engine, ledger, [{ unit, answers: [], bodies, total: count }], batch, tally);
      })) / 1000;
    found.memory.push(process.memoryUsage().rss / megabyte);
  }
  if (tally.chats_new !== chats) throw new Error(`${tally.chats_new} chats were loaded instead of ${chats}`);
  return found;
}

/** The first time every chat is new; the second time the same pages come again and nothing changes. */
export async function benchLoad(chats: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-load-'));
  const engine = await openWarehouse(join(folder, 'warehouse.file'));
  try {
    const { seconds, characters, memory } = await loadDays(engine, chats);
    const rate = chats / seconds;
    const half = memory.slice(0, Math.ceil(memory.length / 2));
    const most = Math.max(...memory);
    console.log('');
    printTable(
      ['load', 'figure', ''],
      [
        [`${chats} archived chats to committed facts, s`, shown(seconds), ''],
        ['chats a second', rate.toFixed(0), rate >= 10_000 ? 'reached, target 10000' : 'NOT reached, target 10000'],
        ['MB of pages a second', shown(characters / megabyte / seconds), ''],
        ['most memory in the first half, MB', Math.max(...half).toFixed(0), ''],
        ['most memory in all, MB', most.toFixed(0), most < 600 ? 'reached, target 600' : 'NOT reached, target 600'],
      ],
    );
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
