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

/**
 * Where to go after signing in, from a page of `origin`: a complete address on that server, never on another one. `begins` is the page
 * for users who requested none.
 */
export function placeIn(search: Pick<URLSearchParams, 'get'>, origin: string, begins = '/'): string {
  const asked = search.get('to') ?? '/';
  const to = asked === '/' ? begins : asked;
  const home = `${origin}${begins}`;
  if (!URL.canParse(to, home)) return home;
  const place = new URL(to, home);
  return place.origin === origin && !place.pathname.startsWith('/sign-in') ? place.href : home;
}
