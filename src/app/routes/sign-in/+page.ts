// Loads the available ways to sign in, and the identity provider's result.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, url }) => {
  const found = await call(fetch, 'GET /sign-in');
  const ways = found.kind === 'answered' ? found.answer : { has_passwords: true, can_reset: false, provider: null };
  return { ways, problem: url.searchParams.get('problem') };
};
