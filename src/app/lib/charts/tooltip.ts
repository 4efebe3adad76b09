// Builds a tooltip from values as text nodes, so that no name from the data can become markup.
import type { Tip } from '#dashboards/pictures/picture.ts';

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** `open` invites to the receipt where there is one. */
export function tooltip(tip: Tip | undefined, open: string): HTMLElement | string {
  if (!tip) return '';
  const box = element('div', 'tip');
  box.append(element('p', 'tip-title', tip.title));
  for (const { token, name, value } of tip.lines) {
    const line = element('p', 'tip-line');
    const mark = element('span', 'tip-mark');
    if (token) mark.style.background = `var(--${token})`;
    line.append(mark, element('span', 'tip-name', name), element('span', 'tip-value', value));
    box.append(line);
  }
  if (tip.note) box.append(element('p', 'tip-note', tip.note));
  if (tip.lines.some((line) => line.cell)) box.append(element('p', 'tip-open', open));
  return box;
}
