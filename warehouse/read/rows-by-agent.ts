// Rows of chats and agents next to each other by agent, with their circumstances as small numbers. Pure arithmetic over columns.
import type { Numbers } from '../engine.ts';
import { ratings } from '../query/agent-outcomes.ts';
import type { TimeSlice } from '../time-slice.ts';

/** Rows as the statements of `query/agent-outcomes.ts` give them; `agent` is an index into sorted agents. */
export interface OutcomeRows {
  quarter: Numbers;
  agent: Numbers;
  firstGroup: Numbers;
  lastGroup: Numbers;
  situation: Numbers;
  first: Numbers;
  response: Numbers;
}

/** What is known of each quarter hour of the range; its number from `first` on is the index. */
export interface QuarterTimes {
  first: number;
  /** From 0. */
  day: Int32Array;
  hourOfWeek: Int32Array;
  load: Int32Array;
}

export const load_classes = 12;

/** The class of a number of open chats. */
export const loadOf = (open: number): number => (open <= 0 ? 0 : Math.min(32 - Math.clz32(open), load_classes - 1));

/** More than the number of waits with and without a returning visitor. */
export const situations = 16;
const hours = 7 * 24;
/** More than any circumstance of `RowsByAgent`. */
export const circumstances = hours * load_classes * situations;

/** Rows next to each other by agent. */
export interface RowsByAgent {
  /** Rows of an agent are those from `starts[agent]` up to `starts[agent + 1]`. */
  starts: Int32Array;
  day: Int32Array;
  group: Int32Array;
  /** Hour of the week, load, and situation without the rating, as one number. */
  circumstance: Int32Array;
  rating: Uint8Array;
  first: Int32Array;
  response: Int32Array;
}

/** Rows at once, before it is asked whether others wait. */
const at_once = 65_536;

/** Where the next row of each agent goes. */
function startsOf({ agent }: OutcomeRows, agents: number): Int32Array {
  const starts = new Int32Array(agents + 1);
  for (let row = 0; row < agent.length; row += 1) {
    const after = (agent[row] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let place = 0; place < agents; place += 1) starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
  return starts;
}

/** Puts rows from `from` up to `to` where the next one of their agent goes. */
function put(
  rows: OutcomeRows,
  { first: firstQuarter, day, hourOfWeek, load }: QuarterTimes,
  group: Int32Array,
  { own, next }: { own: RowsByAgent; next: Int32Array },
  { from, to }: { from: number; to: number },
): void {
  const { agent, quarter, situation, first, response } = rows;
  const { day: days, group: groups, circumstance, rating, first: firsts, response: responses } = own;
  for (let row = from; row < to; row += 1) {
    const place = next[agent[row] ?? 0] ?? 0;
    next[agent[row] ?? 0] = place + 1;
    const time = (quarter[row] ?? 0) - firstQuarter;
    const both = situation[row] ?? 0;
    const rated = both % ratings;
    days[place] = day[time] ?? 0;
    groups[place] = group[row] ?? 0;
    circumstance[place] =
      ((hourOfWeek[time] ?? 0) * load_classes + (load[time] ?? 0)) * situations + (both - rated) / ratings;
    rating[place] = rated;
    firsts[place] = first[row] ?? 0;
    responses[place] = response[row] ?? 0;
  }
}

/** `agents`: how many there are; `group`: the place of each row's groups. Errors: Cancelled. */
export async function byAgent(
  rows: OutcomeRows,
  times: QuarterTimes,
  { agents, group }: { agents: number; group: Int32Array },
  turn: TimeSlice,
): Promise<RowsByAgent> {
  const many = rows.agent.length;
  const column = (): Int32Array => new Int32Array(many);
  const own: RowsByAgent = {
    ...{ starts: startsOf(rows, agents), day: column(), group: column(), circumstance: column() },
    ...{ rating: new Uint8Array(many), first: column(), response: column() },
  };
  const next = own.starts.slice();
  for (let from = 0; from < many; from += at_once) {
    if (turn.isOver()) await turn.next();
    put(rows, times, group, { own, next }, { from, to: Math.min(from + at_once, many) });
  }
  return own;
}

/** Numbers the pairs of first and last group in their order. */
export function groupsOf({ firstGroup, lastGroup }: OutcomeRows): {
  place: Int32Array;
  first: Int32Array;
  last: Int32Array;
} {
  const known = new Map<number, Map<number, number>>();
  const [firsts, lasts]: [number[], number[]] = [[], []];
  const place = new Int32Array(firstGroup.length);
  // Most chats are of few pairs: the latest ones by their last bits are found without a map.
  const near = 1024;
  const nearest = new Int32Array(near).fill(-1);
  for (let row = 0; row < place.length; row += 1) {
    const first = firstGroup[row] ?? 0;
    const last = lastGroup[row] ?? 0;
    const slot = (first * 31 + last) & (near - 1);
    let found = nearest[slot] ?? -1;
    if (found < 0 || firsts[found] !== first || lasts[found] !== last) {
      const own = known.get(first) ?? new Map<number, number>();
      known.set(first, own);
      found = own.get(last) ?? firsts.length;
      if (found === firsts.length) {
        own.set(last, found);
        firsts.push(first);
        lasts.push(last);
      }
      nearest[slot] = found;
    }
    place[row] = found;
  }
  const inOrder = [...firsts.keys()].sort(
    (one, other) => (firsts[one] ?? 0) - (firsts[other] ?? 0) || (lasts[one] ?? 0) - (lasts[other] ?? 0),
  );
  const placeOf = new Int32Array(inOrder.length);
  for (const [at, pair] of inOrder.entries()) placeOf[pair] = at;
  for (let row = 0; row < place.length; row += 1) place[row] = placeOf[place[row] ?? 0] ?? 0;
  return {
    place,
    first: Int32Array.from(inOrder, (pair) => firsts[pair] ?? 0),
    last: Int32Array.from(inOrder, (pair) => lasts[pair] ?? 0),
  };
}
