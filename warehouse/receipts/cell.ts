// The number of one cell as in answers, and a statement that returns it alone.
import { answerRows } from '../query/answer.ts';
import { readRows } from '../query/size.ts';
import { literals } from '../query/bind.ts';
import { compile, statement } from '../query/compile.ts';
import type { Dialect } from '../dialect.ts';
import type { Row, Value } from '../engine.ts';
import type { MetricDefinition, Split } from '../definitions/metric.ts';
import { weekdays } from '../periods.ts';
import type { Sources } from '../query/sources.ts';
import type { ColumnType } from '../tables/tables.ts';
import type { ReceiptAsking } from './asking.ts';
import type { AskedCell } from './receipt-cell.ts';

export interface ReceiptCell extends AskedCell {
  sources: Sources;
  /** The row of the answer: measures and state. */
  row: Row;
  /** The metric's statement has a row for it. */
  hasRow: boolean;
  sql: string;
}

export const typeOfSplit: Readonly<Record<Split, ColumnType>> = {
  account: 'text',
  agent: 'text',
  group: 'int',
  tag: 'text',
  country: 'text',
  variable: 'text',
  goal: 'int',
  currency: 'text',
  weekday: 'int',
  hour_of_day: 'int',
};

/** As the engine numbers it: Monday is 1, `09` is 9. */
export function rawValue(split: Split, value: Value): Value {
  if (split === 'weekday') return weekdays.findIndex((day) => day === value) + 1;
  return split === 'hour_of_day' ? Number(value) : value;
}

/** `"agent" = 'a@x.test'`, or `is null`; `column` is an expression. */
const isAt = (dialect: Dialect, column: string, split: Split, value: Value): string =>
  value === null ? `${column} is null` : `${column} = ${dialect.literal(rawValue(split, value), typeOfSplit[split])}`;

/** The answer has no numbers there, whatever rows the tables have. */
const isUnknown = ({ state }: Row): boolean => state === 'not_pulled' || state === 'not_given';

/** A complete statement with the cell as its only row, even if nothing happened there. What the answer does not give, it does not give either. */
function cellSql(
  metric: MetricDefinition,
  { period, at, ask, sources, row }: Omit<ReceiptCell, 'sql'>,
  dialect: Dialect,
): string {
  const text = (value: string): string => dialect.literal(value, 'text');
  const splits = Object.entries(at) as [Split, Value][];
  const where = splits.map(([split, value]) => isAt(dialect, `answer."${split}"`, split, value));
  const running = metric.running ?? [];
  const ofPeriod = period === null ? [] : [`answer.period = ${text(period)}`];
  const before = period === null ? [] : [`answer.period <= ${text(period)}`];
  const measures = Object.entries(metric.measures).map(([name, measure]) => {
    if (isUnknown(row) || name in sources.notGiven) return `max(null) as ${name}`;
    const isRunning = running.includes(name);
    // A cell is at most one row: the largest of one number is the number.
    const one = isRunning ? `sum(answer.${name})` : `max(answer.${name})`;
    const picked =
      running.length === 0 || period === null
        ? one
        : `${one} filter (where ${(isRunning ? before : ofPeriod).join(' and ')})`;
    return measure.empty === 0 ? `coalesce(${picked}, 0) as ${name}` : `${picked} as ${name}`;
  });
  const shown = [
    ...(period === null ? [] : [`${text(period)} as period`]),
    ...splits.map(([split, value]) => `${value === null ? 'null' : text(String(value))} as "${split}"`),
    ...measures,
  ];
  const which = [...(running.length > 0 ? before : ofPeriod), ...where];
  return (
    `select\n${shown.map((item) => `  ${item}`).join(',\n')}\nfrom (\n${statement(metric, ask, literals(dialect), sources.can)}\n) as answer` +
    (which.length > 0 ? `\nwhere ${which.join('\n  and ')}` : '')
  );
}

const isLocal = (split: Split): boolean => split === 'weekday' || split === 'hour_of_day';

/** Errors: Refused, when no source can answer. */
export async function cellOf(metric: MetricDefinition, asked: AskedCell, whose: ReceiptAsking): Promise<ReceiptCell> {
  const { engine } = whose;
  const { period, at } = asked;
  const { sources, asking } = await whose.sources(metric, asked.ask);
  const { ask } = sources;
  const { sql, params } = compile(metric, ask, engine.dialect, sources.can);
  const found = await readRows(engine, metric, ask, sql, params);
  const splits = Object.entries(at) as [Split, Value][];
  const values = splits.filter(([split]) => !isLocal(split));
  const isOf = (row: Row, of: readonly [Split, Value][]): boolean => of.every(([split, value]) => row[split] === value);
  const raw = splits.map(([split, value]): [Split, Value] => [split, rawValue(split, value)]);
  const hasRow = found.some((row) => (period === null || row.period === period) && isOf(row, raw));
  // An agent or tag without data in the range has a cell of zeros; `period` keeps it apart from real rows.
  const nothing: Row = { ...Object.fromEntries(values), period: '' };
  for (const [name, { empty }] of Object.entries(metric.measures)) nothing[name] = empty;
  if (!found.some((row) => isOf(row, values))) found.push(nothing);
  const rows = await answerRows({ ...metric, sparse: false }, ask, found, sources, asking);
  const row = rows.find((candidate) => (candidate.period ?? null) === period && isOf(candidate, splits));
  if (!row) throw new Error(`${metric.id} has no row for ${JSON.stringify({ period, at })}`);
  const cell = { ...asked, ask, sources, row, hasRow };
  return { ...cell, sql: cellSql(metric, cell, engine.dialect) };
}
