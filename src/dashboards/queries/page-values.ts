// The values that a saved query is run with on a page: those of the page's filters where it has parameters of their kinds, and else its own.
import type { PageFilters } from '../panel-queries.ts';
import { daysBetween } from '../ranges.ts';
import { kindOf, parametersIn, type ParameterKind } from './parameters.ts';
import type { QueryValues } from './result.ts';

type PageChoice = Pick<PageFilters, 'from' | 'to' | 'group' | 'agent' | 'tag' | 'variable'>;

const narrowings = ['group', 'agent', 'tag'] as const;

/** What of a page gives a parameter its value; a query with one end of a range alone has the first or the last day of it. */
export type PagePart = 'range' | 'first' | 'last' | 'day' | (typeof narrowings)[number];

interface OwnValue {
  name: string;
  kind: ParameterKind;
  /** Undefined: it was saved without one. */
  value: QueryValues[string] | undefined;
  /** How many days, groups, agents or tags the page has, where the parameter takes one of them; 0: the page has none for it. */
  chosen: number;
}

export interface UsedValues {
  parameters: QueryValues;
  ofPage: readonly PagePart[];
  own: readonly OwnValue[];
  /** What the page is narrowed by, and the query has no parameter for. */
  unreached: readonly ('range' | 'variable' | (typeof narrowings)[number])[];
}

type End = 'first' | 'last' | 'day' | 'none';

const starts = ['from', 'since', 'start'];
const ends = ['to', 'until', 'end'];
const others = ['week', 'month', 'before', 'after'];

/**
 * Which end of a range a date is by its name: `since`, `started_from`, `ended_until`, `end_date`. A week or a month is none, and neither is
 * what comes before or after: its day may belong to the range or not.
 */
function endOf(name: string): End {
  const parts = name.toLowerCase().split('_');
  const [isStart, isEnd] = [starts, ends].map((words) => parts.some((part) => words.includes(part)));
  if (isStart !== isEnd) return isStart ? 'first' : 'last';
  return isStart || parts.some((part) => others.includes(part)) ? 'none' : 'day';
}

/** Of several first days, last days or days, none is known to be the page's. */
function daysOfPage({ first, last, day }: Record<End, string[]>, { from, to }: PageChoice): Record<string, string> {
  if (first.length > 1 || last.length > 1) return {};
  const isDay = from === to && day.length === 1 && first.length + last.length === 0;
  const named = (names: string[], value: string) => names.map((name) => [name, value]);
  return Object.fromEntries([...named(first, from), ...named(last, to), ...(isDay ? named(day, from) : [])]);
}

/** By the names and types of the parameters in the statement. */
export function valuesOn(
  filters: PageChoice,
  { statement, parameters }: { statement: string; parameters: QueryValues },
): UsedValues {
  const kinds = parametersIn(statement).map((name) => ({ name, kind: kindOf(name, statement) }));
  const dates: Record<End, string[]> = { first: [], last: [], day: [], none: [] };
  for (const { name, kind } of kinds) if (kind === 'date') dates[endOf(name)].push(name);
  const given: Record<string, string | number> = daysOfPage(dates, filters);
  for (const { name, kind } of kinds) {
    const [only, ...others] = chosenBy(kind, filters);
    if (only !== undefined && others.length === 0) given[name] = kind === 'group' ? Number(only) : only;
  }
  const days = daysBetween(filters.from, filters.to);
  const own = kinds
    .filter(({ name }) => !Object.hasOwn(given, name))
    .map(({ name, kind }): OwnValue => {
      const chosen = dates.day.includes(name) ? days : chosenBy(kind, filters).length;
      return { name, kind, value: parameters[name], chosen: chosen > 1 ? chosen : 0 };
    });
  const isIn = (names: readonly string[]) => names.some((name) => Object.hasOwn(given, name));
  const [first, last] = [isIn(dates.first), isIn(dates.last)];
  const has = (kind: ParameterKind) => kinds.some((it) => it.kind === kind);
  return {
    parameters: { ...parameters, ...given },
    ofPage: [
      ...(first && last ? (['range'] as const) : first ? (['first'] as const) : last ? (['last'] as const) : []),
      ...(isIn(dates.day) ? (['day'] as const) : []),
      ...narrowings.filter((kind) => has(kind) && filters[kind].length === 1),
    ],
    own,
    unreached: [
      ...(has('date') ? [] : (['range'] as const)),
      ...narrowings.filter((kind) => !has(kind) && filters[kind].length > 0),
      ...(filters.variable.length > 0 ? (['variable'] as const) : []),
    ],
  };
}

const chosenBy = (kind: ParameterKind, filters: PageChoice): readonly string[] =>
  kind === 'group' || kind === 'agent' || kind === 'tag' ? filters[kind] : [];
