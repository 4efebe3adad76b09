// Asks for the numbers of every account and of all together: two questions for each metric.
import { accountQuestions } from '#dashboards/accounts.ts';
import type { AccountEnd } from '#api/contract/pulls.ts';
import { addressOf, call, read } from '#lib/api.ts';
import { ask, type MetricOutcome } from '#lib/metric-question.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { inTime, pageWait } from '#lib/page-wait.ts';
import type { PageLoad } from './$types.js';

export interface _AskedAccounts {
  outcomes: { metric: string; outcome: MetricOutcome }[];
  /** Null to readers who do not look after pulls. */
  ended: AccountEnd[] | null;
}

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { accounts } = await read(fetch, 'GET /accounts', { query: { tags: '0' } });
  const zones = [...new Set(accounts.map(({ timezone }) => timezone))];
  const zone = zones.length === 1 ? (zones[0] ?? 'UTC') : 'UTC';
  const since = accounts.map((account) => account.since).sort()[0] ?? '';
  const shown = frame.account && { ...frame.account, timezone: zone, since };
  const filters = filtersAt(url, { ...frame, account: shown }, { stays: ['sort', 'order', 'among'] });
  const every: string[] = frame.accounts;
  const among = [...new Set(url.searchParams.getAll('among'))].filter((id) => every.includes(id));
  const chosen = among.length > 1 ? among : every;
  const named = among.length > 1 ? chosen : ['*'];
  const { from, to, timezone, compare } = filters;
  const query = new URLSearchParams({ from, to, timezone });
  for (const id of named) query.append('account', id);
  if (compare !== 'none') query.set('compare', compare);
  const asked = accountQuestions().map(({ metric, split }) => {
    const own = new URLSearchParams([
      ...query,
      ['grain', 'total'],
      ...(split.length ? [['split', split.join(',')]] : []),
    ]);
    return { metric, address: addressOf('GET /metrics/{id}', { params: { id: metric }, query: own }) };
  });
  const all = (async (): Promise<_AskedAccounts> => {
    const [outcomes, pulls] = await Promise.all([
      Promise.all(asked.map(async ({ metric, address }) => ({ metric, outcome: await ask(fetch, address) }))),
      frame.me.rights.includes('pulls:write')
        ? call(fetch, 'GET /pulls', { query: { account: frame.account?.id ?? '', limit: '1' } })
        : null,
    ]);
    return { outcomes, ended: pulls?.kind === 'answered' ? pulls.answer.accounts : null };
  })();
  const wait = pageWait(frame.page_wait_ms, url);
  const known = asked.every(({ address }) => wait.isAnswered(address)) ? await inTime(all, wait) : { late: all };
  return {
    filters,
    shown,
    zones,
    chosen,
    named,
    file: query.toString(),
    found: 'late' in known ? known.late : known.value,
  };
};
