// A number beside what it is compared with, in a sentence: "78.8 % of 52 against 88.7 % of 257 on the four Tuesdays before: at the edge of chance."
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import { fewest, surenessOfShares, type Sureness } from '../chance.ts';
import { inTimeOf, than } from '../comparison.ts';
import { say } from '../numbers.ts';
import { changeOf, unclear, type TileChange } from '../pictures/tile-change.ts';
import type { Measured } from './measured.ts';
import { surenessOfPeriod } from './stands-out.ts';
import { whyWords as words } from './words.ts';

export interface Compared {
  /** "9.9 points less than the four Tuesdays before". */
  change: TileChange;
  sentence: string;
  /** Nobody should act on it. */
  isByChance: boolean;
}

/** A measure in earlier periods, by slot; `own` holds the period's own slot. */
export interface Periods {
  own: AnswerRow[];
  all: AnswerRow[][];
}

const valueIn = (row: AnswerRow | undefined, measure: string): number | null => numberOf(figure({}, row, measure));

/** How many are behind a number. */
export function behind({ basis, measure }: Measured, row: AnswerRow | undefined): number | null {
  const value = valueIn(row, measure);
  return basis && value !== null ? valueIn(row, basis.measure) : null;
}

/**
 * For a whole with one row and a compared one; `periods`: the periods to compare it with, if it is a period. Undefined without a number
 * in either.
 */
export function comparedOf(
  measured: Measured,
  whole: Answer,
  periods: Periods | undefined,
  locale: string,
): Compared | undefined {
  const [now, before] = [whole.rows[0], whole.compare?.rows[0]];
  const [is, was] = [valueIn(now, measured.measure), valueIn(before, measured.measure)];
  if (is === null || was === null) return undefined;
  const times = whole.compare?.slots?.count ?? 1;
  const { isSum } = measured;
  const earlier = isSum ? was / times : was;
  const sure = surenessOf(measured, now, before, periods);
  const days = than(whole, locale);
  const change = changeOf(measured, is, earlier, isSum && times > 1 ? words.averageOf(days) : days, locale);
  const things = measured.basis?.label ?? '';
  const average =
    isSum && times > 1
      ? words.onAverage(tellWith(measured, earlier, before, '', locale))
      : tellWith(measured, earlier, before, '', locale);
  return {
    change: sure === undefined || sure === 'clear' ? change : { ...unclear(change), text: change.text },
    isByChance: sure === 'unclear' || sure === 'few',
    sentence: words.sure(
      words.against(tellWith(measured, is, now, things, locale), average, inTimeOf(whole, locale)),
      sure,
    ),
  };
}

function tellWith(
  measured: Measured,
  value: number,
  row: AnswerRow | undefined,
  things: string,
  locale: string,
): string {
  const text = say(value, measured.unit, locale, measured.currency);
  const n = behind(measured, row);
  if (n === null || measured.isSum) return text;
  return (measured.unit === 'share' ? words.of : words.timeOf)(text, say(n, 'count', locale), things);
}

/** For a range that is not a period, the caller knows its daily line. */
function surenessOf(
  measured: Measured,
  now: AnswerRow | undefined,
  before: AnswerRow | undefined,
  periods: Periods | undefined,
): Sureness | 'few' | undefined {
  if (!periods) return undefined;
  const [n, earlier] = [behind(measured, now), behind(measured, before)];
  const isOfFew = n !== null && n < fewest;
  const value = valueIn(now, measured.measure);
  if (measured.unit === 'share') {
    const was = valueIn(before, measured.measure);
    if (value === null || was === null) return undefined;
    if (isOfFew) return 'few';
    if (n !== null && earlier !== null) return surenessOfShares({ value, n }, { value: was, n: earlier });
  }
  if (value === null) return undefined;
  if (isOfFew && measured.scattering === 'time') return 'few';
  const numbers = (rows: AnswerRow[]) => rows.map((row) => valueIn(row, measured.measure)).filter((it) => it !== null);
  return surenessOfPeriod(value, numbers(periods.own), periods.all.map(numbers), measured.scattering);
}
