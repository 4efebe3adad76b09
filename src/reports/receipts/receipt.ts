// Assembles a receipt: the number of one cell, its definition and statement, the chats behind it and the source's number.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { NoData } from '#warehouse/query/no-data.ts';
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import type { Piece } from '#warehouse/periods.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { askingOne, type ReceiptAsking } from '#warehouse/receipts/asking.ts';
import { askedCellOf, type WantedCell } from '#warehouse/receipts/receipt-cell.ts';
import { cellOf, type ReceiptCell } from '#warehouse/receipts/cell.ts';
import type { MeasureRecipe, Recipe, OpenSpan } from '#warehouse/definitions/recipe.ts';
import { membersOf } from '#warehouse/receipts/members.ts';
import { storedRows } from '#warehouse/receipts/stored-rows.ts';
import { hoursBehind } from '#warehouse/receipts/business-hours.ts';
import { adding, agree, type Adding, type Listing, type Sum } from '#warehouse/receipts/sum.ts';
import { listedChats, type ReceiptChat } from './chat-list.ts';
import { pullsOf, type PullBehind } from './pulls.ts';
import { reportedFor, type ReportedValue } from './reported.ts';

export interface MetricReceipt {
  metric: string;
  title: string;
  version: number;
  kind: MetricDefinition['kind'];
  definition: string;
  measure: string;
  measure_title: string;
  unit: string;
  /** Of several together: all of their ids. */
  account: string;
  /** Of several together: their ids. */
  accounts?: readonly string[];
  timezone: string;
  from: string;
  to: string;
  grain: string;
  period: string | null;
  at: Row;
  /** Which declared variable the split `variable` is. */
  variable?: string;
  filters: Record<string, readonly Value[]>;
  target?: number;
  state: string;
  value: number | null;
  measures: Record<string, number | null>;
  not_given?: Record<string, string>;
  sql: string;
  adds_up: { how: string; from_chats: number | null; agrees: boolean };
  chats: { total: number; rows: ReceiptChat[] };
  /** `chats`: up to 20 ids; `accounts`: that of each, of a receipt of several. */
  left_out: { reason: string; count: number; chats: string[]; accounts?: string[] }[];
  reported: ReportedValue | null;
  reported_why_not?: string;
  stored: Row[];
  pulls: PullBehind[];
  /** Accounts that have no data in part of the range. */
  no_data?: NoData[];
  /** In sentences: whom the number of several holds, and whose days it counts by. */
  notes?: string[];
}

const isAgentAsked = ({ ask }: ReceiptCell): boolean => ask.split.includes('agent') || ask.filters.agent !== undefined;

function spanOf({ opened, closed, agent }: Row): OpenSpan {
  const span = [Number(opened), Number(closed)] as const;
  return agent == null ? span : [...span, String(agent)];
}

/** Adds up every row of the cell; for a requested agent also the chats that the metric assigns to somebody else. */
async function sumOf(
  engine: Queryable,
  metric: MetricDefinition,
  recipe: Recipe,
  cell: ReceiptCell,
  sum: Adding,
  spans: OpenSpan[],
): Promise<void> {
  const { archived } = metric;
  if (!archived || !cell.sources.can.includes('archived')) return;
  const members = (agent = archived.agent): AsyncGenerator<Row[]> =>
    membersOf(engine, archived, cell, recipe.reads, agent, undefined, metric.reported);
  // The contribution of a chat to the maximum is known only once all chats are known.
  if (archived.sweep) for await (const rows of members()) for (const row of rows) spans.push(spanOf(row));
  const { elsewhere: reason } = recipe;
  const own = new Set<string>();
  const keyOf = ({ account, chat_id }: Row): string => `${String(account ?? '')} ${String(chat_id)}`;
  for await (const rows of members()) {
    sum.add(rows);
    if (reason && isAgentAsked(cell)) for (const row of rows) own.add(keyOf(row));
  }
  if (!reason || !isAgentAsked(cell)) return;
  for await (const rows of members('took_part'))
    for (const row of rows) if (!own.has(keyOf(row))) sum.leaveOut(row, reason(row));
}

