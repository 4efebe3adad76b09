// Draws charts one at a time, those near the screen first, so that the page stays responsive.

/** A chart that waits, and what draws it. */
type Waiting = Map<Element, () => void>;

const near: Waiting = new Map();
const far: Waiting = new Map();
/** Charts this close to the screen are drawn in advance. */
const MARGIN = '50% 0px';

let watch: IntersectionObserver | undefined;
let isSoon = false;
let isLater = false;

/** Draws the chart when its turn comes; a later call replaces an earlier one. */
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
  if (near.size && !isSoon) {
    isSoon = true;
    setTimeout(() => {
      isSoon = false;
      next(near);
    });
  }
  if (far.size && !isLater) {
    isLater = true;
    idle(() => {
      isLater = false;
      next(near.size ? near : far);
    });
  }
}

function next(waiting: Waiting): void {
  const [node] = waiting.keys();
  if (node) outOfTurn(node)?.();
  plan();
}

/** Falls back to the next moment in browsers without idle callbacks. */
function idle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 50);
}
