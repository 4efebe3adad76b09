// Asks where the reader is signed in, and for their tokens.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent }) => {
  const { me } = await parent();
  if (!me.user) return { sessions: [], tokens: [] };
  const [sessions, tokens] = await Promise.all([call(fetch, 'GET /sessions'), call(fetch, 'GET /tokens')]);
  return {
    sessions: sessions.kind === 'answered' ? sessions.answer.sessions : [],
    tokens: tokens.kind === 'answered' ? tokens.answer.tokens.filter(({ user }) => user === me.user?.id) : [],
  };
};
