// Compares the outcomes of each agent with what an average agent is expected to reach in the same chats. Pure arithmetic.
import type { TimeSlice } from '#warehouse/time-slice.ts';
import { cumulantOf, distance, inside, reachOf, shifted, shiftTo, type Alike } from './chance.ts';
import type { Design } from './covariates.ts';
import { fitted } from './fit.ts';
import { expectationsOf, type ExpectedLevels } from './leave-out.ts';
import { measuredCells, type CellSums, type MeasuredCells } from './measured.ts';
import { shrunkTogether, type KnownDifference, type Shrunk } from './shrunk.ts';
import type { OutcomeKind } from './sums.ts';

/** `few_expected`: too few outcomes to judge the agent. */
export const verdicts = ['above', 'below', 'not_told_apart', 'few_expected'] as const;
type Verdict = (typeof verdicts)[number];

/** An agent's chats need at least this many expected good and expected bad outcomes, or this many measured times. */
const least_events = 5;
const least_measured = 20;
/** Among equal agents, at most one team in this many has somebody flagged as above or below. */
const one_team_in = 200;
/** 99.8 % limits, outside which agents are flagged, and 95 % limits. */
const outer = 0.002;
const inner = 0.05;

/** Input of a comparison: the design over cells of similar chats, and the outcomes of each cell. */
export interface ComparisonInput {
  design: Design;
  outcomes: CellSums;
  kind: OutcomeKind;
  /** Overdispersion: how much more an agent's days vary than chance explains; at least 1. */
  dispersion: number;
}

export interface AgentCompared {
  agent: string;
  /** Number of outcomes: ratings, chats or measured times. */
  count: number;
  /** A share, or the mean logarithm of seconds. */
  observed: number;
  expected: number;
  /** The difference shrunk towards the other agents, in log odds or logarithms, with its interval; null where too little is known. */
  difference: Shrunk | null;
  /** The same interval on the scale of `expected`: the range in which the agent's own level in these chats lies. */
  likely: { low: number; high: number } | null;
  /** Standardized difference between observed and expected. */
  distance: number;
  /** The number of average outcomes that carry the same information. */
  weight: number;
  verdict: Verdict;
}

export interface Comparison {
  agents: AgentCompared[];
  dispersion: number;
  /** Standard deviation of the true differences between agents, in log odds or logarithms. */
  between: number;
  /** Standard deviations at which limits are drawn; agents beyond `verdict` are flagged as above or below. */
  limits: { inner: number; outer: number; verdict: number };
  /** Variance of one average outcome. */
  variance: number;
}

/** What the cells of one agent show. */
interface AgentOutcome {
  agent: string;
  alike: Alike[];
  count: number;
  sum: number;
  expected: number;
  variance: number;
  uncertainty: number;
}

/** Levels closer than this are merged: it changes no digit on the page. */
const levels_alike = 0.02;

/** Outcomes at about the same level together. */
function alikeIn(levels: Float64Array, count: Float64Array): Alike[] {
  let [least, most] = [Infinity, -Infinity];
  for (let index = 0; index < levels.length; index += 1) {
    least = Math.min(least, levels[index] ?? 0);
    most = Math.max(most, levels[index] ?? 0);
  }
  const first = Math.round(least / levels_alike);
  const counts = new Float64Array(Math.round(most / levels_alike) - first + 1);
  const sums = new Float64Array(counts.length);
  for (let index = 0; index < levels.length; index += 1) {
    const level = levels[index] ?? 0;
    const many = count[index] ?? 0;
    const bin = Math.round(level / levels_alike) - first;
    counts[bin] = (counts[bin] ?? 0) + many;
    sums[bin] = (sums[bin] ?? 0) + many * level;
  }
  const alike: Alike[] = [];
  for (let bin = 0; bin < counts.length; bin += 1) {
    const many = counts[bin] ?? 0;
    if (many > 0) alike.push({ count: many, level: (sums[bin] ?? 0) / many });
  }
  return alike;
}

/** `place`: of the agent, who has at least one cell. */
function ownOf(
  { design, starts, count, sum }: MeasuredCells,
  place: number,
  kind: OutcomeKind,
  { levels, uncertainty }: ExpectedLevels,
): AgentOutcome {
  const isShare = kind.of === 'shares';
  const ofOne = isShare ? 0 : kind.variance;
  const from = starts[place] ?? 0;
  let [many, total, expected, variance] = [0, 0, 0, 0];
  for (let index = 0; index < levels.length; index += 1) {
    const own = count[from + index] ?? 0;
    const level = levels[index] ?? 0;
    const share = isShare ? 1 / (1 + Math.exp(-level)) : level;
    many += own;
    total += sum[from + index] ?? 0;
    expected += own * share;
    variance += own * (isShare ? share * (1 - share) : ofOne);
  }
  const alike = isShare ? alikeIn(levels, count.subarray(from, from + levels.length)) : [];
  return { agent: design.agents[place] ?? '', alike, count: many, sum: total, expected, variance, uncertainty };
}

