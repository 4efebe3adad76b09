// The title of a copy of a board: no longer than a title may be, and not taken.
import { expect, it } from 'vitest';
import { copyTitle } from '#lib/boards/copy-title.ts';

it('a copy is called one, and the next has a number', () => {
  expect(copyTitle('Monday', new Set())).toBe('Monday (copy)');
  expect(copyTitle('Monday', new Set(['Monday', 'Monday (copy)']))).toBe('Monday (copy 2)');
  expect(copyTitle('Monday', new Set(['Monday (copy)', 'Monday (copy 2)']))).toBe('Monday (copy 3)');
});

it('a long title is cut between signs, so that the end fits', () => {
  expect(copyTitle('a'.repeat(80), new Set())).toBe(`${'a'.repeat(73)} (copy)`);
  expect(copyTitle(`${'a'.repeat(72)} ${'b'.repeat(7)}`, new Set())).toBe(`${'a'.repeat(72)} (copy)`);
  expect(copyTitle(`${'a'.repeat(72)}${'😀'.repeat(4)}`, new Set())).toBe(`${'a'.repeat(72)} (copy)`);
});
