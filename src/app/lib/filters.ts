// The filters of a page and their place in the address: account, dates or a preset, comparison, groups, agents, tags, variables, time zone, grain, target.
import { comparisons, narrowings, type Narrowing, type PageFilters } from '#dashboards/panel-queries.ts';
import { grainOf, grains, grainShowing } from '#dashboards/grains.ts';
import type { Grain } from '#dashboards/panel.ts';
import { dayName, rangeName } from '#dashboards/periods.ts';
import { cut, daysBetween, presetRange, presets, today, type Preset } from '#dashboards/ranges.ts';
import { isSplit } from '#dashboards/splits.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { isDate, isZone } from './dates.ts';
import { words } from './words.ts';

/** Parameters of an address that pages keep from one to the next. */
export const filterNames = [
  ...['account', 'preset', 'from', 'to', ...narrowings, 'timezone', 'grain', 'compare', 'target', 'chosen', 'hours'],
];

/** Default seconds of a target, such as that of the service level, and the maximum. */
const defaultTarget = 30;
const LONGEST_TARGET = 86_400;

export interface Filters extends PageFilters {
  /** Null: the first account. */
  account: string | null;
  preset: Preset | null;
  /** The first day with numbers, if the requested dates begin earlier and were therefore cut. */
  cutAt: string | null;
  /** Seconds of a target when the reader sets none. */
  usualTarget?: number;
  /** Whether the reader chose the grain. */
  isGrainChosen: boolean;
  /** Other parameters of the page that survive a filter change, such as search words. */
  own?: [string, string][];
  /** What in the address could not be understood, in sentences. */
  problems: string[];
}

/** Parses the address; missing and invalid values take the default, and invalid ones are reported. `accounts` are the existing ones. */
export function readFilters(
  query: URLSearchParams,
  accountZone: string,
  since: string,
  now: Date,
  accounts: string[] = [],
  usualTarget = defaultTarget,
): Filters {
  const problems: string[] = [];
  const account = query.get('account') || null;
  const isAccount = account === null || accounts.length === 0 || accounts.includes(account);
  if (!isAccount) problems.push(words.problems.account(account, accounts[0] ?? ''));
  const zone = query.get('timezone') || accountZone;
  const timezone = zone === accountZone || isZone(zone) ? zone : accountZone;
  if (timezone !== zone) problems.push(words.problems.zone(zone));
  const day = today(now, timezone);
  const dates = readDates(query, day, since, problems);
  problems.push(...unknownChoices(query));
  const days = daysBetween(dates.from, dates.to);
  const chosen = fitting(
    grains.find((grain) => grain === query.get('grain')),
    days,
    problems,
  );
  const values = (kind: string) => [...new Set(query.getAll(kind).filter(Boolean))];
  const { compare, target } = readAsked(query, problems, usualTarget);
  return {
    account: isAccount ? account : null,
    ...dates,
    today: day,
    group: values('group'),
    agent: values('agent'),
    tag: values('tag'),
    variable: readVariables(values('variable'), problems),
    timezone,
    grain: chosen ?? grainOf(days),
    compare,
    target,
    usualTarget,
    split: readSplits(query, problems),
    isTogether: query.get('chosen') === 'together',
    ...(query.get('hours') === 'business' ? { hours: 'business' as const } : {}),
    isGrainChosen: chosen !== undefined,
    problems,
  };
}

/** Errors for parameters with a fixed set of values. */
function unknownChoices(query: URLSearchParams): string[] {
  const known = { preset: presets, grain: [...grains, 'total'], hours: ['business', 'all'] };
  return Object.entries(known).flatMap(([name, choices]) => {
    const asked = query.get(name) || undefined;
    return asked === undefined || choices.some((choice) => choice === asked)
      ? []
      : [words.problems.choice(name, asked, choices)];
  });
}

function readAsked(query: URLSearchParams, problems: string[], usual: number): Pick<Filters, 'compare' | 'target'> {
  const compare = query.get('compare') || 'previous';
  const known = comparisons.find((it) => it === compare);
  if (!known) problems.push(words.problems.compare(compare));
  const target = query.get('target') || String(usual);
  const isTarget = /^\d{1,5}$/.test(target) && Number(target) <= LONGEST_TARGET;
  if (!isTarget) problems.push(words.problems.target(target, usual));
  return { compare: known ?? 'previous', target: isTarget ? Number(target) : usual };
}

