// Snapshots that are replaced while they are asked: every question is answered, and each file is closed when it is not needed.
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inScope, openScope } from '#server/request-scope.ts';
import { openSnapshots, type ServedSnapshots } from '#server/snapshots.ts';
import type { Store } from '#warehouse/engine.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { fileOf, storedFile } from '#warehouse/store/snapshot-store.ts';
import { tries } from '../chance.ts';
import { account, addChats } from '../warehouse/account.ts';
import { apiDeps } from '../api/deps.ts';
import { promisedApi } from '../api/promised-api.ts';

const start = Date.parse('2027-01-01T00:00:00Z');
let folder: string;
let writer: Store;
let snapshots: ServedSnapshots;
let api: ReturnType<typeof promisedApi>;
const ids: string[] = [];

async function publishNext(): Promise<void> {
  ids.push((await publish(writer, folder, start + ids.length * 60_000)).id);
  await snapshots.refresh();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leases-'));
  ids.length = 0;
  writer = await account([{ start: '2026-05-05T10:00:00Z' }]);
  snapshots = openSnapshots(folder, () => new Map(), { memory: '200MB', spill: '200MB' });
  const served = apiDeps(null, {
    snapshot: () => snapshots.current(),
    published: snapshots.published,
    snapshots: { ...snapshots.older, space: () => 10e9 },
    clock: () => start + 86_400_000,
    accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-05-01' }],
  });
  api = promisedApi(served);
  await publishNext();
});
afterEach(async () => {
  await snapshots.close();
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One request, whole: the answer is read before it ends. */
const ask = (path: string): Promise<{ status: number; body: Record<string, unknown> }> =>
  inScope(async () => {
    const answer = await api.request(`http://127.0.0.1:3000/api${path}`);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  });

/** Snapshots that this process has open, by the names of their files. */
const openFiles = (): string[] => [
  ...new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${fd}`);
        return file.startsWith(join(folder, 'snapshots')) ? [file.replace(' (deleted)', '')] : [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  ),
];

const day = '/metrics/total_chats?from=2026-05-05&to=2026-05-05';

it('questions across publications are all answered', { timeout: 300_000 }, async () => {
  const publications = tries(2, 15);
  const answered: Promise<number>[] = [];
  const paths = (index: number): string[] => [
    `${day}&tag=t${index}`,
    `/metrics/repeat_contact?from=2026-05-01&to=2026-05-0${1 + (index % 8)}&split=agent&tag=u${index}`,
    `/receipts/total_chats?from=2026-05-05&to=2026-05-05&grain=total&tag=v${index}`,
    `/chats?from=2026-05-0${1 + (index % 8)}&to=2026-05-09&query=w${index}`,
    `${day}&split=agent&group=${index}&as_of=${new Date(start + (index % ids.length) * 60_000).toISOString()}`,
  ];
  for (let time = 0; time < publications; time++) {
    for (let index = 0; index < 4; index++)
      for (const path of paths(time * 4 + index)) answered.push(ask(path).then(({ status }) => status));
    await addChats(writer, [{ start: `2026-05-06T${String(time % 24).padStart(2, '0')}:00:00Z` }]);
    await publishNext();
  }
  const statuses = await Promise.all(answered);
  expect(statuses).toHaveLength(20 * publications);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

it('a replaced snapshot stays open for the request that began on it, and is closed right after', async () => {
  const request = openScope();
  const engine = await request.run(() => Promise.resolve(snapshots.current()?.engine));
  const old = fileOf(folder, ids[0] ?? '');
  await publishNext();
  expect(openFiles()).toContain(old);
  expect(await request.run(() => engine?.query('select count(*) as n from facts.chats'))).toEqual([{ n: 1 }]);
  request.end();
  await expect.poll(openFiles).not.toContain(old);
  expect(openFiles()).toEqual([fileOf(folder, ids[1] ?? '')]);
});

it('who listens for hours holds no snapshot open', async () => {
  const request = openScope();
  const listened = await request.run(async () => api.request('http://127.0.0.1:3000/api/events'));
  const reader = listened.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const until = async (text: string): Promise<void> => {
    while (!heard.includes(text)) heard += (await reader?.read())?.value ?? '';
  };
  await until(ids[0] ?? '');
  for (let count = 0; count < 3; count++) {
    await publishNext();
    await until(ids.at(-1) ?? '');
  }
  await expect.poll(openFiles).toEqual([fileOf(folder, ids.at(-1) ?? '')]);
  await reader?.cancel();
  request.end();
});

it('an older snapshot stays open while a request needs it, however many others are opened', async () => {
  for (let count = 0; count < 4; count++) await publishNext();
  const request = openScope();
  const first = await request.run(() => snapshots.older.open(ids[0] ?? ''));
  for (const id of ids.slice(1)) await inScope(() => snapshots.older.open(id));
  expect(await first.engine.query('select count(*) as n from facts.chats')).toEqual([{ n: 1 }]);
  request.end();
  await expect.poll(openFiles).not.toContain(fileOf(folder, ids[0] ?? ''));
});

it('a snapshot that is gone or damaged is told of in a sentence, and the open one is still given away', async () => {
  for (let count = 0; count < 3; count++) await publishNext();
  const [gone = '', damaged = '', cut = '', current = ''] = ids;
  rmSync(storedFile(folder, gone));
  writeFileSync(storedFile(folder, damaged), 'no snapshot at all'.repeat(5000));
  truncateSync(fileOf(folder, cut), 4096);
  const at = (id: string): string => new Date(start + ids.indexOf(id) * 60_000).toISOString();
  for (const id of [damaged, cut]) {
    const asked = await ask(`${day}&as_of=${at(id)}`);
    expect([id, asked.status]).toEqual([id, 404]);
    expect(JSON.stringify(asked.body)).toContain(`the snapshot ${id} is damaged or gone`);
    expect(JSON.stringify(asked.body)).not.toContain(folder);
    const restated = await ask(`/restatements?from_snapshot=${id}&metric=total_chats`);
    expect(restated.status).toBe(404);
  }
  rmSync(fileOf(folder, current));
  rmSync(join(folder, 'chatledger.duckdb'), { force: true });
  expect((await ask(day)).status).toBe(200);
  const take = () => api.request('http://127.0.0.1:3000/api/snapshots/current/file');
  const [one, other] = await Promise.all([take(), take()]);
  await one.body?.cancel();
  const file = await inScope(async () => Buffer.from(await (await take()).arrayBuffer()));
  expect(file.length).toBeGreaterThan(100_000);
  expect(Buffer.from(await other.arrayBuffer()).equals(file)).toBe(true);
  expect((await ask('/snapshots')).status).toBe(200);
});

it('what a request causes goes on when its reader has left: a newer snapshot is opened for everybody', async () => {
  const request = openScope();
  request.end();
  ids.push((await publish(writer, folder, start + ids.length * 60_000)).id);
  expect(await request.run(() => snapshots.refresh())).toBe(true);
  expect(snapshots.current()?.id).toBe(ids[1]);
  const older = await request.run(() => snapshots.older.open(ids[0] ?? ''));
  expect(await older.engine.query('select count(*) as n from facts.chats')).toEqual([{ n: 1 }]);
});
