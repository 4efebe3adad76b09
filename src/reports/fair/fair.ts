// Compares agents with what was expected of them, outcome by outcome, for one reader and range.
import { askOf, type Ask, type AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import { outcomeOf } from '#warehouse/definitions/used.ts';
import { outcomeIds, type OutcomeId } from '#warehouse/definitions/uses.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { recentlyMade } from '#warehouse/memoize.ts';
import { alikeChats } from '#warehouse/read/alike-chats.ts';
import type { AlikeCounts, AlikeDays, OutcomeSums } from '#warehouse/read/alike-cells.ts';
import type { Numbers } from '#warehouse/engine.ts';
import { TimeSlice } from '#warehouse/time-slice.ts';
import { designOf, type Design } from './covariates.ts';
import { compared, type AgentCompared, type ComparisonInput, type Comparison } from './comparison.ts';
import { dispersionOf } from './dispersion.ts';
import type { OutcomeKind } from './sums.ts';

/** How cells give an outcome: the number of cases, and how many happened or the sum of their logarithms. */
interface FairOutcome {
  of: OutcomeKind['of'];
  measuredIn: <Sums extends OutcomeSums>(counted: AlikeCounts<Sums>) => Sums | OutcomeSums;
}

const share = (count: Numbers, sum: Numbers): OutcomeSums => ({ count, sum });

const plus = (one: Numbers, other: Numbers): Numbers => one.map((number, at) => number + (other[at] ?? 0));

const fairOutcomes: Readonly<Record<OutcomeId, FairOutcome>> = {
  satisfaction: { of: 'shares', measuredIn: ({ good, bad }) => share(plus(good, bad), good) },
  response_rate: { of: 'shares', measuredIn: ({ chats, good, bad }) => share(chats, plus(good, bad)) },
  first_response: { of: 'logarithms', measuredIn: ({ first }) => first },
  response: { of: 'logarithms', measuredIn: ({ response }) => response },
};

interface FairComparison {
  from: string;
  to: string;
  timezone: string;
  /** One entry per outcome. */
  compared: { id: OutcomeId; comparison: Comparison }[];
  /** Agents shown to the reader, sorted by login, and for the others why they are hidden. */
  shown: string[];
  hidden: { agent: string; why: 'too_few' | 'withheld' }[];
}

function comparedOf(
  design: Design,
  cells: AlikeCounts,
  days: AlikeDays,
  { of, measuredIn }: FairOutcome,
): ComparisonInput {
  const { count, sum } = measuredIn(cells);
  const byDay = measuredIn(days);
  // For zeros and ones the sum of squares equals the sum.
  const squares = 'squares' in byDay ? byDay.squares : byDay.sum;
  const { dispersion, variance } = dispersionOf({ agent: days.agent, ...byDay, squares }, of);
  return {
    design,
    outcomes: { count, sum },
    kind: of === 'shares' ? { of } : { of, variance },
    dispersion,
  };
}

/** Which agents the reader may see, as for any figure about single agents. */
function shownIn({ rows }: QueryAnswer): Pick<FairComparison, 'shown' | 'hidden'> {
  const chatted = rows.filter((row) => row.state === 'too_few' || row.state === 'withheld' || Number(row.chats) > 0);
  const isHidden = ({ state }: (typeof rows)[number]): boolean => state === 'too_few' || state === 'withheld';
  return {
    shown: chatted.filter((row) => !isHidden(row)).map(({ agent }) => String(agent)),
    hidden: chatted
      .filter(isHidden)
      .map(({ agent, state }) => ({ agent: String(agent), why: state === 'too_few' ? state : 'withheld' })),
  };
}

/** All agents of a question, whichever are asked for: it is what takes long, and one agent's page has it from another's. Errors: Cancelled. */
function modelOf(ask: Ask, context: QueryContext): Promise<FairComparison['compared']> {
  const { account, timezone, from, to, filters } = ask;
  const key = JSON.stringify([account, timezone, from, to, filters]);
  return recentlyMade(context.snapshot.engine, { kind: 'agents compared', key }, async () => {
    const { agents, cells, days } = await alikeChats(ask, context);
    const turn = new TimeSlice();
    const design = await designOf({ agents, ...cells }, turn);
    const all: FairComparison['compared'] = [];
    for (const id of outcomeIds)
      all.push({ id, comparison: await compared(comparedOf(design, cells, days, fairOutcomes[id]), turn) });
    return all;
  });
}

/** The model is fitted on all agents, whichever are asked for. `wanted` holds dates, zone and filters. Errors: Refused, Cancelled. */
export async function fairAgents(wanted: AskInput, context: QueryContext): Promise<FairComparison> {
  const { agent: asked, ...filters } = wanted.filters ?? {};
  const question: AskInput = { ...wanted, grain: 'total', split: ['agent'], filters, compare: undefined };
  const ask = askOf(everyChat, question, context);
  // This question runs first because it is refused to readers who may see no colleague.
  const { shown, hidden } = shownIn(await run(everyChat.id, question, context));
  const isAsked = (agent: string): boolean => asked === undefined || asked.includes(agent);
  const isTold = ({ agent }: AgentCompared): boolean => shown.includes(agent) && isAsked(agent);
  const model = await modelOf({ ...ask, split: [] }, context);
  const all = model.map(({ id, comparison }) => ({
    id,
    comparison: { ...comparison, agents: comparison.agents.filter(isTold) },
  }));
  return {
    ...{ from: ask.from, to: ask.to, timezone: ask.timezone, compared: all },
    ...{ shown: shown.filter(isAsked), hidden: hidden.filter(({ agent }) => isAsked(agent)) },
  };
}

/** An outcome on the scale of the page: shares, or seconds instead of logarithms. */
interface OutcomeDescription {
  id: OutcomeId;
  metric: string;
  measure: string;
  unit: 'share' | 'seconds';
  limits: Comparison['limits'];
  /** Standard deviation of one average outcome. */
  one: number;
  dispersion: number;
  between: number;
  agents: Omit<AgentCompared, 'difference'>[];
}

/** Inverts the logarithm, which is taken of the measured seconds plus one. */
const secondsOf = (logarithm: number): number => Math.max(0, Math.exp(logarithm) - 1);

export function describeOutcome({ id, comparison }: FairComparison['compared'][number]): OutcomeDescription {
  const { of } = fairOutcomes[id];
  const { metric, measure } = outcomeOf(id);
  const told = (value: number): number => (of === 'shares' ? value : secondsOf(value));
  const { agents, limits, dispersion, between, variance } = comparison;
  return {
    ...{ id, metric, measure, unit: of === 'shares' ? 'share' : 'seconds' },
    ...{ limits, one: Math.sqrt(variance), dispersion, between },
    agents: agents.map(({ difference: _, observed, expected, likely, ...agent }) => ({
      ...{ ...agent, observed: told(observed), expected: told(expected) },
      likely: likely && { low: told(likely.low), high: told(likely.high) },
    })),
  };
}
