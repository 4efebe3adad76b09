// The few values that a data folder fixes at the first start, where several processes read and write them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../src/server/folder.ts';
import { newFolder } from './program.ts';
import { together } from './together.ts';

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
  const paths = Array.from({ length: 30 }, newFolder);
  const script = `return ${JSON.stringify(paths)}.map((path) => given.openFolder(path).state.service_api_key)`;
  const keys = await together('folder.ts', [script, script, script, script]);
  const stored = paths.map((path) => stateIn(path)['service_api_key']);
  expect(keys).toEqual(keys.map(() => stored));
});
