// Loads the users, and the shared links.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => {
  const [found, shares] = await Promise.all([call(fetch, 'GET /users'), call(fetch, 'GET /shares')]);
  return {
    found: found.kind === 'answered' ? found.answer : null,
    shares: shares.kind === 'answered' ? shares.answer.shares : [],
  };
};
