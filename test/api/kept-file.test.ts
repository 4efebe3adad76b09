// Kept snapshots as files by their ids: packed or not they open and hold what was known then, go on after an interruption, and have a checksum.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSqlConsole } from '#server/sql-console/sql-console.ts';
import { limitsWith } from '../sql-limits.ts';
import { countChats } from '#warehouse/read/chats.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openSnapshot, storedSnapshots, type StoredSnapshot } from '#warehouse/store/snapshot-store.ts';
import type { ApiDeps } from '#api/deps.ts';
import type { Store } from '#warehouse/engine.ts';
import { openDoors } from '../access/api.ts';
import { account, addChats } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-file-'));
const files = join(folder, 'files');
const first = Date.parse('2026-05-31T00:00:00Z');
const opened: Store[] = [];
let kept: StoredSnapshot[];
let deps: ApiDeps;
let api: ReturnType<typeof promisedApi>;

beforeAll(async () => {
  const writer = await account([]);
  for (let count = 0; count < 4; count += 1) {
    await addChats(writer, [{ start: `2026-05-05T1${count}:00:00Z`, groups: [2] }]);
    await publish(writer, folder, first + count * 3_600_000);
  }
  await writer.close();
  kept = await storedSnapshots(folder);
  const newest = kept.at(-1);
  if (!newest) throw new Error('nothing is published');
  const open = async (id: string) => {
    const engine = await openSnapshot(folder, id);
    opened.push(engine);
    return { id, published_at: kept.find((one) => one.id === id)?.published_at ?? '', engine };
  };
  const served = await open(newest.id);
  deps = apiDeps(served.engine, { files, sql: createSqlConsole(limitsWith()), snapshot: () => served });
  deps = { ...deps, snapshots: { ...deps.snapshots, list: () => Promise.resolve(kept), open } };
  api = promisedApi(deps);
});
afterAll(async () => {
  for (const engine of opened) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (id: string, headers: Record<string, string> = {}, method = 'GET', of = api) =>
  Promise.resolve(of.request(`http://127.0.0.1:3000/api/snapshots/${id}/file`, { headers, method }));
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const sentenceOf = async (answer: Response) => ((await answer.json()) as { error: { message: string } }).error.message;

it('each opens, holds what was known then, and is what its checksum says', async () => {
  expect(kept.filter(({ file }) => isPacked(file)).length).toBeGreaterThan(1);
  for (const [place, { id }] of kept.entries()) {
    const answer = await ask(id);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="chatledger-${id}.duckdb"`);
    const bytes = await bytesOf(answer);
    const sum = createHash('sha256').update(bytes).digest('base64');
    expect([answer.status, answer.headers.get('repr-digest')]).toEqual([200, `sha-256=:${sum}:`]);
    const copy = join(folder, `copy-${place}.duckdb`);
    writeFileSync(copy, bytes);
    const engine = await openWarehouse(copy, { readOnly: true });
    opened.push(engine);
    expect(await countChats(engine)).toBe(place + 1);
  }
  // Of the files that were made only the last two stay.
  expect(readdirSync(files).filter((name) => name.startsWith('snapshot-'))).toHaveLength(2);
});

it('goes on after an interruption within the same bytes, also of a packed one', async () => {
  const id = kept[0]?.id ?? '';
  const whole = await ask(id);
  const etag = whole.headers.get('etag') ?? '';
  const bytes = await bytesOf(whole);
  const part = await ask(id, { range: 'bytes=1000-', 'if-match': etag });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 1000-${bytes.length - 1}/${bytes.length}`,
  ]);
  expect((await bytesOf(part)).equals(bytes.subarray(1000))).toBe(true);
  expect((await ask(id, { 'if-none-match': etag })).status).toBe(304);
  expect((await ask(id, { 'if-match': `"${id}"` })).status).toBe(412);
  expect((await ask(id, { range: 'bytes=999999999-', 'if-match': etag })).status).toBe(416);
  const head = await ask(id, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
    ...[200, String(bytes.length), 'bytes'],
  ]);
});

it('is read in ranges without a condition, as clients of DuckDB do; a condition about other bytes still counts', async () => {
  for (const { id } of kept) {
    const whole = await ask(id);
    const [etag, bytes] = [whole.headers.get('etag') ?? '', await bytesOf(whole)];
    const part = await ask(id, { range: 'bytes=4096-8191' });
    expect([part.status, part.headers.get('etag'), part.headers.get('content-range')]).toEqual([
      ...[206, etag, `bytes 4096-8191/${bytes.length}`],
    ]);
    expect((await bytesOf(part)).equals(bytes.subarray(4096, 8192))).toBe(true);
    expect((await ask(id, { range: 'bytes=999999999-' })).status).toBe(416);
    expect((await bytesOf(await ask(id, { range: 'bytes=0-9', 'if-range': '"of-before"' }))).length).toBe(bytes.length);
    expect((await ask(id, { range: 'bytes=0-9', 'if-match': '"of-before"' })).status).toBe(412);
  }
});

it('one that is not kept is a sentence, whatever its id looks like', async () => {
  for (const id of ['20200101-000000-000', '..%2F..%2Fstate.json', 'x']) {
    const answer = await ask(id);
    expect([id, answer.status]).toEqual([id, 404]);
    expect(await sentenceOf(answer)).toContain('GET /api/snapshots lists those that are');
  }
});

it('after an erasure nothing that was made before is given', async () => {
  let mark = 'before';
  const erasing = promisedApi({ ...deps, files: join(folder, 'erasing'), rewritten: () => mark });
  const id = kept[0]?.id ?? '';
  await bytesOf(await ask(id, {}, 'GET', erasing));
  const [before] = readdirSync(join(folder, 'erasing'));
  mark = 'after';
  await bytesOf(await ask(id, {}, 'GET', erasing));
  expect(readdirSync(join(folder, 'erasing'))).not.toContain(before);
});

it('what takes too long is a sentence, and leaves nothing', async () => {
  const own = join(folder, 'hurried');
  const hurried = promisedApi({
    ...deps,
    files: own,
    sql: createSqlConsole(limitsWith({ seconds: 0.04 }), { opening_seconds: 0.01 }),
  });
  const answer = await ask(kept[0]?.id ?? '', {}, 'GET', hurried);
  expect(answer.status).toBe(503);
  expect(await sentenceOf(answer)).toMatch(/no file could be made of this snapshot: it was stopped after 0.05 seconds/);
  expect(existsSync(own) ? readdirSync(own) : []).toEqual([]);
});

it('only who may take the whole file away gets it', async () => {
  const doors = openDoors(null, { ...deps });
  await doors.userWith('admin');
  const [analyst, viewer, ofGroup] = [
    await doors.userWith('analyst'),
    await doors.userWith('viewer'),
    await doors.userWith('analyst', { rows: { groups: [1] } }),
  ];
  const path = `/snapshots/${kept.at(-1)?.id}/file`;
  const answer = await doors.ask(path, analyst);
  expect((await bytesOf(answer)).equals(readFileSync(kept.at(-1)?.file ?? ''))).toBe(true);
  for (const who of [viewer, ofGroup]) expect((await doors.ask(path, who)).status).toBe(403);
});
