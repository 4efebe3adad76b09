// Loads the observed and the declared variables.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent }) => {
  const { account } = await parent();
  if (!account) return { declared: null, seen: null };
  const query = { account: account.id };
  const [declared, seen] = await Promise.all([
    call(fetch, 'GET /variables', { query }),
    call(fetch, 'GET /variables/seen', { query }),
  ]);
  return {
    declared: declared.kind === 'answered' ? declared.answer : null,
    seen: seen.kind === 'answered' ? seen.answer.seen : null,
  };
};
