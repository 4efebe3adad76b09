// Asks which business hours are set.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent }) => {
  const { account } = await parent();
  if (!account) return { found: null };
  const found = await call(fetch, 'GET /business-hours', { query: { account: account.id } });
  return { found: found.kind === 'answered' ? found.answer : null };
};
