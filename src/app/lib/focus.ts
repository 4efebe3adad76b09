// Manages the keyboard focus when the focused element disappears, or when new content must be read or filled in first.
import { tick } from 'svelte';

/** An attachment: a new element takes the focus. */
export const takesFocus = (node: HTMLElement): void => node.focus();

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';

/**
 * Call it before an action that may remove an element, and the returned function afterwards: a lost focus moves to the element, or to the
 * first one in its former place.
 */
export function keptFocus(element: HTMLElement): () => Promise<void> {
  const places: HTMLElement[] = [];
  for (let at = element.parentElement; at && at.tagName !== 'BODY'; at = at.parentElement) {
    places.push(at);
    if (at.tagName === 'MAIN') break;
  }
  return async () => {
    await tick();
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body) return;
    if (element.isConnected) return element.focus();
    const left = places.filter((place) => place.isConnected);
    const next = left.map((place) => place.querySelector<HTMLElement>(focusable)).find(Boolean);
    next?.focus();
  };
}

/** Focuses the element with this id, once changes are rendered. */
export async function focusOn(id: string): Promise<void> {
  await tick();
  document.getElementById(id)?.focus();
}
