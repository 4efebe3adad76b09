// Statements about a past instant: the kept snapshot of then answers, packed or not, and nothing is left of the file that was made of it.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { createSqlConsole } from '#server/sql-console/sql-console.ts';
import { limitsWith } from '../sql-limits.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openSnapshot, storedFile, storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import type { Store } from '#warehouse/engine.ts';
import { account, addChats } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'sql-as-of-'));
const files = join(folder, 'files');
const hour = 3_600_000;
const first = Date.parse('2026-05-31T00:00:00Z');
/** One chat more in each. */
const publications = 4;
const opened: Store[] = [];
let api: ReturnType<typeof promisedApi>;

beforeAll(async () => {
  const writer = await account([]);
  for (let count = 0; count < publications; count += 1) {
    await addChats(writer, [{ start: `2026-05-05T1${count}:00:00Z`, groups: [2] }]);
    await publish(writer, folder, first + count * hour);
  }
  await writer.close();
  const kept = await storedSnapshots(folder);
  const newest = kept.at(-1);
  if (!newest) throw new Error('nothing is published');
  const engine = await openWarehouse(storedFile(folder, newest.id), { readOnly: true });
  opened.push(engine);
  const deps = apiDeps(engine, {
    ...{ files, sql: createSqlConsole(limitsWith()), clock: () => first + publications * hour },
    snapshot: () => ({ ...newest, engine }),
  });
  const open = async (id: string) => {
    const found = kept.find((one) => one.id === id);
    const older = await openSnapshot(folder, id);
    opened.push(older);
    return { id, published_at: found?.published_at ?? '', engine: older };
  };
  const list = () => Promise.resolve(kept.map((one) => ({ ...one, bytes: 1, pinned: null })));
  api = promisedApi({ ...deps, snapshots: { ...deps.snapshots, list, open } });
});
afterAll(async () => {
  for (const engine of opened) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function send(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await api.request(`http://127.0.0.1:3000/api${path}`, sent);
  return { status: answer.status, text: await answer.text() };
}
const at = (count: number): string => new Date(first + count * hour + 60_000).toISOString().replace('.000', '');
const statement = 'select count(*) as chats, (select sum(chats) from metrics.total_chats) as metric from facts.chats';

test('each kept snapshot answers with what was known then, also by a metric’s view', async () => {
  const packed = (await storedSnapshots(folder)).filter(({ file }) => isPacked(file));
  expect(packed.length).toBeGreaterThan(1);
  for (const count of [0, publications - 2, publications - 1]) {
    const { status, text } = await send('/sql', { statement, as_of: at(count) });
    const { rows, snapshot } = JSON.parse(text) as { rows: unknown[][]; snapshot: string };
    expect([status, rows.map((row) => row.map(Number))]).toEqual([200, [[count + 1, count + 1]]]);
    expect(snapshot).toContain(`2026053${count === 0 ? '1-000000' : `1-0${count}0000`}`);
  }
  expect(JSON.parse((await send('/sql', { statement })).text)).toMatchObject({ rows: [['4', '4']] });
  const file = await send('/sql/file', { statement, as_of: at(0), format: 'csv' });
  expect([file.status, file.text]).toEqual([200, 'chats,metric\r\n1,1\r\n']);
  expect(existsSync(files) ? readdirSync(files) : []).toEqual([]);
});

it.each([
  [{ as_of: '2026-05-30T00:00:00Z' }, /no snapshot is kept from 2026-05-30T00:00:00Z or before; the oldest is/],
  [{ as_of: '2027-01-01T00:00:00Z' }, /lies in the future/],
  [{ as_of: 'yesterday' }, /is not an instant, write it as/],
  [{ as_of: at(0), statement: 'select wrong from facts.chats' }, /"wrong" not found/],
  [{ as_of: at(0), statement: `copy (select 1) to '${join(folder, 'x')}'` }, /file system operations are disabled/],
])('%j is refused in a sentence', async (body, says) => {
  const { status, text } = await send('/sql', { statement, ...body });
  const { error } = JSON.parse(text) as { error: { message: string } };
  expect([status, error.message]).toEqual([400, expect.stringMatching(says)]);
  expect(readdirSync(files)).toEqual([]);
  expect(existsSync(join(folder, 'x'))).toBe(false);
});

test('one that takes too long says how to get a file of that snapshot instead', async () => {
  const [oldest] = await storedSnapshots(folder);
  const own = mkdtempSync(join(folder, 'own-'));
  const hurried = createSqlConsole(limitsWith({ seconds: 0.04 }), { opening_seconds: 0.01 });
  const packed = { packed: oldest?.file ?? '', whole: join(own, 'snapshot.duckdb') };
  const answer = await hurried.ask(
    { file: packed, statement, parameters: {}, folder: own },
    { reader: 'anna', role: 'analyst' },
  );
  expect(answer).toMatchObject({
    kind: 'wrong',
    message: expect.stringMatching(/stopped after 0.05 seconds.*snapshot --as-of/),
  });
});
