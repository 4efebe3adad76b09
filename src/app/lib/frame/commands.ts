// The entries of the command palette, and the search over them.
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';
import { dashboards } from '#dashboards/dashboards.ts';
import type { Me } from '#api/contract/sign-in.ts';
import type { ShownDigest } from '#api/contract/digests.ts';
import type { Health } from '#api/contract/health.ts';
import type { Board } from '#api/contract/boards.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { dashboardAt, filtersIn, trailOf } from '#lib/drill/back.ts';
import { agentAddress, receiptOf, transcriptsAddress } from '#lib/drill/addresses.ts';
import type { View } from '#api/contract/user-data.ts';
import { pageAddress } from '#lib/page-address.ts';
import { presets, today } from '#dashboards/ranges.ts';
import { shownTheme } from '#lib/shown-theme.svelte.ts';
import { themes } from '#lib/theme.ts';
import { exportsOf, keep, type OnScreen } from './exports.ts';
import { alsoOf, panelsShown, phraseResults } from './phrase-results.ts';
import { daysTyped } from './palette-dates.ts';
import { plain, readingsOf } from './phrases.ts';
import { recentPages } from './recent.ts';
import { isOffered } from './sidebar.ts';
import { isAgent } from '#lib/sees-agents.ts';
import { words } from '#lib/words.ts';
import { paletteWords } from './palette-words.ts';

interface Command {
  kind: keyof typeof paletteWords.kinds;
  name: string;
  /** Further search terms. */
  also: string;
  href: ResolvedPathname;
  /** The action of an entry without a page; `href` identifies it. */
  act?: () => void;
  /** The typed text, or the words of it, from which the entry was made. */
  of?: string;
  /** Whether everything else comes before it. */
  isLast?: boolean;
}

interface CommandContext extends OnScreen {
  accounts?: string[];
  metrics?: Metric[];
  me?: Me;
  health?: Health;
}

const MOST = 60;

/** Everything reachable from a page; the page's filters are kept. */
export function commandsOf(
  known: CommandContext,
  { pathname, search }: { pathname: string; search: string },
  views: View[],
  text: string,
  showKeys: () => void,
  { boards = [], digests = [] }: { boards?: readonly Board[]; digests?: readonly ShownDigest[] } = {},
): Command[] {
  const { account, accounts = [], metrics = [], me, filters, health, locale = 'en-GB' } = known;
  const asked = new URLSearchParams(search);
  const places = [{ path: pathname, query: asked }, ...trailOf(search)];
  const place = places.find(({ path }) => dashboardAt(path));
  const here = place ? (dashboardAt(place.path)?.path ?? '') : '';
  const query = filtersIn(place?.query ?? asked);
  /** The dashboard on screen, or the overview, narrowed to one group. */
  const only = (group: string): ResolvedPathname => {
    const kept = new URLSearchParams(query);
    kept.set('group', group);
    return pageAddress(here, `?${kept}`);
  };
  /** The dashboard on screen, or the overview, of other days. */
  const during = (days: Record<string, string>): ResolvedPathname => {
    const kept = new URLSearchParams(query);
    for (const name of ['preset', 'from', 'to']) kept.delete(name);
    for (const [name, value] of Object.entries(days)) kept.set(name, value);
    return pageAddress(here, `?${kept}`);
  };
  const said = text.trim();
  const withFilters = (path: string) => (path + query) as ResolvedPathname;
  const zone = account?.timezone ?? 'UTC';
  const day = filters?.today ?? today(new Date(), zone);
  const ofPhrase = (): Command[] => {
    if (!account || !me || !health) return [];
    const { groups, agents, variables } = account;
    const readings = readingsOf(text, {
      ...{ presets: words.presets, today: day, locale },
      groups: groups.map(({ id, name }) => ({ id: String(id), name })),
      variables,
      agents: isAgent(me) ? [] : agents.map(({ login, name }) => ({ id: login, name: name || login })),
    });
    const around = { account, accounts, health, metrics, me, locale, here, query };
    return readings.flatMap((phrase) =>
      phraseResults(phrase, around).map(({ isFile, ...it }) => ({
        ...{ ...it, of: phrase.rest },
        ...(isFile ? { act: () => keep(it.href) } : {}),
      })),
    );
  };
  const inChats = new URLSearchParams([...new URLSearchParams(query), ['query', said]]);
  return [
    ...daysTyped(text, day, locale).map(({ name, from, to }) => ({
      ...{ ...command('date', name, '', during({ from, to })), of: '' },
      // A board or a report may be called by a weekday.
      isLast: from === to && isWord(said),
    })),
    ...ofPhrase(),
    ...dashboards.map(({ title, sentence, path }) => command('page', title, sentence, pageAddress(path, query))),
    ...Object.entries(words.placeTitles)
      .filter(([path]) => me && isOffered(path.slice(1), me, accounts.length))
      .map(([path, title]) => command('page', title, '', withFilters(resolve(path as '/agents')))),
    command('page', words.tv.title, paletteWords.tv, withFilters(resolve('/tv'))),
    ...recentPages()
      .filter(({ href }) => href !== pathname + search)
      .map(({ title, href }) => command('recent', title, '', href as ResolvedPathname)),
    ...presets.map((preset) => command('date', words.presets[preset], preset, during({ preset }))),
    ...boards.map(({ id, title, owner_name }) =>
      command('board', title, owner_name, withFilters(resolve('/board/[id]', { id }))),
    ),
    command(
      'page',
      paletteWords.newBoard,
      paletteWords.boards,
      `${withFilters(resolve('/boards'))}#new` as ResolvedPathname,
    ),
    ...views.map(({ name, address }) => command('view', name, '', address as ResolvedPathname)),
    ...(accounts.length > 1 ? accounts : []).map((id) =>
      command('account', id, '', pageAddress(here, `?${new URLSearchParams({ account: id })}`)),
    ),
    ...(account?.agents ?? [])
      .filter(({ login }) => me && (!isAgent(me) || me.rows?.agent === login))
      .map(({ login, name }) => command('agent', name || login, login, agentAddress(login, query))),
    ...(account?.groups ?? []).map(({ id, name }) => command('group', name, String(id), only(String(id)))),
    ...(me ? panelsShown(me) : []).map(({ page, panel }) =>
      command(
        'panel',
        panel.title,
        alsoOf(panel, page, metrics),
        `${pageAddress(page.path, query)}#${panel.id}` as ResolvedPathname,
      ),
    ),
    ...metrics.map(({ id, title, also_called = '', definition, measures }) =>
      command('metric', title, `${id} ${also_called} ${definition}`, receiptOf(id, totalOf(measures, zone, query))),
    ),
    ...digests.flatMap(({ id, title, readers }) =>
      readers.map(({ name, address = '' }, index) =>
        command(
          'recipient',
          `${name || address}: ${title}`,
          `${address} ${paletteWords.recipientAlso}`,
          `${resolve('/digests/[id]', { id })}#recipient-${index + 1}` as ResolvedPathname,
        ),
      ),
    ),
    ...exportsOf(known).map(({ name, href }) => ({
      ...command('export', name, paletteWords.exportAlso, href as ResolvedPathname),
      act: () => keep(href),
    })),
    ...themes.map((theme) => ({
      ...command('theme', paletteWords.theme[theme], paletteWords.themeAlso, theme as ResolvedPathname),
      act: () => shownTheme.choose(theme),
    })),
    ...(said.length > 1 && me && isOffered('transcripts', me)
      ? [{ ...command('page', paletteWords.inTranscripts(said), '', transcriptsAddress(inChats)), isLast: true }]
      : []),
    { ...command('keys', paletteWords.keysName, '? keys help', '?' as ResolvedPathname), act: showKeys },
  ];
}

