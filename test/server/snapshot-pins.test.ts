// Pins of snapshots that several processes change at once: none undoes that of another.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pins } from '#warehouse/store/pins.ts';
import { newFolder, runNode } from './program.ts';

test('pins of processes that change them at once are all kept', async () => {
  const path = newFolder();
  const published = join(path, 'published');
  mkdirSync(published);
  const module = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'server', 'snapshot-pins.ts')).href;
  const script = (process: number): string =>
    `const { snapshotPins } = await import('${module}');` +
    `const pins = snapshotPins(${JSON.stringify({ path, published })});` +
    `await new Promise((done) => setTimeout(done, ${Date.now() + 4000} - Date.now()));` +
    `await Promise.all(Array.from({ length: 30 }, (_, each) => pins.add('${process}-' + each, 'digest monday')));` +
    `await pins.remove('${process}-7');`;
  const runs = [1, 2, 3].map((each) => runNode(['--input-type=module', '-e', script(each)], {}, newFolder()));
  for (const { code, complained } of await Promise.all(runs)) expect([complained, code]).toEqual(['', 0]);
  const expected = [1, 2, 3].flatMap((each) => Array.from({ length: 30 }, (_, which) => `${each}-${which}`));
  expect(Object.keys(await pins(published)).sort()).toEqual(expected.filter((id) => !id.endsWith('-7')).sort());
});
