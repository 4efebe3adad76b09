// Asks who may sign in.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => {
  const found = await call(fetch, 'GET /users');
  return { found: found.kind === 'answered' ? found.answer : null };
};
