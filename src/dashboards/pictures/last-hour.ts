// One number of the last complete hour, next to the same hour a week ago and the current hour so far.
import { figure, numberOf, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { silence } from '../words.ts';

interface HourFace {
  text: string;
  kind: Figure['kind'];
  cell?: Cell | undefined;
  /** The same hour a week ago; undefined without a number. */
  weekAgo?: string | undefined;
  /** For counts: the current hour so far. */
  soFar?: string | undefined;
}

const WEEK = 7 * 86_400_000;

const isOver = ({ state }: AnswerRow): boolean => state !== 'open' && state !== 'not_pulled';

/** The label of the newest hour that is over and known: `2026-11-03 14:00`. Rows are hours in order. */
export const lastHourIn = ({ rows }: Pick<Answer, 'rows'>): string | undefined => rows.findLast(isOver)?.period;

/** The same wall-clock hour seven days before. */
export const aWeekBefore = (hour: string): string =>
  new Date(Date.parse(`${hour.slice(0, 10)}T00:00:00Z`) - WEEK).toISOString().slice(0, 10) + hour.slice(10);

/** `own` and `before` are by hour. */
export function lastHour(
  panel: Panel,
  hour: string | undefined,
  own: Answer | undefined,
  before: Answer | undefined,
  locale: string,
): HourFace {
  const measure = panel.measures[0] ?? { measure: '' };
  const rows = own?.rows ?? [];
  const at = rows.findIndex(({ period }) => period === hour);
  const of = (row: AnswerRow | undefined, answer = own) => figure(answer ?? {}, row, measure.measure);
  const told = (it: Figure) => {
    const value = numberOf(it);
    return value === null ? undefined : say(value, panel.unit, locale);
  };
  const it: Figure = hour === undefined ? { kind: 'not_pulled' } : of(rows[at]);
  const next = at < 0 ? undefined : rows[at + 1];
  const earlier = hour === undefined ? undefined : before?.rows.find(({ period }) => period === aWeekBefore(hour));
  return {
    text: it.kind === 'number' ? say(it.value, panel.unit, locale) : silence(it),
    kind: it.kind,
    cell: cellOf(panel, measure, rows[at], it),
    weekAgo: earlier && told(of(earlier, before)),
    soFar: panel.unit === 'count' && next?.state === 'open' ? told(of(next)) : undefined,
  };
}
