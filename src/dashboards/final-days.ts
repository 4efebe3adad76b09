// Late measures, such as ratings and sales that follow days after their chats, are compared over final periods only, since recent days
// have fewer of them than they will have in the end.
import { figure, isUnsettled, numberOf, type Answer, type AnswerRow } from './answer.ts';
import type { Panel } from './panel.ts';

/** The same measure over the final periods, and over the periods they are compared with. */
export interface FinalDays {
  now: AnswerRow;
  earlier: AnswerRow;
  /** Last period of them. */
  until: string;
  /** The line up to there, compared up to the last day that stands beside one of them. */
  trend: Answer;
}

/** With this many past periods of a line still changing, it is not just the last day. */
const LEAST_UNSETTLED = 2;

/**
 * For a sum of money, a late count, or a share with its denominator; `trend` is its line with the compared value of each period. `none`: everything may
 * still change. Undefined: the measure is not late, cannot be added up, or some days were not pulled.
 */
export function finalDaysOf(
  panel: Panel,
  trend: Answer | undefined,
  currency?: AnswerRow[string],
): FinalDays | 'none' | undefined {
  const { unit, measures, isLate } = panel;
  const measure = measures[0]?.measure ?? '';
  const all = panel.basis?.measure;
  const isSum = unit === 'money' || (unit === 'count' && isLate === true);
  if (!isSum && (unit !== 'share' || all === undefined)) return undefined;
  if (trend && trend.grain === 'hour' && isLate && trend.rows.every(isUnsettled)) return 'none';
  if (!trend?.compare || trend.grain !== 'day') return undefined;
  const own = (rows: readonly AnswerRow[]): [string, AnswerRow[]][] => [
    ...Map.groupBy(rows, ({ period }) => period ?? ''),
  ];
  const before = own(trend.compare.rows);
  const periods = own(trend.rows).map(([period, rows], place) => ({ period, rows, before: before[place]?.[1] ?? [] }));
  const isRipe = ({ rows }: { rows: AnswerRow[] }): boolean => rows.every(({ state }) => state === 'complete');
  const unripe = periods.filter(({ rows }) => rows.some(({ state }) => state === 'settling'));
  if (unripe.length < LEAST_UNSETTLED) return undefined;
  const ripe = periods.filter(isRipe);
  const until = ripe.at(-1)?.period;
  if (until === undefined) return isLate ? 'none' : undefined;
  if (ripe.some(({ before }) => before.some(({ state }) => state === 'not_pulled'))) return undefined;
  const sumOf = (rows: readonly AnswerRow[]): AnswerRow => {
    const of = rows.filter((row) => currency === undefined || row['currency'] === currency);
    const numbers = of.map((row) => ({
      value: numberOf(figure(trend, row, measure)),
      n: isSum || all === undefined ? 1 : (numberOf(figure(trend, row, all)) ?? 0),
    }));
    const n = numbers.reduce((sum, it) => sum + it.n, 0);
    const value = numbers.reduce((sum, it) => sum + (it.value ?? 0) * it.n, 0);
    if (isSum) return { state: 'complete', [measure]: value, ...(currency === undefined ? {} : { currency }) };
    return { state: 'complete', [measure]: n > 0 ? value / n : null, ...(all === undefined ? {} : { [all]: n }) };
  };
  return {
    now: sumOf(ripe.flatMap(({ rows }) => rows)),
    earlier: sumOf(ripe.flatMap((it) => it.before)),
    until,
    trend: {
      ...{ ...trend, to: until, rows: trend.rows.filter(({ period = '' }) => period <= until) },
      compare: { ...trend.compare, to: ripe.at(-1)?.before[0]?.period ?? trend.compare.to },
    },
  };
}
