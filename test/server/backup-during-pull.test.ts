// Backups while a pull goes on: it rests for them at its next step, whoever of the two is killed, and what is restored is of one moment.
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listUnits } from '#etl/plan/plan.ts';
import { createRests } from '#etl/rests.ts';
import { forgetRest, restIds, sayStep, whatIsSaid } from '#server/backup/rest-files.ts';
import { giveRests } from '#server/backup/giving-rest.ts';
import { withQuietWriter } from '#server/backup/quiet-writer.ts';
import { isAsClosed } from '#server/clean-shutdown.ts';
import { backingUpMeanwhile } from '#server/commands/start-backing-up.ts';
import { openFolder } from '#server/folder.ts';
import { openArchive } from '#etl/raw/archive.ts';
import type { Row } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { testInDrill } from '../chance.ts';
import { filledFolder, only, type Filled } from './filled.ts';
import { begin, newFolder, until, type Running } from './program.ts';
import { data, factsOf, rows } from './read-folder.ts';

let filled: Filled;
const pulling: Running[] = [];
const sources: Server[] = [];
beforeAll(async () => void (filled = await filledFolder()));
afterAll(async () => {
  for (const { child } of pulling) child.kill('SIGKILL');
  for (const source of sources) {
    source.closeAllConnections();
    source.close();
  }
  await filled.service.close();
});