const command = (kind: Command['kind'], name: string, also: string, href: ResolvedPathname): Command => ({
  kind,
  name,
  also,
  href,
});

/** The receipt of a metric's first measure over the dates of the page. */
function totalOf(measures: Metric['measures'], zone: string, query: string): URLSearchParams {
  const asked = new URLSearchParams(query);
  for (const name of ['compare', 'target', 'preset']) asked.delete(name);
  asked.set('grain', 'total');
  asked.set('measure', Object.keys(measures)[0] ?? '');
  if (!asked.has('timezone')) asked.set('timezone', zone);
  return asked;
}

const isWord = (text: string): boolean => /^\p{L}+$/u.test(text);

/** Whether a word of the text begins with `part`. */
const begins = (text: string, part: string): boolean =>
  text.split(/[^\p{L}\p{N}_]+/u).some((word) => word.startsWith(part));

const little = ['a', 'by', 'in', 'of', 'over', 'the', 'time', 'to'];

/** How many words of a name are not among those typed; little ones do not count. */
const unsaid = (name: string, said: readonly string[]): number =>
  said.length === 0
    ? 0
    : name
        .split(/[^\p{L}\p{N}_]+/u)
        .filter((word) => word !== '' && !little.includes(word) && !said.some((part) => word.includes(part))).length;

/**
 * Entries that contain every word; first those made from the words, then names that begin with them, names that contain them, and the
 * rest in order.
 */
export function found(commands: Command[], text: string): Command[] {
  if (text.trim() === '?') return commands.filter(({ kind }) => kind === 'keys');
  const parts = plain(text).split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((it, place) => {
    const [name, also] = [plain(it.name), plain(it.also)];
    const own = it.of === undefined ? parts : plain(it.of).split(/\s+/).filter(Boolean);
    if (!own.every((part) => name.includes(part) || begins(also, part))) return [];
    const isNamed = own.every((part) => name.includes(part));
    const rank = isNamed ? (name.startsWith(own[0] ?? '') ? 0 : 1) : 2;
    // Before anything is typed, where one came from is the best guess.
    if (!parts.length) return [{ it, rank: it.kind === 'recent' ? 0 : 1, more: 0, place }];
    // Of what a phrase names, the plain one comes before those that say more; a phrase that names nothing is of everything on screen.
    const isOfName = isNamed && own.length > 0;
    if (it.of !== undefined && !it.isLast)
      return [{ it, rank: isOfName ? -2 : -1, more: isOfName ? unsaid(name, own) : 0, place }];
    return [{ it, rank: it.isLast ? 3 : rank, more: 0, place }];
  });
  ranked.sort((one, other) => one.rank - other.rank || one.more - other.more || one.place - other.place);
  // The same target may be offered by name and by phrase; a panel may be on several pages.
  const keys = new Set<string>();
  const isNew = ({ it }: { it: Command }): boolean => {
    const own = [
      `${it.kind} ${it.href}`,
      ...(it.kind === 'panel' ? [`${it.name} ${it.href.split('#')[1] ?? ''}`] : []),
    ];
    const isKnown = own.some((key) => keys.has(key));
    own.forEach((key) => keys.add(key));
    return !isKnown;
  };
  return ranked
    .filter(isNew)
    .slice(0, MOST)
    .map(({ it }) => it);
}
