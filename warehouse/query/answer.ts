// Turns the engine's rows into an answer: every cell of the calendar, every state, and nulls where nothing is known.
import type { Ask } from './ask.ts';
import type { QueryContext } from './context.ts';
import { pooledStates } from './pooled-states.ts';
import { assertFits, isLocalPart } from './size.ts';
import type { Coverage } from './coverage.ts';
import type { LocalPart } from '../dialect.ts';
import type { Row, Value } from '../engine.ts';
import type { MetricDefinition, Split } from '../definitions/metric.ts';
import { range, slots, weekdays, type Slot } from '../periods.ts';
import { storedFor } from './reported.ts';
import { settlingDaysOf } from './settling.ts';
import type { Sources } from './sources.ts';
import { statesBy, worst, type CellState, type PeriodState, type StateOfSlot } from './states.ts';
import { sortedInSlices, TimeSlice } from '../time-slice.ts';

/** Engines number the parts of local time; users read `mon` and `07`. */
export function labelled(row: Row): Row {
  const shown = { ...row };
  if (typeof row.weekday === 'number') shown.weekday = weekdays[row.weekday - 1] ?? null;
  if (typeof row.hour_of_day === 'number') shown.hour_of_day = String(row.hour_of_day).padStart(2, '0');
  return shown;
}

/** What these columns of a row hold, to look it up: one value for itself, several as a text. */
const keyOf = (names: readonly string[], row: Row): Value => {
  const [only, ...others] = names;
  if (only === undefined) return null;
  return others.length === 0 ? (row[only] ?? null) : JSON.stringify(names.map((name) => row[name] ?? null));
};

function compareValues(one: Value | undefined, other: Value | undefined): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  return one < other ? -1 : 1;
}

const rank = (name: string, value: Value | undefined): Value | undefined =>
  name === 'weekday' ? weekdays.findIndex((day) => day === value) : value;

/** A report that was pulled for other groups or agents, never for this one. */
const isUnknown = (sources: Sources, whose: string): boolean =>
  sources.reports !== undefined && sources.reports.size > 0 && !sources.reports.has(whose);

/** State of a cell: of the archive, of the report, or the worse of both. */
function statesFor(
  metric: MetricDefinition,
  sources: Sources,
  context: Asking,
): (slot: Slot, whose: string) => CellState {
  const { archive, reports, ask, pool } = sources;
  if (pool) return pooledStates(metric, ask, pool);
  const settlingDays = settlingDaysOf(context, metric.id, ask);
  const { from } = range(ask.timezone, ask.from, ask.to);
  const statesOf = (coverage: Coverage): StateOfSlot => statesBy(from, coverage, context.now, settlingDays);
  const archived = archive && statesOf(archive);
  const reported = new Map<string, StateOfSlot>();
  return (slot, whose) => {
    const ofArchive = archived?.(slot);
    if (!reports || isUnknown(sources, whose)) return { state: ofArchive ?? 'not_given' };
    let ofReport = reported.get(whose);
    if (!ofReport) reported.set(whose, (ofReport = statesOf(reports.get(whose) ?? [])));
    const state = ofReport(slot);
    return { state: ofArchive === undefined ? state : worst(ofArchive, state) };
  };
}

type Combinations = [key: Value, values: Row][];

/** What states depend on besides the sources; those of several accounts bring it along. */
export type Asking = Pick<QueryContext, 'now' | 'settling'>;

