// Loads the declared variables, and the observed ones for those who may declare some of them.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent }) => {
  const { account, me } = await parent();
  const mayDeclare = me.rights.includes('people:write');
  if (!account) return { mayDeclare, declared: null, seen: null };
  const query = { account: account.id };
  const [declared, seen] = await Promise.all([
    call(fetch, 'GET /variables', { query }),
    mayDeclare ? call(fetch, 'GET /variables/seen', { query }) : null,
  ]);
  return {
    mayDeclare,
    declared: declared.kind === 'answered' ? declared.answer : null,
    seen: seen?.kind === 'answered' ? seen.answer.seen : null,
  };
};
