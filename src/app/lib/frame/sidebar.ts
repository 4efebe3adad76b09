// The pages in the order and groups of the menu: in each group the dashboards first.
import type { ResolvedPathname } from '$app/types';
import type { Me } from '#api/contract/sign-in.ts';
import type { Right } from '#api/contract/rights.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { menuGroups, type Dashboard, type MenuGroup } from '#dashboards/panel.ts';
import { pageAddress } from '#lib/page-address.ts';
import { isAgent } from '#lib/sees-agents.ts';
import { words } from '#lib/words.ts';

export interface MenuEntry {
  id: string;
  title: string;
  /** For the bar of a narrow screen. */
  short: string;
  /** Without filters. */
  path: string;
}

/** Pages that are no dashboards. */
const places: Partial<Record<MenuGroup, string[]>> = {
  '': ['own-figures', 'accounts'],
  quality: ['agents', 'transcripts', 'chat-rows'],
  outcome: ['targets'],
  trust: [
    ...['reconciliation', 'operations', 'catalogue', 'sql', 'business-hours', 'digests'],
    ...['people', 'settings', 'audit', 'erase'],
  ],
};

const entryOf = ({ id, title, path, menu: { short = title } }: Dashboard): MenuEntry => ({
  id,
  title,
  short,
  path: `/${path}`,
});

function entryOfPlace(id: string): MenuEntry {
  const title = words.placeTitles[`/${id}`] ?? id;
  return { id, title, short: words.shortTitles[id] ?? title, path: `/${id}` };
}

/** The right without which a page is useless; by default the one for figures. */
const needed: Partial<Record<string, Right>> = {
  agents: 'agents:read',
  transcripts: 'chats:read',
  'chat-rows': 'chats:read',
  operations: 'pulls:write',
  sql: 'files',
  digests: 'digests:write',
  people: 'people:write',
  settings: 'settings:write',
  audit: 'audit:read',
  erase: 'erase',
};

/** Whether a user with these rights may see a page: every page shows the account and the freshness of its figures. */
export const isFor = (id: string, rights: readonly Right[]): boolean =>
  rights.includes('numbers:read') && rights.includes(needed[id] ?? 'numbers:read');

type SidebarContext = Pick<Me, 'rights' | 'rows' | 'is_login_required'>;

/** Whether a page is offered: without logins, pages about users have nobody to show, and one account is not beside others. */
export function isOffered(id: string, me: SidebarContext, accounts = 1): boolean {
  if (id === 'own-figures') return isAgent(me);
  if (id === 'accounts') return accounts > 1 && !isAgent(me);
  if (id === 'agents' && isAgent(me)) return false;
  // It reads the whole file.
  if (id === 'sql' && me.rows) return false;
  return isFor(id, me.rights) && (me.is_login_required || !['people', 'audit'].includes(id));
}

/** The user's start page. */
export const homeOf = (me: Pick<Me, 'rows'>): '/' | '/own-figures' => (isAgent(me) ? '/own-figures' : '/');

export const entryGroups = menuGroups.map((group) => ({
  title: words.menuGroups[group],
  entries: [
    // Places without a group precede the dashboards, since an agent starts there.
    ...(group === '' ? (places[group] ?? []).map(entryOfPlace) : []),
    ...dashboards.filter(({ menu }) => menu.group === group).map(entryOf),
    ...(group === '' ? [entryOfPlace('boards')] : []),
    ...(group === '' ? [] : (places[group] ?? []).map(entryOfPlace)),
  ],
}));

const often = dashboards.filter(({ menu }) => menu.isOften).map(entryOf);

/** Entries on narrow screens without opening the menu. */
export const oftenEntries = (me: Pick<Me, 'rows'>): MenuEntry[] =>
  isAgent(me) ? [entryOfPlace('own-figures'), ...often.slice(0, -1)] : often;

/** The address of a page; `query` holds the filters and begins with a question mark or is empty. */
export function entryAddress({ path }: MenuEntry, query: string): ResolvedPathname {
  return pageAddress(path.slice(1), query);
}

/** The entry of a path: an agent's page belongs to the agents, for the agent to their own figures, and a board to the boards. */
export function entryAt(path: string, me: Pick<Me, 'rows'>): MenuEntry | undefined {
  const own = path.startsWith('/agent/')
    ? isAgent(me)
      ? '/own-figures'
      : '/agents'
    : path.replace(/^\/board\//, '/boards/');
  return entryGroups
    .flatMap(({ entries }) => entries)
    .find((it) => it.path === own || (it.path !== '/' && own.startsWith(`${it.path}/`)));
}
