// The few values that a data folder fixes at the first start, where several processes read and write them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openFolder } from '../../src/server/folder.ts';
import { newFolder, runNode } from './program.ts';

const stateIn = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as Record<string, unknown>;

test('what another process has stored meanwhile stays', () => {
  const path = newFolder();
  const [one, other] = [openFolder(path), openFolder(path)];
  one.keep(({ since }) => ({ since: { ...since, default: '2026-01-05' } }));
  other.keep(({ since }) => ({ since: { ...since, berg: '2026-02-06' } }));
  one.keep(() => ({ service_token: 'a' }));
  expect(stateIn(path)).toEqual({
    layout: 1,
    since: { default: '2026-01-05', berg: '2026-02-06' },
    service_api_key: other.state.service_api_key,
    service_token: 'a',
  });
  expect(readdirSync(path).filter((name) => name.startsWith('state.json'))).toEqual(['state.json']);
});

test('processes that start together in a new folder have one key', async () => {
  const module = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'server', 'folder.ts')).href;
  const paths = Array.from({ length: 30 }, newFolder);
  const script =
    `const { openFolder } = await import('${module}');` +
    `const at = ${Date.now() + 4000};` +
    'await new Promise((done) => setTimeout(done, at - Date.now() - 50));' +
    'while (Date.now() < at);' +
    `const keys = ${JSON.stringify(paths)}.map((path) => openFolder(path).state.service_api_key);` +
    'process.stdout.write(JSON.stringify(keys))';
  const runs = Array.from({ length: 4 }, () => runNode(['--input-type=module', '-e', script], {}, newFolder()));
  const stored = (): unknown[] => paths.map((path) => stateIn(path)['service_api_key']);
  for (const { said, complained } of await Promise.all(runs))
    expect([complained, JSON.parse(said || '[]')]).toEqual(['', stored()]);
});
