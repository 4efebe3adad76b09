// Limits for a large account: publishing, starting, pages, readers, repeated questions, memory; each next to its goal.
import { existsSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWarehouse } from '#warehouse/store/open.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import { printTable, shown } from '../clock.ts';
import { overviewOf } from '../door.ts';
import { benchFolder } from '../folder.ts';
import { spans } from '../questions.ts';
import { memoryOfDefault } from './memory.ts';
import { openPages } from './pages.ts';
import { publishChanged } from './published.ts';
import { readersOf } from './readers.ts';
import { repeatedRates } from './repeated.ts';
import { rowsTakenAway } from './rows.ts';
import { serving } from './served.ts';

interface Row {
  name: string;
  seen: number;
  goal: number;
  unit: string;
  /** The goal is the least, not the most. */
  isLeast?: boolean;
}

const day_ms = 86_400_000;

/** A range of days until yesterday, as in a page's address. */
function rangeOf(days: number): string {
  const day = (before: number): string => new Date(Date.now() - before * day_ms).toISOString().slice(0, 10);
  return `from=${day(days)}&to=${day(1)}`;
}

function print(title: string, rows: readonly Row[]): void {
  console.log('');
  printTable(
    [title, 'seen', 'goal', ''],
    rows.map(({ name, seen, goal, unit, isLeast = false }) => [
      `${name}, ${unit}`,
      shown(seen),
      `${isLeast ? 'at least ' : ''}${goal}`,
      (isLeast ? seen >= goal : seen <= goal) ? 'reached' : 'NOT reached',
    ]),
  );
}

const sayLoad = (): void => console.log(`load average at its end ${loadavg().map(shown).join(' ')}`);

/** Each part of the table; `account` makes the large one when it is first asked for its folder. */
const measures: Record<string, (account: () => Promise<string>) => Promise<void>> = {
  async publishing(account) {
    const folder = await account();
    // From the third publication on a spare file exists, and only differences are written.
    for (const times of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const { seconds, whole_seconds, written_mb, whole_mb } = await publishChanged(folder);
      print(`publishing, ${times} time after 100 changed chats`, [
        { name: 'until readers see it', seen: seconds, goal: 2, unit: 's' },
        { name: 'written', seen: written_mb, goal: 50, unit: 'MB' },
      ]);
      console.log(`until older ones are packed: ${shown(whole_seconds)} s, ${shown(whole_mb)} MB`);
    }
  },
  async questions(account) {
    const folder = await account();
    const engine = await openWarehouse(join(folder, 'published', newestName), { readOnly: true });
    const { together, questions } = await overviewOf(engine, spans['1y']).finally(() => engine.close());
    print('questions', [
      { name: `overview of a year, ${questions} questions at once`, seen: together, goal: 250, unit: 'ms' },
    ]);
  },
  async pages(account) {
    const folder = await account();
    const served = await serving(folder, '/?preset=30d');
    try {
      print('start', [{ name: 'to the first page, of an existing folder', seen: served.seconds, goal: 3, unit: 's' }]);
      const opened = await openPages(served.url, rangeOf(365));
      print(
        'pages of a year, first open',
        opened.flatMap(({ address, first_byte, drawn }) => [
          { name: `${address} first byte`, seen: first_byte, goal: 200, unit: 'ms' },
          { name: `${address} all drawn`, seen: drawn, goal: 1500, unit: 'ms' },
        ]),
      );
    } finally {
      await served.end();
    }
  },
  async readers(account) {
    const folder = await account();
    const served = await serving(folder, '/?preset=30d');
    try {
      const fared = await readersOf(served, [rangeOf(30), rangeOf(365)]);
      print(`fifty readers, ${fared.pages} pages, ${fared.refused} refusals (503)`, [
        { name: 'neither page nor refusal', seen: fared.failed, goal: 0, unit: 'answers' },
        { name: 'first byte, p95', seen: fared.first_byte, goal: 1000, unit: 'ms' },
        { name: 'whole page, p95', seen: fared.whole, goal: 10_000, unit: 'ms' },
        { name: 'a light question beside them, p95', seen: fared.light, goal: 100, unit: 'ms' },
        { name: 'memory of all processes, most', seen: fared.most_mb, goal: 2500, unit: 'MB' },
      ]);
    } finally {
      await served.end();
    }
  },
  async repeated(account) {
    const folder = await account();
    const served = await serving(folder, '/?preset=30d');
    try {
      const question = `${served.url}/api/metrics/total_chats?${rangeOf(365)}&grain=day`;
      const { ours, as_browser, bare } = await repeatedRates(question);
      print(`the same question from eight clients, ${ours.toFixed(0)} answers a second`, [
        {
          name: `of a bare route with the same body, ${bare.toFixed(0)} a second`,
          seen: ours / bare,
          goal: 0.6,
          unit: 'times',
          isLeast: true,
        },
      ]);
      console.log(`as browsers ask, compressed: ${as_browser.toFixed(0)} a second`);
    } finally {
      await served.end();
    }
  },
  async rows(account) {
    const folder = await account();
    for (const format of ['csv', 'xlsx', 'parquet']) {
      const { rows, seconds, processor_seconds, grown_mb } = await rowsTakenAway(folder, format, rangeOf(1095));
      print(`${rows} chats as rows, ${format}`, [
        { name: 'the web process grows by at most', seen: grown_mb, goal: 200, unit: 'MB' },
      ]);
      console.log(`in ${shown(seconds)} s, ${shown(processor_seconds)} s of a processor`);
    }
  },
  async memory() {
    print('the default account', [
      { name: 'web process after 2,000 pages and 30 documents', seen: await memoryOfDefault(), goal: 350, unit: 'MB' },
    ]);
  },
};

export const parts = Object.keys(measures);

/** `only`: one of the parts. */
export async function benchScale(
  chats: number,
  { keep, only }: { keep: boolean; only: string | undefined },
): Promise<void> {
  const wanted = Object.entries(measures).filter(([name]) => only === undefined || name === only);
  const today = new Date().toISOString().slice(0, 10);
  const folder = join(tmpdir(), 'chatledger-bench', `${chats}-served-${today}`);
  const account = async (): Promise<string> => {
    if (existsSync(join(folder, 'published', newestName))) return folder;
    rmSync(folder, { recursive: true, force: true });
    await benchFolder(chats, folder, { keepsWarehouse: true });
    return folder;
  };
  for (const [, measure] of wanted) {
    await measure(account);
    sayLoad();
  }
  console.log(
    '\nratios to statements by hand: bench -- metrics; loading: bench -- load, pull; hang-ups: drill:readers; kills: drill:publishing',
  );
  if (!keep) rmSync(folder, { recursive: true, force: true });
}
