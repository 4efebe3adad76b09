// The table of agents: one row each, a column for each number, and a trend; sorted by any of them.
import { figure, numberOf, type Answer, type Figure } from './answer.ts';
import { cellOf, type Cell } from './cell.ts';
import { say } from './numbers.ts';
import type { Unit } from './panel.ts';
import type { Question } from './questions.ts';
import { silence, words } from './words.ts';

export interface AgentColumn {
  id: string;
  title: string;
  /** What the number means. */
  sentence: string;
  metric: string;
  measure: string;
  unit: Unit;
}

export const agentColumns: AgentColumn[] = [
  {
    id: 'chats',
    title: 'Chats',
    sentence: 'Chats in which the agent took part.',
    metric: 'chat_ratings',
    measure: 'chats',
    unit: 'count',
  },
  {
    id: 'csat',
    title: 'CSAT',
    sentence: 'Good ratings as a share of all ratings of those chats.',
    metric: 'chat_ratings',
    measure: 'csat',
    unit: 'share',
  },
  {
    id: 'rated',
    title: 'Ratings',
    sentence: 'Rated chats: how much the CSAT rests on.',
    metric: 'chat_ratings',
    measure: 'rated',
    unit: 'count',
  },
  {
    id: 'first',
    title: 'First response',
    sentence: 'Half of the first responses that the agent sent came within this time.',
    metric: 'first_response_time',
    measure: 'p50',
    unit: 'seconds',
  },
  {
    id: 'response',
    title: 'Response',
    sentence: 'In half of the chats the agent answered within this time on average.',
    metric: 'response_time',
    measure: 'p50',
    unit: 'seconds',
  },
  {
    id: 'chatting',
    title: 'Chatting',
    sentence: 'Hours with at least one chat open.',
    metric: 'chatting_time',
    measure: 'hours',
    unit: 'hours',
  },
  {
    id: 'available',
    title: 'Available',
    sentence: 'Hours in which the agent was accepting chats, as the account reports them.',
    metric: 'availability',
    measure: 'hours',
    unit: 'hours',
  },
  {
    id: 'at-once',
    title: 'Concurrent chats',
    sentence: 'The most chats that the agent had open at the same moment.',
    metric: 'concurrent_chats',
    measure: 'most',
    unit: 'count',
  },
];

const TREND = 'total_chats';

/** One question for each metric of the columns, and one for the trend of chats. */
export function agentQuestions(): Question[] {
  const ask = (metric: string, grain: 'total' | 'asked'): Question => ({
    metric,
    split: ['agent'],
    grain,
    compare: false,
  });
  return [...new Set(agentColumns.map(({ metric }) => metric))]
    .map((it) => ask(it, 'total'))
    .concat(ask(TREND, 'asked'));
}

export interface AgentCell {
  text: string;
  kind: Figure['kind'];
  value: number | null;
  /** Why the source does not give it. */
  reason?: string;
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
 * Every agent who is named or has a number. A metric without an answer was refused: its cells say so. `least`: figures are
 * told from so many chats on, and who has none has fewer.
 */
export function agentRows(
  agents: { login: string; name: string }[],
  answers: Answer[],
  refusals: Record<string, string>,
  locale: string,
  least: number | null = null,
): AgentRow[] {
  const totals = answers.filter(({ grain }) => grain === 'total');
  const trend = answers.find(({ metric, grain }) => metric === TREND && grain !== 'total');
  const byAgent = new Map(
    totals.map((answer) => [answer.metric, new Map(answer.rows.map((row) => [String(row['agent'] ?? ''), row]))]),
  );
  const trends = Map.groupBy(trend?.rows ?? [], (row) => String(row['agent'] ?? ''));
  const names = new Map(agents.map(({ login, name }) => [login, name]));
  const logins = new Set([...names.keys(), ...[...byAgent.values()].flatMap((rows) => [...rows.keys()])]);
  logins.delete('');
  return [...logins].map((login) => ({
    login,
    name: names.get(login) || login,
    cells: agentColumns.map((column) => {
      const reason = refusals[column.metric];
      if (reason !== undefined) return { text: silence({ kind: 'not_given' }), kind: 'not_given', value: null, reason };
      const row = byAgent.get(column.metric)?.get(login);
      const it: Figure =
        row === undefined && least !== null
          ? { kind: 'too_few', fewer_than: least }
          : figure(totals.find(({ metric }) => metric === column.metric) ?? {}, row, column.measure);
      const why = it.kind === 'not_given' ? it.reason : it.kind === 'too_few' ? silence(it) : undefined;
      return {
        text: it.kind === 'number' ? say(it.value, column.unit, locale) : shortly(it),
        kind: it.kind,
        value: numberOf(it),
        ...(why ? { reason: why } : {}),
        cell: cellOf({ metric: column.metric, split: ['agent'], grain: 'total' }, column, row, it),
      };
    }),
    trend: trends.get(login)?.map((row) => numberOf(figure({}, row, 'chats'))) ?? [],
  }));
}

/** The table is full of columns: what is the same in each of them is short. */
const shortly = (it: Exclude<Figure, { kind: 'number' }>): string =>
  it.kind === 'too_few' ? words.fewerThan(it.fewer_than) : silence(it);

/** By the number of a column, or by name; who has no number is last either way, and equals stand by name. */
export function sortedAgents(rows: AgentRow[], sort: string, isDescending: boolean, locale: string): AgentRow[] {
  const place = agentColumns.findIndex(({ id }) => id === sort);
  const byName = new Intl.Collator(locale).compare;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [a.cells[place]?.value ?? null, b.cells[place]?.value ?? null];
    if (place < 0) return sign * byName(a.name, b.name);
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a.name, b.name);
    return sign * (one - other) || byName(a.name, b.name);
  });
}
