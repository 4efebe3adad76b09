// What of a result is drawn: columns by their types, and the choice that fits them where the reader has made none.
import type { ResultTable } from './result.ts';

/** Columns by name. */
export interface ChartChoice {
  kind: 'line' | 'bar';
  x: string;
  y: string[];
  split: string | null;
}

type Columns = ResultTable['columns'];
type ColumnKind = 'time' | 'number' | 'text';

/** Of the type as the engine names it; lists and structs are texts. */
export function kindOfType(type: string): ColumnKind {
  if (/[[(]/.test(type.replace(/^DECIMAL\([\d, ]+\)/, 'DECIMAL'))) return 'text';
  if (/^(DATE$|TIMESTAMP)/.test(type)) return 'time';
  return /^(U?((TINY|SMALL|BIG|HUGE)INT|INTEGER)|DOUBLE|FLOAT|DECIMAL)/.test(type) ? 'number' : 'text';
}

export const namesOfKind = (columns: Columns, ...kinds: readonly ColumnKind[]): string[] => [
  ...new Set(columns.filter(({ type }) => kinds.includes(kindOfType(type))).map(({ name }) => name)),
];

export function kindOfColumn(columns: Columns, name: string): ColumnKind {
  return kindOfType(columns.find((column) => column.name === name)?.type ?? '');
}

/** A line over time, split by the first text; else bars of the first text; else a line over the first number. Undefined: nothing to draw. */
export function usualChoice(columns: Columns): ChartChoice | undefined {
  const [times, texts, numbers] = (['time', 'text', 'number'] as const).map((kind) => namesOfKind(columns, kind));
  const [first, second] = numbers ?? [];
  const [time] = times ?? [];
  const [text = null] = texts ?? [];
  if (first === undefined) return undefined;
  if (time !== undefined) return { kind: 'line', x: time, y: [first], split: text };
  if (text !== null) return { kind: 'bar', x: text, y: [first], split: null };
  return second === undefined ? undefined : { kind: 'line', x: first, y: [second], split: null };
}

/** The choice as far as the columns have it, or the usual one. */
export function choiceFor(columns: Columns, chosen: ChartChoice | undefined): ChartChoice | undefined {
  const usual = usualChoice(columns);
  if (!usual || !chosen) return usual;
  const names = columns.map(({ name }) => name);
  const numbers = namesOfKind(columns, 'number');
  const y = chosen.y.filter((name) => numbers.includes(name) && name !== chosen.x);
  if (!names.includes(chosen.x) || y.length === 0) return usual;
  const split = chosen.split !== null && names.includes(chosen.split) ? chosen.split : null;
  const isText = kindOfColumn(columns, chosen.x) === 'text';
  return { x: chosen.x, y, kind: isText ? 'bar' : chosen.kind, split: split === chosen.x ? null : split };
}

type Drawn = ChartChoice | 'usual' | null;

/** Whether both draw the same. */
export function isSameChart(one: Drawn, other: Drawn): boolean {
  if (one === null || other === null || one === 'usual' || other === 'usual') return one === other;
  const inOrder = ({ kind, x, y, split }: ChartChoice): string => JSON.stringify([kind, x, y, split]);
  return inOrder(one) === inOrder(other);
}

/** What was kept somewhere, if it is a choice. */
export function isChartChoice(it: unknown): it is ChartChoice {
  if (typeof it !== 'object' || it === null) return false;
  const { kind, x, y, split } = it as Partial<Record<keyof ChartChoice, unknown>>;
  const isKind = kind === 'line' || kind === 'bar';
  const isY = Array.isArray(y) && y.every((name) => typeof name === 'string');
  return isKind && typeof x === 'string' && isY && (split === null || typeof split === 'string');
}
