// Pins of snapshots that several processes change at once: none undoes that of another.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pins } from '#warehouse/store/pins.ts';
import { newFolder } from './program.ts';
import { together } from './together.ts';

test('pins of processes that change them at once are all kept', async () => {
  const path = newFolder();
  const published = join(path, 'published');
  mkdirSync(published);
  const script = (process: number): string =>
    `const pins = given.snapshotPins(${JSON.stringify({ path, published })});` +
    `await Promise.all(Array.from({ length: 30 }, (_, each) => pins.add('${process}-' + each, 'digest monday')));` +
    `await pins.remove('${process}-7');`;
  await together('snapshot-pins.ts', [1, 2, 3].map(script));
  const expected = [1, 2, 3].flatMap((each) => Array.from({ length: 30 }, (_, which) => `${each}-${which}`));
  expect(Object.keys(await pins(published)).sort()).toEqual(expected.filter((id) => !id.endsWith('-7')).sort());
});
