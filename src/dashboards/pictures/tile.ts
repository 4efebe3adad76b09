// A tile: one large number, its change in words, and a sparkline; several numbers only for currencies.
import { figure, isUnsettled, numberOf, type Answer, type Figure, type AnswerRow } from '../answer.ts';
import { cellOf, type Cell } from '../cell.ts';
import { than as comparedWith, thanWholeDays } from '../comparison.ts';
import { say } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { soldRow } from '../sold.ts';
import { dayName, partOf } from '../periods.ts';
import { finalDaysOf, type FinalDays } from '../final-days.ts';
import { silence, words } from '../words.ts';
import type { Setting } from './picture.ts';
import { changeOf, isPartAgainstWhole, judged, notPulledBefore, wholeBefore, type TileChange } from './tile-change.ts';

export interface TileFigure {
  text: string;
  kind: Figure['kind'];
  cell?: Cell | undefined;
  /** Why the source does not provide it. */
  reason?: string;
  change?: TileChange;
}

export interface TileFace {
  figures: TileFigure[];
  basis?: string;
  /** Set while the number may still change. */
  note?: string;
  /** The target, and how many days met it. */
  target?: string;
  /** The range of the agent's colleagues. */
  team?: string;
  /** One number per period that is over, null for a gap. */
  spark: (number | null)[];
  summary: string;
}

export function tile(
  panel: Panel,
  answers: Answer[],
  { locale, targets, team }: Pick<Setting, 'locale' | 'targets' | 'team'>,
): TileFace {
  const [total, trend] = answers;
  const measure = panel.measures[0]?.measure ?? '';
  const than = total ? comparedWith(total, locale) : '';
  const rows = panel.split?.[0] ? withCurrency(total?.rows ?? []) : (total?.rows ?? []).slice(0, 1);
  const figures: TileFigure[] = rows.map((row) => {
    const currency = String(row['currency'] ?? '');
    const sameBefore = total?.compare?.rows.find((it) => !currency || it['currency'] === currency);
    const earlier = currency ? soldRow(total?.compare, sameBefore, measure) : sameBefore;
    const it = figure(total ?? {}, row, measure);
    const before = total?.compare ? numberOf(figure({}, earlier, measure)) : undefined;
    const cell = cellOf(panel, panel.measures[0] ?? { measure }, row, it);
    const ripe = before != null && it.kind === 'number' ? finalDaysOf(panel, trend, row['currency']) : undefined;
    if (total && ripe) return { ...ripened(panel, it, ripe, locale, currency), cell };
    const shown = face(panel, it, before, than, locale, currency);
    if (before != null && it.kind === 'number' && isPartAgainstWhole(panel, row, total))
      return { ...shown, change: wholeBefore(say(before, panel.unit, locale, currency), than), cell };
    if (!shown.change || earlier === undefined) return { ...shown, cell };
    if (earlier.state === 'not_pulled') return { ...shown, change: notPulledBefore, cell };
    return { ...shown, change: judged(shown.change, panel, measure, row, earlier, trend), cell };
  });
  if (!figures.length) figures.push(nothingIn(panel, total, locale));
  const shared = sharedChange(figures);
  const first = rows[0];
  const target = targets?.tile(panel, locale);
  const colleagues = team?.tile(panel, locale);
  const basis = panel.basis ? first?.[panel.basis.measure] : undefined;
  const missing = figures.every(({ kind }) => kind === 'not_pulled') && trend ? missingIn(trend, locale) : undefined;
  if (missing !== undefined) figures.splice(0, figures.length, { text: words.partlyPulled, kind: 'not_pulled' });
  return {
    figures,
    ...(missing === undefined ? {} : { basis: missing }),
    ...(panel.basis && typeof basis === 'number'
      ? { basis: words.counted(basis, say(basis, 'count', locale), panel.basis.label) }
      : {}),
    ...noteOf(shared, first),
    ...(target === undefined ? {} : { target }),
    ...(colleagues === undefined ? {} : { team: colleagues }),
    spark: panel.split?.length || !trend ? [] : sparkOf(panel, trend),
    summary: figures.map((it) => [it.text, it.change?.text].filter(Boolean).join(', ')).join('; '),
  };
}

