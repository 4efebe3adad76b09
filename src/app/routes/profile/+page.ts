// Asks how the reader signs in, where they are signed in, and for their tokens and shared links.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent, url }) => {
  const { me } = await parent();
  const problem = url.searchParams.get('problem');
  const nobody = { problem, sessions: [], tokens: [], shares: [], identities: [], factor: null, provider: null };
  if (!me.user) return nobody;
  const [sessions, tokens, shares, identities, factor, ways] = await Promise.all([
    call(fetch, 'GET /sessions'),
    call(fetch, 'GET /tokens'),
    call(fetch, 'GET /shares'),
    call(fetch, 'GET /me/identities'),
    call(fetch, 'GET /me/second-factor'),
    call(fetch, 'GET /sign-in'),
  ]);
  return {
    problem,
    sessions: sessions.kind === 'answered' ? sessions.answer.sessions : [],
    tokens: tokens.kind === 'answered' ? tokens.answer.tokens.filter(({ user }) => user === me.user?.id) : [],
    shares: shares.kind === 'answered' ? shares.answer.shares.filter(({ user }) => user === me.user?.id) : [],
    identities: identities.kind === 'answered' ? identities.answer.identities : [],
    factor: factor.kind === 'answered' ? factor.answer : null,
    provider: ways.kind === 'answered' ? ways.answer.provider : null,
  };
};
