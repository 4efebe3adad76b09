// Searches chats by the parameters of the address: words, participants, rating and time.
import { narrowings } from '#dashboards/panel-queries.ts';
import { readChats } from '#lib/drill/chats.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { PageLoad } from './$types.js';

const PAGE = 50;

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const filters = filtersAt(url, frame, { stays: ['query', 'rate', 'survey'], passing: ['offset'] });
  const words = (url.searchParams.get('query') ?? '').trim();
  const rate = url.searchParams.get('rate') ?? '';
  const survey = url.searchParams.get('survey') ?? '';
  const offset = Math.max(0, Math.floor(Number(url.searchParams.get('offset'))) || 0);
  const asked = { filters, words, rate, survey, offset, step: PAGE };
  if (!frame.account) return { ...asked, found: null, problem: null };
  const { from, to, timezone } = filters;
  const query = new URLSearchParams({ from, to, timezone });
  for (const kind of narrowings) for (const value of filters[kind]) query.append(kind, value);
  if (words) query.set('query', words);
  if (rate) query.set('rate', rate);
  if (survey) query.set('survey', survey);
  return { ...asked, ...(await readChats(fetch, frame.account.id, query, PAGE, offset)) };
};
