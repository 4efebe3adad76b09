// The shape of an answer to a question about a metric, and how to read one cell of it without mistaking silence for zero.
import { weekdays } from './periods.ts';

export type State = 'complete' | 'settling' | 'open' | 'not_pulled' | 'not_given' | 'too_few' | 'withheld';

export interface AnswerRow {
  state: State;
  period?: string | undefined;
  [key: string]: string | number | null | undefined;
}

/** Several periods before that are compared as one: the four Tuesdays before, or the four weeks. */
export interface Slots {
  count: number;
  /** Of the compared period: `2026-11-17`, `2026-11-17 14:00`, `2026-W47`, `2026-11`. */
  period: string;
}

interface NoData {
  account: string;
  from: string;
  to: string;
}

interface Compared {
  from: string;
  to: string;
  /** Where the range is not over, the instant at which it ends. */
  until?: string | undefined;
  rows: AnswerRow[];
  /** As of the range asked for, where there is no row. */
  state?: State | undefined;
  slots?: Slots;
  no_data?: NoData[] | undefined;
}

export interface Answer {
  metric: string;
  timezone: string;
  from: string;
  to: string;
  grain: string;
  split?: string[];
  rows: AnswerRow[];
  /** State of the range, where there is no row. */
  state?: State | undefined;
  /** Seconds, of a metric that is measured against a target. */
  target?: number | undefined;
  compare?: Compared | undefined;
  /** Of several accounts: who has no data in part of the range. */
  no_data?: NoData[] | undefined;
  /** Measures that do not exist in this zone, split or filter, with the reason. */
  not_given?: Record<string, string> | undefined;
}

/** A number, or the reason why there is none. */
export type Figure =
  | { kind: 'number'; value: number }
  | { kind: 'no_data' }
  | { kind: 'not_pulled' }
  | { kind: 'not_given'; reason?: string }
  /** A figure of a single agent below the minimum number of chats, or one withheld so that such a figure cannot be derived. */
  | { kind: 'too_few'; fewer_than: number }
  | { kind: 'withheld' };

/** Reads one measure of one row; decimals may arrive as text. */
export function figure(answer: Pick<Answer, 'not_given'>, row: AnswerRow | undefined, measure: string): Figure {
  if (!row) return { kind: 'no_data' };
  if (row.state === 'not_pulled') return { kind: 'not_pulled' };
  if (row.state === 'too_few') return { kind: 'too_few', fewer_than: Number(row['fewer_than']) };
  if (row.state === 'withheld') return { kind: 'withheld' };
  const reason = answer.not_given?.[measure];
  const raw = row[measure];
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'number', value };
  if (reason !== undefined) return { kind: 'not_given', reason };
  return row.state === 'not_given' ? { kind: 'not_given' } : { kind: 'no_data' };
}

/** The number, or null without one. */
export function numberOf(it: Figure): number | null {
  return it.kind === 'number' ? it.value : null;
}

/** Drops the numbers of future days and hours, which the warehouse fills with zeros; `hour` is the current one. */
export function withoutFuture(answer: Answer, hour: string): Answer {
  const begun = answer.rows.some((row) => row['hour_of_day'] !== undefined) ? begunIn(answer, hour) : new Set();
  const isAhead = (row: AnswerRow) =>
    row.period === undefined && row['hour_of_day'] !== undefined
      ? !begun.has(`${row['weekday'] ?? ''} ${row['hour_of_day']}`)
      : /^\d{4}-\d\d-\d\d( \d\d:00)?$/.test(row.period ?? '') && (row.period ?? '') > hour.slice(0, row.period?.length);
  if (!answer.rows.some(isAhead)) return answer;
  const silent = (row: AnswerRow): AnswerRow =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'number' && !answer.split?.includes(name) ? null : value,
      ]),
    ) as AnswerRow;
  return { ...answer, rows: answer.rows.map((row) => (isAhead(row) ? silent(row) : row)) };
}

/** Hours of the day, alone and by weekday, that the range has reached; a full week includes all of them. */
function begunIn({ from, to }: Answer, hour: string): Set<string> {
  const begun = new Set<string>();
  const today = hour.slice(0, 10);
  let day = new Date(`${to < today ? to : today}T00:00:00Z`);
  for (let count = 0; count < 8; count += 1, day = new Date(day.getTime() - 86_400_000)) {
    const label = day.toISOString().slice(0, 10);
    if (label < from) break;
    const weekday = weekdays[(day.getUTCDay() + 6) % 7] ?? '';
    for (let of_day = 0; of_day < 24; of_day += 1) {
      const name = String(of_day).padStart(2, '0');
      if (`${label} ${name}:00` <= hour) begun.add(` ${name}`).add(`${weekday} ${name}`);
    }
  }
  return begun;
}

/** Whether later ratings, tags or sales may still change the row. */
export function isUnsettled(row: AnswerRow | undefined): boolean {
  return row?.state === 'open' || row?.state === 'settling';
}

/** Whether a set of answers holds not a single number of the asked measures. */
export function isSilent(answers: Answer[], measures: string[]): boolean {
  return answers.every((answer) =>
    answer.rows.every((row) => measures.every((measure) => figure(answer, row, measure).kind !== 'number')),
  );
}

/** Whether nothing of the range was pulled. */
export function isNotPulled(answers: Answer[]): boolean {
  const states = answers.flatMap(({ rows, state }) => (rows.length > 0 ? rows : [{ state }]).map((it) => it.state));
  return states.length > 0 && states.every((state) => state === 'not_pulled');
}

/** Whether something of the range was not pulled. */
export const lacksPulled = (answers: readonly Answer[]): boolean =>
  answers.some(({ rows }) => rows.some(({ state }) => state === 'not_pulled'));

/** The minimum number of chats for figures of single agents, if some are hidden for that reason. */
export function toldFrom(answers: Answer[]): number | undefined {
  const row = answers.flatMap(({ rows }) => rows).find(({ state }) => state === 'too_few');
  return row && Number(row['fewer_than']);
}
