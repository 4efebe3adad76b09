// Teams whose skills are known, with chats that differ by what agents do not decide: what a comparison is held against.
import { rankingScore } from '#warehouse/definitions/wilson.ts';
import { TimeSlice } from '#warehouse/time-slice.ts';
import { designOf, type Covariates } from '#reports/fair/covariates.ts';
import { compared, type AgentCompared } from '#reports/fair/comparison.ts';
import { random } from '../../drills/random.ts';

export interface World {
  seed: number;
  of: 'shares' | 'logarithms';
  /** How far agents differ, in log odds or logarithms. */
  skills: number;
  agents: number;
}

/** One chat of one agent, in its circumstances. */
interface Line {
  agent: string;
  group: number;
  /** 1 (Monday) to 7. */
  weekday: number;
  hour: number;
  wait: number;
  load: number;
  is_returning: boolean;
}

/** The same, column by column. */
const columnsOf = (agents: readonly string[], lines: readonly Line[]): Covariates => {
  const column = (valueOf: (line: Line) => number): Int32Array => Int32Array.from(lines, valueOf);
  return {
    ...{ agents, agent: column(({ agent }) => agents.indexOf(agent)) },
    ...{ firstGroup: column(({ group }) => group), lastGroup: column(({ group }) => group) },
    hourOfWeek: column(({ weekday, hour }) => (weekday - 1) * 24 + hour),
    ...{ wait: column(({ wait }) => wait), load: column(({ load }) => load) },
    isReturning: column(({ is_returning }) => Number(is_returning)),
  };
};

/** Of one measured time in a world of logarithms. */
const variance = 0.64;

interface Draws {
  even: () => number;
  normal: () => number;
  below: (end: number) => number;
}

function drawsOf(seed: number): Draws {
  const even = random(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even());
  return { even, normal, below: (end) => Math.floor(even() * end) };
}

/** How hard a chat is, by its circumstances, in log odds of a bad rating. */
function hardnessOf({ normal }: Draws): (line: Line) => number {
  const ofGroup = Array.from({ length: 4 }, () => 0.6 * normal());
  const ofHour = Array.from({ length: 24 }, (_, hour) => 0.5 * Math.sin((hour / 12) * Math.PI) + 0.2 * normal());
  return ({ group, hour, wait, load, is_returning }) =>
    (ofGroup[group] ?? 0) +
    (ofHour[hour] ?? 0) +
    [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1][wait + 1]! +
    0.1 * load +
    (is_returning ? 0.2 : 0);
}

/** Each agent has an own number of chats, own groups and an own shift of nine hours. */
function linesOf(agent: string, { even, normal, below }: Draws): Line[] {
  const count = Math.round(30 * Math.exp(even() * 2.5));
  const weights = Array.from({ length: 4 }, () => Math.exp(1.2 * normal()));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const from = below(24);
  return Array.from({ length: count }, (): Line => {
    let left = even() * whole;
    const group = weights.findIndex((weight) => (left -= weight) <= 0);
    return {
      ...{ agent, group: Math.max(group, 0), weekday: 1 + below(7), hour: (from + below(9)) % 24 },
      ...{ wait: Math.min(6, Math.floor(even() * even() * 9)) - 1, load: below(5), is_returning: even() < 0.3 },
    };
  });
}

export interface Played {
  /** By agent: what the comparison says, how far the agent truly is from the colleagues, and the vendor's score. */
  agents: { told: AgentCompared; truth: number; score: number }[];
}

export async function played({ seed, of, skills, agents }: World): Promise<Played> {
  const draws = drawsOf(seed);
  const hardness = hardnessOf(draws);
  const names = Array.from({ length: agents }, (_, place) => `a${place}`);
  const skill = names.map(() => skills * draws.normal());
  const lines = names.flatMap((agent) => linesOf(agent, draws));
  const sum = lines.map((line) => {
    const own = skill[names.indexOf(line.agent)] ?? 0;
    if (of === 'logarithms') return 3.5 - hardness(line) / 2 + own + Math.sqrt(variance) * draws.normal();
    return draws.even() < 1 / (1 + Math.exp(hardness(line) - own - 1.8)) ? 1 : 0;
  });
  const outcomes = { count: new Float64Array(lines.length).fill(1), sum: Float64Array.from(sum) };
  const kind = of === 'shares' ? ({ of } as const) : ({ of, variance } as const);
  const turn = new TimeSlice();
  const design = await designOf(columnsOf(names, lines), turn);
  const found = await compared({ design, outcomes, kind, dispersion: 1 }, turn);
  const whole = skill.reduce((all, each) => all + each, 0);
  return {
    agents: found.agents.map((told) => {
      const own = skill[names.indexOf(told.agent)] ?? 0;
      const good = Math.round(told.observed * told.count);
      const score = of === 'shares' ? (rankingScore(good, told.count - good) ?? 0) : told.observed;
      return { told, truth: own - (whole - own) / (agents - 1), score };
    }),
  };
}

export const isNamed = ({ told: { verdict } }: Played['agents'][number]): boolean =>
  verdict === 'above' || verdict === 'below';

/** Of the agents who are told of, the share whose true difference lies in the interval. */
export function covered(worlds: readonly Played[]): number {
  const told = worlds.flatMap(({ agents }) =>
    agents.flatMap(({ told: { difference }, truth }) => (difference ? [{ ...difference, truth }] : [])),
  );
  return told.filter(({ low, high, truth }) => low <= truth && truth <= high).length / told.length;
}

/** Spearman's correlation with the truth, the mean of worlds: of the comparison, and of the vendor's score. */
export function correlations(worlds: readonly Played[]): { ours: number; score: number } {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, it) => sum + it, 0) / numbers.length;
  const of = (value: (it: Played['agents'][number]) => number): number =>
    mean(
      worlds.map(({ agents }) =>
        spearman(
          agents.map(value),
          agents.map(({ truth }) => truth),
        ),
      ),
    );
  return { ours: of(({ told }) => told.difference?.mean ?? 0), score: of(({ score }) => score) };
}

function spearman(one: readonly number[], other: readonly number[]): number {
  const ranks = (values: readonly number[]): number[] =>
    values.map((value, at) => values.filter((it, place) => it < value || (it === value && place < at)).length);
  const [first, second] = [ranks(one), ranks(other)];
  const squares = first.reduce((sum, rank, at) => sum + (rank - (second[at] ?? 0)) ** 2, 0);
  return 1 - (6 * squares) / (one.length * (one.length ** 2 - 1));
}
