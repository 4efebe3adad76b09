// The pages in the order and groups of the rail.
import type { ResolvedPathname } from '$app/types';
import { dashboards } from '#dashboards/dashboards.ts';
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

const groups: { id: string; pages: string[] }[] = [
  { id: '', pages: ['overview'] },
  { id: 'service', pages: ['chats', 'queue', 'responses', 'occupancy'] },
  { id: 'quality', pages: ['ratings', 'agents', 'transcripts'] },
  { id: 'outcome', pages: ['goals', 'greetings', 'tickets'] },
  { id: 'trust', pages: ['reconciliation', 'operations', 'catalogue', 'digests'] },
];

/** The pages that a narrow screen shows without opening the list. */
const often = ['overview', 'chats', 'queue', 'ratings'];

function entry(id: string): Entry {
  const dashboard = dashboards.find((it) => it.id === id);
  const title = dashboard?.title ?? words.placeTitles[`/${id}`] ?? id;
  const path = dashboard ? `/${dashboard.path}` : `/${id}`;
  return { id, title, short: words.shortTitles[id] ?? title, path };
}

export const railGroups = groups.map(({ id, pages }) => ({
  title: words.railGroups[id] ?? '',
  entries: pages.map(entry),
}));

export const oftenEntries = often.map(entry);

/** The address of a page; `query` holds the filters and begins with a question mark or is empty. */
export function railAddress({ path }: Entry, query: string): ResolvedPathname {
  return pageAddress(path.slice(1), query);
}

/** The entry that a path belongs to; an agent's own page belongs to the agents. */
export function entryAt(path: string): Entry | undefined {
  const own = path.startsWith('/agent/') ? '/agents' : path;
  return railGroups
    .flatMap(({ entries }) => entries)
    .find((it) => it.path === own || (it.path !== '/' && own.startsWith(`${it.path}/`)));
}
