// How long a page waits for its answers: of a large account what is not there in time comes after the page, asked by the browser.
import { firstPaint } from './first-paint.ts';

/** Asks for a page with all of its answers, as long as that takes: for readers without scripts. */
const WHOLE = 'whole';

export interface PageWait {
  /** Resolves when the page goes out without what is missing; undefined: it waits for everything. */
  over: Promise<void> | undefined;
  /** At the first paint in the browser: whether the server had the answer of an address in time. */
  hasCome(address: string): boolean;
}

/** What is no page to be read at once waits for everything. */
export const forEverything: PageWait = { over: undefined, hasCome: () => true };

/** `most_ms` as the server says it; null: this page has all of its answers. */
export function pageWait(most_ms: number | null, { searchParams }: URL): PageWait {
  if (most_ms === null || searchParams.has(WHOLE)) return forEverything;
  if (typeof document === 'undefined')
    return { over: new Promise((resolve) => setTimeout(resolve, most_ms)), hasCome: () => true };
  return { over: undefined, hasCome: (address) => firstPaint.isOver || isInPage(address) };
}

/** What the server knew of an address stands in the page until it is read. */
const isInPage = (address: string): boolean =>
  document.querySelector(`script[data-sveltekit-fetched][data-url=${JSON.stringify(address)}]`) !== null;

/** The address of the same page with all of its answers. */
export function wholeAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.set(WHOLE, '');
  return `${pathname}?${query}`;
}

/** What comes of `work`, or a promise for ever under way when the page does not wait for it any longer. */
export async function inTime<T>(work: Promise<T>, { over }: PageWait): Promise<{ come: T } | { late: Promise<T> }> {
  const come = work.then((value) => ({ come: value }));
  return over ? Promise.race([come, over.then(() => ({ late: new Promise<T>(() => undefined) }))]) : come;
}
