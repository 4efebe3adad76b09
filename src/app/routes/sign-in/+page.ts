// Asks how somebody may sign in, and reads what came of the identity provider.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, url }) => {
  const found = await call(fetch, 'GET /sign-in');
  const ways = found.kind === 'answered' ? found.answer : { has_passwords: true, can_reset: false, provider: null };
  return { ways, problem: url.searchParams.get('problem') };
};
