// Widths of texts for ECharts.

/** ECharts asks for it in every font, as the width of a wide character. */
const WIDE = '国';

let surface: CanvasRenderingContext2D | null | undefined;
let current = '';

/**
 * The width of a text in pixels. `font`: as in CSS, with its size in pixels.
 * TRICKY: for one Chinese character, the browser searches all fonts of the machine, which takes longer than the first chart. Such characters
 * are as wide as the font's size.
 */
export function measureText(text: string, font = '12px sans-serif'): { width: number } {
  if (text === WIDE) return { width: Number(/([\d.]+)px/.exec(font)?.[1] ?? 12) };
  surface ??= document.createElement('canvas').getContext('2d');
  if (!surface) return { width: 0 };
  if (font !== current) surface.font = current = font;
  return surface.measureText(text);
}
