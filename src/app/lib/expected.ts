// Asks how agents compare with what was expected of them, under the filters of a page.
import { narrowings } from '#dashboards/panel-queries.ts';
import type { FairAgents } from '#api/contract/fair.ts';
import { call, type ApiResult } from './api.ts';
import type { Filters } from './filters.ts';

/** So long does the first page wait; what takes longer comes after it. Milliseconds. */
const patience = 1500;

/** `agent`: of whom alone it is told; everybody is weighed. */
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

/** The answer where it comes soon; null: it has to be asked again. */
export const soon = (asked: Promise<ApiResult<FairAgents>>): Promise<ApiResult<FairAgents> | null> =>
  Promise.race([asked, new Promise<null>((resolve) => setTimeout(resolve, patience, null))]);
