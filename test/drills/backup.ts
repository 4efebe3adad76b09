// Backups, restores and pulls that are killed at random moments while others go on: what is restored gives the answers of its moment.
// `npm run drill:backup -- [kills] [questions] [seed]`: ends with what was found, and with exit code 1 when something was.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '#service/service.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { instantOf, openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { isAsClosed } from '#server/clean-shutdown.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { smallWorld } from '../livechat/service/small-world.ts';
import { begin, copiedFolder, newFolder, runToEnd, type Ended } from '../server/program.ts';
import { random } from './random.ts';

const key = 'ef'.repeat(16);
const first_day = '2026-11-12';
const last_day = '2026-11-18';
let now = Date.parse('2026-11-18T10:20:30Z') / 1000;

interface Asked {
  metric: string;
  from: string;
  to: string;
  split: string[];
  grain: 'hour' | 'day' | 'total';
}

const [kills = 40, count = 500, seed = 1] = process.argv.slice(2).map(Number);
const draw = random(seed);
const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;

const questions: Asked[] = Array.from({ length: count }, () => {
  const metric = pick(metrics.filter(({ archived }) => !archived?.businessHours));
  const days = Array.from({ length: 7 }, (_, day) => `2026-11-${12 + day}`);
  const [from = first_day, to = last_day] = [pick(days), pick(days)].sort();
  const split = metric.splits.length > 0 && draw() < 0.5 ? [pick(metric.splits)] : [];
  return { metric: metric.id, from, to, split, grain: pick(['hour', 'day', 'total'] as const) };
});

/** What each question answers, of every kept snapshot in turn. */
async function answersOf(folder: string): Promise<string[]> {
  const published = join(folder, 'data', 'published');
  const kept = await snapshots(published);
  const answers: string[] = [];
  for (const [place, id] of kept.entries()) {
    const engine = await openSnapshot(published, id);
    const account = { id: 'default', timezone: 'UTC', since: first_day };
    const context = await contextWhenPublished(localReader, { id, published_at: instantOf(id), engine }, account);
    for (const [number, { metric, ...asked }] of questions.entries()) {
      if (number % kept.length !== place) continue;
      const answer = await run(metric, asked, context).then(
        ({ rows }) => rows,
        (error: unknown) => String(error),
      );
      answers.push(`${id} ${JSON.stringify({ metric, ...asked })} ${JSON.stringify(answer)}`);
    }
    await engine.close();
  }
  return answers;
}

const failures: string[] = [];
const moments: Record<string, number> = {};
const note = (moment: string): void => void (moments[moment] = (moments[moment] ?? 0) + 1);

async function killed(
  words: string[],
  settings: Record<string, string>,
  folder: string,
  took: number,
): Promise<boolean> {
  const { child, ended } = begin(words, settings, folder);
  await pause(draw() * took);
  child.kill('SIGKILL');
  return (await ended).code === 0;
}

function mustBeWell(what: string, { code, complained }: Ended): void {
  if (code !== 0) failures.push(`${what}: exit code ${code}: ${complained}`);
}

function compare(what: string, wanted: readonly string[], found: readonly string[]): void {
  const others = wanted.filter((answer, place) => answer !== found[place]);
  if (others.length > 0 || wanted.length !== found.length)
    failures.push(
      `${what}: ${others.length} of ${wanted.length} answers are others, such as ${others[0] ?? found.at(-1)}`,
    );
}

const service = await startService({
  ...{ file: join(newFolder(), 's.sqlite'), days: 8, port: 0, apiKey: key, clock: () => now, world: smallWorld },
});
const settings = {
  ...{ CHATLEDGER_BASE_URL: service.url, CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: key },
  ...{
    CHATLEDGER_REQUESTS_PER_SECOND: '1000',
    CHATLEDGER_SINCE: first_day,
    CHATLEDGER_BACKUP_KEY: 'correct horse battery',
  },
};
const only = ['--only', 'archive,total_chats,goals'];
const live = newFolder();
mustBeWell('the first pull', await runToEnd(['pull', ...only], settings, live));
const to = join(newFolder(), 'backups');

const began = performance.now();
mustBeWell('the first backup', await runToEnd(['backup', to], settings, live));
const took = performance.now() - began;

for (let kill = 0; kill < kills; kill += 1) {
  now += 600;
  // A pull goes on while the backup is made, and while it is killed.
  const pull = begin(['pull', ...only], settings, live);
  const isWhole = await killed(['backup', to], settings, live, 1.5 * took);
  note(isWhole ? 'backup was done' : 'backup was cut off');
  mustBeWell(`pull ${kill}`, await pull.ended);
  mustBeWell(`verification ${kill}`, await runToEnd(['backup', '--verify', to], settings, live));
}

const beside = begin(['pull', ...only], settings, live);
mustBeWell('the backup beside a pull', await runToEnd(['backup', to], settings, live));
mustBeWell('the pull beside it', await beside.ended);
mustBeWell('a backup of what stands still', await runToEnd(['backup', to], settings, live));
const wanted = await answersOf(live);

const clean = newFolder();
mustBeWell('a restore into an empty folder', await runToEnd(['restore', to], settings, clean));
compare('an empty folder', wanted, await answersOf(clean));

