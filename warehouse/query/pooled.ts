// Questions about several accounts: one statement over the chats of all of them. What accounts cannot be asked together is refused, or
// answered by each of them (each-account.ts).
import type { MetricDefinition } from '../definitions/metric.ts';
import { metricOf } from '../definitions/metrics.ts';
import type { Row } from '../engine.ts';
import { Refused } from '../errors.ts';
import { coalesced } from '../memoize.ts';
import { range, slots } from '../periods.ts';
import { answerRows, stateOfRange } from './answer.ts';
import type { Ask, AskInput } from './ask.ts';
import { comparedAsk, reachedIn, untilEnd } from './compared.ts';
import { compileAnswer } from './compile.ts';
import { answersOfEach } from './each-account.ts';
import { quietIn } from './extent.ts';
import { assertEnoughChats, isCounted, whyHidden, withoutFew } from './few-chats.ts';
import { noDataIn, noDataWords } from './no-data.ts';
import { pooledAskOf, zonesOf, type PooledContext } from './pooled-context.ts';
import { pooledSources } from './pooled-sources.ts';
import type { QueryAnswer } from './run.ts';
import { assertFits, readRows } from './size.ts';
import type { Pool, Sources } from './sources.ts';
import type { PeriodState } from './states.ts';

/** Whether one statement over the chats of several accounts is right: what the source reports, it reports of one account. */
const isOfChats = ({ archived, reported }: MetricDefinition): boolean => archived !== undefined && !reported?.each;

/** Each account answers for itself where its reports are needed too. */
const isOfEach = (metric: MetricDefinition, { split }: Ask): boolean =>
  split.includes('account') && metric.reported !== undefined;

function assertOfChats(metric: MetricDefinition): void {
  if (isOfChats(metric)) return;
  throw new Refused(
    'account',
    `${metric.id} comes from the source's own reports, which are of one account each and cannot be added up: ask with split=account`,
    ['split=account'],
  );
}

interface Found {
  rows: Row[];
  state?: PeriodState;
  sources: Sources & { pool: Pool };
}

/** What states need beside the sources, of which each has the settling times of its account. */
const askingIn = ({ now }: PooledContext) => ({ now, settling: new Map() });

async function foundRows(metric: MetricDefinition, ask: Ask, context: PooledContext): Promise<Found> {
  assertFits(metric, ask, ask.split.includes('account') ? context.members.length : 1);
  const { engine } = context.snapshot;
  const sources = await pooledSources(metric, ask, context);
  const { sql, params } = await compileAnswer(metric, sources, context);
  const found = await coalesced(engine, sql + JSON.stringify(params), () => readRows(engine, metric, ask, sql, params));
  const asking = askingIn(context);
  const rows = await answerRows(metric, ask, found, sources, asking, quietIn(metric));
  return { rows, sources, ...(rows.length === 0 ? { state: stateOfRange(metric, sources, asking) } : {}) };
}

async function rowsFor(metric: MetricDefinition, ask: Ask, context: PooledContext): Promise<Found> {
  const found = await foundRows(metric, ask, context);
  const [first] = context.members;
  if (!first || !isCounted(ask, context.reader)) return found;
  const why = await whyHidden(ask, first, async (counted, its) => (await foundRows(counted, its, context)).rows);
  return { ...found, rows: await withoutFew(metric, found.rows, why, context.reader.rows?.agents_from ?? 0) };
}

/** Errors: Refused, where a cell of a question is a figure of single agents that rests on too few chats of all accounts. */
export async function assertMeasuredTogether(ask: Ask, row: Row, context: PooledContext): Promise<void> {
  const [first] = context.members;
  if (first)
    await assertEnoughChats(ask, row, first, async (metric, its) => (await foundRows(metric, its, context)).rows);
}

/** An account without data in the range is not in what all together are compared with. */
interface ComparedPool {
  ask: Ask;
  without: string[];
}