/** The outcomes of every agent; empty with fewer than two agents. */
async function ownOfAll({ design, outcomes, kind }: ComparisonInput, turn: TimeSlice): Promise<AgentOutcome[]> {
  const cells = measuredCells(design, outcomes);
  const measured = [...design.agents.keys()].filter((place) => cells.starts[place] !== cells.starts[place + 1]);
  if (measured.length < 2) return [];
  const expectedOf = expectationsOf(cells, kind, await fitted(cells, kind, turn));
  const found: AgentOutcome[] = [];
  for (const place of measured) {
    if (turn.isOver()) await turn.next();
    found.push(ownOf(cells, place, kind, expectedOf(place)));
  }
  return found;
}

/** Errors: Cancelled. */
export async function compared(wanted: ComparisonInput, turn: TimeSlice): Promise<Comparison> {
  const { kind, dispersion } = wanted;
  const all = await ownOfAll(wanted, turn);
  const told = all.filter((own) => isTold(own, kind));
  const limits = limitsOf(told.length);
  const known = told.map((own) => knownOf(own, kind, dispersion));
  const { agents: shrunk, between } = await shrunkTogether(known, turn);
  const count = all.reduce((sum, own) => sum + own.count, 0);
  const variance = all.reduce((sum, own) => sum + own.variance, 0) / Math.max(count, 1);
  const agents = all.map((own): AgentCompared => {
    const spread = spreadOf(own, kind, dispersion);
    const place = told.indexOf(own);
    const far = kind.of === 'shares' ? distance(own.alike, own.sum, known[place]?.likeliest) : plainDistance(own);
    const apart = far / Math.sqrt(spread);
    const difference = shrunk[place] ?? null;
    return {
      ...{ agent: own.agent, count: own.count, observed: own.sum / own.count, expected: own.expected / own.count },
      ...{ difference, distance: apart, weight: (variance * own.count ** 2) / (own.variance * spread) },
      likely: difference && { low: meanAt(own, kind, difference.low), high: meanAt(own, kind, difference.high) },
      verdict: verdictOf(apart, difference, limits.verdict),
    };
  });
  return { agents, dispersion, between, limits, variance };
}

/** With more than five agents, 99.8 % limits for each would flag somebody by chance too often: the limit moves out. */
export function limitsOf(agents: number): Comparison['limits'] {
  const verdict = reachOf(Math.min(outer, 1 / one_team_in / Math.max(agents, 1)));
  return { inner: reachOf(inner), outer: reachOf(outer), verdict };
}

const isTold = ({ count, expected }: AgentOutcome, { of }: OutcomeKind): boolean =>
  of === 'shares' ? Math.min(expected, count - expected) >= least_events : count >= least_measured;

/** Inflation of the squared distance beyond chance: overdispersed days, and an expectation that is itself an estimate. */
function spreadOf({ variance, count, uncertainty }: AgentOutcome, kind: OutcomeKind, dispersion: number): number {
  const known = kind.of === 'shares' ? variance : count ** 2 / variance;
  return dispersion + known * uncertainty;
}

const plainDistance = ({ sum, expected, variance }: AgentOutcome): number => (sum - expected) / Math.sqrt(variance);

function knownOf(own: AgentOutcome, kind: OutcomeKind, dispersion: number): KnownDifference {
  const { alike, sum, count, expected, variance, uncertainty } = own;
  const unsure = Math.sqrt(uncertainty);
  if (kind.of === 'logarithms') {
    const likeliest = (sum - expected) / count;
    const own = (variance * dispersion) / count ** 2;
    const likelihood = (it: number): number => -((it - likeliest) ** 2) / (2 * own);
    return { likelihood, likeliest, deviation: Math.sqrt(own), unsure };
  }
  const likeliest = shiftTo(alike, inside(sum, count));
  const deviation = Math.sqrt(dispersion / shifted(alike, likeliest).variance);
  const cumulant = cumulantOf(alike);
  return { likeliest, deviation, unsure, likelihood: (it) => (it * sum - cumulant(it)) / dispersion };
}

/** The mean outcome over the agent's chats when every level is shifted by a difference. */
function meanAt({ alike, count, expected }: AgentOutcome, { of }: OutcomeKind, difference: number): number {
  return of === 'shares' ? shifted(alike, difference).mean / count : expected / count + difference;
}

function verdictOf(apart: number, difference: Shrunk | null, limit: number): Verdict {
  if (!difference) return 'few_expected';
  if (apart >= limit && difference.low > 0) return 'above';
  if (apart <= -limit && difference.high < 0) return 'below';
  return 'not_told_apart';
}
