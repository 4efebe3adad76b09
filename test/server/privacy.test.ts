// What the program writes is for the user who runs it: from the first file on, and for what an older one left.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { keepPrivate } from '#server/privacy.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { only } from './filled.ts';
import { newFolder, runToEnd } from './program.ts';

let service: Service;
const key = 'fe'.repeat(16);
const settings = (): Record<string, string> => ({
  CHATLEDGER_BASE_URL: service.url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
  CHATLEDGER_REQUESTS_PER_SECOND: '1000',
  CHATLEDGER_SINCE: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
});

beforeAll(async () => {
  service = await startService({
    file: join(newFolder(), 's.sqlite'),
    days: 2,
    port: 0,
    apiKey: key,
    world: thirdOfSmallWorld,
  });
});
afterAll(() => service.close());

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** Each path under it, and itself, whose mode is not 0700 or 0600. */
function open(path: string): string[] {
  const isFolder = lstatSync(path).isDirectory();
  const inside = isFolder ? readdirSync(path).flatMap((name) => open(join(path, name))) : [];
  return modeOf(path) === (isFolder ? '700' : '600') ? inside : [`${modeOf(path)} ${path}`, ...inside];
}

/** As a program without this care has left it. */
function lay(path: string): void {
  const isFolder = lstatSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(path)) lay(join(path, name));
}

test('a pull writes folders of 0700 and files of 0600, snapshots too, whatever the mask of whoever starts it', async () => {
  const folder = newFolder();
  const data = join(folder, 'data');
  const before = process.umask(0);
  const { code } = await runToEnd(['pull', ...only], settings(), folder).finally(() => process.umask(before));
  expect(code).toBe(0);
  expect(existsSync(join(data, 'published', 'chatledger.duckdb'))).toBe(true);
  expect(open(data)).toEqual([]);
  expect((await runToEnd(['digest', 'list'], settings(), folder)).code).toBe(0);
  expect(existsSync(join(data, 'app.sqlite'))).toBe(true);
  expect(open(data)).toEqual([]);

  lay(data);
  const doctor = await runToEnd(['doctor'], settings(), folder);
  expect(doctor.said).toMatch(/^ok {4}privacy: other users could read \S.* and \d+ more: corrected$/m);
  expect(open(data)).toEqual([]);
  const again = await runToEnd(['doctor'], settings(), folder);
  expect(again.said).toMatch(/^ok {4}privacy: .*data can be read by this user only$/m);

  lay(data);
  const snapshot = await runToEnd(['snapshot'], settings(), folder);
  expect(snapshot.complained).toMatch(/data and \d+ more could be read by other users of this machine: now only/);
  expect(open(data)).toEqual([]);
});

test('links, and what somebody else put there, keep their modes', () => {
  const [folder, elsewhere] = [newFolder(), newFolder()];
  mkdirSync(join(folder, 'published'));
  const [backup, linked] = [join(folder, 'backup.tgz'), join(elsewhere, 'chats.duckdb')];
  for (const file of [backup, linked]) writeFileSync(file, '');
  lay(folder);
  chmodSync(linked, 0o644);
  symlinkSync(linked, join(folder, 'published', 'link'));
  expect(keepPrivate(folder).corrected).toEqual([folder, join(folder, 'published')]);
  expect([modeOf(backup), modeOf(linked), modeOf(folder)]).toEqual(['644', '644', '700']);
});

test('a folder that holds more than this program keeps its own mode', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'published'));
  lay(folder);
  chmodSync(folder, 0o1777);
  expect(keepPrivate(folder).corrected).toEqual([join(folder, 'published')]);
  expect(modeOf(folder)).toBe('777');
});
