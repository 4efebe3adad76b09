// Whether the change of a whole and of its parts may be chance, by the same tests as the change of a tile.
import { figure, numberOf, type Answer } from '../answer.ts';
import type { Pair } from '../changes.ts';
import {
  countsDiffer,
  fewest,
  independentCountsDiffer,
  scatterOf,
  sharesDiffer,
  z,
  type Scatter,
  type ShareOf,
} from '../chance.ts';
import type { Measure, Unit } from '../panel.ts';
import { isBeyondChance } from './tile-change.ts';

/** How the days of the whole scatter, and how much they are together. */
interface WholeScatter extends Scatter {
  sum: number;
}

/** Of a count with at least three weeks of days. */
export function scatterIn({ measure }: Measure, trend: Answer | undefined, isCount: boolean): WholeScatter | undefined {
  if (!isCount || trend?.grain !== 'day') return undefined;
  const days = trend.rows.map((row) => (row.state === 'open' ? null : numberOf(figure(trend, row, measure))));
  const scatter = scatterOf(days);
  return scatter && { ...scatter, sum: days.reduce<number>((sum, value) => sum + (value ?? 0), 0) };
}

/** Whether the whole has changed by no more than chance would have it, as far as that can be told. */
export function isWholeByChance(
  all: Pair,
  { unit, measure, times }: { unit: Unit; measure: Measure; times: number },
  { rows, compare }: Answer,
  trend: Answer | undefined,
): boolean {
  const { measure: own, weight } = measure;
  const [now, before] = [rows[0], compare?.rows[0]];
  const basis = weight === undefined ? {} : { basis: { measure: weight, label: '' } };
  const isBeyond =
    now && before && times === 1 ? isBeyondChance({ unit, ...basis }, own, now, before, trend) : undefined;
  return isBeyond === undefined ? isPartByChance(all, unit, weight === undefined, times, undefined) : !isBeyond;
}

/** The same of a part, which is clear too where it is more or less of the whole than before; one of few cases is not. */
export function isPartByChance(
  { now, before }: Pair,
  unit: Unit,
  isCount: boolean,
  times: number,
  scatter: WholeScatter | undefined,
): boolean {
  const [is, was] = isCount ? [now.value ?? 0, before.value ?? 0] : [now.weight ?? 0, (before.weight ?? 0) / times];
  if (Math.max(is, was) < fewest) return true;
  if (isCount)
    return !(scatter
      ? countsDiffer(is, was, scatterOfPart(scatter, (is + was) / 2))
      : independentCountsDiffer(is, was));
  return !isOwnClear({ now, before }, unit) && !independentCountsDiffer(is, was);
}

/** A mean duration of `n` cases, and the standard deviation of their logarithms. */
interface MeanOf extends ShareOf {
  spread: number;
}

/** Whether two mean durations differ; the mean of log-normal times has a relative variance of (exp(spread²) − 1) / n. */
function meansDiffer(one: MeanOf, other: MeanOf): boolean {
  if (Math.min(one.n, other.n) < fewest) return false;
  const variance = [one, other].reduce((sum, { n, spread }) => sum + Math.expm1(spread ** 2) / n, 0);
  return Math.abs(Math.log1p(one.value) - Math.log1p(other.value)) > z * Math.sqrt(variance);
}

/** Standard deviation of the logarithms of durations by two of their percentiles. */
export const spreadOf = (p50: number, p90: number): number => (Math.log1p(p90) - Math.log1p(p50)) / 1.2816;

function isOwnClear({ now, before }: Pair, unit: Unit): boolean {
  if (now.value === null || before.value === null) return false;
  const one = { value: now.value, n: now.weight ?? 0 };
  const other = { value: before.value, n: before.weight ?? 0 };
  if (unit === 'share') return sharesDiffer(one, other);
  if (now.spread === undefined || before.spread === undefined) return false;
  return meansDiffer({ ...one, spread: now.spread }, { ...other, spread: before.spread });
}

/** What busy and quiet days add to the variance of independent chats is in proportion to the square of the mean. */
function scatterOfPart({ variance, freedom, sum }: WholeScatter, part: number): Scatter {
  const share = sum > 0 ? part / sum : 0;
  return { variance: part + Math.max(0, variance - sum) * share ** 2, freedom };
}
