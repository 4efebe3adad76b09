// How much more the days of one agent differ than chance lets them: bad days are bad for many chats, so that a hundred chats tell
// less than a hundred. Taken from agents' own days, and not from how agents differ: that is what is looked for.
import type { OutcomeKind } from './fit.ts';

interface AgentDay {
  agent: string;
  count: number;
  sum: number;
  squares: number;
}

interface Dispersion {
  /** 1 or more. */
  dispersion: number;
  /** Of one outcome within a day of an agent. */
  variance: number;
}

/** Smaller than any that is measured; for teams whose every time is the same. */
const least_variance = 1e-4;

/** Both are means over all agents, each weighing as many days as they have beyond the first. */
export function dispersionOf(days: readonly AgentDay[], of: OutcomeKind['of']): Dispersion {
  let [within, inDays, between, beyond] = [0, 0, 0, 0];
  for (const own of Map.groupBy(days, ({ agent }) => agent).values()) {
    const known = own.filter(({ count }) => count > 0);
    const count = known.reduce((all, day) => all + day.count, 0);
    if (count === 0) continue;
    const mean = known.reduce((all, day) => all + day.sum, 0) / count;
    const ofOne = of === 'shares' ? mean * (1 - mean) : undefined;
    for (const day of known) {
      within += day.squares - day.sum ** 2 / day.count;
      inDays += day.count - 1;
      const apart = (day.sum - day.count * mean) ** 2 / day.count;
      if (ofOne === undefined) between += apart;
      else if (ofOne > 0) between += apart / ofOne;
    }
    if (ofOne !== 0) beyond += known.length - 1;
  }
  const variance = Math.max(inDays > 0 ? within / inDays : 1, least_variance);
  const ofOne = of === 'shares' ? 1 : variance;
  return { dispersion: Math.max(1, beyond > 0 ? between / beyond / ofOne : 1), variance };
}
