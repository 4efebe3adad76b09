// Selecting days on a time axis by dragging: the range is highlighted and named while dragging, and Escape cancels it or goes back.
import { page } from '$app/state';
import { daysOf, rangeName } from '#dashboards/periods.ts';
import type { DateRange } from '#dashboards/ranges.ts';

/** A chart with a time axis: its periods in order, and the index of the period at a distance from the left edge. */
interface Axis {
  node: HTMLElement;
  labels: string[];
  placeOf: (x: number) => number;
}

/** A shorter drag, in pixels, is a click. */
const LEAST = 8;

/** Starts when a mouse or pen is pressed; a finger scrolls the page. */
export function drag(press: PointerEvent, axis: Axis, choose: (days: DateRange) => Promise<void>): void {
  if (press.button !== 0 || press.pointerType === 'touch') return;
  const left = axis.node.getBoundingClientRect().left;
  const mark = markOn(axis.node);
  const controller = new AbortController();
  const { signal } = controller;
  let chosen: DateRange | undefined;
  const end = () => {
    controller.abort();
    mark.remove();
  };
  const move = ({ clientX, buttons }: PointerEvent) => {
    if (buttons === 0) return end();
    const ends = [press.clientX - left, clientX - left].sort((one, other) => one - other);
    const [from = 0, to = 0] = ends;
    chosen = to - from < LEAST ? undefined : daysAt(axis, from, to);
    show(mark, from, to, chosen);
  };
  addEventListener('pointermove', move, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
  addEventListener(
    'pointerup',
    () => {
      end();
      if (chosen) void choose(chosen).then(leadBack);
    },
    { signal },
  );
}

function daysAt({ labels, placeOf }: Axis, from: number, to: number): DateRange | undefined {
  const [first, last] = [from, to].map((x) => labels[Math.max(0, Math.min(labels.length - 1, placeOf(x)))]);
  return first === undefined || last === undefined ? undefined : daysOf(first, last);
}

function markOn(node: HTMLElement): HTMLElement {
  const mark = document.createElement('div');
  mark.setAttribute('aria-hidden', 'true');
  mark.style.cssText =
    'position: absolute; z-index: 4; top: 0; bottom: 24px; overflow: visible; pointer-events: none; white-space: nowrap;' +
    'font-size: var(--size-small); color: var(--accent); background: color-mix(in srgb, var(--accent), transparent 85%)';
  node.parentElement?.append(mark);
  return mark;
}

function show(mark: HTMLElement, from: number, to: number, chosen: DateRange | undefined): void {
  mark.style.left = `${from}px`;
  mark.style.width = `${to - from}px`;
  mark.textContent = chosen ? rangeName(chosen.from, chosen.to, String(page.data['locale'])) : '';
}

/** Escape goes back to where the drag started from, unless something else is open or the reader has moved on. */
function leadBack(): void {
  const there = location.href;
  const controller = new AbortController();
  const back = ({ key }: KeyboardEvent) => {
    if (location.href !== there) return controller.abort();
    if (key !== 'Escape' || document.querySelector('details[name][open], dialog[open]')) return;
    controller.abort();
    history.back();
  };
  addEventListener('keydown', back, { signal: controller.signal });
}
