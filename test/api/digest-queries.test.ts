// A digest with a saved query, from the form to the file: as its owner, with the numbers of POST /api/sql, and not for a manager.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAuth } from '#auth/auth.ts';
import { folderOf } from '#digests/channels/folder.ts';
import { queryRunner } from '#server/digest-queries.ts';
import { userAtIn } from '#server/digests.ts';
import { createSqlConsole } from '#server/sql-console/sql-console.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import { allFigures } from '#warehouse/query/agent-figures.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openDoors } from '../access/api.ts';
import { digest, digestDeps, monday } from '../digests/deps.ts';
import { limitsWith } from '../sql-limits.ts';
import { account } from '../warehouse/account.ts';

const folder = mkdtempSync(join(tmpdir(), 'digest-queries-'));
let engine: Store;
beforeAll(async () => {
  const writer = await account([
    { start: '2026-05-04T10:00:00Z' },
    { start: '2026-05-10T23:30:00Z' },
    { start: '2026-05-11T00:30:00Z' },
  ]);
  const { file } = await publish(writer, folder, monday * 1000);
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const statement =
  'select started_at::date as day, count(*) as chats from facts.chats where started_at >= $from and started_at < $to::date + 1 group by all order by day';

/** The product's API with the runner that the program has, on a published file. */
async function product() {
  const clock = () => monday * 1000;
  const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
  let count = 0;
  const userData = userDataIn(new DatabaseSync(':memory:'), { clock, id: () => `id-${++count}` });
  const files = join(folder, 'files');
  const sql = createSqlConsole(limitsWith());
  const snapshot = { id: '20260511-065500-000', published_at: '2026-05-11T06:55:00.000Z', engine };
  const queries = queryRunner({
    ...{ auth, sql, files, queries: userData.queries, agentFigures: allFigures, pause_ms: 10 },
    ...{ current: () => snapshot, open: () => Promise.resolve(snapshot) },
  });
  const digests = digestDeps(engine, [], {
    ...{ userAt: userAtIn(auth.users), board: userData.boards.find, queries },
    folder: mkdtempSync(join(folder, 'sent-')),
  });
  const doors = openDoors(engine, { auth, sql, files, userData, digests, snapshot: () => snapshot });
  const admin = await doors.userWith('admin', { name: 'Olga' });
  const as = (who: { cookie: string }) => async (method: string, path: string, body?: object) => {
    const answer = await doors.ask(path, { cookie: who.cookie }, { method, ...(body ? { body } : {}) });
    return answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : answer;
  };
  return { auth, digests, doors, admin, as };
}
type Product = Awaited<ReturnType<typeof product>>;

/** A digest of a board with the query, owned by the analyst and saved by the admin. */
async function withDigest(it: Product) {
  const analyst = await it.doors.userWith('analyst', { name: 'Ann' });
  const manager = await it.doors.userWith('manager', { name: 'Max' });
  const { email } = it.auth.users.find(analyst.id) ?? { email: '' };
  const saved = (await it.as(analyst)('POST', '/sql/queries', {
    ...{ name: 'Chats by hand', statement, parameters: { from: '2026-01-01', to: '2026-01-02' }, is_shared: true },
  })) as { id: string };
  const panels = [{ panel: `query/${saved.id}`, size: 'half' }];
  const board = (await it.as(it.admin)('POST', '/boards', { title: 'Monday', panels, is_shared: true })) as {
    id: string;
  };
  const { id: _, ...rest } = digest();
  const form = {
    ...{ ...rest, owner: email, content: [`board/${board.id}`], formats: ['csv'] },
    ...{ channels: [{ kind: 'folder' }], readers: [{ name: 'ann' }], when_incomplete: 'stamp' },
  };
  await it.as(it.admin)('PUT', '/digests/week', form);
  return { analyst, manager, saved, form, email };
}

/** The lines of the query's file in the folder of a period. */
async function sent(it: Product, period: string): Promise<string[]> {
  await it.as(it.admin)('POST', '/digests/week/run', { for: period });
  const written = folderOf(it.digests.folder, { digest: 'week', period, reader: { name: 'ann' } });
  const [zip = ''] = readdirSync(written).filter((name) => name.endsWith('.zip'));
  const [, bytes = new Uint8Array()] =
    Object.entries(unzipSync(readFileSync(join(written, zip)))).find(([name]) => name.includes('-query-')) ?? [];
  return Buffer.from(bytes).toString().replace('\ufeff', '').split('\r\n').filter(Boolean);
}

it('has the rows that its owner is given by POST /api/sql for its period, and the audit says so', async () => {
  const it = await product();
  const { analyst, email } = await withDigest(it);
  const lines = await sent(it, '2026-W19');
  const parameters = { from: '2026-05-04', to: '2026-05-10' };
  const { rows } = (await it.as(analyst)('POST', '/sql', { statement, parameters })) as { rows: [string, unknown][] };
  expect(lines).toEqual(['day,chats', ...rows.map(([day, chats]) => `${day},${String(chats)}`)]);
  expect(lines.slice(1)).toEqual(['2026-05-04,1', '2026-05-10,1']);
  const told = it.auth.audit.list({ action: 'sql.run' }, 9).map(({ who, about }) => [who, about.slice(0, 34)]);
  expect(told.at(-1)).toEqual([email, 'digest week 2026-W19: select start']);
});

it('runs it no more once the owner lost the right, it is no longer shared, or a manager changed who gets it', async () => {
  const it = await product();
  const { analyst, manager, saved, form, email } = await withDigest(it);
  const user = { ...it.auth.users.find(analyst.id), email, name: 'Ann', extra_rights: [], rows: {} };
  it.auth.users.change(analyst.id, { ...user, role: 'manager' });
  expect((await sent(it, '2026-W19')).join()).toContain('who may not run SQL');
  it.auth.users.change(analyst.id, { ...user, role: 'analyst' });

  await it.as(manager)('PUT', '/digests/week', { ...form, readers: [{ name: 'ann' }, { name: 'max' }] });
  expect((await sent(it, '2026-W18')).join()).toContain('somebody who may not run SQL has changed what goes to whom');
  await it.as(it.admin)('PUT', '/digests/week', form);
  expect(await sent(it, '2026-W17')).toEqual(['day,chats']);

  await it.as(it.admin)('PUT', '/digests/week', { ...form, owner: 'nobody@example.com' });
  expect((await sent(it, '2026-W16')).join()).toContain('who is not a user any more');
  await it.as(it.admin)('PUT', '/digests/week', { ...form, owner: it.auth.users.find(it.admin.id)?.email });
  const mine = { name: 'Chats by hand', statement, parameters: {}, is_shared: false, version: 1 };
  await it.as(analyst)('PUT', `/sql/queries/${saved.id}`, mine);
  expect((await sent(it, '2026-W15')).join()).toContain('this query was deleted, or is not shared any more');
});

it('stands in the document of a board for who may run SQL, and others read why it does not', async () => {
  const it = await product();
  const { manager, form } = await withDigest(it);
  const path = `/boards/${String(form.content[0]?.slice(6))}/page.pdf?from=2026-05-04&to=2026-05-10`;
  const [own, theirs] = [await it.as(it.admin)('GET', path), await it.as(manager)('GET', path)] as [Response, Response];
  expect([own.status, theirs.status]).toEqual([200, 200]);
  expect(own.headers.get('cache-control')).toBe('private, no-store');
  expect(own.headers.get('etag')).toBe(null);
  expect(theirs.headers.get('etag')).not.toBe(null);
  expect(it.auth.audit.list({ action: 'sql.run' }, 9)).toHaveLength(1);
});