/** Each account is compared up to the time up to which it is known itself. */
function comparedPool(ask: Ask, pool: Pool): ComparedPool {
  const { from } = range(ask.timezone, ask.from, ask.to);
  const known = [...pool].map(([id, { sources }]) => ({ id, reached: reachedIn(sources.archive ?? []) ?? -Infinity }));
  const there = known.filter(({ reached }) => reached > from);
  if (there.length === 0) return { ask: comparedAsk(ask), without: [] };
  const latest = comparedAsk(ask, Math.max(...there.map(({ reached }) => reached)));
  const ends = new Map<string, number>();
  for (const { id, reached } of there) {
    const { until } = comparedAsk(ask, reached);
    if (until !== undefined && until < (latest.until ?? Infinity)) ends.set(id, until);
  }
  const isTogether = !ask.split.includes('account');
  const without = isTogether ? known.filter((each) => !there.includes(each)).map(({ id }) => id) : [];
  const begin = range(latest.timezone, latest.from, latest.from).from;
  for (const id of without) ends.set(id, begin);
  return { ask: ends.size > 0 ? { ...latest, ends } : latest, without };
}

/** Rows by account without the periods that begin after its own end. */
function untilEnds(ask: Ask, rows: Row[]): Row[] {
  const whole = untilEnd(ask, rows);
  const { ends, timezone, from, to, grain } = ask;
  if (!ends || !ask.split.includes('account') || grain === 'total') return whole;
  const begins = new Map<string, number>();
  for (const { period, pieces } of slots(timezone, from, to, grain, []))
    if (period !== undefined) begins.set(period, pieces()[0]?.from ?? 0);
  return whole.filter(
    ({ account, period }) => (begins.get(String(period)) ?? 0) < (ends.get(String(account)) ?? Infinity),
  );
}

export type PooledNotes = Pick<QueryAnswer, 'no_data' | 'notes'>;

/** Sentences about whom a number holds, and whose days it counts by. */
export function notesOf(ask: Ask, pool: Pool, context: PooledContext): PooledNotes {
  const no_data = noDataIn(ask, pool);
  const zones = zonesOf(context);
  const notes = noDataWords(no_data, ask, pool.size);
  if (zones.length > 1)
    notes.push(`the accounts have different time zones (${zones.join(', ')}): days are those of ${ask.timezone}`);
  return { ...(no_data.length > 0 ? { no_data } : {}), ...(notes.length > 0 ? { notes } : {}) };
}

/** What a streamed answer needs; undefined where each account answers for itself. Errors: Refused. */
export async function streamedOf(metric: MetricDefinition, ask: Ask, context: PooledContext) {
  if (isOfEach(metric, ask)) return undefined;
  assertOfChats(metric);
  return { sources: await pooledSources(metric, ask, context), asking: askingIn(context) };
}

/** The answer to a question about several accounts. Errors: Refused. */
export async function runPooled(id: string, wanted: AskInput, context: PooledContext): Promise<QueryAnswer> {
  const metric = metricOf(id);
  const ask = pooledAskOf(metric, wanted, context);
  if (isOfEach(metric, ask)) return answersOfEach(metric, wanted, ask, context);
  assertOfChats(metric);
  const { rows, state, sources } = await rowsFor(metric, ask, context);
  const { account, pool = [], timezone, from, to, grain, split } = ask;
  const answer: QueryAnswer = { metric: id, version: metric.version, account, timezone, from, to, grain, split, rows };
  if (state !== undefined) answer.state = state;
  if (ask.variable !== undefined) answer.variable = ask.variable;
  if (ask.target !== undefined) answer.target = ask.target;
  if (Object.keys(sources.notGiven).length > 0) answer.not_given = sources.notGiven;
  Object.assign(answer, { accounts: pool }, notesOf(ask, sources.pool, context));
  if (ask.compare) {
    const { ask: earlier, without } = comparedPool(ask, sources.pool);
    const compared = await rowsFor(metric, earlier, context);
    const { from, to, until } = earlier;
    answer.compare = { from, to, rows: untilEnds(earlier, compared.rows) };
    if (compared.state !== undefined) answer.compare.state = compared.state;
    if (until !== undefined) answer.compare.until = new Date(until * 1000).toISOString();
    const { notes = [], no_data } = notesOf(earlier, compared.sources.pool, context);
    if (no_data) answer.compare.no_data = no_data;
    if (without.length > 0) notes.push(`without ${without.join(', ')}, of which the range has no data`);
    if (notes.length > 0) answer.compare.notes = notes;
  }
  return answer;
}
