// Calls of the pages on which people sign in and are let in, and where they lead.
import { call, type Call, type Given } from '#lib/api.ts';
import type { Answers } from '#api/contract/contract.ts';

/** The answer, or a sentence. */
export async function tried<Name extends Call>(
  name: Name,
  given: Given<Name>,
): Promise<{ answer: Answers[Name] } | { problem: string }> {
  const outcome = await call(fetch, name, given);
  return outcome.kind === 'answered' ? { answer: outcome.answer } : { problem: outcome.message };
}

/** Where to go after signing in: a place of this server and of no other. */
export function placeIn(search: Pick<URLSearchParams, 'get'>): string {
  const to = search.get('to') ?? '/';
  const { origin } = location;
  if (!URL.canParse(to, origin)) return '/';
  const place = new URL(to, origin);
  return place.origin === origin && place.pathname !== '/sign-in' ? place.pathname + place.search : '/';
}
