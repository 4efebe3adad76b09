// How fast archived pages become committed facts: parse, check, decode, load, by the path that a pull takes.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageSize } from '#contract/archive.ts';
import { addDays, boundsOf } from '#etl/days.ts';
import { readLedger } from '#etl/ledger/ledger.ts';
import type { Loading } from '#etl/load/batch.ts';
import { prepare } from '#etl/load/load.ts';
import { createWriting } from '#etl/load/writing.ts';
import { archiveUnit } from '#etl/plan/plan.ts';
import { batch_size } from '#etl/run.ts';
import { nobodyErased } from '#etl/erased/erased.ts';
import { noRedaction } from '#etl/redact/redaction.ts';
import { emptyTally } from '#etl/tally.ts';
import { pullProcess } from '#server/command-process.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { printTable, shown } from './clock.ts';
import { floorOf, type Floor } from './load-floor.ts';
import { zone } from './generate.ts';
import { pagesOf } from './pages.ts';

const megabyte = 2 ** 20;
const now = 1_790_000_000;

interface Loaded {
  seconds: number;
  /** CPU time of all threads and of the program's own one, seconds. */
  cpu: number;
  own: number;
  characters: number;
  /** Peak memory after each batch in MB: flat if it does not grow with the loaded data. */
  memory: number[];
}

const fileOf = (folder: string, number: number): string => join(folder, `${number}.pages`);

/** The pages of each batch, one a line, in a file: making them must not be counted. */
function writePages(folder: string, chats: number): void {
  let day = '2026-01-01';
  for (let first = 0; first < chats; first += batch_size, day = addDays(day, 1)) {
    const pages = pagesOf(first, Math.min(batch_size, chats - first), boundsOf(day, zone).first);
    writeFileSync(fileOf(folder, first / batch_size), pages.join('\n'));
  }
}

/** A day is one batch; the next is decoded while the previous one is written, many per transaction, as in a pull. */
async function loadDays(engine: Store, folder: string, chats: number): Promise<Loaded> {
  const of = { account: 'default', timezone: zone, now };
  const loading: Omit<Loading, 'bundle' | 'previous'> = {
    ...{ engine, ledger: await readLedger(engine, of), batch: { ...of, pull_id: 'p-1' }, tally: emptyTally() },
    ...{ erased: nobodyErased, redaction: noRedaction },
  };
  const [started, cpu, own] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  const memory: number[] = [];
  let characters = 0;
  const writing = createWriting(engine);
  let day = '2026-01-01';
  for (let first = 0; first < chats; first += batch_size, day = addDays(day, 1)) {
    const texts = readFileSync(fileOf(folder, first / batch_size), 'utf8').split('\n');
    const pages = texts.map((body) => ({ body }));
    const { bundle, on_the_way: previous } = writing;
    const total = Math.min(batch_size, chats - first);
    const unit = archiveUnit({ timezone: zone }, day);
    await prepare({ ...loading, bundle, previous }, [{ unit, answers: [], bodies: [], pages, total }]);
    writing.pages = total / pageSize;
    await writing.begin();
    if (writing.isLong()) writing.commitMeanwhile();
    characters += texts.reduce((sum, page) => sum + page.length, 0);
    memory.push(process.memoryUsage().rss / megabyte);
  }
  await writing.settle();
  const { chats_new } = loading.tally;
  if (chats_new !== chats) throw new Error(`${chats_new} chats were loaded instead of ${chats}`);
  return {
    ...{ seconds: (performance.now() - started) / 1000, characters, memory },
    ...{ cpu: secondsOf(process.cpuUsage(cpu)), own: secondsOf(process.threadCpuUsage(own)) },
  };
}

const secondsOf = ({ user, system }: { user: number; system: number }): number => (user + system) / 1e6;

const self = fileURLToPath(import.meta.url);

/** In a process like that of a pull. */
const loadInProcess = (folder: string, chats: number): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    const child = fork(self, [folder, String(chats)], pullProcess);
    child.once('message', (loaded) => resolve(loaded as Loaded));
    child.once('exit', (code) => reject(new Error(`loading ended with exit code ${code}`)));
  });

async function load(folder: string, chats: number): Promise<Loaded> {
  const engine = await openWarehouse(join(folder, 'warehouse.file'), writerLimits);
  try {
    return await loadDays(engine, folder, chats);
  } finally {
    await engine.close();
  }
}

async function withPages<T>(chats: number, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-load-'));
  writePages(folder, chats);
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** Chats a second. */
export const loadRate = async (chats: number): Promise<number> =>
  chats / (await withPages(chats, (folder) => loadInProcess(folder, chats))).seconds;

/** The same pages by both, one after the other. */
const loadedBeside = (chats: number): Promise<{ loaded: Loaded; floor: Floor }> =>
  withPages(chats, async (folder) => ({ loaded: await loadInProcess(folder, chats), floor: await floorOf(folder) }));

const beside = (times: number): string => (times >= 1 ? 'reached, target 1' : 'NOT reached, target 1');

export async function benchLoad(chats: number): Promise<void> {
  const { loaded, floor } = await loadedBeside(chats);
  const { seconds, cpu, own, characters, memory } = loaded;
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
      ['the engine alone, by hand: CPU for a thousand chats, ms', shown((floor.cpu / chats) * 1e6), ''],
      ['as fast as that, times: clock', shown(floor.seconds / seconds), beside(floor.seconds / seconds)],
      ['as fast as that, times: CPU', shown(floor.cpu / cpu), beside(floor.cpu / cpu)],
      ['MB of pages a second', shown(characters / megabyte / seconds), ''],
      ['most memory in the first half, MB', Math.max(...half).toFixed(0), ''],
      ['most memory in all, MB', most.toFixed(0), most < 600 ? 'reached, target 600' : 'NOT reached, target 600'],
    ],
  );
}

if (process.argv[1] === self && process.send) {
  const [folder = '', chats] = process.argv.slice(2);
  process.send(await load(folder, Number(chats)));
  process.disconnect();
}
