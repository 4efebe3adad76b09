// Counts rows of chats and agents in cells that share every circumstance, and by agent and day. Pure arithmetic over columns: the order of
// the rows makes no difference.
import type { Numbers } from '../engine.ts';
import { logarithm_unit } from '../query/agent-outcomes.ts';
import type { TimeSlice } from '../time-slice.ts';
import {
  byAgent,
  circumstances,
  groupsOf,
  load_classes,
  situations,
  type OutcomeRows,
  type QuarterTimes,
  type RowsByAgent,
} from './rows-by-agent.ts';

/** Per row: how many values were measured, and their sum. */
export interface OutcomeSums {
  count: Numbers;
  sum: Numbers;
}

/** Rows of chats that were counted together, stored by column. Logarithms are taken of the measured seconds plus one. */
export interface AlikeCounts<Sums = OutcomeSums> {
  /** Index into the agents. */
  agent: Numbers;
  chats: Numbers;
  good: Numbers;
  bad: Numbers;
  /** First responses that the agent sent. */
  first: Sums;
  /** The agent's mean response time in a chat. */
  response: Sums;
}

export interface AlikeChats extends AlikeCounts {
  /** The lowest and highest id of the chat's groups that the reader may see; -1 without one. */
  firstGroup: Numbers;
  lastGroup: Numbers;
  /** Hour of the week in which the chat started, in the question's zone: 0 (Monday 00:00) to 167. */
  hourOfWeek: Numbers;
  /** Class of the wait in the queue, from 0; -1 without a queue. */
  wait: Numbers;
  /** Class of the number of chats open when the quarter hour of the start began, from 0: 0, 1, 2 to 3, 4 to 7 and so on. */
  load: Numbers;
  /** 1 if the visitor had another chat in the 30 days before. */
  isReturning: Numbers;
}

/** The same chats by agent and local day, with the sums of squared logarithms. */
export type AlikeDays = AlikeCounts<OutcomeSums & { squares: Numbers }>;

/** Sorts by small whole numbers, and leaves equal ones as they are: `order` from `from` up to `to` goes into `sorted`. */
function sortBy(
  keys: Int32Array,
  counts: Int32Array,
  { order, sorted, from, to }: { order: Int32Array; sorted: Int32Array; from: number; to: number },
): void {
  counts.fill(0);
  for (let at = from; at < to; at += 1) {
    const after = (keys[order[at] ?? 0] ?? 0) + 1;
    counts[after] = (counts[after] ?? 0) + 1;
  }
  for (let key = 1; key < counts.length; key += 1) counts[key] = (counts[key] ?? 0) + (counts[key - 1] ?? 0);
  for (let at = from; at < to; at += 1) {
    const row = order[at] ?? 0;
    const key = keys[row] ?? 0;
    const place = counts[key] ?? 0;
    counts[key] = place + 1;
    sorted[from + place] = row;
  }
}

/** Sums by cell; those of logarithms are in units until they are read. */
interface Sums {
  chats: Int32Array;
  good: Int32Array;
  bad: Int32Array;
  firstCount: Int32Array;
  firstSum: Float64Array;
  responseCount: Int32Array;
  responseSum: Float64Array;
}

const noSums = (size: number): Sums => ({
  ...{ chats: new Int32Array(size), good: new Int32Array(size), bad: new Int32Array(size) },
  ...{ firstCount: new Int32Array(size), firstSum: new Float64Array(size) },
  ...{ responseCount: new Int32Array(size), responseSum: new Float64Array(size) },
});

function add(sums: Sums, to: number, rating: number, first: number, response: number): void {
  sums.chats[to] = (sums.chats[to] ?? 0) + 1;
  if (rating === 2) sums.good[to] = (sums.good[to] ?? 0) + 1;
  if (rating === 1) sums.bad[to] = (sums.bad[to] ?? 0) + 1;
  if (first >= 0) {
    sums.firstCount[to] = (sums.firstCount[to] ?? 0) + 1;
    sums.firstSum[to] = (sums.firstSum[to] ?? 0) + first;
  }
  if (response >= 0) {
    sums.responseCount[to] = (sums.responseCount[to] ?? 0) + 1;
    sums.responseSum[to] = (sums.responseSum[to] ?? 0) + response;
  }
}

const countsOf = ({ chats, good, bad, firstCount, firstSum, responseCount, responseSum }: Sums) => ({
  ...{ chats, good, bad },
  first: { count: firstCount, sum: inLogarithms(firstSum) },
  response: { count: responseCount, sum: inLogarithms(responseSum) },
});

function inLogarithms(sums: Float64Array): Float64Array {
  for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) / logarithm_unit;
  return sums;
}

/** By agent, and of each the days with chats in order. `days`: the number of days of the range. */
function daysOf(rows: RowsByAgent, days: number): AlikeDays {
  const agents = rows.starts.length - 1;
  const all = noSums(agents * days);
  const [firstSquares, responseSquares] = [new Float64Array(agents * days), new Float64Array(agents * days)];
  for (let agent = 0; agent < agents; agent += 1)
    for (let row = rows.starts[agent] ?? 0; row < (rows.starts[agent + 1] ?? 0); row += 1) {
      const to = agent * days + (rows.day[row] ?? 0);
      const first = rows.first[row] ?? 0;
      const response = rows.response[row] ?? 0;
      add(all, to, rows.rating[row] ?? 0, first, response);
      if (first >= 0) firstSquares[to] = (firstSquares[to] ?? 0) + first * first;
      if (response >= 0) responseSquares[to] = (responseSquares[to] ?? 0) + response * response;
    }
  return daysWithChats(all, firstSquares, responseSquares, days);
}

