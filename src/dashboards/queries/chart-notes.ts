// What the chart of a result leaves out.
import { most_points, most_series, type ChartPoints } from './chart-points.ts';

/** What a chart leaves out, in sentences. `rows`: how many rows there are where the result has more; 0 where it is whole. */
export const chartNotes = (
  { labels, scale, all, repeated, placeless }: ChartPoints,
  rows: number,
  inWords: (count: number) => string,
): string[] => [
  ...(all.labels > most_points && scale !== 'text'
    ? [`The first ${inWords(most_points)} of ${inWords(all.labels)} values of x are drawn.`]
    : []),
  ...(all.series > most_series ? [`The ${most_series} largest of ${inWords(all.series)} series are drawn.`] : []),
  ...(repeated > 0
    ? [
        `${rowsOf(repeated, inWords)} not drawn, because an earlier row has the same place: choose what to split by, or group the query.`,
      ]
    : []),
  ...(placeless > 0 ? [`${rowsOf(placeless, inWords)} not drawn, because x is null.`] : []),
  ...(rows > 0 && labels.length > 0 ? [`Only the first ${inWords(rows)} rows of the result are looked at.`] : []),
];

const rowsOf = (count: number, inWords: (count: number) => string): string =>
  count === 1 ? 'One row is' : `${inWords(count)} rows are`;
