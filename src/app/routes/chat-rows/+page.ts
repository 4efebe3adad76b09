// Loads the first rows of the chats that the address selects, and descriptions of their columns.
import { narrowings } from '#dashboards/panel-queries.ts';
import { call, type ApiResult } from '#lib/api.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { ChatRows } from '#api/contract/chat-rows.ts';
import type { PageLoad } from './$types.js';

const FIRST = '50';
/** Parameters of the address other than filters, as named by the API. */
const own = ['query', 'rate', 'survey', 'country', 'columns'];

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const filters = filtersAt(url, frame, { stays: own });
  const one = (name: string) => url.searchParams.get(name)?.trim() ?? '';
  const asked = { filters, words: one('query'), rate: one('rate'), survey: one('survey') };
  const { from, to, timezone } = filters;
  const query = new URLSearchParams({ account: frame.account?.id ?? '', from, to, timezone });
  for (const kind of narrowings) for (const value of filters[kind]) query.append(kind, value);
  for (const [name, value] of filters.own ?? []) if (value.trim()) query.append(name, value.trim());
  const none: ApiResult<ChatRows> | null = null;
  if (!frame.account) return { ...asked, query, outcome: none };
  const outcome = await call(fetch, 'GET /chat-rows', { query: new URLSearchParams([...query, ['limit', FIRST]]) });
  return { ...asked, query, outcome };
};
