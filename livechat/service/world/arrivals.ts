// The visitors who ask for a chat on one day: when, who (new or returning), for which group and how patient.
import { type LocalDay, expectedArrivals, hourWeights } from './calendar.ts';
import type { Arrival, Returning } from './carry.ts';
import type { GreetingRecord } from '../records.ts';
import { ORDINALS_PER_DAY } from './identifiers.ts';
import { Random } from './random.ts';

/** How often a visitor asks for group 0 to 4. */
const GROUP_SHARES = [0.015, 0.285, 0.335, 0.165, 0.2];
const RETURNING_SHARE = 0.16;
const MEAN_PATIENCE_SECONDS = 700;

/** All arrivals in order of time; removes returning visitors from `returning`. */
export function arrivalsOf(
  seed: number,
  day: LocalDay,
  greetings: readonly GreetingRecord[],
  returning: Returning[],
): Arrival[] {
  const random = new Random(seed, 'arrivals', day.index);
  const weights = hourWeights(day, random);
  const count = random.poisson(expectedArrivals(day) * (0.96 + random.unit() * 0.08));
  const instants = Array.from({ length: count }, () => {
    const hour = random.weighted(weights);
    return Math.min(day.start + hour * 3600 + random.between(0, 3599), day.end - 1);
  });
  // A chat across a clock change is too valuable a test case to leave to chance.
  const beforeSwitch = day.switchAt === null ? null : Math.max(day.start, day.switchAt - 540);
  if (beforeSwitch !== null) instants.push(beforeSwitch);
  instants.sort((a, b) => a - b);
  return instants.map((at, counter) => {
    const who = comesBack(random, at, returning) ?? [day.index * ORDINALS_PER_DAY + counter, at, at, at, -1];
    const group = who[4] >= 0 && random.chance(0.7) ? who[4] : random.weighted(GROUP_SHARES);
    return {
      ...asked(random, day, at, group, greetings),
      visitor: who[0],
      first_seen: who[1],
      is_long: at === beforeSwitch,
    };
  });
}

type DrawnArrival = Omit<Arrival, 'visitor' | 'first_seen' | 'is_long'>;

function asked(
  random: Random,
  day: LocalDay,
  at: number,
  group: number,
  greetings: readonly GreetingRecord[],
): DrawnArrival {
  const leaves = at + 4 + Math.round(random.exponential(MEAN_PATIENCE_SECONDS));
  const invitation = random.unit();
  const shownHere = greetings.filter((greeting) => greeting.active && greeting.group === group);
  if (invitation < 0.2 && shownHere.length > 0) {
    const greeting = random.pick(shownHere).id;
    return {
      at,
      group,
      leaves,
      engagement: 'auto_invite',
      greeting,
      shown: Math.max(day.start, at - random.between(2, 90)),
    };
  }
  const engagement = invitation < 0.25 ? 'manual_invite' : 'immediate_start';
  return { at, group, leaves, engagement, greeting: null, shown: null };
}

function comesBack(random: Random, at: number, returning: Returning[]): Returning | null {
  if (returning.length === 0 || !random.chance(RETURNING_SHARE)) return null;
  const index = random.between(0, returning.length - 1);
  const who = returning[index];
  if (!who || who[2] > at || who[3] < at) return null;
  const last = returning.pop();
  if (last && last !== who) returning[index] = last;
  return who;
}
