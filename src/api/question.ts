// Questions as addresses write them: names and texts, read into values. Refusals name the parameter and the choices.
import { cellFilters, type CellFilter, type WantedCells } from '#reports/reconciliation/recorded.ts';
import type { WantedChatRows } from '#reports/chat-rows.ts';
import type { WantedChats } from '#reports/receipts/search.ts';
import { longestTarget, type AskFilters, type AskInput } from '#warehouse/query/ask.ts';
import { Refused } from '#warehouse/errors.ts';
import { filterNames, type MetricDefinition } from '#warehouse/definitions/metric.ts';
import { isDate } from '#warehouse/periods.ts';
import type { WantedTags } from '#warehouse/read/account-lists.ts';
import { chatColumnIds, type ChatColumnId } from '#warehouse/read/chat-columns.ts';
import type { Lines } from '#warehouse/read/chats.ts';
import { firstPage, longestPage, type Page } from '#warehouse/read/page.ts';
import { rates, surveys } from '#warehouse/read/search.ts';
import type { WantedCell } from '#warehouse/receipts/receipt-cell.ts';
import { orders, type Listing } from '#warehouse/receipts/sum.ts';

/** By name: one text, or several if the parameter is repeated. Names as in the contract. */
export type QueryTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Errors: Refused, if the parameter is repeated. */
export function onlyOne(question: QueryTexts, name: string): string | undefined {
  const value = question[name];
  if (value === undefined || typeof value === 'string') return value;
  if (value.length > 1) throw new Refused(name, `${name} is given ${value.length} times, it takes one value`);
  return value[0];
}

/** All texts of a parameter. */
export const allOf = (question: QueryTexts, name: string): string[] => [question[name] ?? []].flat();

/** Errors: Refused, naming the choices, when it has a part of another name. */
export function assertNamed(question: QueryTexts, names: readonly string[]): void {
  const unknown = Object.keys(question).find((name) => question[name] !== undefined && !names.includes(name));
  if (unknown !== undefined)
    // TRICKY: about the parameter, not about the path: "metric" here is a wrong name, not a missing page.
    throw new Refused(`${unknown}=`, `there is no parameter ${unknown}, only ${names.join(', ')}`, names);
}

