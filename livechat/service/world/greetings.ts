// Greetings shown on one day to visitors who did not respond; accepted ones are generated with their chats.
import type { GreetingDisplay, GreetingRecord } from '../records.ts';
import { type LocalDay, expectedArrivals, hourWeights } from './calendar.ts';
import { Random } from './random.ts';

/** Displays for each visitor who asks for a chat. */
const IGNORED_PER_ARRIVAL = 1.1;

export function ignoredDisplays(seed: number, day: LocalDay, greetings: readonly GreetingRecord[]): GreetingDisplay[] {
  const random = new Random(seed, 'displays', day.index);
  const active = greetings.filter((greeting) => greeting.active);
  const weights = hourWeights(day, random);
  return Array.from({ length: random.poisson(expectedArrivals(day) * IGNORED_PER_ARRIVAL) }, () => {
    const greeting = random.pick(active);
    const at = Math.min(day.end - 1, day.start + random.weighted(weights) * 3600 + random.between(0, 3599));
    return { greeting: greeting.id, group: greeting.group, at, chat_id: null };
  });
}
