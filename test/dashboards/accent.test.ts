// Any colour can be the accent: in both themes what is written in it, on it and beside it can be read.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentFrom, contrast, isColour, least_contrast, surfaces } from '#dashboards/accent.ts';
import { product_accent } from '#dashboards/brand.ts';
import { dark, light } from '#dashboards/theme.ts';
import { tries } from '../chance.ts';

const themes = { light, dark };
const names = ['light', 'dark'] as const;
const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

it('contrasts are those of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(contrast('#ffffff', '#0000ff')).toBeCloseTo(8.592, 3);
  expect(contrast('#ff0000', '#ff0000')).toBe(1);
});

it('any colour gives an accent that can be read', () => {
  const corners = ['#ffffff', '#000000', '#ffff00', '#0000ff', '#00ff00', '#ff0000', '#00ffff', '#ff00ff', '#777777'];
  const holds = (colour: string): void => {
    const made = accentFrom(colour);
    for (const name of names) {
      const { accent, soft, on_accent } = made[name];
      expect([accent, soft, on_accent].every(isColour)).toBe(true);
      for (const behind of [...surfaces[name], soft, on_accent])
        expect(contrast(accent, behind), `${colour} in ${name} on ${behind}`).toBeGreaterThanOrEqual(least_contrast);
      // Of the two that text is written in, the other is no better.
      const other = on_accent === '#ffffff' ? '#0c0e11' : '#ffffff';
      expect(contrast(accent, on_accent)).toBeGreaterThanOrEqual(contrast(accent, other));
      for (const text of [themes[name].text, themes[name].muted])
        expect(contrast(text, soft), `${text} on the soft form of ${colour}`).toBeGreaterThanOrEqual(least_contrast);
    }
  };
  corners.forEach(holds);
  fc.assert(fc.property(colours, holds), { numRuns: tries(2000, 200_000) });
});

it('a colour that can be read as it is stays', () => {
  expect(accentFrom('#0B5C96').light.accent).toBe('#0b5c96');
  expect(accentFrom('#6fb7ea').dark.accent).toBe('#6fb7ea');
});

describe('of the design', () => {
  const tokens = readFileSync('src/app/lib/design/tokens.css', 'utf8');
  it('the accent is the one of the program', () => {
    expect(/--accent: light-dark\((#\w{6}),/.exec(tokens)?.[1]).toBe(product_accent);
  });
  it.each(names)('the surfaces in %s are those that accents are held against', (name) => {
    const valueOf = (token: string) =>
      new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)?.[name === 'light' ? 1 : 2];
    expect(new Set<string | undefined>(surfaces[name])).toEqual(
      new Set(['canvas', 'rail', 'raised', 'hover'].map(valueOf)),
    );
  });
});
