// The page that the reader came from: named by `back` in the address, if it is a page of the app.
import { dashboards } from '#dashboards/dashboards.ts';
import { filterNames } from '#lib/filters.ts';

interface PageAddress {
  path: string;
  query: URLSearchParams;
}

/** The page in `back`; undefined if it is missing or leads elsewhere. */
export function backOf(query: URLSearchParams): PageAddress | undefined {
  const text = query.get('back') ?? '';
  if (!/^\/(?![/\\])/.test(text)) return undefined;
  const cut = text.indexOf('?');
  const path = cut < 0 ? text : text.slice(0, cut);
  return { path, query: new URLSearchParams(cut < 0 ? '' : text.slice(cut)) };
}

/** The pages from an address back to the first, nearest first; a few at most. `search` is the address's query. */
export function trailOf(search: string): PageAddress[] {
  const trail: PageAddress[] = [];
  for (let place = backOf(new URLSearchParams(search)); place && trail.length < 4; place = backOf(place.query))
    trail.push(place);
  return trail;
}

/** The dashboard of a path. */
export function dashboardAt(path: string) {
  return dashboards.find((it) => `/${it.path}` === path);
}

/** The filters in an address, without what belongs to one page only. */
export function filtersIn(query: Iterable<[string, string]>): string {
  const kept = new URLSearchParams([...query].filter(([name]) => filterNames.includes(name)));
  const text = kept.toString();
  return text && `?${text}`;
}