/** Values of the splits that occur anywhere in the range, in order. */
async function combinationsOf(
  { pool }: Ask,
  values: readonly Split[],
  slots: Iterable<ReadonlyMap<Value, Row>>,
): Promise<Combinations> {
  if (values.length === 0) return [[null, {}]];
  const combinations = new Map<Value, Row>();
  // Every account is told of, also one without chats.
  if (values.length === 1 && values[0] === 'account')
    for (const id of pool ?? []) combinations.set(id, { account: id });
  const turn = new TimeSlice();
  for (const cells of slots)
    for (const [key, row] of cells) {
      if (turn.isOver()) await turn.next();
      if (combinations.has(key)) continue;
      const combination: Row = {};
      for (const name of values) combination[name] = row[name] ?? null;
      combinations.set(key, combination);
    }
  return sortedInSlices([...combinations], ([, one], [, other]) => {
    for (const name of values) {
      const by = compareValues(one[name], other[name]);
      if (by !== 0) return by;
    }
    return 0;
  });
}

/**
 * Every period of the range, with every split value that occurs anywhere in it (for weekdays and hours: all that the range contains).
 * Measures are null in the states not_pulled and not_given. `unfound` gives the values of a cell without a row. Errors: Refused, if that
 * exceeds the limit of an answer; Cancelled.
 */
export async function answerRows(
  metric: MetricDefinition,
  ask: Ask,
  found: readonly Row[],
  sources: Sources,
  context: Asking,
  unfound: (slot: Slot) => Row | undefined = () => undefined,
): Promise<Row[]> {
  const values = ask.split.filter((split) => !isLocalPart(split));
  const parts = ask.split.filter(isLocalPart);
  const local = [...(ask.grain === 'total' ? [] : ['period']), ...parts];
  const turn = new TimeSlice();
  const bySlot = new Map<Value, Map<Value, Row>>();
  for (const raw of found) {
    if (turn.isOver()) await turn.next();
    const row = parts.length > 0 ? labelled(raw) : raw;
    const slot = keyOf(local, row);
    let cells = bySlot.get(slot);
    if (!cells) bySlot.set(slot, (cells = new Map()));
    cells.set(keyOf(values, row), row);
  }
  const combinations = await combinationsOf(ask, values, bySlot.values());
  assertFits(metric, ask, combinations.length);
  const filled = cellFiller(metric, ask, sources, context);
  const rows: Row[] = [];
  for (const slot of slots(ask.timezone, ask.from, ask.to, ask.grain, parts)) {
    if (turn.isOver()) await turn.next();
    const at: Row = {};
    for (const name of local) at[name] = slot[name as 'period' | LocalPart] ?? null;
    const cells = bySlot.get(keyOf(local, at));
    const cell = filled(slot);
    const quiet = unfound(slot);
    for (const [key, combination] of combinations) {
      if (turn.isOver()) await turn.next();
      const measured = cells?.get(key) ?? quiet;
      if (!measured && metric.sparse) continue;
      rows.push(cell(combination, measured));
    }
  }
  await accumulate(metric, values, rows);
  return sorted(metric, ask, rows);
}

/** The worst state of the range: what no row says where a split has no value. */
export function stateOfRange(metric: MetricDefinition, sources: Sources, context: Asking): PeriodState {
  const { ask, reports } = sources;
  const stateOfSlot = statesFor(metric, sources, context);
  const { values } = storedFor(ask, metric.reported);
  const whose = values?.length === 1 ? values : [...(reports?.keys() ?? [])];
  let state: PeriodState = 'complete';
  for (const slot of slots(ask.timezone, ask.from, ask.to, 'total', []))
    for (const name of whose.length > 0 ? whose : ['']) state = worst(state, stateOfSlot(slot, name).state);
  return state;
}

/** How many of several accounts a cell does not hold whole; left out where it holds all of them. */
export const accountsMissing = 'accounts_missing';

