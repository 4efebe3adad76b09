// The change of a tile's number: in words, whether it is an improvement, and whether it may be chance.
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import {
  countsDiffer,
  fewest,
  independentCountsDiffer,
  pairsDiffer,
  scatterOf,
  sharesDiffer,
  type ShareOf,
} from '../chance.ts';
import { percent, round, say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { words } from '../words.ts';

export interface TileChange {
  text: string;
  sign: -1 | 0 | 1;
  verdict: 'better' | 'worse' | 'neither';
  /** For changes beyond chance: their size, comparable between units. */
  clear?: number;
  /** The change concerns the final days, not the tile's number; the text says so. */
  isOfFinalDays?: true;
}

/** Shares change by points, durations by time, everything else by per cent. */
export function changeOf(
  panel: Pick<Panel, 'unit' | 'better'>,
  now: number,
  earlier: number | null,
  than: string,
  locale: string,
): TileChange {
  if (now === 0 && earlier === 0) return { text: words.same(than), sign: 0, verdict: 'neither' };
  if (earlier === null || (earlier === 0 && panel.unit !== 'share' && panel.unit !== 'seconds')) {
    return { text: words.noComparison, sign: 0, verdict: 'neither' };
  }
  const difference = now - earlier;
  const size = Math.abs(difference);
  const text =
    panel.unit === 'share'
      ? words.points(say(round(size * 100, 1), 'count', locale))
      : panel.unit === 'seconds'
        ? say(size, 'seconds', locale)
        : percent(size / earlier, size / earlier < 0.1 ? 1 : 0, locale);
  const isSame =
    panel.unit === 'share'
      ? round(size * 100, 1) === 0
      : panel.unit === 'seconds'
        ? round(size, 1) === 0
        : round((size / earlier) * 100, 1) === 0;
  if (isSame) return { text: words.same(than), sign: 0, verdict: 'neither' };
  const sign = difference > 0 ? 1 : -1;
  const verdict = !panel.better ? 'neither' : (panel.better === 'more') === sign > 0 ? 'better' : 'worse';
  return { text: words.change(sign, text, panel.unit === 'seconds' ? 'time' : 'amount', than), sign, verdict };
}

/** Instead of a change where days that the number would be compared with are not there. */
export const notPulledBefore: TileChange = { text: words.notPulledBefore, sign: 0, verdict: 'neither' };

/** A change that may be chance: shown, but neither better nor worse. */
export const unclear = (change: TileChange): TileChange =>
  change.sign === 0 ? change : { text: words.noClearChange(change.text), sign: 0, verdict: 'neither' };

/** The ratio as a logarithm; for shares the odds ratio. */
function distance(unit: Panel['unit'], now: number, earlier: number): number {
  const level = (value: number): number =>
    unit === 'share' ? Math.log((value + 1e-3) / (1 - value + 1e-3)) : Math.log1p(value);
  return Math.abs(level(now) - level(earlier));
}

/** The verdict on a change, as far as it can be distinguished from chance. */
export function judged(
  change: TileChange,
  panel: Pick<Panel, 'unit' | 'basis'>,
  measure: string,
  now: AnswerRow,
  earlier: AnswerRow,
  trend?: Answer,
): TileChange {
  const isBeyond = isBeyondChance(panel, measure, now, earlier, trend);
  if (isBeyond === false) return unclear(change);
  // A few sales cannot be distinguished from chance: neither good nor bad news.
  if (isBeyond === undefined && panel.unit === 'money') return { ...change, verdict: 'neither' };
  const [is, was] = [now, earlier].map((row) => numberOf(figure({}, row, measure)));
  return isBeyond && change.sign !== 0 && is != null && was != null
    ? { ...change, clear: distance(panel.unit, is, was) }
    : change;
}

/**
 * Whether an unfinished range is compared with whole days because nothing finer is known of the earlier one, and is too little of them
 * for a change: sums, shares of time such as occupancy, which is another at night, and everything of a single day.
 */
export const isPartAgainstWhole = (
  { unit, basis }: Pick<Panel, 'unit' | 'basis'>,
  { state }: AnswerRow,
  total: Answer | undefined,
): boolean =>
  state === 'open' &&
  total?.compare?.until === undefined &&
  (['count', 'money'].includes(unit) || (['hours', 'share'].includes(unit) && !basis) || total?.from === total?.to);

export const wholeBefore = (told: string, than: string): TileChange => ({
  ...{ text: words.wholeBefore(told, than), sign: 0, verdict: 'neither' },
});

/** Whether a change exceeds chance; undefined if that cannot be determined. */
export function isBeyondChance(
  { unit, basis }: Pick<Panel, 'unit' | 'basis'>,
  measure: string,
  now: AnswerRow,
  earlier: AnswerRow,
  trend: Answer | undefined,
): boolean | undefined {
  const [is, was] = [now, earlier].map((row) => numberOf(figure({}, row, measure)));
  if (is == null || was == null) return undefined;
  if (unit === 'share') {
    const [one, other] = [shareIn(basis, now, is), shareIn(basis, earlier, was)];
    if (one && other) return sharesDiffer(one, other);
  }
  if (unit === 'seconds' && hasFew(basis, now, earlier)) return false;
  if (!trend) return undefined;
  if (unit === 'count' && trend.grain === 'day') {
    // The present day is not over, and would scatter for that reason.
    const days = trend.rows.map((row) => (row.state === 'open' ? null : numberOf(figure(trend, row, measure))));
    const scatter = scatterOf(days);
    if (scatter) return countsDiffer(is, was, scatter);
  }
  // What independent chats explain, chats of an account that scatters more explain too.
  const within = unit === 'count' && !independentCountsDiffer(is, was) ? false : undefined;
  // Hours of a busy day are busy together: how days scatter they do not say.
  if (unit !== 'seconds' && trend.grain === 'hour') return within;
  return within ?? pairsDiffer(pairsOf(trend, measure, unit, now['currency']));
}

/** Whether one of the numbers has too few cases for a statement. */
const hasFew = (basis: Panel['basis'], ...rows: AnswerRow[]): boolean =>
  rows.some((row) => ((basis && numberOf(figure({}, row, basis.measure))) ?? fewest) < fewest);

/** The periods with those at the same place that they are compared with, where both are known; seconds by their logarithms. */
function pairsOf(trend: Answer, measure: string, unit: Panel['unit'], currency: unknown): [number, number][] {
  // Without a cut-off instant, an unfinished period would be compared with a whole one.
  const isFair = ({ state }: AnswerRow): boolean =>
    state !== 'not_pulled' && (state !== 'open' || trend.compare?.until !== undefined);
  const valueOf = (row: AnswerRow | undefined): number | null => {
    const value = row ? numberOf(figure(trend, row, measure)) : null;
    if (value === null) return unit === 'money' ? 0 : null;
    return unit === 'seconds' ? Math.log1p(value) : value;
  };
  const byPeriod = (rows: readonly AnswerRow[]): AnswerRow[][] => [
    ...Map.groupBy(rows, ({ period }) => period).values(),
  ];
  const own = (rows: readonly AnswerRow[] | undefined): AnswerRow | undefined =>
    rows?.find((row) => currency === undefined || row['currency'] === currency);
  const before = byPeriod(trend.compare?.rows ?? []);
  return byPeriod(trend.rows).flatMap((rows, place) => {
    const [one, other] = [valueOf(own(rows)), valueOf(own(before[place]))];
    const isPair = rows.every(isFair) && before[place]?.every(({ state }) => state !== 'not_pulled');
    return isPair && one !== null && other !== null ? [[one, other] satisfies [number, number]] : [];
  });
}

/** The number of cases behind a share; empty if the answer does not contain it. */
function shareIn(basis: Panel['basis'], row: AnswerRow, value: number): ShareOf | undefined {
  const n = basis && numberOf(figure({}, row, basis.measure));
  return n == null ? undefined : { value, n };
}
