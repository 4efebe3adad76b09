// The table of accounts: one row each and one of all together, a column for each number.
import type { AgentColumn } from './agent-columns.ts';
import { figure, numberOf, type Answer, type AnswerRow, type Figure } from './answer.ts';
import { amount, say } from './numbers.ts';
import { dayName } from './periods.ts';
import type { Question } from './questions.ts';
import { soldRow } from './sold.ts';
import { silence } from './words.ts';

export interface AccountColumn extends AgentColumn {
  /** Path of the page of an account that says more. */
  page: string;
}

/** Columns of every account; sales columns depend on the currencies sold in (`accountColumnsOf`). */
const accountColumns: AccountColumn[] = [
  {
    ...{ id: 'chats', title: 'Chats', sentence: 'Chats that began in the range.' },
    ...{ metric: 'total_chats', measure: 'chats', unit: 'count', page: 'chats' },
  },
  {
    ...{ id: 'first', title: 'First response', sentence: 'Half of the first responses came within this time.' },
    ...{ metric: 'first_response_time', measure: 'p50', unit: 'seconds', page: 'responses' },
  },
  {
    ...{ id: 'csat', title: 'CSAT', sentence: 'Good ratings as a share of all ratings.' },
    ...{ metric: 'chat_ratings', measure: 'csat', unit: 'share', page: 'ratings' },
  },
  {
    ...{ id: 'missed', title: 'Missed chats', sentence: 'Chats without a reply as a share of all chats.' },
    ...{ metric: 'not_replied_chats', measure: 'share', unit: 'share', page: 'chats' },
  },
  {
    ...{
      id: 'level',
      title: 'Service level',
      sentence: 'Share of queued visitors who entered a chat within 30 seconds.',
    },
    ...{ metric: 'service_level', measure: 'answered_within', unit: 'share', page: 'queue' },
  },
];

const SALES = 'goals';

/** Each metric by account and of all together; sales by currency. */
export const accountQuestions = (): Question[] =>
  [...accountColumns.map(({ metric }) => metric), SALES].flatMap((metric) => {
    const split = metric === SALES ? ['currency'] : [];
    const ask = (by: string[]): Question => ({ metric, split: by, grain: 'total', compare: true });
    return [ask(['account', ...split]), ask(split)];
  });

export function accountColumnsOf(answers: readonly Answer[]): AccountColumn[] {
  const rows = answers.filter(({ metric }) => metric === SALES).flatMap((answer) => answer.rows);
  const currencies = new Set(rows.map((row) => String(row['currency'] ?? '')).filter(Boolean));
  const sales = [...currencies].sort().map((currency) => ({
    ...{ id: `sales-${currency}`, title: `Sales (${currency})`, sentence: `Tracked sales in ${currency}.` },
    ...{ metric: SALES, measure: 'value', unit: 'money' as const, currency, page: 'goals' },
  }));
  return [...accountColumns, ...sales];
}

/** The question for the receipt of a number of all accounts together, as `named` in questions. */
export function togetherQuery(
  { measure, currency }: AccountColumn,
  { from, to, timezone }: { from: string; to: string; timezone: string },
  named: readonly string[],
): URLSearchParams {
  const query = new URLSearchParams({ from, to, timezone, grain: 'total', measure });
  for (const id of named) query.append('account', id);
  if (currency !== undefined) {
    query.set('split', 'currency');
    query.set('at.currency', currency);
  }
  return query;
}

interface AccountCell {
  text: string;
  kind: Figure['kind'];
  value: number | null;
  reason?: string;
  /** The compared number. */
  before?: string;
  earlier: number | null;
}

export interface AccountRow {
  /** Empty: all accounts together. */
  id: string;
  name: string;
  /** In the order of the columns. */
  cells: AccountCell[];
}

const told = (value: number, { unit, currency }: AccountColumn, locale: string): string =>
  currency === undefined ? say(value, unit, locale) : amount(value, currency, locale);

const rowIn = (
  rows: readonly AnswerRow[] | undefined,
  id: string,
  { currency }: AccountColumn,
): AnswerRow | undefined =>
  rows?.find((row) => (id === '' || row['account'] === id) && (currency === undefined || row['currency'] === currency));

