// The table of agents: one row each, a column for each number, and a trend; sorted by any of them.
import { trend_metric, type AgentColumn } from './agent-columns.ts';
import { figure, numberOf, type Answer, type Figure, type AnswerRow } from './answer.ts';
import { cellOf, type Cell } from './cell.ts';
import { expectedColumns, expectedWords, numbersOf, observedCell, verdictOf, type AgentsExpected } from './expected.ts';
import { amount, say } from './numbers.ts';
import { soldRow } from './sold.ts';
import { silence, words } from './words.ts';

interface AgentCell {
  text: string;
  kind: Figure['kind'];
  value: number | null;
  /** Why the source does not provide it. */
  reason?: string;
  /** The compared number. */
  before?: string;
  cell?: Cell | undefined;
}

export interface AgentRow {
  login: string;
  name: string;
  /** In the order of the columns. */
  cells: AgentCell[];
  /** Chats by period, null for a gap. */
  trend: (number | null)[];
}

/**
 * Every agent who is named or has a number. A metric without an answer was refused, and its cells say so. `least`: the minimum number of
 * chats for figures; agents without any have fewer.
 */
export function agentRows(
  columns: readonly AgentColumn[],
  agents: { login: string; name: string }[],
  answers: Answer[],
  refusals: Record<string, string>,
  locale: string,
  least: number | null = null,
): AgentRow[] {
  const totals = answers.filter(({ grain }) => grain === 'total');
  const trend = answers.find(({ metric, grain }) => metric === trend_metric && grain !== 'total');
  const placeOf = (agent: unknown, currency: unknown): string => JSON.stringify([agent ?? '', currency ?? '']);
  const placed = (rows: readonly AnswerRow[] = []) =>
    new Map(rows.map((row) => [placeOf(row['agent'], row['currency']), row]));
  const now = new Map(totals.map(({ metric, rows }) => [metric, placed(rows)]));
  const before = new Map(totals.map(({ metric, compare }) => [metric, placed(compare?.rows)]));
  const trends = Map.groupBy(trend?.rows ?? [], (row) => String(row['agent'] ?? ''));
  const names = new Map(agents.map(({ login, name }) => [login, name]));
  const logins = new Set([
    ...names.keys(),
    ...totals.flatMap(({ rows }) => rows.map((row) => String(row['agent'] ?? ''))),
  ]);
  logins.delete('');
  return [...logins].map((login) => ({
    login,
    name: names.get(login) || login,
    cells: columns.map((column) => {
      const reason = refusals[column.metric];
      if (reason !== undefined) return { text: silence({ kind: 'not_given' }), kind: 'not_given', value: null, reason };
      const place = placeOf(login, column.currency);
      const row = now.get(column.metric)?.get(place);
      const answer = totals.find(({ metric }) => metric === column.metric);
      const earlier = figureIn(answer?.compare, before.get(column.metric)?.get(place), column, least);
      const it = figureIn(answer, row, column, least);
      const why = it.kind === 'not_given' ? it.reason : it.kind === 'too_few' ? silence(it) : undefined;
      return {
        ...faceOf(it, earlier, column, locale),
        ...(why ? { reason: why } : {}),
        cell: cellOf({ metric: column.metric, split: answer?.split ?? ['agent'], grain: 'total' }, column, row, it),
      };
    }),
    trend: trends.get(login)?.map((row) => numberOf(figure({}, row, 'chats'))) ?? [],
  }));
}

/** The head of a column of sales names its currency. */
const told = (value: number, { unit, currency }: AgentColumn, locale: string): string =>
  currency === undefined ? say(value, unit, locale) : amount(value, currency, locale);

/** Scores, hours and the most chats at once of a whole team are not numbers of the kind that its agents have: their cells are empty. */
const ofAgentsOnly: readonly string[] = ['score', 'chatting', 'available', 'occupancy', 'at-once'];

