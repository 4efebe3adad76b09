// Recently visited pages of this tab, newest first; forgotten when the tab is closed.
const KEY = 'recent-pages';
const MOST = 9;

export interface Recent {
  title: string;
  href: string;
}

/** A page that was shown, by its title in the tab, which ends with the name of the installation; the same page with other filters takes its place. */
export function remember(title: string, href: string, installation: string): void {
  const path = (address: string): string => address.split('?')[0] ?? '';
  const ending = ` · ${installation}`;
  const name = title.endsWith(ending) ? title.slice(0, -ending.length) : title;
  const others = recentPages().filter((it) => path(it.href) !== path(href));
  try {
    sessionStorage.setItem(KEY, JSON.stringify([{ title: name, href }, ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing has no recent pages.
  }
}

export function recentPages(): Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (it: unknown): it is Recent =>
  typeof it === 'object' &&
  it !== null &&
  'title' in it &&
  typeof it.title === 'string' &&
  'href' in it &&
  typeof it.href === 'string' &&
  /^\/(?![/\\])/.test(it.href);
