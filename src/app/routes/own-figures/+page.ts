// Asks for the reader's own figures in the days of the address, moved to whole days that are over; of readers who are no agents, nothing.
import { call } from '#lib/api.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { PageLoad } from './$types.js';
import { wholeDays } from './dates.ts';

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const asked = filtersAt(url, frame);
  const { account } = frame;
  const days = account ? wholeDays(asked, account.since) : null;
  const reads = await call(fetch, 'GET /own-figures/reads');
  // The API decides who has own figures, of an account without a whole day too.
  if (reads.kind === 'refused' && reads.status === 403)
    return { filters: asked, isMoved: false, outcome: null, seen: [], isAgent: false };
  const seen = reads.kind === 'answered' ? reads.answer.reads : [];
  if (!account || !days) return { filters: asked, isMoved: false, outcome: null, seen, isAgent: true };
  const isSame = days.from === asked.from && days.to === asked.to;
  const filters = { ...asked, ...days, preset: isSame ? asked.preset : null };
  // That the running day is not over goes without saying.
  const isMoved = days.from !== asked.from || (days.to !== asked.to && asked.to !== asked.today);
  const outcome = await call(fetch, 'GET /own-figures', { query: { ...days, account: account.id } });
  return { filters, isMoved, outcome, seen, isAgent: true };
};
