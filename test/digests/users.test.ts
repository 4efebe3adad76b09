// A digest runs as its reader: whoever signs in with that address gets no more of it than on the pages, and nothing once shut out.
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLinks } from '#api/digest-links.ts';
import { openAuth } from '#auth/auth.ts';
import type { UserInput } from '#auth/user-shape.ts';
import { askerFor, NothingToSee } from '#digests/digest-questions.ts';
import { folderOf } from '#digests/channels/folder.ts';
import { fileLink } from '#digests/links.ts';
import { again } from '#digests/send-inputs.ts';
import { round } from '#digests/scheduler.ts';
import { userAtIn } from '#server/digests.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import type { Store } from '#warehouse/engine.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { digest, digestDeps, monday } from './deps.ts';

const folder = mkdtempSync(join(tmpdir(), 'digests-of-users-'));
let engine: Store;
beforeAll(async () => {
  const at = '2026-05-04T10:00:00Z';
  const writer = await account([
    { start: at, groups: [1], agents: ['ann@x.test'] },
    { start: at, groups: [2], agents: ['ben@x.test'] },
    { start: at, groups: [2], agents: ['ben@x.test'] },
  ]);
  const { file } = await publish(writer, folder, monday * 1000);
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const olga: UserInput = { email: 'olga@x.test', name: 'Olga', role: 'admin', extra_rights: [], rows: {} };
const vera: UserInput = { email: 'vera@x.test', name: 'Vera', role: 'viewer', extra_rights: [], rows: { groups: [2] } };
const password = 'a bicycle for two or three';

/** A digest to a folder for Vera, whom an admin has let in. */
async function sentToVera(reader: object = {}, content = ['overview/chats-tile']) {
  const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: () => monday * 1000 });
  await auth.users.add(olga, password);
  const user = await auth.users.add(vera, password);
  const readers = [{ name: 'Vera', address: 'Vera@X.test', ...reader }];
  const about = { readers, content, channels: [{ kind: 'folder' }], when_incomplete: 'stamp' };
  const deps = digestDeps(engine, [digest(about)], {
    userAt: userAtIn(auth.users),
    public_url: 'https://numbers.example',
    folder: mkdtempSync(join(folder, 'sent-')),
  });
  return { auth, user, deps };
}
type Sent = Awaited<ReturnType<typeof sentToVera>>;

const key = { digest: 'week', period: '2026-W19', reader: 'Vera', channel: 'folder' };
const sendOf = ({ deps }: Sent) => deps.store.ledger.find(key);

/** Lines of the CSV files that were written for Vera. */
function written({ deps }: Sent): string {
  const folder = folderOf(deps.folder, { ...key, reader: { name: 'Vera' } });
  const files = readdirSync(folder).filter((name) => name.endsWith('.zip'));
  return files
    .flatMap((name) => Object.values(unzipSync(readFileSync(join(folder, name)))))
    .map((bytes) => Buffer.from(bytes).toString())
    .join('\n');
}

it('who sees one group gets the figures of that group, also where the digest is about all', async () => {
  const sent = await sentToVera();
  await round(sent.deps);
  expect(sendOf(sent)).toMatchObject({ state: 'sent' });
  expect(JSON.parse(sendOf(sent)?.made ?? '{}')).toMatchObject({ rows: { groups: [2], hides_agents: true } });
  expect(written(sent)).toMatch(/^Chats,2,/m);
  expect(written(sent)).not.toMatch(/ben@x|ann@x/);
});

it('groups of the digest and of the user narrow both, and without one in common nothing is sent', async () => {
  const sent = await sentToVera({ groups: [1] });
  await round(sent.deps);
  expect(sendOf(sent)).toMatchObject({ state: 'failed', reason: expect.stringContaining('none of the groups') });
});

it('of another account than the user may see nothing is sent', async () => {
  const sent = await sentToVera();
  sent.auth.users.change(sent.user.id, { ...vera, rows: { accounts: ['other'], groups: [2] } });
  await round(sent.deps);
  expect(sendOf(sent)).toMatchObject({ state: 'failed', reason: expect.stringContaining('may not see the account') });
});

it('who was shut out, or signs in with another address, gets nothing until they are let in again', async () => {
  const sent = await sentToVera();
  sent.auth.users.remove(sent.user.id);
  await round(sent.deps);
  expect(sendOf(sent)).toMatchObject({ state: 'failed', reason: expect.stringContaining('has it no more') });

  const user = await sent.auth.users.add(vera, password);
  expect(askerFor(sent.deps, { name: 'Vera', address: vera.email }, { id: 'default' }).rows?.groups).toEqual([2]);
  sent.auth.users.change(user.id, { ...vera, email: 'vera@elsewhere.test' });
  expect(() => askerFor(sent.deps, { name: 'Vera', address: vera.email }, { id: 'default' })).toThrow(NothingToSee);
});

it('what waits to be sent is made again when its reader may see less meanwhile', async () => {
  const down = await sentToVera();
  const { deps, auth, user } = down;
  const folder = deps.folder;
  // Nothing can be written there.
  deps.folder = '/dev/null/nowhere';
  await round(deps);
  expect(sendOf(down)).toMatchObject({ state: 'retrying' });
  auth.users.change(user.id, { ...vera, rows: { groups: [1] } });
  deps.folder = folder;
  deps.now += 3600;
  await round(deps);
  expect(sendOf(down)).toMatchObject({ state: 'sent' });
  expect(JSON.parse(sendOf(down)?.made ?? '{}')).toMatchObject({ rows: { groups: [1] } });
});

it('what was sent can be made again with the same bytes, and its link ends when the reader may see less', async () => {
  const sent = await sentToVera();
  const { deps, auth, user } = sent;
  await round(deps);
  const before = await again(deps, key);
  const links = createLinks(apiDeps(engine, { digests: deps, loopback: false }));
  const name = before.files[0]?.name ?? '';
  const link = new URL(fileLink(deps, { digest: 'week', period: '2026-W19', reader: 'Vera', name }, deps.now) ?? '');
  const open = () => links.request(`http://127.0.0.1:3001${link.pathname}`);
  expect((await open()).status).toBe(200);

  auth.users.change(user.id, { ...vera, rows: { groups: [1] } });
  const after = await again(deps, key);
  expect(Buffer.compare(Buffer.from(after.files[0]?.bytes ?? []), Buffer.from(before.files[0]?.bytes ?? []))).toBe(0);
  const refused = await open();
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('has changed since')]);
  auth.users.remove(user.id);
  expect((await open()).status).toBe(403);
});

it('an address of nobody gets what the digest says', async () => {
  const { deps } = await sentToVera({ address: 'board@elsewhere.test' });
  const reader = { name: 'Board', address: 'board@elsewhere.test' };
  expect(askerFor(deps, reader, { id: 'default' })).toEqual({ id: 'digest reader Board' });
  expect(askerFor(deps, { ...reader, groups: [1] }, { id: 'default' }).rows).toEqual({ groups: [1] });
});
