// How much more the days of one agent differ than chance lets them: bad days are bad for many chats, so that a hundred chats tell
// less than a hundred. Taken from agents' own days, and not from how agents differ: that is what is looked for.
import type { Numbers } from '#warehouse/engine.ts';
import type { OutcomeKind } from './sums.ts';

/** Days of agents, one after another. */
interface AgentDays {
  /** Place of the agent, from 0. */
  agent: Numbers;
  count: Numbers;
  sum: Numbers;
  squares: Numbers;
}

interface Dispersion {
  /** 1 or more. */
  dispersion: number;
  /** Of one outcome within a day of an agent. */
  variance: number;
}

/** Smaller than any that is measured; for teams whose every time is the same. */
const least_variance = 1e-4;

/** Of one agent, over all days with outcomes. */
interface OfAgent {
  days: number;
  count: number;
  sum: number;
}

function agentsIn({ agent, count, sum }: AgentDays): OfAgent[] {
  const found: OfAgent[] = [];
  for (const [day, place] of agent.entries()) {
    const [many, total] = [count[day] ?? 0, sum[day] ?? 0];
    const own = (found[place] ??= { days: 0, count: 0, sum: 0 });
    if (many === 0) continue;
    own.days += 1;
    own.count += many;
    own.sum += total;
  }
  return found;
}

/** Both are means over all agents, each weighing as many days as they have beyond the first. */
export function dispersionOf(days: AgentDays, of: OutcomeKind['of']): Dispersion {
  const all = agentsIn(days);
  let [within, inDays, between, beyond] = [0, 0, 0, 0];
  for (const [day, place] of days.agent.entries()) {
    const [count, sum, own] = [days.count[day] ?? 0, days.sum[day] ?? 0, all[place]];
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