/** Pairs of variable and value; the account knows whether they exist. */
function readVariables(asked: string[], problems: string[]): string[] {
  problems.push(...asked.filter((it) => !chosenOf(it)).map(words.problems.variableForm));
  return asked.filter(chosenOf);
}

function readSplits(query: URLSearchParams, problems: string[]): string[] {
  const asked = query.getAll('split').filter(Boolean);
  const wrong = asked.find((it) => !isSplit(it));
  if (wrong !== undefined) problems.push(words.problems.split(wrong));
  return asked.filter(isSplit);
}

type Dates = Pick<Filters, 'preset' | 'from' | 'to' | 'cutAt'>;

/** A form sends preset and dates together: dates that differ from the preset's mean that the reader typed them. */
function readDates(query: URLSearchParams, day: string, since: string, problems: string[]): Dates {
  const preset = presets.find((it) => it === query.get('preset'));
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const range = cut(presetRange(preset ?? '30d', day), since);
  const isTyped = (from || to) && !(preset && from === range.from && to === range.to);
  const fallback = { preset: preset ?? ('30d' as const), ...range };
  if (!isTyped) return fallback;
  const typed = { from: from || to, to: to || (from > day ? from : day) };
  const wrong = [typed.from, typed.to].find((text) => !isDate(text));
  if (wrong !== undefined) problems.push(words.problems.date(wrong));
  else if (typed.from > typed.to) problems.push(words.problems.order);
  else if (typed.from > day) problems.push(words.problems.future);
  else return { preset: null, ...cut(typed, since) };
  return fallback;
}

/** The selected grain, or the next coarser one that can show this many days. */
function fitting(chosen: Grain | undefined, days: number, problems: string[]): Grain | undefined {
  if (chosen === undefined) return undefined;
  const shown = grainShowing(days, chosen);
  if (shown !== chosen) problems.push(words.problems.grain(days, chosen, shown));
  return shown;
}

/** What tells two tabs of a page apart: "Overview: Last week", "Overview: 3 Nov – 9 Nov 2026". */
export const titled = (title: string, { preset, from, to }: Filters, locale: string): string =>
  `${title}: ${preset ? words.presets[preset] : rangeName(from, to, locale)}`;

export type FilterChange = Partial<
  Record<'account' | 'preset' | 'from' | 'to' | 'timezone' | 'grain' | 'compare' | 'target' | 'hours', string | null>
> &
  Partial<Record<Narrowing | 'split', string[]>> & { isTogether?: boolean };

/** The query for these filters with a change; values equal to the defaults are omitted. */
export function queryOf(filters: Filters, accountZone: string, change: FilterChange = {}): string {
  const query = new URLSearchParams();
  const account = change.account === undefined ? filters.account : change.account;
  if (account) query.set('account', account);
  const isDated = change.from || change.to;
  const preset = change.preset ?? (isDated ? null : filters.preset);
  if (preset && preset !== '30d') query.set('preset', preset);
  if (!preset) {
    query.set('from', change.from || filters.from);
    query.set('to', change.to || filters.to);
  }
  for (const kind of [...narrowings, 'split'] as const) {
    for (const value of change[kind] ?? filters[kind]) if (value) query.append(kind, value);
  }
  if (change.isTogether ?? filters.isTogether) query.set('chosen', 'together');
  const hours = change.hours === undefined ? filters.hours : change.hours;
  if (hours === 'business') query.set('hours', hours);
  const zone = change.timezone === undefined ? filters.timezone : change.timezone;
  if (zone && zone !== accountZone) query.set('timezone', zone);
  const grain = change.grain === undefined ? (filters.isGrainChosen ? filters.grain : null) : change.grain;
  if (grain) query.set('grain', grain);
  const compare = change.compare ?? filters.compare;
  if (compare !== 'previous') query.set('compare', compare);
  const target = change.target || String(filters.target);
  if (target !== String(filters.usualTarget ?? defaultTarget)) query.set('target', target);
  for (const [name, value] of filters.own ?? []) query.append(name, value);
  const text = query.toString();
  return text && `?${text}`;
}

/** Where the numbers of a page begin, if the dates that were asked for begin earlier; empty where nothing is left out. */
export function cutSentence(
  { cutAt }: Pick<Filters, 'cutAt'>,
  account: { since: string } | null,
  locale: string,
): string {
  if (!cutAt) return '';
  const isPulled = account !== null && cutAt > account.since;
  return (isPulled ? words.cutWhilePulled : words.cutAt)(dayName(cutAt, locale, true));
}
