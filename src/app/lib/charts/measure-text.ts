// Widths of texts for ECharts.

/** ECharts asks for it in every font, as the width of a wide character. */
const WIDE = '国';
/** It also asks for each of them, to shorten a label, though no label has one. */
const unprinted = /^\p{Cc}$/u;

let surface: CanvasRenderingContext2D | null | undefined;
let current = '';

/**
 * The width of a text in pixels. `font`: as in CSS, with its size in pixels.
 * TRICKY: for one Chinese character, and for control characters, the browser searches all fonts of the machine, which takes longer than the
 * first chart. The one is as wide as the font's size, the others have no width.
 */
export function measureText(text: string, font = '12px sans-serif'): { width: number } {
  if (text === WIDE) return { width: Number(/([\d.]+)px/.exec(font)?.[1] ?? 12) };
  if (unprinted.test(text)) return { width: 0 };
  surface ??= document.createElement('canvas').getContext('2d');
  if (!surface) return { width: 0 };
  if (font !== current) surface.font = current = font;
  return surface.measureText(text);
}
