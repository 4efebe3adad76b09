// The row that each row of an answer is compared with: of the same values, and of the period at the same place of the earlier range.
import type { Answer, AnswerRow } from './answer.ts';
import { soldRow } from './sold.ts';

interface ComparedRows {
  /** Whether the rows are of periods, and not of the whole range. */
  hasPeriods: boolean;
  /** The period that one of the answer is compared with. */
  periodOf: (row: AnswerRow) => string | undefined;
  rowOf: (row: AnswerRow, measure: string) => AnswerRow | undefined;
}

/** `splits`: columns of the values. Nothing is found where nothing is compared. */
export function comparedRows(answer: Answer, splits: readonly string[]): ComparedRows {
  const earlier = answer.compare?.rows ?? [];
  const [places, periods] = [placesOf(answer.rows), periodsOf(earlier)];
  const placesBefore = placesOf(earlier);
  const byPeriod = Map.groupBy(earlier, ({ period }) => period);
  const key = (place: number | undefined, row: AnswerRow): string =>
    JSON.stringify([place ?? null, ...splits.map((split) => row[split] ?? null)]);
  const found = new Map(earlier.map((row) => [key(placesBefore.get(row.period), row), row]));
  return {
    hasPeriods: periods.length > 0,
    periodOf: (row) => periods[places.get(row.period) ?? -1],
    rowOf: (row, measure) => {
      const place = places.get(row.period);
      const same = found.get(key(place, row));
      if (!splits.includes('currency')) return same;
      return soldRow({ ...answer.compare, rows: byPeriod.get(periods[place ?? -1]) }, same, measure);
    },
  };
}

/** In order of time. */
const periodsOf = (rows: readonly AnswerRow[]): string[] => [
  ...new Set(rows.flatMap(({ period }) => (period === undefined ? [] : [period]))),
];

const placesOf = (rows: readonly AnswerRow[]): Map<string | undefined, number> =>
  new Map(periodsOf(rows).map((period, place) => [period, place]));
