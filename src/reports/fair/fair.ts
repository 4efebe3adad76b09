// Agents beside what was expected of them: outcome by outcome, for a reader, in a range.
import { askOf, type AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import { outcomeOf } from '#warehouse/definitions/used.ts';
import { outcomeIds, type OutcomeId } from '#warehouse/definitions/uses.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { alikeChats, type AlikeChats, type AlikeCounts, type OutcomeSums } from '#warehouse/read/alike-chats.ts';
import type { Numbers } from '#warehouse/engine.ts';
import { TimeSlice } from '#warehouse/time-slice.ts';
import { compared, type AgentCompared, type ComparisonInput, type Comparison } from './comparison.ts';
import { dispersionOf } from './dispersion.ts';
import type { OutcomeKind } from './sums.ts';

/** How an outcome is made of cells: of what there may be one, and what happened, or the sum of logarithms. */
interface FairOutcome {
  of: OutcomeKind['of'];
  measuredIn: (counted: AlikeCounts) => OutcomeSums;
}

/** Of shares the sum is its own square. */
const share = (count: Numbers, sum: Numbers): OutcomeSums => ({ count, sum, squares: sum });

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
  /** By outcome. */
  compared: { id: OutcomeId; comparison: Comparison }[];
  /** Agents who are told of, in the order of their logins; of the others why they are not. */
  shown: string[];
  hidden: { agent: string; why: 'too_few' | 'withheld' }[];
}

function comparedOf(
  agents: readonly string[],
  cells: AlikeChats,
  days: AlikeCounts,
  { of, measuredIn }: FairOutcome,
): ComparisonInput {
  const { count, sum } = measuredIn(cells);
  const { dispersion, variance } = dispersionOf({ agent: days.agent, ...measuredIn(days) }, of);
  return {
    cells: { agents, ...cells },
    outcomes: { count: Float64Array.from(count), sum: Float64Array.from(sum) },
    kind: of === 'shares' ? { of } : { of, variance },
    dispersion,
  };
}

/** Of which agents the reader is told, as of any figure of single agents. */
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

/** All agents are weighed, whoever is asked for. `wanted` has the dates, zone and filters. Errors: Refused, Cancelled. */
export async function fairAgents(wanted: AskInput, context: QueryContext): Promise<FairComparison> {
  const { agent: asked, ...filters } = wanted.filters ?? {};
  const question: AskInput = { ...wanted, grain: 'total', split: ['agent'], filters, compare: undefined };
  const ask = askOf(everyChat, question, context);
  // Asked first: it is refused to readers who are told of no colleague.
  const { shown, hidden } = shownIn(await run(everyChat.id, question, context));
  const { agents, cells, days } = await alikeChats({ ...ask, split: [] }, context);
  const isAsked = (agent: string): boolean => asked === undefined || asked.includes(agent);
  const turn = new TimeSlice();
  const all: FairComparison['compared'] = [];
  for (const id of outcomeIds) {
    const comparison = await compared(comparedOf(agents, cells, days, fairOutcomes[id]), turn);
    const isTold = ({ agent }: AgentCompared): boolean => shown.includes(agent) && isAsked(agent);
    all.push({ id, comparison: { ...comparison, agents: comparison.agents.filter(isTold) } });
  }
  return {
    ...{ from: ask.from, to: ask.to, timezone: ask.timezone, compared: all },
    ...{ shown: shown.filter(isAsked), hidden: hidden.filter(({ agent }) => isAsked(agent)) },
  };
}

/** An outcome as it is told: shares, and seconds in place of logarithms. */
interface OutcomeDescription {
  id: OutcomeId;
  metric: string;
  measure: string;
  unit: 'share' | 'seconds';
  limits: Comparison['limits'];
  /** Standard deviation of one outcome of the average kind. */
  one: number;
  dispersion: number;
  between: number;
  agents: Omit<AgentCompared, 'difference'>[];
}

/** Logarithms are of one second more than was measured. */
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