type AccountRange = Pick<Answer, 'from' | 'to' | 'rows' | 'state' | 'no_data'>;

const hasNoDay = ({ from, to, no_data = [] }: AccountRange, id: string): boolean =>
  no_data.some((gap) => gap.account === id && gap.from <= from && gap.to >= to);

function cellIn(
  answer: Answer | undefined,
  id: string,
  column: AccountColumn,
  locale: string,
  refused?: string,
): AccountCell {
  if (!answer)
    return {
      text: silence({ kind: 'not_given' }),
      kind: 'not_given',
      value: null,
      earlier: null,
      ...(refused ? { reason: refused } : {}),
    };
  const numberAt = (asked: AccountRange | undefined): Figure => {
    const row = rowIn(asked?.rows, id, column);
    if (column.currency === undefined || row || !asked) return figure(answer, row, column.measure);
    if (!asked.rows.length) return figure(answer, soldRow(asked, row, column.measure), column.measure);
    // An account without a row sold nothing in a currency in which others did, if any of its days are there.
    return hasNoDay(asked, id) ? { kind: 'not_pulled' } : { kind: 'number', value: 0 };
  };
  const [it, earlier] = [numberAt(answer), numberAt(answer.compare)];
  return {
    text: it.kind === 'number' ? told(it.value, column, locale) : silence(it),
    kind: it.kind,
    value: numberOf(it),
    earlier: numberOf(earlier),
    ...(it.kind === 'not_given' && it.reason ? { reason: it.reason } : {}),
    ...(earlier.kind === 'number' ? { before: told(earlier.value, column, locale) } : {}),
  };
}

/** A row for each account, and one of all of them together. A metric without an answer was refused. */
export function accountRows(
  columns: readonly AccountColumn[],
  accounts: readonly string[],
  answers: readonly Answer[],
  refusals: Readonly<Record<string, string>>,
  locale: string,
): { rows: AccountRow[]; together: AccountRow } {
  const row = (id: string, name: string): AccountRow => ({
    ...{ id, name },
    cells: columns.map((column) => {
      const answer = answers.find(
        ({ metric, split = [] }) => metric === column.metric && split.includes('account') === (id !== ''),
      );
      return cellIn(answer, id, column, locale, refusals[column.metric]);
    }),
  });
  return { rows: accounts.map((id) => row(id, id)), together: row('', 'All accounts') };
}

/** By the number in a column, or by name; accounts without a number come last either way. */
export function sortedAccounts(
  columns: readonly AccountColumn[],
  rows: readonly AccountRow[],
  sort: string,
  isDescending: boolean,
  locale: string,
): AccountRow[] {
  const place = columns.findIndex(({ id }) => id === sort);
  const byName = new Intl.Collator(locale).compare;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    if (place < 0) return sign * byName(one.name, other.name);
    const [first, second] = [one.cells[place]?.value ?? null, other.cells[place]?.value ?? null];
    const byNumber =
      first === null || second === null ? Number(first === null) - Number(second === null) : sign * (first - second);
    return byNumber || byName(one.name, other.name);
  });
}

/** Which accounts have no data in part of the range, in sentences. */
export function noDataSentences(
  { from, to, no_data = [] }: Pick<Answer, 'from' | 'to' | 'no_data'>,
  accounts: number,
  locale: string,
): string[] {
  const day = (date: string): string => dayName(date, locale);
  const when = (gap: { from: string; to: string }): string => {
    if (gap.from <= from && gap.to >= to) return 'of these days';
    if (gap.from <= from) return `up to ${day(gap.to)}`;
    return gap.to >= to ? `from ${day(gap.from)} on` : `from ${day(gap.from)} to ${day(gap.to)}`;
  };
  return [...Map.groupBy(no_data, when)].map(([words, gaps]) => {
    const ids = [...new Set(gaps.map(({ account }) => account))];
    return `${ids.length} of ${accounts} accounts ${ids.length === 1 ? 'has' : 'have'} no data ${words}: ${ids.join(', ')}.`;
  });
}
