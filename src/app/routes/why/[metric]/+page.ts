// Loads the explanation of the number in the address; a refusal is shown with its choices instead of thrown.
import { pointedIn, unaskedIn } from '#dashboards/why/pointed.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { readWhy, type WhyRefusal } from '#lib/why/read.ts';
import { whyWords } from '#lib/why/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account, ...frame } = await parent();
  if (!account) return { why: null };
  const unasked = unaskedIn(url.searchParams);
  if (unasked !== undefined) {
    const refusal: WhyRefusal = { refused: whyWords.unasked(unasked), choices: [] };
    return { why: refusal };
  }
  const { from, to, timezone } = filtersAt(url, { account, ...frame });
  const pointed = pointedIn(params.metric, url.searchParams, { from, to, timezone });
  return { why: await readWhy(fetch, pointed, { account, ...frame }) };
};
