// The points of a chart: each series by the values of x, with times in steps, and no more than can be drawn.
import { kindOfColumn, type ChartChoice } from './chart-choice.ts';
import type { ResultTable } from './result.ts';

/** Values of x at most, and series at most: as many as there are colours. */
export const most_points = 2000;
export const most_series = 7;

interface ChartSeries {
  name: string;
  /** By place of x. */
  values: (number | null)[];
}

export interface ChartPoints {
  /** `period`: labels are periods as the dashboards name them; `number` and `moment` are in order, `text` as in the result. */
  scale: 'period' | 'moment' | 'number' | 'text';
  labels: string[];
  series: ChartSeries[];
  /** How many values of x and series there are, drawn or not. */
  all: { labels: number; series: number };
  /** Rows that are not drawn, as another has their place, or as they have none. */
  repeated: number;
  placeless: number;
}

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;

export function pointsOf({ columns, rows }: ResultTable, choice: ChartChoice): ChartPoints {
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const [x, split] = [at(choice.x), choice.split === null ? -1 : at(choice.split)];
  const kind = kindOfColumn(columns, choice.x);
  const isPlaced = (row: readonly unknown[]): boolean => kind === 'text' || row[x] != null;
  const placed = rows.filter(isPlaced);
  const { scale, labelOf, between } = scaleOf(
    kind,
    placed.map((row) => text(row[x])),
  );
  const found = new Map<string, Map<string, number | null>>();
  const labels = new Set<string>();
  let repeated = 0;
  for (const row of placed) {
    const label = labelOf(text(row[x]));
    labels.add(label);
    let isRepeated = false;
    for (const y of choice.y) {
      const part = split < 0 ? '' : text(row[split]);
      const name = split < 0 ? y : choice.y.length > 1 ? `${part}, ${y}` : part;
      const own = found.get(name) ?? new Map<string, number | null>();
      found.set(name, own);
      if (own.has(label)) isRepeated = true;
      else own.set(label, numberIn(row[at(y)]));
    }
    repeated += Number(isRepeated);
  }
  const drawn = inOrder([...labels].slice(0, most_points), scale);
  const whole = between(drawn);
  const series = [...found].map(([name, own]) => ({ name, values: whole.map((label) => own.get(label) ?? null) }));
  return {
    ...{ scale, labels: whole, series: largest(series) },
    all: { labels: labels.size, series: series.length },
    ...{ repeated, placeless: rows.length - placed.length },
  };
}

const text = (value: unknown): string =>
  value === null || value === undefined ? 'null' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function inOrder(labels: string[], scale: ChartPoints['scale']): string[] {
  if (scale === 'text') return labels;
  return scale === 'number' ? labels.sort((one, other) => Number(one) - Number(other)) : labels.sort();
}

/** Those with the largest sums, in the order of the result. */
function largest(series: ChartSeries[]): ChartSeries[] {
  const sizes = new Map(
    series.map((it) => [it, it.values.reduce((sum: number, value) => sum + Math.abs(value ?? 0), 0)]),
  );
  const kept = new Set(
    series.toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0)).slice(0, most_series),
  );
  return series.filter((it) => kept.has(it));
}

interface Scale {
  scale: ChartPoints['scale'];
  labelOf: (value: string) => string;
  /** The labels with those that are missing between them. */
  between: (labels: string[]) => string[];
}

const same = <Value>(it: Value): Value => it;

/** Times are periods where they begin hours, days or months, so that an axis names them and shows which are missing. */
function scaleOf(kind: 'time' | 'number' | 'text', values: readonly string[]): Scale {
  if (kind !== 'time') return { scale: kind, labelOf: same, between: same };
  const isAll = (pattern: RegExp): boolean => values.length > 0 && values.every((value) => pattern.test(value));
  if (isAll(/^\d{4}-\d\d-01( 00:00:00(\+00(:00)?)?)?$/) && new Set(values).size > 1)
    return { scale: 'period', labelOf: (value) => value.slice(0, 7), between: same };
  if (isAll(/^\d{4}-\d\d-\d\d( 00:00:00(\+00(:00)?)?)?$/))
    return { scale: 'period', labelOf: (value) => value.slice(0, 10), between: (labels) => filled(labels, day_ms, 10) };
  if (isAll(/^\d{4}-\d\d-\d\d \d\d:00:00(\+00(:00)?)?$/))
    return {
      scale: 'period',
      labelOf: (value) => value.slice(0, 16),
      between: (labels) => filled(labels, hour_ms, 16),
    };
  return { scale: 'moment', labelOf: (value) => value.replace(/\+00(:00)?$/, ''), between: same };
}

/** With each step from the first to the last, unless these are too many; the step is the largest that meets all of them. */
function filled(labels: string[], unit: number, length: number): string[] {
  const instants = labels.map((label) => Date.parse(`${label.replace(' ', 'T')}${length === 10 ? 'T00:00' : ''}Z`));
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  const step = instants.reduce((common, instant) => divisor(common, (instant - first) / unit), 0);
  const count = step > 0 ? (last - first) / unit / step + 1 : 0;
  if (count <= labels.length || count > most_points) return labels;
  return Array.from({ length: count }, (_, place) =>
    new Date(first + place * step * unit).toISOString().replace('T', ' ').slice(0, length),
  );
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