/** The parameters of an address. */
export function questionIn(search: URLSearchParams): QueryTexts {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of search) parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return Object.fromEntries([...parameters].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** All parameters of a question about a metric; `as_of` selects the snapshot (context.ts). */
const ofMetrics: readonly string[] = [
  ...['account', 'from', 'to', 'timezone', 'grain', 'split', 'compare', 'as_of', 'version', 'target'],
  ...filterNames,
];

const wholeNumber = /^\d{1,9}$/;

/** Errors: Refused. */
export function filtersIn(question: QueryTexts): AskFilters {
  const filters: AskFilters = {};
  for (const name of filterNames) {
    const values = allOf(question, name);
    if (values.length === 0) continue;
    filters[name] = values.map((value) => {
      if (name !== 'group' && name !== 'goal') return value;
      if (!wholeNumber.test(value)) throw new Refused(name, `${name}=${value} is not a number`);
      return Number(value);
    });
  }
  return filters;
}

function secondsIn(question: QueryTexts): number | undefined {
  const value = onlyOne(question, 'target');
  if (value === undefined) return undefined;
  if (!wholeNumber.test(value))
    throw new Refused('target', `target=${value} is not a whole number of seconds from 0 to ${longestTarget}`);
  return Number(value);
}

/** A question about a metric. Errors: Refused. */
export function wantedOf({ id, version }: Pick<MetricDefinition, 'id' | 'version'>, question: QueryTexts): AskInput {
  assertNamed(question, ofMetrics);
  const asked = onlyOne(question, 'version');
  if (asked !== undefined && asked !== String(version))
    throw new Refused('version', `${id} has version ${version} only, not ${asked}`, [String(version)]);
  return {
    ...{ from: onlyOne(question, 'from'), to: onlyOne(question, 'to'), timezone: onlyOne(question, 'timezone') },
    ...{ grain: onlyOne(question, 'grain'), compare: onlyOne(question, 'compare'), target: secondsIn(question) },
    split: allOf(question, 'split').flatMap((value) => value.split(',').filter(Boolean)),
    filters: filtersIn(question),
  };
}

const atName = /^at\.(.+)$/;
const ofCells = ['period', 'measure', 'limit', 'offset', 'order'];

/** One cell of a metric's answer. Errors: Refused. */
export function wantedCellOf(metric: Pick<MetricDefinition, 'id' | 'version'>, question: QueryTexts): WantedCell {
  const named = Object.entries(question).filter(([name]) => !atName.test(name));
  assertNamed(Object.fromEntries(named), [...ofMetrics, ...ofCells, 'at.<split>']);
  // The compared period is a separate cell, whose receipt has its own range.
  const whole = named.filter(([name]) => !ofCells.includes(name) && name !== 'compare');
  const at = Object.keys(question).flatMap((name): [string, string][] => {
    const split = atName.exec(name)?.[1];
    const text = split === undefined ? undefined : onlyOne(question, name);
    return split === undefined || text === undefined ? [] : [[split, text]];
  });
  return {
    question: wantedOf(metric, Object.fromEntries(whole)),
    period: onlyOne(question, 'period'),
    at: Object.fromEntries(at),
    measure: onlyOne(question, 'measure'),
  };
}

const ofAccounts = ['account', 'tags', 'find'];

/** Which tags of an account to list; all by default. Errors: Refused. */
export function wantedTagsOf(question: QueryTexts): WantedTags {
  assertNamed(question, ofAccounts);
  const most = onlyOne(question, 'tags');
  if (most !== undefined && !wholeNumber.test(most)) throw new Refused('tags', `tags=${most} is not a number of tags`);
  return { most: most === undefined ? undefined : Number(most), find: onlyOne(question, 'find') || undefined };
}

const longestText = 1_000_000;

/** Which lines of a chat to return; by default all of them in full. Errors: Refused. */
export function linesIn(question: QueryTexts): Lines {
  const isPart = ['limit', 'offset'].some((name) => onlyOne(question, name) !== undefined);
  const longest = onlyOne(question, 'longest');
  if (longest !== undefined && !(wholeNumber.test(longest) && Number(longest) > 0 && Number(longest) <= longestText))
    throw new Refused('longest', `longest=${longest} is not a whole number of characters from 1 to ${longestText}`);
  return { page: isPart ? pageOf(question) : undefined, longest: longest === undefined ? undefined : Number(longest) };
}

/** Errors: Refused. */
export function pageOf(question: QueryTexts): Page {
  const whole = (name: keyof Page, most: number): number => {
    const value = onlyOne(question, name) ?? String(firstPage[name]);
    if (!wholeNumber.test(value) || Number(value) > most)
      throw new Refused(name, `${name}=${value} is not a whole number from 0 to ${most}`);
    return Number(value);
  };
  return { limit: whole('limit', longestPage), offset: whole('offset', 999_999_999) };
}

function choiceIn<T extends string>(question: QueryTexts, name: string, choices: readonly T[]): T | undefined {
  const value = onlyOne(question, name) || undefined;
  return value === undefined ? undefined : choiceOf(name, value, choices);
}

function choiceOf<T extends string>(name: string, value: string, choices: readonly T[], about = name): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Refused(about, `${name}=${value} is not one of ${choices.join(', ')}`, choices);
  return found;
}

/** Which chats of a receipt, in which order. Errors: Refused. */
export const listingOf = (question: QueryTexts): Listing => ({
  ...pageOf(question),
  order: choiceIn(question, 'order', orders) ?? 'started',
});

const longestWords = 200;
const narrowing = ['from', 'to', 'timezone', 'group', 'agent', 'tag', 'country', 'variable'];
const ofChats = ['account', ...narrowing, 'rate', 'query', 'survey', 'limit', 'offset', 'as_of'];

