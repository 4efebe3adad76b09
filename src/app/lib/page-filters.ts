// Filters of a page that is not a dashboard, from its address and account.
import { filterNames, readFilters, type Filters } from './filters.ts';
import { WHOLE } from './page-wait.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { seesEveryAgent, seesPart } from './sees-agents.ts';
import { words } from './words.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Health } from '#api/contract/health.ts';
import type { Me } from '#api/contract/sign-in.ts';

/** Data of every page's frame. */
interface Frame {
  account: Account | null;
  accounts: string[];
  health: Health;
  me: Pick<Me, 'rights' | 'rows'>;
}

/** The first day with numbers: the account's beginning, or how far the running pull has come. */
function firstDay(account: Account | null, { pull }: Health): string {
  const reached = pull.accounts ? pull.accounts[account?.id ?? ''] : pull.running ? pull.pulled_since : null;
  return [account?.since ?? '', reached ?? ''].sort()[1] ?? '';
}

/** Groups, agents and variables of the address that are not listed to the reader, in sentences; they stay chosen, and count nothing unless chats name them. */
function unknown({ group, agent, variable }: Filters, { account, me }: Frame): string[] {
  const listed = {
    group: account === null ? [] : [...account.groups, ...account.other_groups].map(({ id }) => String(id)),
    agent: account?.agents.map(({ login }) => login),
  };
  const missing = (asked: string[], known: string[] = []) =>
    known.length ? asked.filter((it) => !known.includes(it)) : [];
  return [
    ...missing(group, listed.group).map(seesPart(me) ? words.problems.unseen.group : words.problems.group),
    ...missing(agent, listed.agent).map(missingAgent(me)),
    ...(account ? variable.flatMap((text) => unknownValue(text, account)) : []),
  ];
}

/** What to say of an agent who is not listed to the reader. */
export const missingAgent = (me: Frame['me']): ((login: string) => string) =>
  seesEveryAgent(me) ? words.problems.agent : words.problems.unseen.agent;

function unknownValue(text: string, { variables }: Account): string[] {
  const { variable = '', value = '' } = chosenOf(text) ?? {};
  const found = variables.find(({ id }) => id === variable);
  if (!found)
    return [
      words.problems.variable(
        variable,
        variables.map(({ id }) => id),
      ),
    ];
  return found.values.includes(value) ? [] : [words.problems.variableValue(found.title, value)];
}

/** What questions and files are narrowed by and pages are not: a number that looked narrowed would be another one. */
const notNarrowing = ['country'];
const untaken = (query: URLSearchParams, own: readonly string[]): string[] =>
  notNarrowing
    .filter((name) => query.has(name) && !own.includes(name))
    .map((name) => words.problems.untaken(name, query.getAll(name).join(', ')));

/** What pages know besides the filters. */
const everywhere = ['split', 'back', WHOLE];

/** Parameters that mean nothing to the page: whoever wrote `grup=2` believes that it is narrowed. */
function unread(query: URLSearchParams, own: readonly string[]): string[] {
  const known = [...filterNames, ...everywhere, ...own, ...notNarrowing];
  return [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => words.problems.unread(name, query.getAll(name).join(', '), [...filterNames, ...own]));
}

/** What a page has in its address besides the filters. */
interface OwnParameters {
  /** Those that stay when a filter changes, such as search words. */
  stays?: readonly string[];
  /** Those that do not, such as the part of a list on screen. */
  passing?: readonly string[];
  /** Seconds of a target where the address has none. */
  usualTarget?: number | undefined;
}

export function filtersAt(
  url: URL,
  frame: Frame,
  { stays = [], passing = [], usualTarget }: OwnParameters = {},
): Filters {
  const { searchParams: query } = url;
  const { account, accounts, health } = frame;
  const since = firstDay(account, health);
  const read = readFilters(query, account?.timezone ?? 'UTC', since, new Date(), accounts, usualTarget);
  const own = [...stays, ...passing];
  const problems = [...read.problems, ...unknown(read, frame), ...untaken(query, own), ...unread(query, own)];
  const filters = { ...read, problems };
  const kept = stays.flatMap((name) => query.getAll(name).map((value): [string, string] => [name, value]));
  return kept.length ? { ...filters, own: kept } : filters;
}
