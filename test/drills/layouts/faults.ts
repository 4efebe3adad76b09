// What is wrong with the layout of a page, seen from inside it: parts wider than the screen, texts over each other, texts cut off.
// It runs in the browser: it uses nothing from outside itself.

/** Sentences; none when all is well. */
export function layoutFaults(): string[] {
  const found: string[] = [];
  const width = document.documentElement.clientWidth;
  const words = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, 40);
  if (document.documentElement.scrollWidth > width)
    found.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${width}`);

  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest('[aria-hidden="true"]:not(svg, svg *)');

  /** What of an element's place its ancestors let through; those that scroll show their part. */
  const clipOf = (element: Element): DOMRect => {
    let [left, top, right, bottom] = [-Infinity, -Infinity, Infinity, Infinity];
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      // Only a screen reader reads it.
      if (clipPath === 'inset(50%)') right = left;
      if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      if (position === 'fixed') break;
    }
    return new DOMRect(left, top, right - left, bottom - top);
  };

  /** A part that floats above the page or stays on screen while the rest scrolls lies over other text by design. */
  const floats = (element: Element): boolean => {
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return true;
    return false;
  };

  const lines: { text: string; element: Element; box: DOMRect }[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    const element = node.parentElement;
    if (!element || words(node.data) === '' || element.closest('script, style, noscript, select, textarea')) continue;
    if (!isSeen(element) || floats(element)) continue;
    const clip = clipOf(element);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const left = Math.max(whole.left, clip.left);
      const top = Math.max(whole.top, clip.top);
      const box = new DOMRect(
        left,
        top,
        Math.min(whole.right, clip.right) - left,
        Math.min(whole.bottom, clip.bottom) - top,
      );
      if (box.width > 2 && box.height > 4) lines.push({ text: words(node.data), element, box });
    }
  }
  lines.sort((one, other) => one.box.top - other.box.top);
  for (const [index, one] of lines.entries())
    for (const other of lines.slice(index + 1)) {
      if (other.box.top >= one.box.bottom) break;
      if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element))
        continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      // The box of a line is higher than its letters.
      if (across > 3 && down > 0.35 * Math.min(one.box.height, other.box.height))
        found.push(
          `"${one.text}" and "${other.text}" lie over each other at ${Math.round(other.box.left)}, ${Math.round(other.box.top + scrollY)}`,
        );
    }

  // What only a screen reader reads is a few pixels wide.
  const least_width = 8;
  for (const element of document.querySelectorAll('body *')) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (!['hidden', 'clip'].includes(overflowX) || textOverflow === 'ellipsis' || element.clientWidth < least_width)
      continue;
    if (!(element instanceof HTMLElement) || !isSeen(element)) continue;
    if (element.scrollWidth > element.clientWidth + 1)
      found.push(
        `"${words(element.textContent ?? '')}" is ${element.scrollWidth} wide and shows ${element.clientWidth}`,
      );
  }
  return [...new Set(found)];
}