/** The account behind an address that answers nothing more after so many requests until it is let go. */
async function heldSource(answered: number) {
  const letGo = Promise.withResolvers<void>();
  let asked = 0;
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    void (async () => {
      if ((asked += 1) > answered) await letGo.promise;
      const { authorization = '' } = headers;
      const answer = await fetch(`${filled.service.url}${url}`, { headers: { ...headersOf(headers), authorization } });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  sources.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, letGo: () => letGo.resolve(), isHeld: () => asked > answered };
}

const headersOf = (headers: Record<string, unknown>): Record<string, string> =>
  typeof headers['x-api-version'] === 'string' ? { 'x-api-version': headers['x-api-version'] } : {};

/** Requests of a first pull before its source is silent: the lists, and some days. */
const answered = 34;

/** A first pull that has loaded some days and waits for its source. */
async function waitingPull(
  after = answered,
): Promise<{ folder: string; pull: Running; heard: () => string; letGo: () => void }> {
  const folder = newFolder();
  const source = await heldSource(after);
  const pull = begin(['pull', ...only], { ...filled.settings(), CHATLEDGER_BASE_URL: source.url }, folder);
  pulling.push(pull);
  let heard = '';
  pull.child.stderr?.on('data', (part: Buffer) => (heard += part.toString()));
  await until(source.isHeld, 30, 'a question that is not answered');
  await pause(500);
  return { folder, pull, heard: () => heard, letGo: source.letGo };
}

const writers = (folder: string): string[] =>
  ['archive', 'chatledger'].map((name) => join(data(folder), 'warehouse', `${name}.duckdb`));
const asking = (folder: string): string[] =>
  readdirSync(join(data(folder), 'warehouse')).filter((name) => name.startsWith('rest-'));
/** Of whatever pull they are. */
async function untimedFactsOf(folder: string): Promise<Record<string, Row[]>> {
  const facts = await factsOf(folder);
  for (const row of facts['ledger.periods'] ?? [])
    for (const name of ['first_pulled_at', 'changed_at']) delete row[name];
  return facts;
}
const periods = `select source, day::text as day, grain, split, split_value, state, hash
  from ledger.periods order by all`;

async function well(folder: string, words: readonly string[]): Promise<string> {
  const { code, said, complained } = await filled.command(folder, ...words);
  expect([code, complained.replace(/^.*a pull is under way: it rests.*\n/, '')]).toEqual([0, '']);
  return said;
}

test('a backup is made while a pull goes on, which rests for it, also for one that is killed', async () => {
  const { folder, pull, heard, letGo } = await waitingPull();
  const to = join(newFolder(), 'to');
  const killed = begin(['backup', to], filled.settings(), folder);
  await until(() => asking(folder).some((name) => name.endsWith('.wanted')), 30, 'asking for a rest');
  killed.child.kill('SIGSTOP');
  await until(() => asking(folder).some((name) => name.endsWith('.resting')), 30, 'a rest');
  expect(writers(folder).map(isAsClosed)).toEqual([true, true]);
  killed.child.kill('SIGKILL');
  await until(() => /the pull rested for \d/.test(heard()), 5, 'going on');
  expect(asking(folder)).toEqual([]);

  await well(folder, ['backup', to]);
  expect(pull.child.exitCode).toBe(null);
  const empty = newFolder();
  await well(empty, ['restore', to]);
  expect(writers(empty).map(isAsClosed)).toEqual([true, true]);
  // Everything that was answered until then.
  expect(await rows(empty, 'select count(*)::integer as n from ledger.requests where status = 200')).toEqual([
    { n: answered },
  ]);
  letGo();
  expect(await pull.ended).toMatchObject({ code: 0 });
  expect(await untimedFactsOf(folder)).toEqual(await untimedFactsOf(filled.folder));
});

test('a pull that is killed while it rests makes the backup begin anew, with all that was loaded', async () => {
  const [{ folder, pull }, copy] = [await waitingPull(), newFolder()];
  const calls: boolean[] = [];
  const wait = { seconds: 60, waiting: () => undefined, resting: () => undefined };
  await withQuietWriter(openFolder(data(folder)), wait, async (handleOf) => {
    calls.push(handleOf(writers(folder)[0] ?? '') !== undefined);
    if (calls.length > 1) return;
    mkdirSync(join(data(copy), 'warehouse'), { recursive: true });
    for (const file of writers(folder)) cpSync(file, join(data(copy), 'warehouse', basename(file)));
    pull.child.kill('SIGKILL');
    await pull.ended;
  });
  expect(calls).toEqual([false, true]);
  expect(asking(folder)).toEqual([]);
  expect(writers(folder).map(isAsClosed)).toEqual([true, true]);
  const held = await rows(folder, periods);
  expect(held.length).toBeGreaterThan(5);
  expect(await rows(copy, periods)).toEqual(held);
});

test('of several pulls all must rest, and one that ends or waits for its source keeps nobody', async () => {
  const rests = createRests();
  const steps: string[] = [];
  const note = (step: string) => (): void => void steps.push(step);
  const [answer, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = rests.during(() => rests.away(() => answer.promise)).then(note('answered'));
  const ends = rests.during(() => end.promise).then(note('ended'));
  const woken = Promise.withResolvers<void>();
  const works = rests.during(async () => {
    rests.onWanted(woken.resolve);
    await woken.promise;
    await rests.here();
    steps.push('worked on');
  });
  await pause(0);
  const asked = rests.ask();
  void asked.begun.then(note('rest'));
  answer.resolve();
  await pause(5);
  expect([steps, rests.isWanted()]).toEqual([[], true]);
  end.resolve();
  await asked.begun;
  const late = rests.during(() => Promise.resolve(note('began late')()));
  await pause(5);
  expect(steps.toSorted()).toEqual(['ended', 'rest']);
  asked.end();
  await Promise.all([waits, ends, works, late]);
  expect(steps.slice(2).sort()).toEqual(['answered', 'began late', 'worked on']);
});

test('a rest is told from every other, ends with the pull’s signal, and what is nobody’s is removed', async () => {
  const folder = newFolder();
  const place = { raw: join(folder, 'archive.duckdb'), warehouse: join(folder, 'chatledger.duckdb') };
  const [engine, archive] = [await openWarehouse(place.warehouse), await openArchive(place.raw)];
  const [signal, told] = [new AbortController(), [] as (string | null)[]];
  const given = giveRests({
    ...{ folder: place, writer: { engine, archive }, rests: createRests(), signal: signal.signal },
    ...{ onChange: (state) => void told.push(state), onFailure: (error) => void told.push(String(error)) },
  });
  const here = JSON.stringify({ pid: process.pid, host: 'elsewhere' });
  sayStep(place, 'rest-0', 'wanted', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  sayStep(place, 'rest-1', 'resting', 'of a pull that is gone');
  await until(() => restIds(place).length === 0, 5, 'removal');
  expect(told).toEqual([]);
  // Of a container with the same host name: its processes have other numbers, so that nothing is known of that one.
  sayStep(
    ...([place, 'rest-4', 'wanted'] as const),
    JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), processes: 'pid:[1]' }),
  );
  await until(() => whatIsSaid(place, 'rest-4', 'resting') !== undefined, 5, 'a rest for another container');
  forgetRest(place, 'rest-4');
  await until(() => told.length === 3, 5, 'going on');
  told.length = 0;
  // What a pull before left of its answers counts for nothing.
  sayStep(place, 'rest-2', 'resting', 'of a pull that is gone');
  sayStep(place, 'rest-2', 'wanted', here);
  const said = (): string | undefined => whatIsSaid(place, 'rest-2', 'resting');
  await until(() => said() !== undefined && said() !== 'of a pull that is gone', 5, 'a rest');
  expect([isAsClosed(place.raw), isAsClosed(place.warehouse)]).toEqual([true, true]);
  // Also for a backup of another user.
  expect(statSync(join(folder, 'rest-2.resting')).mode & 0o777).toBe(0o644);
  sayStep(place, 'rest-2', 'copied');
  await until(() => whatIsSaid(place, 'rest-2', 'rested') === said(), 5, 'its end');
  await until(() => told.at(-1) === null, 5, 'going on');
  forgetRest(place, 'rest-2');
  sayStep(place, 'rest-3', 'wanted', here);
  await until(() => whatIsSaid(place, 'rest-3', 'resting') !== undefined, 5, 'another rest');
  expect(whatIsSaid(place, 'rest-3', 'resting')).not.toBe(said());
  signal.abort();
  await until(() => told.length === 6, 5, 'going on');
  await given();
  expect(whatIsSaid(place, 'rest-3', 'rested')).toBe(undefined);
  expect(told).toEqual(['wanted', 'resting', null, 'wanted', 'resting', null]);
  await archive.close();
  await engine.close();
});

