// Results of a phrase with several parts: pages, panels and files with other days, groups, values of variables and grains.
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';
import type { Metric } from '#api/contract/metrics.ts';
import type { Me } from '#api/contract/sign-in.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Health } from '#api/contract/health.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Dashboard, type Panel } from '#dashboards/panel.ts';
import { canSplit, isSplittable } from '#dashboards/splits.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { agentsFile } from '#lib/agents-file.ts';
import { pdfAddress } from '#lib/digests/page-pdf.ts';
import { agentAddress } from '#lib/drill/addresses.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { pageAddress } from '#lib/page-address.ts';
import { panelFile } from '#lib/panel-files.ts';
import { words } from '#lib/words.ts';
import { paletteWords } from './palette-words.ts';
import type { Phrase } from './phrases.ts';
import { seesAgents } from '#lib/sees-agents.ts';
import { isOffered } from './sidebar.ts';

/** Leads to a page, or to a file where `isFile`. */
interface PhraseResult {
  kind: 'page' | 'panel' | 'agent' | 'export';
  name: string;
  also: string;
  href: ResolvedPathname;
  isFile: boolean;
}

interface PhraseContext {
  account: Account;
  accounts: string[];
  health: Health;
  metrics: readonly Metric[];
  me: Me;
  locale: string;
  /** The dashboard on screen, or the overview. */
  here: string;
  /** The filters of the page on screen. */
  query: string;
}

/** What else a panel is found by. */
export const alsoOf = (panel: Panel, { title }: Dashboard, metrics: readonly Metric[]): string =>
  [panel.metric, ...panel.measures.map(({ metric }) => metric ?? panel.metric)]
    .flatMap((id) => {
      const metric = metrics.find((it) => it.id === id);
      return [id, metric?.title ?? '', metric?.also_called ?? ''];
    })
    .concat(title, panel.sentence)
    .join(' ');

/** Panels that their reader may see, each with its page; figures in tiles are on the page itself. */
export const panelsShown = (me: Me): { page: Dashboard; panel: Panel }[] =>
  dashboards.flatMap((page) =>
    panelsFor(page.panels, seesAgents(me))
      .filter(({ picture }) => picture !== 'tile')
      .map((panel) => ({ page, panel })),
  );

/** All that the parts of a phrase can be said of; which of it the other words name is found as ever. */
export function phraseResults(phrase: Phrase, around: PhraseContext): PhraseResult[] {
  const { days, groups, agents, chosen, grain, split, file, rest } = phrase;
  const query = new URLSearchParams(around.query);
  if (days) {
    for (const name of ['preset', 'from', 'to']) query.delete(name);
    for (const [name, value] of Object.entries(days.query)) query.set(name, value);
  }
  for (const [name, chosen] of [
    ['group', groups],
    ['agent', agents],
  ] as const) {
    if (chosen.length) query.delete(name);
    for (const { id } of chosen) query.append(name, id);
  }
  const values = query.getAll('variable').filter((text) => !chosen.some(({ id }) => chosenOf(text)?.variable === id));
  query.delete('variable');
  for (const text of [...values, ...chosen.map(({ id, value }) => `${id}:${value}`)]) query.append('variable', text);
  if (grain) query.set('grain', grain);
  const said = [
    ...groups.map(({ name }) => name),
    ...agents.map(({ name }) => name),
    ...chosen.map(({ name }) => name),
    ...(split ? [paletteWords.by(split.name)] : []),
    ...(grain ? [paletteWords.by(grain)] : []),
    ...(days ? [days.name] : []),
    ...(file ? [paletteWords.files[file]] : []),
  ];
  const made = (kind: PhraseResult['kind'], title: string, also: string, href: string): PhraseResult => ({
    ...{ kind: file ? 'export' : kind, name: [title, ...said].join(', '), also },
    ...{ href: href as ResolvedPathname, isFile: file !== undefined },
  });
  const all = [
    ...pages(phrase, query, around, made),
    ...panels(phrase, query, around, made),
    ...people(phrase, query, made),
  ];
  return rest ? all : all.map((it) => ({ ...it, also: '' }));
}

type Make = (kind: PhraseResult['kind'], title: string, also: string, href: string) => PhraseResult;

const asked = (path: string, query: URLSearchParams): string => path + (query.size ? `?${query}` : '');

/** The filters that a page has at an address. */
const filtersOf = (query: URLSearchParams, around: PhraseContext) => filtersAt(new URL(`http://x/?${query}`), around);

function pages(
  { split, file, rest }: Phrase,
  query: URLSearchParams,
  around: PhraseContext,
  made: Make,
): PhraseResult[] {
  const { account, me, locale, here } = around;
  const agents = (): PhraseResult[] => {
    if (!rest || !isOffered('agents', me)) return [];
    const href =
      file === undefined || file === 'pdf'
        ? asked(resolve('/agents'), query)
        : agentsFile(file, account.id, filtersOf(query, around));
    return [made('page', words.placeTitles['/agents'] ?? '', paletteWords.agentsAlso, href)];
  };
  // A split is of a panel; only the page of agents is split by them as it is.
  if (split) return split.by === 'agent' && file !== 'pdf' ? agents() : [];
  const shown = dashboards.filter(({ path }) => rest || path === here);
  if (file === undefined)
    return [
      ...shown.map(({ title, sentence, path }) => made('page', title, sentence, pageAddress(path, `?${query}`))),
      ...(rest ? narrowed : [])
        .filter((id) => isOffered(id, me))
        .map((id) => made('page', words.placeTitles[`/${id}`] ?? id, '', asked(resolve(`/${id}`), query))),
    ];
  if (file !== 'pdf') return agents();
  const filters = filtersOf(query, around);
  return shown.map(({ id, title, sentence }) =>
    made('page', title, sentence, pdfAddress(id, account.id, filters, locale)),
  );
}

/** Pages that are no dashboards and have days and filters. */
const narrowed = ['agents', 'transcripts', 'chat-rows'] as const;

function panels(
  { split, grain, file, rest }: Phrase,
  query: URLSearchParams,
  around: PhraseContext,
  made: Make,
): PhraseResult[] {
  const { account, metrics, me, here } = around;
  if (file === 'pdf') return [];
  const isDivided = (panel: Panel): boolean =>
    isSplittable(panel) &&
    split !== undefined &&
    canSplit(
      panel,
      metrics.find(({ id }) => id === panel.metric),
      split.by,
    );
  const shown = panelsShown(me).filter(
    ({ page, panel }) => (rest || page.path === here) && (split ? isDivided(panel) : !grain || panel.grain === 'asked'),
  );
  return shown.flatMap(({ page, panel }) => {
    const also = alsoOf(panel, page, metrics);
    if (!file) {
      const own = new URLSearchParams(query);
      if (split) own.append('split', `${panel.id}.${split.by}`);
      return made('panel', panel.title, also, `${pageAddress(page.path, `?${own}`)}#${panel.id}`);
    }
    const divided: Panel = split ? { ...panel, isSplit: true, split: [split.by] } : panel;
    const href = panelFile(file, divided, page.path, account, filtersOf(query, around));
    return href === undefined ? [] : made('panel', panel.title, also, href);
  });
}

/** The page of an agent who is named. */
function people({ agents: [agent], split, file, rest }: Phrase, query: URLSearchParams, made: Make): PhraseResult[] {
  if (!agent || split || file || rest) return [];
  const own = new URLSearchParams(query);
  own.delete('agent');
  const { name, ...it } = made('agent', agent.name, '', agentAddress(agent.id, `?${own}`));
  return [{ ...it, name: [...new Set(name.split(', '))].join(', ') }];
}
