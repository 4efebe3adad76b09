// Publishing that is killed at random moments: what was published stays whole, and what is listed can be opened.
// `npm run drill:publishing -- [kills] [seed]`: ends with what was lost, and with exit code 1 when something was.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openWarehouse } from '#warehouse/store/open.ts';
import { partsIn, readCatalogue } from '#warehouse/store/packed/catalogue.ts';
import { newestName, publish } from '#warehouse/store/snapshot.ts';
import { fileOf, newest, openSnapshot, snapshots, storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import { addChats } from '../warehouse/account.ts';
import { random } from './random.ts';

const begin = Date.parse('2026-11-01T00:00:00Z');
/** Between two publications: hours, days and months pass, so that snapshots are packed and removed. */
const minutes = 47;
const longest_ms = 1500;
/** Every so many kills all snapshots are opened. */
const thorough_every = 20;

/** What a publication told of itself before the kill. */
interface Told {
  id: string;
  chats: number;
}

const chatsIn = 'select count(*) as chats from facts.chats';

/** Publishes until it is killed: a chat more each time. Runs in a process of its own. */
async function publishOn(folder: string): Promise<void> {
  const engine = await openWarehouse(join(folder, 'warehouse.file'));
  for (;;) {
    const [row] = await engine.query(chatsIn);
    const chats = Number(row?.chats);
    await addChats(engine, [{ start: new Date(begin + chats * minutes * 60_000).toISOString() }], chats);
    // However small it is, only what differs is written.
    const { id } = await publish(engine, folder, begin + (chats + 1) * minutes * 60_000, { smallest: 0 });
    process.send?.({ id, chats: chats + 1 } satisfies Told);
  }
}

export interface Published {
  kills: number;
  /** Publications that ended. */
  publications: number;
  /** Sentences; none when all is well. */
  failures: string[];
}

export async function publishingDrill(kills: number, seed: number): Promise<Published> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-publishing-'));
  const draw = random(seed);
  const told = new Map<string, number>();
  const failures: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const child = fork(import.meta.filename, ['publish', folder], { stdio: 'inherit' });
    // Killed after so many publications, in the next one: machines are not always as fast.
    let left = Math.floor(draw() * 3);
    const reached = Promise.withResolvers<void>();
    child.on('message', ({ id, chats }: Told) => {
      told.set(id, chats);
      left -= 1;
      if (left <= 0) reached.resolve();
    });
    if (left === 0) reached.resolve();
    const ended = once(child, 'exit');
    await Promise.race([reached.promise.then(() => pause(draw() * longest_ms)), ended]);
    if (child.exitCode !== null) failures.push(`kill ${kill}: it ended by itself with exit code ${child.exitCode}`);
    child.kill('SIGKILL');
    await ended;
    const isThorough = kill % thorough_every === thorough_every - 1 || kill === kills - 1;
    for (const failure of await lookedAt(folder, told, (places) => isThorough || draw() < 5 / places))
      failures.push(`kill ${kill}: ${failure}`);
  }
  // The next publication clears away what kills left behind.
  const engine = await openWarehouse(join(folder, 'warehouse.file'));
  await publish(engine, folder, begin + 400 * 86_400_000);
  await engine.close();
  for (const left of await leftIn(folder)) failures.push(`at the end ${left} is left`);
  rmSync(folder, { recursive: true, force: true });
  return { kills, publications: told.size, failures };
}

/** What is not as it must be after a kill. */
async function lookedAt(
  folder: string,
  told: ReadonlyMap<string, number>,
  isOpened: (of: number) => boolean,
): Promise<string[]> {
  const failures: string[] = [];
  const last = await newest(folder);
  const lastTold = [...told.keys()].at(-1);
  if (lastTold !== undefined && (last === null || last.id < lastTold))
    failures.push(`${lastTold} was published, the newest is ${last?.id}`);
  if (last && lastTold !== undefined) {
    const named = statSync(join(folder, newestName)).ino;
    const possible = [last.id, lastTold].map((id) => statSync(fileOf(folder, id), { throwIfNoEntry: false })?.ino);
    if (!possible.includes(named)) failures.push(`${newestName} is neither the newest nor the one before`);
  }
  const stored = await storedSnapshots(folder);
  for (const [place, { id }] of stored.entries()) {
    // Those that the kill may have met, and some of the others.
    if (place < stored.length - 4 && !isOpened(stored.length)) continue;
    try {
      const engine = await openSnapshot(folder, id);
      const [row] = await engine.query(chatsIn);
      await engine.close();
      const expected = told.get(id);
      if (expected !== undefined && Number(row?.chats) !== expected)
        failures.push(`${id} has ${String(row?.chats)} chats instead of ${expected}`);
    } catch (error) {
      failures.push(`${id} cannot be opened: ${String(error)}`);
    }
  }
  return failures;
}

/** Files that nothing lists. */
async function leftIn(folder: string): Promise<string[]> {
  const listed = new Set<string>();
  const kept = join(folder, 'snapshots');
  for (const name of readdirSync(kept).filter((each) => each.endsWith('.json')))
    for (const part of partsIn(await readCatalogue(join(kept, name)))) listed.add(part.file);
  const known = new Set(await snapshots(folder));
  const spares = readdirSync(kept).filter((name) => name.endsWith('.spare'));
  return [
    ...readdirSync(join(folder, 'parts')).filter((name) => !listed.has(name)),
    ...readdirSync(kept).filter((name) => !/\.(spare|gone\.json)$/.test(name) && !known.has(name.split('.')[0] ?? '')),
    ...readdirSync(kept).filter((name) => name.includes('.part')),
    // One of them is for the next publication.
    ...spares.slice(1),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const [first = '', second = ''] = process.argv.slice(2);
  if (first === 'publish') await publishOn(second);
  else {
    const { kills, publications, failures } = await publishingDrill(Number(first || 200), Number(second || 1));
    for (const failure of failures) process.stdout.write(`${failure}\n`);
    process.stdout.write(`${kills} kills, ${publications} publications: ${failures.length} lost or broken\n`);
    process.exitCode = failures.length > 0 ? 1 : 0;
  }
}