/** The number of the whole team in a column. `answers`: its metrics without agents. */
export function teamCell(
  column: AgentColumn,
  answers: readonly Answer[],
  locale: string,
): Pick<AgentCell, 'text' | 'kind' | 'value' | 'before'> {
  if (ofAgentsOnly.includes(column.id)) return { text: '', kind: 'no_data', value: null };
  const answer = answers.find(({ metric }) => metric === column.metric);
  const numberIn = (range: Range | undefined): Figure => {
    const row = range?.rows.find((row) => column.currency === undefined || row['currency'] === column.currency);
    return figureIn(range, row, column, null);
  };
  return faceOf(numberIn(answer), numberIn(answer?.compare), column, locale);
}

/** What a cell shows of a number, and of that of the days compared with. */
const faceOf = (
  it: Figure,
  earlier: Figure,
  column: AgentColumn,
  locale: string,
): Pick<AgentCell, 'text' | 'kind' | 'value' | 'before'> => ({
  text: it.kind === 'number' ? told(it.value, column, locale) : shortly(it),
  kind: it.kind,
  value: numberOf(it),
  ...(earlier.kind === 'number' ? { before: told(earlier.value, column, locale) } : {}),
});

/** The days asked for, or those compared with. */
type Range = Pick<Answer, 'rows' | 'state' | 'not_given'>;

/** Who has no row sold nothing in a currency in which others did. */
function figureIn(
  answer: Range | undefined,
  row: AnswerRow | undefined,
  column: AgentColumn,
  least: number | null,
): Figure {
  if (row === undefined && least !== null) return { kind: 'too_few', fewer_than: least };
  const sold = column.currency === undefined ? row : soldRow(answer, row, column.measure);
  return figure(answer ?? {}, sold, column.measure);
}

const order = { below: -1, not_told_apart: 0, above: 1, few_expected: null };

/** An agent's cells in the columns of expected values; `found` is undefined while loading. */
export function expectedCells(
  login: string,
  found: AgentsExpected | undefined,
  locale: string,
  least: number | null,
  reason?: string,
): AgentCell[] {
  const why = found?.hidden.find(({ agent }) => agent === login)?.why;
  return expectedColumns.map(({ outcome }): AgentCell => {
    if (!found)
      return {
        text: reason ? silence({ kind: 'not_given' }) : '…',
        kind: 'not_given',
        value: null,
        reason: reason ?? expectedWords.skipped,
      };
    if (why) {
      const it = why === 'too_few' ? { kind: why, fewer_than: least ?? 0 } : { kind: why };
      return { text: shortly(it), kind: why, value: null, reason: silence(it) };
    }
    const of = found.outcomes.find(({ id }) => id === outcome);
    const it = of?.agents.find(({ agent }) => agent === login);
    if (!of || !it) return { text: silence({ kind: 'no_data' }), kind: 'no_data', value: null };
    const value = order[it.verdict];
    return {
      ...{ text: verdictOf(it, of.unit), kind: value === null || value === 0 ? 'no_data' : 'number', value },
      ...{ reason: numbersOf(it, of, locale), cell: observedCell(of, login) },
    };
  });
}

/** Short forms, because the table is wide and every column repeats them. */
const shortly = (it: Exclude<Figure, { kind: 'number' }>): string =>
  it.kind === 'too_few' ? words.fewerThan(it.fewer_than) : silence(it);

/** Sorted by the number in a column, or by name; agents without a number come last either way, and ties are sorted by name. */
export function sortedAgents(
  columns: readonly { id: string }[],
  rows: AgentRow[],
  sort: string,
  isDescending: boolean,
  locale: string,
): AgentRow[] {
  const place = columns.findIndex(({ id }) => id === sort);
  const byName = new Intl.Collator(locale).compare;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [a.cells[place]?.value ?? null, b.cells[place]?.value ?? null];
    if (place < 0) return sign * byName(a.name, b.name);
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a.name, b.name);
    return sign * (one - other) || byName(a.name, b.name);
  });
}