const number = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** The metric's value, without which nothing can be added up. */
function addedUp(sum: Sum, made: MeasureRecipe, metric: MetricDefinition, cell: ReceiptCell): MetricReceipt['adds_up'] {
  const { row, measure, sources } = cell;
  const value = number(row[measure]);
  const isUnknown = row.state === 'not_pulled' || row.state === 'not_given';
  const why = sources.notGiven[measure] ?? (isUnknown ? `${String(row.state).replace('_', ' ')}` : undefined);
  if (why !== undefined) return { how: `no number here: ${why}`, from_chats: null, agrees: value === null };
  // Metrics that only the source provides have no chats; their stored rows are added up instead.
  const isFromChats = metric.archived !== undefined;
  return { how: sum.how, from_chats: isFromChats ? sum.from_chats : null, agrees: agree(sum.from_chats, value) };
}

/** Of a question about one account. `listing` is the part of the chats that is listed. Errors: Refused. */
export const receiptFor = (
  id: string,
  wanted: WantedCell,
  listing: Listing,
  context: QueryContext,
): Promise<MetricReceipt> => receiptOf(id, wanted, listing, askingOne(context));

/** Errors: Refused. */
/** The time of the cell, as far as it had passed when chats were received. */
const knownPieces = ({ slot, ask: { reached = Infinity } }: ReceiptCell): Piece[] =>
  slot
    .pieces()
    .filter(({ from }) => from < reached)
    .map(({ from, until }) => ({ from, until: Math.min(until, reached) }));

export async function receiptOf(
  id: string,
  wanted: WantedCell,
  listing: Listing,
  whose: ReceiptAsking,
): Promise<MetricReceipt> {
  const { engine } = whose;
  const metric = metricOf(id);
  const { recipe } = metric;
  const asked = askedCellOf(metric, wanted, whose);
  await whose.assertMeasured(asked.ask, { ...asked.at, ...(asked.period === null ? {} : { period: asked.period }) });
  const cell = await cellOf(metric, asked, whose);
  const { ask, measure, row, sources } = cell;
  const made = recipe.measures[measure];
  const about = metric.measures[measure];
  if (!made || !about) throw new Refused('measure', `${id} has no receipt of ${measure}`);
  const stored = await storedRows(engine, metric, cell);
  const spans: OpenSpan[] = [];
  const hours = await hoursBehind(engine, metric, cell);
  const adder = adding(
    made,
    { target: ask.target, pieces: knownPieces(cell), stored, hasRow: cell.hasRow, spans },
    listing,
    ask.account,
    hours,
  );
  await sumOf(engine, metric, recipe, cell, adder, spans);
  const sum = adder.sum();
  const agents = cell.at.agent === undefined ? ask.filters.agent : [cell.at.agent];
  const reported = await reportedFor(engine, metric, cell);
  const { account, pool, timezone, from, to, grain } = ask;
  return {
    metric: id,
    title: metric.title,
    version: metric.version,
    kind: metric.kind,
    definition: metric.definition,
    measure,
    measure_title: about.title,
    unit: about.unit,
    account,
    ...(pool ? { accounts: pool } : {}),
    timezone,
    from,
    to,
    grain,
    period: cell.period,
    at: { ...cell.at },
    ...(ask.variable === undefined ? {} : { variable: ask.variable }),
    filters: { ...ask.filters },
    ...(ask.target === undefined ? {} : { target: ask.target }),
    state: String(row.state),
    value: number(row[measure]),
    measures: Object.fromEntries(Object.keys(metric.measures).map((name) => [name, number(row[name])])),
    ...(Object.keys(sources.notGiven).length > 0 ? { not_given: sources.notGiven } : {}),
    sql: cell.sql,
    adds_up: addedUp(sum, made, metric, cell),
    chats: { total: sum.total, rows: await listedChats(engine, ask, made, sum.shown, agents) },
    left_out: sum.left_out.map(({ reason, count, chats }) => ({
      ...{ reason, count, chats: chats.map(({ chat_id }) => chat_id) },
      ...(pool ? { accounts: chats.map((chat) => chat.account) } : {}),
    })),
    ...(typeof reported === 'string' ? { reported: null, reported_why_not: reported } : { reported }),
    stored,
    pulls: await pullsOf(engine, ask, sum.pulls, stored),
    ...whose.notes(cell),
  };
}