test('`start` looks each minute of a pull whether a backup is due, makes one at a time, and waits for it at the end', async () => {
  vi.useFakeTimers();
  const ends: (() => void)[] = [];
  const warned: string[] = [];
  const backUp = (): Promise<void> => new Promise((resolve, reject) => ends.push(ends.length === 1 ? reject : resolve));
  const noMore = backingUpMeanwhile(backUp, { warn: (sentence) => void warned.push(sentence) });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(ends.length).toBe(0);
  await vi.advanceTimersByTimeAsync(121_000);
  expect(ends.length).toBe(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends.length).toBe(2);
  const over = noMore().then(() => 'over');
  await vi.advanceTimersByTimeAsync(180_000);
  expect(await Promise.race([over, Promise.resolve('under way')])).toBe('under way');
  ends[1]?.();
  expect([await over, warned, ends.length]).toEqual(['over', ['no backup was made: undefined'], 2]);
  vi.useRealTimers();
});

testInDrill('a backup that hangs holds a pull for seconds, also one that waits for the lists of groups', async () => {
  const { folder, pull, heard } = await waitingPull(listUnits().length + 1);
  const hanging = begin(['backup', join(newFolder(), 'to')], filled.settings(), folder);
  await until(() => asking(folder).some((name) => name.endsWith('.wanted')), 30, 'asking for a rest');
  hanging.child.kill('SIGSTOP');
  await until(() => /the pull rested for \d/.test(heard()), 20, 'going on');
  hanging.child.kill('SIGCONT');
  expect(await hanging.ended).toMatchObject({ code: 0 });
  expect(pull.child.exitCode).toBe(null);
});
