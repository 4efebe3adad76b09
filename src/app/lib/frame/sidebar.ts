// The pages in the order and groups of the menu: in each group the dashboards first.
import type { ResolvedPathname } from '$app/types';
import type { Me } from '#api/contract/auth.ts';
import type { Right } from '#api/contract/rights.ts';
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
  trust: ['reconciliation', 'operations', 'catalogue', 'digests', 'people'],
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

/** What a page is of no use without; figures, where nothing is said. */
const needed: Partial<Record<string, Right>> = {
  agents: 'agents:read',
  transcripts: 'chats:read',
  operations: 'pulls:write',
  digests: 'digests:write',
  people: 'people:write',
};

/** Whether somebody with these rights may see a page. */
export const isFor = (id: string, rights: readonly Right[]): boolean => rights.includes(needed[id] ?? 'numbers:read');

/** Whether a page is offered: while nobody has to sign in, there is nobody on the page of people. */
export const isOffered = (id: string, { rights, is_closed }: Pick<Me, 'rights' | 'is_closed'>): boolean =>
  isFor(id, rights) && (id !== 'people' || is_closed);

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
