// Which numbers of single agents changed by more than chance explains, in the columns for which that can be said.
import type { AgentColumn } from '../agent-columns.ts';
import { figure, isUnsettled, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import { fewest } from '../chance.ts';
import type { Panel } from '../panel.ts';
import { changeOf, isPartAgainstWhole, judged, type TileChange } from './tile-change.ts';

interface JudgedColumn extends Pick<Panel, 'basis' | 'better' | 'isLate'> {
  /** The measure that counts its cases. */
  cases: string;
}

const judgedColumns: Readonly<Record<string, JudgedColumn>> = {
  chats: { cases: 'chats' },
  csat: { cases: 'rated', basis: { measure: 'rated', label: 'rated chats' }, better: 'more', isLate: true },
  first: { cases: 'count', basis: { measure: 'count', label: 'first responses' }, better: 'less' },
  response: { cases: 'count', basis: { measure: 'count', label: 'chats' }, better: 'less' },
};

/** Metrics whose days tell how much their numbers vary by chance. */
export const isJudged = ({ id }: Pick<AgentColumn, 'id'>): boolean => id in judgedColumns;

type ClearChangeOf = (column: AgentColumn, login: string) => Pick<TileChange, 'sign' | 'verdict'> | undefined;

/** `totals`: each metric by agent with its comparison; `trends`: the same by day. Nothing is said of fewer than ten cases in either, of counts in both. */
export function clearAgentChanges(totals: readonly Answer[], trends: readonly Answer[], locale: string): ClearChangeOf {
  const [whole, daily] = [totals, trends].map(
    (answers) => new Map(answers.map((answer) => [answer.metric, { answer, of: byAgent(answer) }])),
  );
  return (column, login) => {
    const how = judgedColumns[column.id];
    const total = whole?.get(column.metric);
    const [now] = total?.of(login).rows ?? [];
    const [earlier] = total?.of(login).before ?? [];
    if (!how || !total || !now || !earlier || (how.isLate && isUnsettled(now))) return undefined;
    const read = (measure: string) => [now, earlier].map((row) => numberOf(figure({}, row, measure)));
    const [is, was] = read(column.measure);
    if (is == null || was == null) return undefined;
    const cases = read(how.cases).map((count) => count ?? 0);
    if ((column.unit === 'count' ? Math.max(...cases) : Math.min(...cases)) < fewest) return undefined;
    if (isPartAgainstWhole(column, now, total.answer)) return undefined;
    const trend = daily?.get(column.metric);
    const panel = { unit: column.unit, ...how };
    const change = changeOf(panel, is, was, '', locale);
    const { clear, sign, verdict } = judged(
      change,
      panel,
      column.measure,
      now,
      earlier,
      trend && daysOf(trend.answer, trend.of(login)),
    );
    return clear === undefined ? undefined : { sign, verdict };
  };
}

interface RowsOfAgent {
  rows: readonly AnswerRow[];
  before: readonly AnswerRow[];
}

function byAgent({ rows, compare }: Answer): (login: string) => RowsOfAgent {
  const [now, before] = [rows, compare?.rows ?? []].map((all) => Map.groupBy(all, (row) => row['agent']));
  return (login) => ({ rows: now?.get(login) ?? [], before: before?.get(login) ?? [] });
}

/** The days of one agent; those without a row keep their place, so that each stands against the one it is compared with. */
function daysOf(answer: Answer, { rows, before }: RowsOfAgent): Answer {
  const whole = (all: readonly AnswerRow[], own: readonly AnswerRow[]): AnswerRow[] => {
    const byPeriod = new Map(own.map((row) => [row.period, row]));
    return [...new Set(all.map(({ period }) => period))].map(
      (period) => byPeriod.get(period) ?? { period, state: 'complete' },
    );
  };
  const { compare } = answer;
  return {
    ...answer,
    rows: whole(answer.rows, rows),
    ...(compare ? { compare: { ...compare, rows: whole(compare.rows, before) } } : {}),
  };
}
