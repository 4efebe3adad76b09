// The ids of chats, visitors, tickets, orders and survey questions: unlike each other whatever the day.
import { mix32 } from './random.ts';

const HALF = 36 ** 5;

/** How many chats (and how many visitors) one day can hold. */
export const ORDINALS_PER_DAY = 10_000;

/** 10 uppercase letters and digits; unique for each pair of day and counter. */
export function chatId(seed: number, day: number, counter: number): string {
  let left = day % HALF;
  let right = counter % HALF;
  // Each step adds a function of the other half, so every step can be undone and no two inputs can meet.
  for (let round = 0; round < 3; round++) {
    left = (left + mix32(right ^ mix32(seed + round))) % HALF;
    right = (right + mix32(left ^ mix32(seed + round + 77))) % HALF;
  }
  return base36(left) + base36(right);
}

/** 5 uppercase letters and digits; unique below 60 466 176 tickets. */
export function ticketId(seed: number, day: number, counter: number): string {
  // 23 456 791 has no factor in common with 36, so the product runs through all residues before it repeats.
  return base36(((day * 1000 + counter) * 23_456_791 + mix32(seed)) % HALF);
}

/** Like `S1355415390.49b8940793`: the instant of the first visit and ten hex digits. */
export function visitorId(seed: number, ordinal: number, firstSeen: number): string {
  const low = mix32(ordinal ^ mix32(seed))
    .toString(16)
    .padStart(8, '0');
  const high = (mix32(ordinal + 1) & 255).toString(16).padStart(2, '0');
  return `S${firstSeen}.${high}${low}`;
}

/** The long numeric id that the vendor gives to a survey question. */
export function surveyId(seed: number, question: number): string {
  return `1358937634${String(mix32(seed * 31 + question))
    .padStart(10, '0')
    .slice(0, 7)}`;
}

function base36(value: number): string {
  return value.toString(36).toUpperCase().padStart(5, '0');
}