/** Fills in the cells of a slot, one by one: labels, splits, measures, state. */
export function cellFiller(metric: MetricDefinition, ask: Ask, sources: Sources, context: Asking) {
  const stored = storedFor(ask, metric.reported);
  const isTogether = metric.reported?.each !== undefined && !ask.split.includes(metric.reported.each);
  const asked = stored.values?.length === 1 ? stored.values[0] : undefined;
  const withheld = new Set(Object.keys(sources.notGiven));
  const { pool } = sources;
  const withheldFrom = (whose: string): ReadonlySet<string> =>
    pool && whose !== '' ? new Set(Object.keys(pool.get(whose)?.sources.notGiven ?? {})) : withheld;
  const stateOfSlot = statesFor(metric, { ...sources, ask }, context);
  const whoseOf = (combination: Row): string =>
    pool
      ? String(combination.account ?? '')
      : !sources.reports || stored.split === 'account' || isTogether
        ? ''
        : (asked ?? String(combination[stored.split] ?? ''));
  return (slot: Slot) => {
    const states = new Map<string, CellState>();
    return (combination: Row, measured: Row | undefined): Row => {
      const whose = whoseOf(combination);
      let found = states.get(whose);
      if (found === undefined) states.set(whose, (found = stateOfSlot(slot, whose)));
      const { state, missing } = found;
      const row: Row = {};
      if (slot.period !== undefined) row.period = slot.period;
      for (const name of ask.split) row[name] = (isLocalPart(name) ? slot[name] : combination[name]) ?? null;
      measure(row, metric, measured, state, withheldFrom(whose));
      if (metric.archived && isUnknown(sources, whose)) withhold(metric, whose, row, sources);
      row.state = state;
      if (missing) row[accountsMissing] = missing;
      return row;
    };
  };
}

/** Adds up running measures in order of time, for each value of the splits; after a gap the sum is not known. */
async function accumulate(
  { running = [] }: MetricDefinition,
  values: readonly Split[],
  rows: readonly Row[],
): Promise<void> {
  const turn = new TimeSlice();
  for (const measure of running) {
    const sums = new Map<Value, number | null>();
    for (const row of rows) {
      if (turn.isOver()) await turn.next();
      const whose = keyOf(values, row);
      const before = sums.get(whose);
      const step = row[measure];
      if (typeof step === 'number') {
        const sum = before === null ? null : (before ?? 0) + step;
        row[measure] = sum;
        sums.set(whose, sum);
      } else if (before !== undefined) sums.set(whose, null);
    }
  }
}

/** The archive knows this group, the report does not: measures that need the report are not given, and the answer says so. */
function withhold(metric: MetricDefinition, whose: string, measures: Row, sources: Sources): void {
  for (const [name, measure] of Object.entries(metric.measures)) {
    if (measure.needs && !measure.needs.includes('reported')) continue;
    measures[name] = null;
    const { split } = storedFor(sources.ask, metric.reported);
    sources.notGiven[name] = whose === '' ? `not pulled for any such ${split}` : `not pulled for ${split} ${whose}`;
  }
}

/** Fills in the measures of a cell. */
function measure(
  cell: Row,
  metric: MetricDefinition,
  row: Row | undefined,
  state: PeriodState,
  withheld: ReadonlySet<string>,
): void {
  const isKnown = state !== 'not_pulled' && state !== 'not_given';
  for (const name in metric.measures)
    cell[name] = isKnown ? (row ? (row[name] ?? null) : (metric.measures[name]?.empty ?? null)) : null;
  if (isKnown && row) for (const name in metric.finish) cell[name] = metric.finish[name]?.(row) ?? null;
  for (const name of withheld) if (name in metric.measures) cell[name] = null;
}

/** By period, then by the splits in the order asked; a metric may have its own order within a period. */
async function sorted(metric: MetricDefinition, ask: Ask, rows: Row[]): Promise<Row[]> {
  const { sort } = metric;
  if (!sort && !ask.split.some(isLocalPart)) return rows;
  return sortedInSlices(rows, (one, other) => {
    const byPeriod = compareValues(one.period, other.period);
    if (byPeriod !== 0) return byPeriod;
    if (sort) return sort(one, other);
    for (const name of ask.split) {
      const by = compareValues(rank(name, one[name]), rank(name, other[name]));
      if (by !== 0) return by;
    }
    return 0;
  });
}
