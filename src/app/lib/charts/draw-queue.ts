// Draws charts one at a time when they come near the screen, so that the page stays responsive and nothing is drawn that nobody looks at.

/** Charts up to a screen away are drawn in advance. */
const MARGIN = '100% 0px';

/** Charts that are not near, and what draws them. */
const far = new Map<Element, () => void>();
const near = new Map<Element, () => void>();

let watch: IntersectionObserver | undefined;
let isPlanned = false;

/** Draws the chart when it is near the screen and its turn has come; a later call replaces an earlier one. */
export function inTurn(node: Element, draw: () => void): void {
  watch ??= new IntersectionObserver(sort, { rootMargin: MARGIN });
  outOfTurn(node);
  far.set(node, draw);
  watch.observe(node);
}

/** Takes a chart out of the line; what would have drawn it, when it was in it. */
export function outOfTurn(node: Element): (() => void) | undefined {
  const draw = near.get(node) ?? far.get(node);
  near.delete(node);
  far.delete(node);
  watch?.unobserve(node);
  return draw;
}

function sort(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const draw = far.get(target);
    if (!draw || !isIntersecting) continue;
    far.delete(target);
    near.set(target, draw);
  }
  plan();
}

function plan(): void {
  if (near.size === 0 || isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    const [node] = near.keys();
    if (node) outOfTurn(node)?.();
    plan();
  });
}
