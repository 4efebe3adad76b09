// Arrow keys walk a chart from number to number, and never to a place without one.
import { expect, it } from 'vitest';
import { firstSpot, walked } from '#lib/charts/arrow-keys.ts';

const cell = { metric: 'm', measure: 'n', grain: 'total', at: {} } as const;
/** Places with so many numbers each. */
const chart = (hits: 'column' | 'row' | 'cell', ...counts: number[]) => ({
  hits,
  tips: counts.map((count) => ({
    title: '',
    lines: Array.from({ length: count }, () => ({ name: '', value: '', cell })),
  })),
});

it('begins at the newest number, of a list at its first', () => {
  expect(firstSpot(chart('column', 1, 2, 0))).toEqual({ index: 1, line: 0 });
  expect(firstSpot(chart('row', 0, 1, 1))).toEqual({ index: 1, line: 0 });
  expect(firstSpot(chart('row', 0))).toBeUndefined();
});

it('left and right go along, up and down change the number, and the ends are ends', () => {
  const line = chart('column', 2, 0, 2);
  expect(walked(line, { index: 2, line: 1 }, 'ArrowLeft', 3)).toEqual({ index: 0, line: 1 });
  expect(walked(line, { index: 0, line: 1 }, 'ArrowLeft', 3)).toEqual({ index: 0, line: 1 });
  expect(walked(line, { index: 0, line: 1 }, 'ArrowDown', 3)).toEqual({ index: 0, line: 0 });
  expect(walked(line, { index: 0, line: 0 }, 'End', 3)).toEqual({ index: 2, line: 0 });
  expect(walked(line, { index: 0, line: 0 }, 'a', 3)).toBeUndefined();
});

it('rows are walked up and down, cells in all four directions', () => {
  expect(walked(chart('row', 1, 1), { index: 0, line: 0 }, 'ArrowDown', 1)).toEqual({ index: 1, line: 0 });
  expect(walked(chart('row', 1, 1), { index: 0, line: 0 }, 'ArrowRight', 1)).toBeUndefined();
  const grid = chart('cell', 1, 1, 1, 0, 1, 1);
  expect(walked(grid, { index: 1, line: 0 }, 'ArrowDown', 3)).toEqual({ index: 4, line: 0 });
  expect(walked(grid, { index: 0, line: 0 }, 'ArrowDown', 3)).toEqual({ index: 0, line: 0 });
  expect(walked(grid, { index: 1, line: 0 }, 'ArrowRight', 3)).toEqual({ index: 2, line: 0 });
});
