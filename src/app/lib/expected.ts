// Requests the comparison of agents with their expectation, under the filters of a page.
import { narrowings } from '#dashboards/panel-queries.ts';
import type { FairAgents } from '#api/contract/fair.ts';
import { call, type ApiResult } from './api.ts';
import type { Filters } from './filters.ts';

/** How long the first page waits, in milliseconds; later answers follow after the page. */
const patience = 1500;

/** `agent`: the only agent in the answer; the model still covers everybody. */
export function askExpected(
  fetch: typeof globalThis.fetch,
  account: string,
  filters: Filters,
): Promise<ApiResult<FairAgents>> {
  const { from, to, timezone } = filters;
  const query = new URLSearchParams({ account, from, to, timezone });
  for (const kind of narrowings) for (const value of filters[kind]) query.append(kind, value);
  return call(fetch, 'GET /agents/expected', { query });
}

/** The answer if it arrives soon; null: it must be requested again. */
export const soon = (asked: Promise<ApiResult<FairAgents>>): Promise<ApiResult<FairAgents> | null> =>
  Promise.race([asked, new Promise<null>((resolve) => setTimeout(resolve, patience, null))]);
