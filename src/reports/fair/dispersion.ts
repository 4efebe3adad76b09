// How much more the days of one agent vary than chance explains: a bad day affects many chats, so that a hundred chats carry less
// information than a hundred independent ones. Estimated within agents, because the differences between agents are what the comparison
// looks for.
import type { Numbers } from '#warehouse/engine.ts';
import type { OutcomeKind } from './sums.ts';

/** One row per agent and day, stored by column. */
interface AgentDays {
  /** Index of the agent, from 0. */
  agent: Numbers;
  count: Numbers;
  sum: Numbers;
  squares: Numbers;
}

interface Dispersion {
  /** At least 1. */
  dispersion: number;
  /** Variance of one outcome within a day of an agent. */
  variance: number;
}

/** Smaller than any measured variance; for teams whose times are all the same. */
const least_variance = 1e-4;

/** Sums of one agent over all days with outcomes. */
interface OfAgent {
  days: number;
  count: number;
  sum: number;
}

function agentsIn({ agent, count, sum }: AgentDays): OfAgent[] {
  const found: OfAgent[] = [];
  for (let day = 0; day < agent.length; day += 1) {
    const place = agent[day] ?? 0;
    const many = count[day] ?? 0;
    const total = sum[day] ?? 0;
    const own = (found[place] ??= { days: 0, count: 0, sum: 0 });
    if (many === 0) continue;
    own.days += 1;
    own.count += many;
    own.sum += total;
  }
  return found;
}

/** Both figures are means over all agents, weighted by the number of days beyond the first. */
export function dispersionOf(days: AgentDays, of: OutcomeKind['of']): Dispersion {
  const all = agentsIn(days);
  let [within, inDays, between, beyond] = [0, 0, 0, 0];
  for (let day = 0; day < days.agent.length; day += 1) {
    const count = days.count[day] ?? 0;
    const sum = days.sum[day] ?? 0;
    const own = all[days.agent[day] ?? 0];
    if (count === 0 || !own) continue;
    within += (days.squares[day] ?? 0) - sum ** 2 / count;
    inDays += count - 1;
    const mean = own.sum / own.count;
    const ofOne = of === 'shares' ? mean * (1 - mean) : 1;
    if (ofOne > 0) between += (sum - count * mean) ** 2 / count / ofOne;
  }
  for (const { days, count, sum } of all.filter(Boolean))
    if (count > 0 && (of !== 'shares' || (sum > 0 && sum < count))) beyond += days - 1;
  const variance = Math.max(inDays > 0 ? within / inDays : 1, least_variance);
  const ofOne = of === 'shares' ? 1 : variance;
  return { dispersion: Math.max(1, beyond > 0 ? between / beyond / ofOne : 1), variance };
}
