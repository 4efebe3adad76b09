// Asks how far the recomputed numbers agree with the vendor's report in the dates, metric and reason of the address.
import { call } from '#lib/api.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { PageLoad } from './$types.js';

const PAGE = 50;

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { account } = frame;
  const filters = filtersAt(url, frame, { passing: ['metric', 'reason', 'offset'] });
  const metric = url.searchParams.get('metric') ?? '';
  const reason = url.searchParams.get('reason') ?? '';
  const offset = Math.max(0, Number(url.searchParams.get('offset')) || 0);
  const asked = { filters, metric, reason, offset, step: PAGE };
  const query = new URLSearchParams({ from: filters.from, to: filters.to });
  if (account) query.set('account', account.id);
  if (metric) query.set('metric', metric);
  const listed = new URLSearchParams([...query, ['limit', String(PAGE)], ['offset', String(offset)]]);
  if (reason) listed.set('reason', reason);
  // The sentence, the trend and the metrics are about all cells; a reason narrows the list only.
  const [rows, all] = await Promise.all([
    call(fetch, 'GET /reconciliation', { query: listed }),
    reason ? call(fetch, 'GET /reconciliation', { query: new URLSearchParams([...query, ['limit', '1']]) }) : undefined,
  ]);
  const whole = all ?? rows;
  if (rows.kind === 'answered' && whole.kind === 'answered')
    return { ...asked, found: whole.answer, listed: rows.answer, problem: null };
  const problem = [rows, whole].find((it) => it.kind !== 'answered')?.message ?? null;
  return { ...asked, found: null, listed: null, problem };
};
