// The tickets created on one day: from the window of the offline chat, by mail and out of chats.
import type { ChatRecord, TicketRecord } from '../records.ts';
import { type LocalDay, expectedArrivals, hourWeights } from './calendar.ts';
import { tagsOfGroup } from './catalogue.ts';
import { ticketId } from './identifiers.ts';
import { Random } from './random.ts';
import { type Worker, servesGroup } from './staff.ts';

const HOUR = 3600;
const LONGEST = 21 * 24 * HOUR;

/** In order of creation; a ticket out of a chat is created when that chat ends. */
export function ticketsOf(
  seed: number,
  day: LocalDay,
  workers: readonly Worker[],
  chats: readonly ChatRecord[],
): TicketRecord[] {
  const random = new Random(seed, 'tickets', day.index);
  const weights = hourWeights(day, random);
  const count = random.poisson(expectedArrivals(day) * 0.12);
  const tickets = Array.from({ length: count }, (_, counter) => {
    const id = ticketId(seed, day.index, counter);
    const chat = random.chance(0.2) && chats.length > 0 ? random.pick(chats) : null;
    const group = chat?.groups[0] ?? random.weighted([0.05, 0.2, 0.4, 0.2, 0.15]);
    const hour = random.weighted(weights);
    const at = Math.min(day.end - 1, day.start + hour * HOUR + random.between(0, 3599));
    const source = chat ? 'chat' : random.chance(0.55) ? 'mail' : 'chat_window';
    const helpers = workers.filter((worker) => worker.is_employed && servesGroup(worker, group));
    const first = chat?.agents[0]?.email ?? (helpers.length > 0 ? random.pick(helpers).record.login : null);
    return {
      ...worked(random, chat?.ended ?? at, first),
      id,
      source,
      groups: [group],
      tags: ticketTags(random, group),
    };
  }) satisfies TicketRecord[];
  return tickets.sort((a, b) => a.created - b.created);
}

type Worked = Pick<TicketRecord, 'assignee' | 'created' | 'first_response' | 'solved' | 'ratings'>;

/** Without an agent nobody does anything about it. */
function worked(random: Random, created: number, agent: string | null): Worked {
  if (agent === null) return { assignee: null, created, first_response: null, solved: [], ratings: [] };
  if (random.chance(0.05)) {
    return { assignee: random.chance(0.5) ? agent : null, created, first_response: null, solved: [], ratings: [] };
  }
  // Spam is closed without an answer.
  const isSpam = random.chance(0.03);
  const answered = created + hours(random, 1.6, 1);
  const solved: number[] = [];
  if (isSpam || random.chance(0.86)) solved.push((isSpam ? created : answered) + hours(random, 5, 1.1));
  while (solved.length > 0 && !isSpam && random.chance(0.08))
    solved.push((solved.at(-1) ?? answered) + hours(random, 18, 0.7));
  const ratings = solved.length > 0 && !isSpam ? ticketRatings(random, solved.at(-1) ?? answered) : [];
  return { assignee: agent, created, first_response: isSpam ? null : answered, solved, ratings };
}

function ticketRatings(random: Random, solved: number): TicketRecord['ratings'] {
  if (!random.chance(0.26)) return [];
  const isGood = random.chance(0.84);
  const first = { at: solved + hours(random, 3, 1), rate: isGood ? 'rated_good' : 'rated_bad' } as const;
  if (!random.chance(0.06)) return [first];
  return [first, { at: first.at + hours(random, 8, 0.8), rate: isGood ? 'rated_bad' : 'rated_good' }];
}

function ticketTags(random: Random, group: number): string[] {
  return random.chance(0.5) ? [random.pick(tagsOfGroup(group))] : [];
}

function hours(random: Random, median: number, sigma: number): number {
  return Math.min(LONGEST, Math.round(random.lognormal(median, sigma) * HOUR));
}
