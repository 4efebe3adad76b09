// Space between things and the widths at which pages change are few, and the same everywhere: src/app/lib/design/tokens.css names them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trackedFiles } from './tree.ts';

const breakpoints = ['480', '600', '760', '900', '1100', '1200', '2000'];
const step = 4;
/** Within a control. */
const small = [1, 2, 6];

const found = (pattern: RegExp, endings: RegExp): { file: string; value: string }[] =>
  trackedFiles()
    .filter((file) => file.startsWith('src/app/') && endings.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, value = '']) => ({ file, value: value.trim() })),
    );

test('space goes in steps', () => {
  const spaces = found(/[\s{;](?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?):([^;}]+)/g, /\.(svelte|css)$/);
  expect(spaces.length).toBeGreaterThan(500);
  const off = spaces.filter(({ value }) =>
    [...value.matchAll(/([\d.]+)px/g)].some(([, size]) => Number(size) % step !== 0 && !small.includes(Number(size))),
  );
  expect(off).toEqual([]);
});

test('pages change at the widths of the design, which are written in one way', () => {
  const queries = found(/(?:@media|matchMedia\()([^{;]*(?:width)[^{;]*)/g, /\.(svelte|css|ts)$/);
  expect(queries.length).toBeGreaterThan(50);
  const off = queries.filter(
    ({ value }) =>
      /(?:min|max)-width/.test(value) ||
      [...value.matchAll(/width (?:<|>=) (\d+)px/g)].some(([, width = '']) => !breakpoints.includes(width)),
  );
  expect(off).toEqual([]);
});
