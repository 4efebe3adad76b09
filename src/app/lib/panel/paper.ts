// A sheet of SVG on which text, a key and drawings are set one below the other; every text is escaped.
import type { KeyEntry } from '#dashboards/pictures/picture.ts';
import type { Theme } from '#dashboards/theme.ts';

const FONT = "'Inter Variable', Inter, system-ui, sans-serif";

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (it) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[it] ?? it);

interface LegendEntry {
  mark: KeyEntry['mark'];
  colour: string;
  label: string;
}

export class Paper {
  readonly #width: number;
  readonly #edge: number;
  readonly #theme: Theme;
  readonly #parts: string[] = [];
  readonly #pen = document.createElement('canvas').getContext('2d');
  #at: number;

  constructor(width: number, edge: number, theme: Theme) {
    this.#width = width;
    this.#edge = edge;
    this.#theme = theme;
    this.#at = edge;
  }

  space(height: number): void {
    this.#at += height;
  }

  /** Sets text in as many lines as it needs. */
  text(text: string, size: number, colour: string, weight = 400): void {
    for (const line of this.#lines(text, size, weight)) {
      this.#at += Math.round(size * 1.4);
      this.#parts.push(
        `<text x="${this.#edge}" y="${this.#at}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escaped(line)}</text>`,
      );
    }
    this.#at += 4;
  }

  row(entries: LegendEntry[]): void {
    this.#at += 20;
    let x = this.#edge;
    for (const { mark, colour, label } of entries) {
      this.#parts.push(markOf(mark, colour, x, this.#at - 9));
      this.#parts.push(
        `<text x="${x + 22}" y="${this.#at}" font-size="12" fill="${this.#theme.muted}">${escaped(label)}</text>`,
      );
      x += 22 + this.#wide(label, 12, 400) + 20;
    }
    this.#at += 8;
  }

  drawing(svg: string, height: number): void {
    this.#parts.push(`<g transform="translate(${this.#edge} ${this.#at})">${svg}</g>`);
    this.#at += height + 8;
  }

  /** The whole sheet; `style` is inserted unescaped. */
  document(title: string, description: string, style: string): { svg: string; height: number } {
    const height = this.#at + this.#edge - 8;
    const size = `width="${this.#width}" height="${height}"`;
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${this.#width} ${height}" font-family="${FONT}" role="img">` +
      `<title>${escaped(title)}</title><desc>${escaped(description)}</desc>${style}` +
      `<rect ${size} fill="${this.#theme.canvas}"/>${this.#parts.join('')}</svg>`;
    return { svg, height };
  }

  #lines(text: string, size: number, weight: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line ? `${line} ${word}` : word;
      if (line && this.#wide(longer, size, weight) > this.#width - 2 * this.#edge) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return line ? [...lines, line] : lines;
  }

  #wide(text: string, size: number, weight: number): number {
    if (!this.#pen) return text.length * size * 0.55;
    this.#pen.font = `${weight} ${size}px ${FONT}`;
    return this.#pen.measureText(text).width;
  }
}

function markOf(mark: LegendEntry['mark'], colour: string, x: number, y: number): string {
  if (mark === 'line' || mark === 'dash') {
    const dash = mark === 'dash' ? ' stroke-dasharray="4 4"' : '';
    return `<path d="M${x} ${y + 5}h16" stroke="${colour}" stroke-width="2"${dash}/>`;
  }
  const block = `<rect x="${x}" y="${y}" width="16" height="10" rx="2" fill="${colour}"${mark === 'band' ? ' opacity="0.25"' : ''}/>`;
  if (mark !== 'hatch') return block;
  return `${block}<path d="M${x + 2} ${y + 10}l8 -10M${x + 7} ${y + 10}l8 -10" stroke="#fff" stroke-opacity="0.55" stroke-width="2"/>`;
}

/** The marks of a key in the colours that are on screen: a token names those of both themes, an element has one of them. */
export function keyOf(key: KeyEntry[]): LegendEntry[] {
  const probe = document.body.appendChild(document.createElement('i'));
  const entries = key.map(({ token, label, mark }) => {
    probe.style.color = `var(--${token})`;
    return { mark, label, colour: getComputedStyle(probe).color };
  });
  probe.remove();
  return entries;
}

/** The page's typeface as a style, for pictures that cannot load it; empty where it cannot be found. */
export async function fontFace(): Promise<string> {
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSFontFaceRule) || !rule.cssText.includes('Inter Variable')) continue;
      if (!/U\+0-FF|U\+0000-00FF/i.test(rule.cssText)) continue;
      const url = /url\("?([^")]+)"?\)/.exec(rule.cssText)?.[1];
      if (!url) continue;
      const bytes = new Uint8Array(await (await fetch(new URL(url, sheet.href ?? location.href))).arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      const source = `url(data:font/woff2;base64,${btoa(text)}) format('woff2-variations')`;
      return `<style>@font-face{font-family:'Inter Variable';font-weight:100 900;src:${source}}</style>`;
    }
  }
  return '';
}
