// A saved query in a document, as values: whose it is, which values it was run with, its rows, or why there are none.
import { boardName } from '#dashboards/board-names.ts';
import type { NamesBySplit } from '#dashboards/names.ts';
import { say } from '#dashboards/numbers.ts';
import { cellOf } from '#dashboards/queries/cells.ts';
import { choiceFor, type ChartChoice } from '#dashboards/queries/chart-choice.ts';
import type { ResultTable } from '#dashboards/queries/result.ts';
import { boardRemarks } from '#dashboards/board-words.ts';
import { usedText } from '#dashboards/queries/used-words.ts';
import type { AnsweredQuery } from './query-answers.ts';
import { words } from './words.ts';

const { query: told } = words;

export interface ShownQuery {
  /** As the board is named in addresses. */
  board: string;
  title: string;
  isHalf: boolean;
  /** Whose it is, and with which values it was run. */
  sentence: string;
  /** Missing where it gave no answer. */
  result?: ResultTable;
  /** How it is drawn; missing: as rows. */
  chart?: ChartChoice;
  /** Why there is nothing to see. */
  nothing?: string;
  /** Its answer in a few words. */
  short: string;
  /** That the result has more rows than the document, which has `read` of them. */
  rest?: { text: string; read: number };
}

/** Of the boards of a document, in their order. */
export const shownQueries = (
  answered: readonly AnsweredQuery[],
  { names, locale }: { names: NamesBySplit; locale: string },
): ShownQuery[] => answered.map((one) => shownOf(one, names, locale));

function shownOf({ order, used, outcome, cut = 0 }: AnsweredQuery, names: NamesBySplit, locale: string): ShownQuery {
  const about = {
    board: boardName(order.board),
    title: order.title ?? boardRemarks.query.unnamed,
    isHalf: order.isHalf,
    sentence: [
      `${boardRemarks.query.by(order.run?.by ?? '')}.`,
      ...(used ? [usedText(used, { of: 'document', locale, nameOf: (kind, value) => names[kind]?.[value] })] : []),
    ].join(' '),
  };
  const left = (why: string): ShownQuery => ({ ...about, nothing: why, short: why });
  if (order.left) return left(told.left[order.left]);
  if (!outcome || outcome.kind === 'busy' || outcome.kind === 'late') return left(told.left[outcome?.kind ?? 'busy']);
  if (outcome.kind === 'wrong') return left(boardRemarks.query.failed(outcome.message));
  const { columns, rows, more } = outcome;
  if (rows.length === 0) return { ...left(boardRemarks.query.noRows), result: { columns, rows } };
  const chart = chartOf(columns, order.run?.chart ?? null);
  const inWords = (count: number): string => say(count, 'count', locale);
  const text = more ? told.most(inWords(rows.length)) : told.cut(inWords(cut), cut);
  return {
    ...about,
    result: { columns, rows },
    ...(chart ? { chart } : {}),
    short: shortOf({ columns, rows }, inWords, more || cut > 0),
    ...(more || cut > 0 ? { rest: { text, read: rows.length } } : {}),
  };
}

const chartOf = (columns: ResultTable['columns'], chosen: ChartChoice | 'usual' | null): ChartChoice | undefined =>
  chosen === null ? undefined : choiceFor(columns, chosen === 'usual' ? undefined : chosen);

/** One value is said, of more their number. */
function shortOf({ columns, rows }: ResultTable, inWords: (count: number) => string, isCut: boolean): string {
  const [row] = rows;
  const [value = null] = row ?? [];
  if (rows.length === 1 && columns.length === 1 && !isCut && value !== null) return cut(cellOf(value));
  return isCut ? told.rowsOrMore(inWords(rows.length)) : told.rows(inWords(rows.length), rows.length);
}

const most_said = 60;
const cut = (text: string): string => (text.length > most_said ? `${text.slice(0, most_said)}…` : text);
