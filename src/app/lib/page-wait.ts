// How long a page waits for its answers: of a large account what is not there in time comes after the page, asked by the browser.
import { firstPaint } from './first-paint.ts';

/** Asks for a page with all of its answers, as long as that takes: for readers without scripts. */
const WHOLE = 'whole';

export interface PageWait {
  /** Resolves when the page goes out without what is missing; undefined: it waits for everything. */
  over: Promise<void> | undefined;
  /** At the first paint in the browser: whether the page came with the answer of an address. */
  isAnswered(address: string): boolean;
}

/** What is no page to be read at once waits for everything. */
export const forEverything: PageWait = { over: undefined, isAnswered: () => true };

/** `most_ms` as the server says it; null: this page has all of its answers. */
export function pageWait(most_ms: number | null, { searchParams }: URL): PageWait {
  if (most_ms === null || searchParams.has(WHOLE)) return forEverything;
  if (typeof document === 'undefined')
    return { over: new Promise((resolve) => setTimeout(resolve, most_ms)), isAnswered: () => true };
  return { over: undefined, isAnswered: (address) => firstPaint.isOver || isInPage(address) };
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

/** The value of `work`, or where the page does not wait for it any longer a promise that never resolves: the browser asks again. */
export async function inTime<T>(work: Promise<T>, { over }: PageWait): Promise<{ value: T } | { late: Promise<T> }> {
  const found = work.then((value) => ({ value }));
  return over ? Promise.race([found, over.then(() => ({ late: new Promise<T>(() => undefined) }))]) : found;
}
