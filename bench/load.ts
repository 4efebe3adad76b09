// How fast archived pages become committed facts: parse, check, decode, load, by the path that a pull takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bundle } from '#etl/bundle.ts';
import { addDays, boundsOf } from '#etl/days.ts';
import { readLedger } from '#etl/ledger.ts';
import { prepare, type Loading } from '#etl/load.ts';
import { archiveUnit } from '#etl/plan.ts';
import { batch_size } from '#etl/run.ts';
import { emptyTally } from '#etl/tally.ts';
import type { Engine } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { elapsed, printTable, shown } from './clock.ts';
import { zone } from './generate.ts';
import { pagesOf } from './pages.ts';

const megabyte = 2 ** 20;
const now = 1_790_000_000;

interface Loaded {
  seconds: number;
  /** CPU time of all threads and of the program's own one while loading, seconds. */
  cpu: number;
  own: number;
  characters: number;
  /** Most memory seen after each day, MB: flat when it does not grow with what was loaded. */
  memory: number[];
}

/** A day is one batch; the next is decoded while the one before is written, as in a pull. Making the pages is not counted. */
async function loadDays(engine: Engine, chats: number): Promise<Loaded> {
  const of = { account: 'default', timezone: zone, now };
  const loading: Omit<Loading, 'bundle' | 'previous'> = {
    ...{ engine, ledger: await readLedger(engine, of), batch: { ...of, pull_id: 'p-1' }, tally: emptyTally() },
  };
  const found: Loaded = { seconds: 0, cpu: 0, own: 0, characters: 0, memory: [] };
  let previous: Bundle | undefined;
  let committing = Promise.resolve();
  let day = '2026-01-01';
  for (let first = 0; first < chats; first += batch_size, day = addDays(day, 1)) {
    const count = Math.min(batch_size, chats - first);
    const texts = pagesOf(first, count, boundsOf(day, zone).first);
    found.characters += texts.reduce((sum, page) => sum + page.length, 0);
    const [cpu, own] = [process.cpuUsage(), process.threadCpuUsage()];
    const milliseconds = await elapsed(async () => {
      const bundle = new Bundle();
      const unit = archiveUnit({ timezone: zone }, day);
      await prepare({ ...loading, bundle, previous }, [{ unit, answers: [], bodies: [], texts, total: count }]);
      await committing;
      committing = bundle.commit(engine);
      previous = bundle;
      if (first + batch_size >= chats) await committing;
    });
    found.seconds += milliseconds / 1000;
    found.cpu += secondsOf(process.cpuUsage(cpu));
    found.own += secondsOf(process.threadCpuUsage(own));
    found.memory.push(process.memoryUsage().rss / megabyte);
  }
  const { chats_new } = loading.tally;
  if (chats_new !== chats) throw new Error(`${chats_new} chats were loaded instead of ${chats}`);
  return found;
}

const secondsOf = ({ user, system }: { user: number; system: number }): number => (user + system) / 1e6;

/** TRICKY: while pages are made, the batch before is still being written; the last one is waited for and counted whole. */
export async function benchLoad(chats: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-load-'));
  const engine = await openWarehouse(join(folder, 'warehouse.file'), { memory: '128MB', threads: 2 });
  try {
    const { seconds, cpu, own, characters, memory } = await loadDays(engine, chats);
    const rate = chats / seconds;
    const half = memory.slice(0, Math.ceil(memory.length / 2));
    const most = Math.max(...memory);
    console.log('');
    printTable(
      ['load', 'figure', ''],
      [
        [`${chats} archived chats to committed facts, s`, shown(seconds), ''],
        ['chats a second', rate.toFixed(0), rate >= 10_000 ? 'reached, target 10000' : 'NOT reached, target 10000'],
        ['CPU for a thousand chats, ms', shown((cpu / chats) * 1e6), `${shown((own / chats) * 1e6)} of it decoding`],
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
