// Where the keyboard goes when what had the focus goes, or when something came that is to be read or filled in first.
import { tick } from 'svelte';

/** An attachment: what comes takes the focus. */
export const takesFocus = (node: HTMLElement): void => node.focus();

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';

/**
 * Called before something is done that may take an element away; what it gives is called afterwards. Who lost the focus by it finds it
 * on the element, or on what stands first in the place where it was.
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

/** Gives the focus to the element with this id, once what was changed is drawn. */
export async function focusOn(id: string): Promise<void> {
  await tick();
  document.getElementById(id)?.focus();
}
