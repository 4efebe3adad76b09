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

/** Where to go after signing in, from a page of `origin`: the whole address of a place there, and of no other server. */
export function placeIn(search: Pick<URLSearchParams, 'get'>, origin: string): string {
  const to = search.get('to') ?? '/';
  const home = `${origin}/`;
  if (!URL.canParse(to, home)) return home;
  const place = new URL(to, home);
  return place.origin === origin && place.pathname !== '/sign-in' ? place.href : home;
}