for (let kill = 0; kill < kills; kill += 1) {
  const corrupt = copiedFolder(live);
  const harmed = pick([
    'app.sqlite',
    'warehouse/chatledger.duckdb',
    'warehouse/archive.duckdb',
    'published/chatledger.duckdb',
    'state.json',
  ]);
  rmSync(join(corrupt, 'data', harmed), { force: true });
  writeFileSync(join(corrupt, 'data', harmed), 'broken', { mode: 0o600 });
  const isWhole = await killed(['restore', to, '--replace'], settings, corrupt, took);
  const isCutOff = existsSync(join(corrupt, 'data', 'restoring'));
  note(isWhole ? 'restore was done' : isCutOff ? 'restore was cut off under way' : 'restore had not begun');
  if (!isWhole) mustBeWell(`restore ${kill}`, await runToEnd(['restore', to, '--replace'], settings, corrupt));
  if (readdirSync(join(corrupt, 'data')).includes('restoring'))
    failures.push(`restore ${kill}: something is left of it`);
  if (kill % 10 === 0) compare(`restore ${kill} over a broken ${harmed}`, wanted, await answersOf(corrupt));
  mustBeWell(`the pull after restore ${kill}`, await runToEnd(['pull', ...only], settings, corrupt));
  rmSync(corrupt, { recursive: true });
}

/** Every row of facts and reports, without the times and names of pulls. */
async function contentOf(folder: string): Promise<string[]> {
  const engine = await openWarehouse(join(folder, 'data', 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  const content: string[] = [];
  for (const { schema, name, columns } of tables) {
    if (schema === 'ledger') continue;
    const kept = Object.keys(columns).filter((column) => !['pulled_at', 'pull_id', 'content_hash'].includes(column));
    const listed = kept.map((column) => `"${column}"`).join(', ');
    for (const row of await engine.query(`select ${listed} from ${schema}.${name} order by all`))
      content.push(`${schema}.${name} ${JSON.stringify(row)}`);
  }
  await engine.close();
  return content;
}

/** So slow that a backup fits in several times. */
const slowly = { ...settings, CHATLEDGER_REQUESTS_PER_SECOND: '20' };
const once = newFolder();
const pulling = performance.now();
mustBeWell('a slow first pull', await runToEnd(['pull', ...only], slowly, once));
const pulled = performance.now() - pulling;
const whole = await contentOf(once);

for (let kill = 0; kill < kills; kill += 1) {
  const [folder, place] = [newFolder(), join(newFolder(), 'backups')];
  const what = pick(['backup', 'pull', 'nobody'] as const);
  const pull = begin(['pull', ...only], slowly, folder);
  await pause(draw() * 0.8 * pulled);
  if (!existsSync(join(folder, 'data', 'warehouse', 'archive.duckdb'))) await pause(0.2 * pulled);
  const backup = begin(['backup', place], settings, folder);
  const rests = (): boolean =>
    readdirSync(join(folder, 'data', 'warehouse')).some((name) => /^rest-.*\.resting$/.test(name));
  let hasRested = false;
  if (what !== 'nobody') {
    // Half of the kills hit a rest, which is short.
    const isAimed = draw() < 0.5;
    while (isAimed && !rests() && backup.child.exitCode === null && pull.child.exitCode === null) await pause(10);
    await pause(draw() * (isAimed ? 400 : 1.5 * took));
    hasRested = rests();
    (what === 'pull' ? pull : backup).child.kill('SIGKILL');
  }
  const { code } = await backup.ended;
  if (what !== 'backup') {
    if (code !== 0) mustBeWell(`backup ${kill} during a first pull`, await backup.ended);
  } else if (code !== 0) mustBeWell(`the backup after ${kill}`, await runToEnd(['backup', place], settings, folder));
  const end = await pull.ended;
  hasRested ||= /the pull rested/.test(end.complained);
  note(`${what} killed during a first pull that ${hasRested ? 'rested' : 'did not rest'}`);
  if (what !== 'pull') mustBeWell(`first pull ${kill}`, end);
  if (what !== 'pull') compare(`first pull ${kill}, which rested`, whole, await contentOf(folder));
  const empty = newFolder();
  mustBeWell(`restore of ${kill}`, await runToEnd(['restore', place], settings, empty));
  for (const name of ['archive', 'chatledger'])
    if (!isAsClosed(join(empty, 'data', 'warehouse', `${name}.duckdb`)))
      failures.push(`restore of ${kill}: ${name}.duckdb is not as it was closed`);
  const on = await runToEnd(['pull', ...only], settings, empty);
  mustBeWell(`the pull after the restore of ${kill}`, on);
  if (on.complained !== '') failures.push(`the pull after the restore of ${kill}: ${on.complained}`);
  compare(`what was restored of ${kill}, pulled on`, whole, await contentOf(empty));
  for (const each of [folder, place, empty]) rmSync(each, { recursive: true, force: true });
}
await service.close();

console.log(`${3 * kills} kills: ${JSON.stringify(moments)}; ${wanted.length} questions of each restored folder`);
for (const failure of failures) console.log(failure);
console.log(failures.length === 0 ? 'nothing was lost' : `${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