/** Which periods of a range are not pulled, in words; undefined: none or all. */
function missingIn({ rows, grain }: Answer, locale: string): string | undefined {
  const byPeriod = new Map(rows.map(({ period, state }) => [String(period), state]));
  const periods = [...byPeriod.keys()].sort();
  const missing = periods.filter((period) => byPeriod.get(period) === 'not_pulled');
  const [first, last] = [missing[0], missing.at(-1)];
  if (first === undefined || last === undefined || missing.length === periods.length) return undefined;
  const told = words.missing(missing.length, periods.length, grain);
  const isOneStretch = periods.indexOf(last) - periods.indexOf(first) === missing.length - 1;
  if (grain !== 'day' || !isOneStretch) return told;
  return `${told}: ${[...new Set([first, last])].map((day) => dayName(day, locale).replaceAll(' ', '\u00a0')).join(' – ')}`;
}

/** Without a row the range itself says whether it was pulled; a whole one holds none of what is split. */
function nothingIn(panel: Panel, total: Answer | undefined, locale: string): TileFigure {
  const { measure = '' } = panel.measures[0] ?? {};
  const { rows: [row = total?.state && { state: total.state }] = [] } = total ?? {};
  const it = figure(total ?? {}, row, measure);
  if (it.kind === 'no_data' && panel.none) return { text: panel.none, kind: it.kind };
  return face(panel, it, undefined, '', locale, '');
}

/** What all of several figures say instead of a change: it is taken from them and said once. */
function sharedChange(figures: TileFigure[]): string | undefined {
  const [first, ...others] = figures.map(({ change }) => change);
  const isShared = others.length > 0 && others.every((it) => it?.text === first?.text);
  const isSaidOnce = [words.noComparison, words.notPulledBefore, words.unripe].some((text) => text === first?.text);
  if (!isShared || !first || !isSaidOnce) return undefined;
  for (const figure of figures) delete figure.change;
  return first.text;
}

/** Said below the figures: what they share, and that they may still change. */
function noteOf(shared: string | undefined, row: AnswerRow | undefined): { note?: string } {
  const state = row && isUnsettled(row) ? (row.state === 'open' ? words.soFar : words.notFinal) : undefined;
  const told = [shared, state].filter((it) => it !== undefined);
  return told.length > 0 ? { note: told.join(' · ') } : {};
}

/**
 * An unfinished period and a part of one would look like a drop, and for late measures so would any unsettled one; a late number of which
 * only unsettled periods have a part has no spark.
 */
function sparkOf({ measures, isLate }: Panel, trend: Answer): (number | null)[] {
  const isWhole = ({ state, period = '' }: AnswerRow): boolean =>
    state !== 'open' && state !== 'not_pulled' && (!isLate || state !== 'settling') && !partOf(period, trend);
  const begin = trend.rows.findIndex(({ period = '' }) => !partOf(period, trend));
  const end = trend.rows.findLastIndex(isWhole) + 1;
  const numbers = trend.rows.map((row) => numberOf(figure(trend, row, measures[0]?.measure ?? '')));
  const shown = numbers.slice(Math.max(0, begin), end);
  return isLate && !shown.some(Boolean) && numbers.slice(end).some(Boolean) ? [] : shown;
}

/** A number with the change of the days that do not change any more. */
function ripened(panel: Panel, it: Figure, ripe: FinalDays | 'none', locale: string, currency: string): TileFigure {
  const alone = face(panel, it, undefined, '', locale, currency);
  if (ripe === 'none') return { ...alone, change: { text: words.unripe, sign: 0, verdict: 'neither' } };
  const change = changeOfFinalDays(panel, ripe, locale, currency);
  return change ? { ...alone, change } : alone;
}

/** The text names the final days, whose change differs from that of the whole range. Undefined without a number to compare. */
export function changeOfFinalDays(
  panel: Panel,
  { now, earlier, until, trend }: FinalDays,
  locale: string,
  currency = '',
): TileChange | undefined {
  const measure = panel.measures[0]?.measure ?? '';
  const was = numberOf(figure({}, earlier, measure));
  const than = thanWholeDays(trend, locale);
  const { text, change } = face(panel, figure({}, now, measure), was, than, locale, currency);
  if (!change) return undefined;
  const day = dayName(until, locale).replaceAll(' ', '\u00a0');
  const told = { ...change, text: words.untilDay(text, day, change.text) };
  return { ...judged(told, panel, measure, now, earlier, trend), isOfFinalDays: true };
}

/** The currency of the most sales first: amounts of different currencies have no order. */
function withCurrency(rows: AnswerRow[]): AnswerRow[] {
  const salesOf = (row: AnswerRow) => Number(row['sales_count'] ?? 0);
  return rows
    .filter((row) => typeof row['currency'] === 'string' && row['currency'] !== '')
    .sort((one, other) => salesOf(other) - salesOf(one));
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
  return { text, kind: 'number', change: changeOf(panel, it.value, earlier, than, locale) };
}