/** A search of chats, by these parameters. Errors: Refused. */
function searchIn(question: QueryTexts, names: readonly string[]): Omit<WantedChats, 'page'> {
  const elsewhere = Object.keys(question).find((name) => ofMetrics.includes(name) && !names.includes(name));
  if (elsewhere !== undefined)
    throw new Refused(elsewhere, `chats are not searched by ${elsewhere}, only ${names.join(', ')}`, names);
  assertNamed(question, names);
  const words = onlyOne(question, 'query') || undefined;
  if (words !== undefined && words.length > longestWords)
    throw new Refused('query', `query has ${words.length} characters, at most ${longestWords}`);
  const survey = choiceIn(question, 'survey', surveys);
  return {
    question: {
      ...{ from: onlyOne(question, 'from'), to: onlyOne(question, 'to'), timezone: onlyOne(question, 'timezone') },
      filters: filtersIn(question),
    },
    rates: allOf(question, 'rate').map((value) => choiceOf('rate', value, rates)),
    words,
    survey,
  };
}

/** A search of chats. Errors: Refused. */
export const wantedChatsOf = (question: QueryTexts): WantedChats => ({
  ...searchIn(question, ofChats),
  page: pageOf(question),
});

/** Columns of chats in the requested order. */
function columnsIn(question: QueryTexts): readonly ChatColumnId[] | undefined {
  if (question['columns'] === undefined) return undefined;
  const asked = allOf(question, 'columns').flatMap((text) => text.split(',').filter(Boolean));
  if (asked.length === 0)
    throw new Refused('columns', `columns= names no column; there are ${chatColumnIds.join(', ')}`, chatColumnIds);
  return [...new Set(asked)].map((id) => choiceOf('columns', id, chatColumnIds));
}

const ofPages = ['limit', 'offset'];
const ofFiles = [...ofChats.filter((name) => !ofPages.includes(name)), 'columns'];

/** All chats of a search, one row each. Errors: Refused. */
export const wantedChatRowsOf = (question: QueryTexts): WantedChatRows => ({
  ...searchIn(question, ofFiles),
  columns: columnsIn(question),
});

/** Some of them. Errors: Refused. */
export const wantedChatRowsOnPageOf = (question: QueryTexts): WantedChatRows & { page: Page } => ({
  ...searchIn(question, [...ofFiles, ...ofPages]),
  columns: columnsIn(question),
  page: pageOf(question),
});

function dayIn(question: QueryTexts, name: string): string | undefined {
  const value = onlyOne(question, name);
  if (value === undefined) return undefined;
  if (!isDate(value)) throw new Refused(name, `${name}=${value} is not a date, write it as YYYY-MM-DD`);
  return value;
}

/** Days, both included, each of which may be left out. Errors: Refused, also where the last one is before the first. */
export function daysIn(question: QueryTexts): { from: string | undefined; to: string | undefined } {
  const [from, to] = [dayIn(question, 'from'), dayIn(question, 'to')];
  if (from !== undefined && to !== undefined && from > to) throw new Refused('from', `from=${from} is after to=${to}`);
  return { from, to };
}

const ofReconciliation = ['account', 'from', 'to', ...Object.keys(cellFilters), 'limit', 'offset', 'as_of'];

/** Cells that were compared with the source's reports. Errors: Refused. */
export function wantedCellsOf(question: QueryTexts): WantedCells {
  assertNamed(question, ofReconciliation);
  const filters: Partial<Record<CellFilter, readonly string[]>> = {};
  for (const name of Object.keys(cellFilters) as CellFilter[]) {
    const values = allOf(question, name);
    // TRICKY: about the parameter, not about the path: an unknown metric here is a wrong value, not a missing page.
    if (values.length > 0)
      filters[name] = values.map((value) => choiceOf<string>(name, value, cellFilters[name], `${name}=`));
  }
  return { ...daysIn(question), filters, page: pageOf(question) };
}
