// Erasures that are killed at random moments: the next command ends them, nothing of the person is left, and no number is another.
// `npm run drill:erase -- [kills] [seed]`: ends with what was found, and with exit code 1 when something was.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '#service/service.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { instantOf, openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { smallWorld } from '../livechat/service/small-world.ts';
import { begin, copiedFolder, newFolder, runToEnd } from '../server/program.ts';
import { tracesIn } from '../server/traces.ts';
import { random } from './random.ts';

const key = 'ef'.repeat(16);
const now = Date.parse('2026-11-18T10:20:30Z') / 1000;
const first_day = '2026-11-12';

export interface Erased {
  kills: number;
  /** By where the kill hit: before the job was written, while files were made, while they were placed, afterwards. */
  moments: Record<string, number>;
  /** Sentences; none when all is well. */
  failures: string[];
}

export async function eraseDrill(kills: number, seed: number): Promise<Erased> {
  const service = await startService({
    ...{ file: join(newFolder(), 's.sqlite'), days: 8, port: 0, apiKey: key, clock: () => now, world: smallWorld },
  });
  const settings = {
    ...{ CHATLEDGER_BASE_URL: service.url, CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: key },
    ...{ CHATLEDGER_REQUESTS_PER_SECOND: '1000', CHATLEDGER_SINCE: first_day },
  };
  try {
    return await killAll({ settings, kills, draw: random(seed) });
  } finally {
    await service.close();
  }
}

interface Drill {
  settings: Record<string, string>;
  kills: number;
  draw: () => number;
}

async function killAll({ settings, kills, draw }: Drill): Promise<Erased> {
  const filled = newFolder();
  await runToEnd(['pull', '--only', 'archive,total_chats'], settings, filled);
  for (let count = 0; count < 2; count += 1) await runToEnd(['snapshot'], settings, filled);
  const { visitor, words } = await somebody(filled);
  const before = await answersOf(filled);
  const whole = copiedFolder(filled);
  const started = performance.now();
  await runToEnd(['erase', '--visitor', visitor], settings, whole);
  const took = performance.now() - started;
  const moments: Record<string, number> = {};
  const failures: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const folder = copiedFolder(filled);
    const { child, ended } = begin(['erase', '--visitor', visitor], settings, folder);
    await pause(draw() * took);
    child.kill('SIGKILL');
    const { code } = await ended;
    const moment = code === 0 ? 'afterwards' : momentOf(folder);
    moments[moment] = (moments[moment] ?? 0) + 1;
    const resumed = await runToEnd(['snapshot'], settings, folder);
    if (resumed.code !== 0) failures.push(`kill ${kill} (${moment}): ${resumed.complained}`);
    if (moment === 'before') await runToEnd(['erase', '--visitor', visitor], settings, folder);
    const left = await tracesIn(join(folder, 'data'), words);
    if (left.length > 0) failures.push(`kill ${kill} (${moment}): left in ${left.join(', ')}`);
    const after = await answersOf(folder);
    const changed = Object.keys(before).filter((question) => before[question] !== after[question]);
    if (changed.length > 0) failures.push(`kill ${kill} (${moment}): other numbers in ${changed.join(', ')}`);
    rmSync(folder, { recursive: true });
  }
  return { kills, moments, failures };
}

function momentOf(folder: string): string {
  const job = join(folder, 'data', 'erase', 'job.json');
  if (!existsSync(job)) return 'before';
  return readFileSync(job, 'utf8').includes('"placing"') ? 'placing' : 'making';
}

async function somebody(folder: string): Promise<{ visitor: string; words: string[] }> {
  const engine = await openWarehouse(join(folder, 'data', 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  const [found] = await engine.query(
    `select c.visitor_id as visitor, any_value(s.answer) as address
     from facts.chats as c join facts.chat_surveys as s using (chat_id)
     where s.answer like '%@%'
     group by c.visitor_id
     order by count(distinct chat_id) desc, visitor limit 1`,
  );
  await engine.close();
  return { visitor: String(found?.visitor), words: [String(found?.visitor), String(found?.address)] };
}

/** Every metric of every snapshot, by question. */
async function answersOf(folder: string): Promise<Record<string, string>> {
  const published = join(folder, 'data', 'published');
  const answers: Record<string, string> = {};
  const account = { id: 'default', timezone: 'UTC', since: first_day };
  for (const id of await snapshots(published)) {
    const engine = await openSnapshot(published, id);
    const context = await contextWhenPublished(localReader, { id, published_at: instantOf(id), engine }, account);
    for (const { id: metric } of metrics.filter(({ archived }) => !archived?.businessHours))
      answers[`${id} ${metric}`] = JSON.stringify(
        (await run(metric, { from: first_day, to: '2026-11-18' }, context)).rows,
      );
    await engine.close();
  }
  return answers;
}

if (import.meta.main) {
  const [kills = 30, seed = 1] = process.argv.slice(2).map(Number);
  const { failures, moments } = await eraseDrill(kills, seed);
  process.stdout.write(
    `${kills} kills: ${JSON.stringify(moments)}; ${failures.length} left something or changed a number\n`,
  );
  for (const failure of failures) process.stdout.write(`${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
