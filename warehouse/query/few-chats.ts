// Hides figures of single agents with few chats from readers who get them only above a number of chats. Agents below it are hidden, and
// so are others where a sum would reveal a hidden one.
import type { Ask } from './ask.ts';
import type { QueryContext } from './context.ts';
import type { Row, Value } from '../engine.ts';
import { Refused } from '../errors.ts';
import type { Filter, MetricDefinition, Split } from '../definitions/metric.ts';
import { everyChat } from '../definitions/metrics.ts';
import type { Reader } from './reader.ts';
import { TimeSlice } from '../time-slice.ts';

/** `too_few`: fewer chats than agreed. `withheld`: with it and the total, another's could be worked out. */
type Hidden = 'too_few' | 'withheld';

/** Whether a question concerns single agents, and its reader gets their figures only above a number of chats. */
export const isCounted = ({ split, filters }: Ask, { rows }: Reader): boolean =>
  rows?.agents_from !== undefined && (split.includes('agent') || filters.agent !== undefined);

/** Answers a question; passed in by the code that answers questions. */
export type Answering = (metric: MetricDefinition, ask: Ask, context: QueryContext) => Promise<Row[]>;

/** Chats of one agent in one cell of the question. */
export interface AgentChatCount {
  agent: string;
  /** The place in each dimension of the question: the agent, the period, values of the other splits. */
  at: readonly Value[];
  chats: number;
}

const keyOf = (values: readonly Value[]): string => JSON.stringify(values);

/** Key of a cell's line: the cells that differ from it in one dimension only. */
const lineOf = ({ at }: AgentChatCount, dimension: number): string =>
  keyOf([dimension, ...at.filter((_, place) => place !== dimension)]);

/** The smaller first; equals in a fixed order, so that every question hides the same. */
const bySize = (one: AgentChatCount, other: AgentChatCount): number =>
  one.chats - other.chats || (keyOf(one.at) < keyOf(other.at) ? -1 : 1);

/**
 * Hidden cells, by `keyOf(at)`. No line of cells has exactly one hidden cell with chats next to shown ones: the smallest of the others is
 * then hidden too, until no such line is left.
 */
export async function hiddenAmong(cells: readonly AgentChatCount[], from: number): Promise<Map<string, Hidden>> {
  const hidden = new Map<string, Hidden>();
  const counted = cells.filter(({ chats }) => chats > 0).sort(bySize);
  for (const { at, chats } of counted) if (chats < from) hidden.set(keyOf(at), 'too_few');
  const dimensions = counted[0]?.at.length ?? 0;
  const turn = new TimeSlice();
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      const lines = Map.groupBy(counted, (cell) => lineOf(cell, dimension));
      for (const line of lines.values()) {
        if (turn.isOver()) await turn.next();
        const shown = line.filter(({ at }) => !hidden.has(keyOf(at)));
        const [smallest] = shown;
        if (line.length - shown.length !== 1 || !smallest) continue;
        hidden.set(keyOf(smallest.at), 'withheld');
        isChanged = true;
      }
    }
  }
  return hidden;
}

const narrowing = ['group', 'tag', 'country', 'variable'] as const satisfies readonly Filter[];

/** Chats of every agent in the cells of a question: by the splits and filters that chats have. */
function countedAsk({ account, pool, timezone, from, to, grain, split, variable, filters, until, ends }: Ask): {
  ask: Ask;
  kept: readonly Split[];
} {
  const { splits } = everyChat;
  const kept = split.filter((name) => name === 'account' || (name !== 'agent' && splits.includes(name)));
  const narrowed = Object.fromEntries(
    narrowing.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  );
  const counted: Ask = {
    ...{ account, timezone, from, to, grain, split: ['agent', ...kept], filters: narrowed },
    ...(variable === undefined ? {} : { variable }),
    ...(until === undefined ? {} : { until }),
    ...(pool ? { pool } : {}),
    ...(ends ? { ends } : {}),
  };
  return { ask: counted, kept };
}

