// The pages in the order and groups of the menu: in each group the dashboards first.
import type { ResolvedPathname } from '$app/types';
import { dashboards } from '#dashboards/dashboards.ts';
import { menuGroups, type Dashboard, type MenuGroup } from '#dashboards/panel.ts';
import { pageAddress } from '#lib/page-address.ts';
import { words } from '#lib/words.ts';

export interface Entry {
  id: string;
  title: string;
  /** For the bar of a narrow screen. */
  short: string;
  /** Without filters. */
  path: string;
}

/** Pages that are no dashboards. */
const places: Partial<Record<MenuGroup, string[]>> = {
  quality: ['agents', 'transcripts'],
  trust: ['reconciliation', 'operations', 'catalogue', 'digests'],
};

const entryOf = ({ id, title, path, menu: { short = title } }: Dashboard): Entry => ({
  id,
  title,
  short,
  path: `/${path}`,
});

function entryOfPlace(id: string): Entry {
  const title = words.placeTitles[`/${id}`] ?? id;
  return { id, title, short: words.shortTitles[id] ?? title, path: `/${id}` };
}

export const entryGroups = menuGroups.map((group) => ({
  title: words.menuGroups[group],
  entries: [
    ...dashboards.filter(({ menu }) => menu.group === group).map(entryOf),
    ...(places[group] ?? []).map(entryOfPlace),
  ],
}));

export const oftenEntries = dashboards.filter(({ menu }) => menu.isOften).map(entryOf);

/** The address of a page; `query` holds the filters and begins with a question mark or is empty. */
export function entryAddress({ path }: Entry, query: string): ResolvedPathname {
  return pageAddress(path.slice(1), query);
}

/** The entry that a path belongs to; an agent's own page belongs to the agents. */
export function entryAt(path: string): Entry | undefined {
  const own = path.startsWith('/agent/') ? '/agents' : path;
  return entryGroups
    .flatMap(({ entries }) => entries)
    .find((it) => it.path === own || (it.path !== '/' && own.startsWith(`${it.path}/`)));
}
