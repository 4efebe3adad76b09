// Answers a question: validates, compiles, queries the engine, fills the calendar, determines states, compares.
import { answerRows, stateOfRange } from './answer.ts';
import { askOf, type Ask, type AskInput } from './ask.ts';
import { comparedAsk, reachedIn, untilEnd } from './compared.ts';
import { compileAnswer } from './compile.ts';
import type { QueryContext } from './context.ts';
import type { Grain } from '../dialect.ts';
import type { Row } from '../engine.ts';
import { quietIn } from './extent.ts';
import { assertEnoughChats, isCounted, whyHidden, withoutFew, type Answering } from './few-chats.ts';
import type { MetricDefinition } from '../definitions/metric.ts';
import { metricOf } from '../definitions/metrics.ts';
import { coalesced } from '../memoize.ts';
import type { NoData } from './no-data.ts';
import { traced } from '../tracing.ts';
import { assertFits, readRows } from './size.ts';
import { sourcesFor } from './sources.ts';
import type { PeriodState } from './states.ts';

export interface QueryAnswer {
  metric: string;
  version: number;
  account: string;
  timezone: string;
  from: string;
  to: string;
  grain: Grain;
  split: readonly string[];
  /** Which declared variable the split `variable` is. */
  variable?: string;
  /** Seconds, where the metric measures against a target. */
  target?: number;
  rows: Row[];
  /** State of the range, where a split has no value in it and there is no row that would say so. */
  state?: PeriodState;
  /** Measures that the sources do not provide for this question, each with the reason. */
  not_given?: Record<string, string>;
  /** `until`: ISO instant at which it ends, where the range is not over. */
  compare?: {
    from: string;
    to: string;
    until?: string;
    rows: Row[];
    state?: PeriodState;
    no_data?: NoData[];
    notes?: string[];
  };
  /** Of a question about several accounts: their ids. */
  accounts?: readonly string[];
  /** Accounts that have no data in part of the range. */
  no_data?: NoData[];
  /** In sentences: whom the numbers hold, and whose days they count by. */
  notes?: string[];
}

interface Known {
  rows: Row[];
  state?: PeriodState;
  notGiven: Record<string, string>;
  reached: number | undefined;
}

async function knownRows(metric: MetricDefinition, ask: Ask, context: QueryContext): Promise<Known> {
  assertFits(metric, ask, 1);
  const { engine } = context.snapshot;
  const sources = await sourcesFor(metric, ask, context);
  const { sql, params } = await compileAnswer(metric, sources, context);
  const found = await coalesced(engine, sql + JSON.stringify(params), () =>
    readRows(engine, metric, sources.ask, sql, params),
  );
  const rows = await answerRows(metric, sources.ask, found, sources, context, quietIn(metric));
  return {
    rows,
    ...(rows.length === 0 ? { state: stateOfRange(metric, sources, context) } : {}),
    notGiven: sources.notGiven,
    // Numbers from reports are known for whole days only.
    reached: sources.archive && !sources.can.includes('reported') ? reachedIn(sources.archive) : undefined,
  };
}

const answering: Answering = async (metric, ask, context) => (await knownRows(metric, ask, context)).rows;

/** Figures of single agents that rest on too few chats for the reader are left empty. */
async function rowsFor(metric: MetricDefinition, ask: Ask, context: QueryContext): Promise<Known> {
  const found = await knownRows(metric, ask, context);
  if (!isCounted(ask, context.reader)) return found;
  const why = await whyHidden(ask, context, answering);
  return { ...found, rows: await withoutFew(metric, found.rows, why, context.reader.rows?.agents_from ?? 0) };
}

/** Errors: Refused, where a cell of a question is a figure of single agents that rests on too few chats. */
export const assertMeasured = (ask: Ask, row: Row, context: QueryContext): Promise<void> =>
  assertEnoughChats(ask, row, context, answering);

/** The answer to a question about the metric `id`. Errors: Refused. */
export async function run(id: string, wanted: AskInput, context: QueryContext): Promise<QueryAnswer> {
  const metric = metricOf(id);
  const ask = askOf(metric, wanted, context);
  const attributes = { 'chatledger.metric': id, 'chatledger.account': ask.account, 'chatledger.grain': ask.grain };
  return traced({ name: `question ${id}`, attributes }, () => answerTo(metric, ask, context));
}

async function answerTo(metric: MetricDefinition, ask: Ask, context: QueryContext): Promise<QueryAnswer> {
  const { id } = metric;
  const { rows, state, notGiven, reached } = await rowsFor(metric, ask, context);
  const { account, timezone, from, to, grain, split } = ask;
  const answer: QueryAnswer = { metric: id, version: metric.version, account, timezone, from, to, grain, split, rows };
  if (state !== undefined) answer.state = state;
  if (ask.variable !== undefined) answer.variable = ask.variable;
  if (ask.target !== undefined) answer.target = ask.target;
  if (Object.keys(notGiven).length > 0) answer.not_given = notGiven;
  if (ask.compare) {
    const earlier = comparedAsk(ask, reached);
    const { from, to, until } = earlier;
    const compared = await rowsFor(metric, earlier, context);
    answer.compare = { from, to, rows: untilEnd(earlier, compared.rows) };
    if (compared.state !== undefined) answer.compare.state = compared.state;
    if (until !== undefined) answer.compare.until = new Date(until * 1000).toISOString();
  }
  return answer;
}