interface Counted {
  cells: (AgentChatCount & { account: Value | undefined })[];
  /** The cells, by `keyOf(at)`, whose chats a row of the question tells of. */
  keysOf: (row: Row) => string[];
}

/** Why a row of an answer is hidden; undefined: it is shown. */
type WhyHidden = (row: Row) => Hidden | undefined;

/** The chats of every agent in the cells of a question, of which a row is one. Errors: Refused, if there are too many cells. */
async function countedFor(ask: Ask, context: QueryContext, answering: Answering): Promise<Counted> {
  const { ask: counted, kept } = countedAsk(ask);
  const place = (agent: Value, row: Row): Value[] => [
    agent,
    row.period ?? null,
    ...kept.map((name) => row[name] ?? null),
  ];
  const found = await answering(everyChat, counted, context);
  return {
    cells: found.map((row) => ({
      account: row.account,
      ...{ agent: String(row.agent), at: place(String(row.agent), row), chats: Number(row.chats ?? 0) },
    })),
    keysOf: (row) => {
      const agents = ask.split.includes('agent') ? [row.agent ?? null] : (ask.filters.agent ?? []);
      return agents.map((agent) => keyOf(place(agent === null ? null : String(agent), row)));
    },
  };
}

async function whyAmong({ cells, keysOf }: Counted, from: number): Promise<WhyHidden> {
  const enough = new Set(cells.filter(({ chats }) => chats >= from).map(({ at }) => keyOf(at)));
  const hidden = await hiddenAmong(cells, from);
  const whyAt = (key: string): Hidden | undefined => hidden.get(key) ?? (enough.has(key) ? undefined : 'too_few');
  return (row) => {
    const whys = keysOf(row).map(whyAt);
    return whys.find((why) => why === 'too_few') ?? whys.find((why) => why !== undefined);
  };
}

/** Errors: Refused, if there are too many cells. */
export const whyHidden = async (ask: Ask, context: QueryContext, answering: Answering): Promise<WhyHidden> =>
  whyAmong(await countedFor(ask, context, answering), context.reader.rows?.agents_from ?? 0);

/** Cells without known values reveal nothing. */
const isSilent = ({ state }: Row): boolean => state === 'not_pulled' || state === 'not_given';

/** The rows of an answer without the figures that rest on too few chats. */
export async function withoutFew(
  metric: MetricDefinition,
  rows: readonly Row[],
  why: WhyHidden,
  from: number,
): Promise<Row[]> {
  const names = Object.keys(metric.measures);
  const turn = new TimeSlice();
  const shown: Row[] = [];
  for (const row of rows) {
    if (turn.isOver()) await turn.next();
    const state = isSilent(row) ? undefined : why(row);
    if (state === undefined) {
      shown.push(row);
      continue;
    }
    const empty: Row = { ...row, state };
    for (const name of names) empty[name] = null;
    shown.push(state === 'too_few' ? { ...empty, fewer_than: from } : empty);
  }
  return shown;
}

const sentences: Record<Hidden, (from: number) => string> = {
  too_few: (from) => `figures of single agents are shown from ${from} chats on, and here there are fewer`,
  withheld: (from) =>
    `figures of single agents are shown from ${from} chats on; this one is withheld because that of somebody with fewer could be worked out from it`,
};

/**
 * Refuses questions about one hidden cell: its receipt, or a search of its chats. That of one account among several must be shown beside
 * the others and in an answer about its account alone. Errors: Refused.
 */
export async function assertEnoughChats(
  ask: Ask,
  row: Row,
  context: QueryContext,
  answering: Answering,
): Promise<void> {
  if (!isCounted(ask, context.reader)) return;
  const from = context.reader.rows?.agents_from ?? 0;
  const counted = await countedFor(ask, context, answering);
  const own = counted.cells.filter(({ account }) => account === row.account);
  const why =
    (await whyAmong(counted, from))(row) ??
    (ask.split.includes('account') ? (await whyAmong({ ...counted, cells: own }, from))(row) : undefined);
  if (why) throw new Refused('agent', `${sentences[why](from)} (CHATLEDGER_AGENT_FIGURES)`);
}
