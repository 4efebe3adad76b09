// How long a page waits for its answers: on a large account, whatever is late is requested by the browser after the page.
import { firstPaint } from './first-paint.ts';

/** Query parameter for a page with all of its answers, however long that takes: for readers without scripts. */
export const WHOLE = 'whole';

export interface PageWait {
  /** Resolves when the page is sent without the missing answers; undefined: it waits for everything. */
  over: Promise<void> | undefined;
  /** At the first paint in the browser: whether the page already contains the answer of an address. */
  isAnswered(address: string): boolean;
}

/** For requests that are not pages for immediate reading: they wait for everything. */
export const forEverything: PageWait = { over: undefined, isAnswered: () => true };

/** `most_ms` as configured on the server; null: this page has all of its answers. */
export function pageWait(most_ms: number | null, { searchParams }: URL): PageWait {
  if (most_ms === null || searchParams.has(WHOLE)) return forEverything;
  if (typeof document === 'undefined')
    return { over: new Promise((resolve) => setTimeout(resolve, most_ms)), isAnswered: () => true };
  return { over: undefined, isAnswered: (address) => firstPaint.isOver || isInPage(address) };
}

/** The server's answer of an address stays in the page until it is read. */
const isInPage = (address: string): boolean =>
  document.querySelector(`script[data-sveltekit-fetched][data-url=${JSON.stringify(address)}]`) !== null;

/** The address of the same page with all of its answers. */
export function wholeAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.set(WHOLE, '');
  return `${pathname}?${query}`;
}

/** The value of `work`, or a promise that never resolves once the page stops waiting: the browser then asks again. */
export async function inTime<T>(work: Promise<T>, { over }: PageWait): Promise<{ value: T } | { late: Promise<T> }> {
  const found = work.then((value) => ({ value }));
  return over ? Promise.race([found, over.then(() => ({ late: new Promise<T>(() => undefined) }))]) : found;
}
