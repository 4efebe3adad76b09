// Loads the explanation of the number in the address; a refusal is shown with its choices instead of thrown.
import { grains } from '#dashboards/grains.ts';
import { pointedIn, unaskedIn } from '#dashboards/why/pointed.ts';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { readWhy, type WhyRefusal } from '#lib/why/read.ts';
import { whyWords } from '#lib/why/words.ts';
import type { PageLoad } from './$types.js';

/** Which number it is: the server says what of these it does not know. */
const isOfNumber = (name: string): boolean =>
  ['measure', 'period', 'split', 'target'].includes(name) || name.startsWith('at.');

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account, ...frame } = await parent();
  const none: string[] = [];
  if (!account) return { why: null, problems: none };
  const query = new URLSearchParams(url.searchParams);
  const unasked = unaskedIn(query);
  if (unasked !== undefined) {
    const refusal: WhyRefusal = { refused: whyWords.unasked(unasked), choices: [] };
    return { why: refusal, problems: none };
  }
  const isGrain = [...grains, 'total'].some((it) => it === query.get('grain'));
  const around = addressPart(url, (name) => !isOfNumber(name) && !(name === 'grain' && isGrain));
  const { from, to, timezone, preset, problems } = filtersAt(around, { account, ...frame });
  // Dates that are none give way to those that the sentences about them name.
  for (const name of preset === null ? [] : ['from', 'to']) query.delete(name);
  query.set('timezone', timezone);
  const pointed = pointedIn(params.metric, query, { from, to, timezone });
  return { why: await readWhy(fetch, pointed, { account, ...frame }), problems };
};
