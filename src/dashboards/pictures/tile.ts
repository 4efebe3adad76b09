// A tile: one big number, its change against what it is compared with in words, and a spark; several numbers only for currencies.
import { figure, isUnsettled, numberOf, type Answer, type Figure, type Row } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { countsDiffer, pairsDiffer, scatterOf, sharesDiffer, type Share } from '../chance.ts';
import { than as comparedWith, thanUntil } from '../comparison.ts';
import { round, say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { ripeOf, type Ripe } from '../ripe.ts';
import { silence, words } from '../words.ts';
import type { Setting } from './picture.ts';

export interface TileFigure {
  text: string;
  kind: Figure['kind'];
  cell?: Cell | undefined;
  /** Why the source does not give it. */
  reason?: string;
  change?: { text: string; sign: -1 | 0 | 1; verdict: 'better' | 'worse' | 'neither' };
}

export interface TileFace {
  figures: TileFigure[];
  basis?: string;
  /** Set while the number may still change. */
  note?: string;
  /** One number per period, null for a gap. */
  spark: (number | null)[];
  summary: string;
}

export function tile(panel: Panel, answers: Answer[], { locale }: Pick<Setting, 'locale'>): TileFace {
  const [total, trend] = answers;
  const measure = panel.measures[0]?.measure ?? '';
  const than = total ? comparedWith(total, locale) : '';
  const rows = panel.split?.[0] ? withCurrency(total?.rows ?? []) : (total?.rows ?? []).slice(0, 1);
  const figures: TileFigure[] = rows.map((row) => {
    const currency = String(row['currency'] ?? '');
    const earlier = total?.compare?.rows.find((it) => !currency || it['currency'] === currency);
    const it = figure(total ?? {}, row, measure);
    const before = total?.compare ? numberOf(figure({}, earlier, measure)) : undefined;
    const cell = cellOf(panel, panel.measures[0] ?? { measure }, row, it);
    const ripe = before != null && it.kind === 'number' ? ripeOf(panel, trend, row['currency']) : undefined;
    if (total && ripe) return { ...ripened(panel, total, it, ripe, locale, currency), cell };
    const shown = face(panel, it, before, than, locale, currency);
    if (before != null && it.kind === 'number' && isPartAgainstWhole(panel, row, total))
      return { ...shown, change: wholeBefore(say(before, panel.unit, locale, currency), than), cell };
    const isByChance = earlier !== undefined && isWithinChance(panel, measure, row, earlier, trend);
    return { ...(isByChance ? unclear(shown) : shown), cell };
  });
  if (!figures.length) {
    const { kind } = figure({}, total?.rows[0], measure);
    const silent = kind === 'not_pulled' ? kind : 'no_data';
    figures.push({ text: words[silent], kind: silent });
  }
  const first = rows[0];
  const basis = panel.basis ? first?.[panel.basis.measure] : undefined;
  return {
    figures,
    ...(panel.basis && typeof basis === 'number'
      ? { basis: words.counted(basis, say(basis, 'count', locale), panel.basis.label) }
      : {}),
    ...(first && isUnsettled(first) ? { note: first.state === 'open' ? words.soFar : words.notFinal } : {}),
    spark: panel.split?.length ? [] : (trend?.rows.map((row) => numberOf(figure(trend, row, measure))) ?? []),
    summary: figures.map((it) => [it.text, it.change?.text].filter(Boolean).join(', ')).join('; '),
  };
}

/** A number with the change of the days that do not change any more. */
function ripened(
  panel: Panel,
  total: Answer,
  it: Figure,
  ripe: Ripe | 'none',
  locale: string,
  currency: string,
): TileFigure {
  const alone = face(panel, it, undefined, '', locale, currency);
  if (ripe === 'none') return { ...alone, change: { text: words.unripe, sign: 0, verdict: 'neither' } };
  const { now, earlier, until, trend } = ripe;
  const measure = panel.measures[0]?.measure ?? '';
  const [is, was] = [now, earlier].map((row) => figure({}, row, measure));
  if (is?.kind !== 'number') return alone;
  const than = thanUntil(total, until, locale);
  const shown = face(panel, is, was ? numberOf(was) : null, than, locale, currency);
  const { change } = isWithinChance(panel, measure, now, earlier, trend) ? unclear(shown) : shown;
  return { ...alone, ...(change ? { change } : {}) };
}

/** A sum of a range that is not over, of which it is known for whole days alone what was before. */
const isPartAgainstWhole = ({ unit }: Panel, { state }: Row, total: Answer | undefined): boolean =>
  state === 'open' && total?.compare?.until === undefined && ['count', 'hours', 'money'].includes(unit);

const wholeBefore = (told: string, than: string): NonNullable<TileFigure['change']> => ({
  ...{ text: words.wholeBefore(told, than), sign: 0, verdict: 'neither' },
});

/** Whether a change may be chance alone; of what there is no way to tell, it is not said to be. */
function isWithinChance(
  { unit, basis }: Panel,
  measure: string,
  now: Row,
  earlier: Row,
  trend: Answer | undefined,
): boolean {
  const [is, was] = [now, earlier].map((row) => numberOf(figure({}, row, measure)));
  if (is == null || was == null) return false;
  if (unit === 'share') {
    const [one, other] = [shareIn(basis, now, is), shareIn(basis, earlier, was)];
    return one !== undefined && other !== undefined && !sharesDiffer(one, other);
  }
  if (!trend) return false;
  if (unit === 'count' && trend.grain === 'day') {
    // The present day is not over, and would scatter for that reason.
    const days = trend.rows.map((row) => (row.state === 'open' ? null : numberOf(figure(trend, row, measure))));
    const scatter = scatterOf(days);
    if (scatter) return !countsDiffer(is, was, scatter);
  }
  // Hours of a busy day are busy together: how days scatter they do not say.
  if (unit !== 'seconds' && trend.grain === 'hour') return false;
  return pairsDiffer(pairsOf(trend, measure, unit, now['currency'])) === false;
}

/** The periods with those at the same place that they are compared with, where both are known; seconds by their logarithms. */
function pairsOf(trend: Answer, measure: string, unit: Panel['unit'], currency: unknown): [number, number][] {
  // Without an instant up to which it is compared, a period that is not over stands beside a whole one.
  const isFair = ({ state }: Row): boolean =>
    state !== 'not_pulled' && (state !== 'open' || trend.compare?.until !== undefined);
  const valueOf = (row: Row | undefined): number | null => {
    const value = row ? numberOf(figure(trend, row, measure)) : null;
    if (value === null) return unit === 'money' ? 0 : null;
    return unit === 'seconds' ? Math.log1p(value) : value;
  };
  const byPeriod = (rows: readonly Row[]): Row[][] => [...Map.groupBy(rows, ({ period }) => period).values()];
  const own = (rows: readonly Row[] | undefined): Row | undefined =>
    rows?.find((row) => currency === undefined || row['currency'] === currency);
  const before = byPeriod(trend.compare?.rows ?? []);
  return byPeriod(trend.rows).flatMap((rows, place) => {
    const [one, other] = [valueOf(own(rows)), valueOf(own(before[place]))];
    const isPair = rows.every(isFair) && before[place]?.every(({ state }) => state !== 'not_pulled');
    return isPair && one !== null && other !== null ? [[one, other] satisfies [number, number]] : [];
  });
}

/** With how many it is a share of; nothing where the answer does not say. */
function shareIn(basis: Panel['basis'], row: Row, value: number): Share | undefined {
  const all = basis?.of && numberOf(figure({}, row, basis.of));
  if (typeof all === 'number') return { value, n: all };
  const counted = basis && numberOf(figure({}, row, basis.measure));
  if (counted == null) return undefined;
  if (!basis?.isPart) return { value, n: counted };
  return value > 0 ? { value, n: counted / value } : undefined;
}

/** A change that may be chance: told, and neither better nor worse. */
function unclear(it: TileFigure): TileFigure {
  if (!it.change || it.change.sign === 0) return it;
  return { ...it, change: { text: words.noClearChange(it.change.text), sign: 0, verdict: 'neither' } };
}

function withCurrency(rows: Row[]): Row[] {
  return rows.filter((row) => typeof row['currency'] === 'string' && row['currency'] !== '');
}

function face(
  panel: Panel,
  it: Figure,
  earlier: number | null | undefined,
  than: string,
  locale: string,
  currency: string,
): TileFigure {
  if (it.kind !== 'number') {
    return { text: silence(it), kind: it.kind, ...(it.kind === 'not_given' && it.reason ? { reason: it.reason } : {}) };
  }
  const text = say(it.value, panel.unit, locale, currency);
  if (earlier === undefined) return { text, kind: 'number' };
  return { text, kind: 'number', change: change(panel, it.value, earlier, than, locale) };
}

/** Per cent with a decimal only where it matters. */
function percent(share: number, locale: string): string {
  return `${say(round(share * 100, share < 0.1 ? 1 : 0), 'count', locale)} %`;
}

/** Shares change by points, durations by time, everything else by per cent. */
function change(
  panel: Panel,
  now: number,
  earlier: number | null,
  than: string,
  locale: string,
): NonNullable<TileFigure['change']> {
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
        : percent(size / earlier, locale);
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