function daysWithChats(all: Sums, firstSquares: Float64Array, responseSquares: Float64Array, days: number): AlikeDays {
  const there = new Int32Array(all.chats.reduce((many, chats) => many + Number(chats > 0), 0));
  let size = 0;
  for (let at = 0; at < all.chats.length; at += 1)
    if ((all.chats[at] ?? 0) > 0) {
      there[size] = at;
      size += 1;
    }
  const own = <Column extends Int32Array | Float64Array>(column: Column, kept: Column): Column => {
    for (let to = 0; to < kept.length; to += 1) kept[to] = column[there[to] ?? 0] ?? 0;
    return kept;
  };
  const whole = (column: Int32Array): Int32Array => own(column, new Int32Array(size));
  const sums = (column: Float64Array, unit: number): Float64Array => {
    const kept = own(column, new Float64Array(size));
    for (let to = 0; to < size; to += 1) kept[to] = (kept[to] ?? 0) / unit;
    return kept;
  };
  const measured = (count: Int32Array, sum: Float64Array, squares: Float64Array) => ({
    ...{ count: whole(count), sum: sums(sum, logarithm_unit), squares: sums(squares, logarithm_unit ** 2) },
  });
  return {
    agent: there.map((at) => Math.floor(at / days)),
    ...{ chats: whole(all.chats), good: whole(all.good), bad: whole(all.bad) },
    first: measured(all.firstCount, all.firstSum, firstSquares),
    response: measured(all.responseCount, all.responseSum, responseSquares),
  };
}

/** Whether a row is of another cell than the one before it. */
function differs({ group, circumstance }: RowsByAgent, own: number, before: number): boolean {
  return circumstance[own] !== circumstance[before] || group[own] !== group[before];
}

/** Rows of one agent. */
interface Span {
  agent: number;
  from: number;
  to: number;
}

/** The cells of one agent from `cell` on; returns the number of the next one. */
function fill(
  rows: RowsByAgent,
  groups: { first: Int32Array; last: Int32Array },
  { agent, from, to }: Span,
  order: Int32Array,
  { cells, sums, cell: next }: { cells: CellColumns; sums: Sums; cell: number },
): number {
  const { group, circumstance, rating, first, response } = rows;
  let cell = next - 1;
  for (let at = from; at < to; at += 1) {
    const row = order[at] ?? 0;
    if (at === from || differs(rows, row, order[at - 1] ?? 0)) {
      cell += 1;
      const own = circumstance[row] ?? 0;
      const situation = own % situations;
      const before = (own - situation) / situations;
      cells.agent[cell] = agent;
      cells.firstGroup[cell] = groups.first[group[row] ?? 0] ?? 0;
      cells.lastGroup[cell] = groups.last[group[row] ?? 0] ?? 0;
      cells.hourOfWeek[cell] = Math.floor(before / load_classes);
      cells.load[cell] = before % load_classes;
      cells.wait[cell] = (situation >> 1) - 1;
      cells.isReturning[cell] = situation & 1;
    }
    add(sums, cell, rating[row] ?? 0, first[row] ?? 0, response[row] ?? 0);
  }
  return cell + 1;
}

type CellColumns = Record<Exclude<keyof AlikeChats, keyof AlikeCounts> | 'agent', Int32Array>;

/** Cells in the order of agents, circumstances and groups. */
async function cellsOf(
  rows: RowsByAgent,
  groups: { first: Int32Array; last: Int32Array },
  turn: TimeSlice,
): Promise<AlikeChats> {
  const { starts, group, circumstance } = rows;
  const spans = Array.from(starts.subarray(1), (to, agent): Span => ({ agent, from: starts[agent] ?? 0, to }));
  const order = new Int32Array(rows.day.length);
  for (let row = 0; row < order.length; row += 1) order[row] = row;
  const sorted = new Int32Array(order.length);
  const ofGroups = new Int32Array(groups.first.length + 1);
  const ofCircumstances = new Int32Array(circumstances + 1);
  let size = 0;
  for (const { from, to } of spans) {
    if (turn.isOver()) await turn.next();
    sortBy(group, ofGroups, { order, sorted, from, to });
    sortBy(circumstance, ofCircumstances, { order: sorted, sorted: order, from, to });
    for (let at = from; at < to; at += 1)
      if (at === from || differs(rows, order[at] ?? 0, order[at - 1] ?? 0)) size += 1;
  }
  const column = (): Int32Array => new Int32Array(size);
  const cells: CellColumns = {
    ...{ agent: column(), firstGroup: column(), lastGroup: column() },
    ...{ hourOfWeek: column(), wait: column(), load: column(), isReturning: column() },
  };
  const sums = noSums(size);
  let cell = 0;
  for (const span of spans) {
    if (turn.isOver()) await turn.next();
    cell = fill(rows, groups, span, order, { cells, sums, cell });
  }
  return { ...cells, ...countsOf(sums) };
}

/** `agents`: how many there are. Errors: Cancelled. */
export async function countedAlike(
  rows: OutcomeRows,
  times: QuarterTimes,
  agents: number,
  turn: TimeSlice,
): Promise<{ cells: AlikeChats; days: AlikeDays }> {
  const groups = groupsOf(rows);
  const own = await byAgent(rows, times, { agents, group: groups.place }, turn);
  const days = times.day.reduce((most, day) => Math.max(most, day + 1), 1);
  return { cells: await cellsOf(own, groups, turn), days: daysOf(own, days) };
}
