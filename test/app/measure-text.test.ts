// Texts whose width is known without asking the browser.
import { expect, it } from 'vitest';
import { measureText } from '#lib/charts/measure-text.ts';

it('gives widths of characters that no font has without a canvas', () => {
  expect(measureText('国', '500 13px Inter').width).toBe(13);
  for (const code of [...Array(32).keys(), 127]) expect(measureText(String.fromCharCode(code)).width).toBe(0);
});
