// Asks for the settings of the program.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => {
  const found = await call(fetch, 'GET /settings');
  return found.kind === 'answered' ? { found: found.answer } : { found: null, problem: found.message };
};
