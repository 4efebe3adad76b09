// Loads past and running erasures.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => {
  const found = await call(fetch, 'GET /erasures');
  return { found: found.kind === 'answered' ? found.answer : null };
};
