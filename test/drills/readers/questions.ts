// What readers ask, from reasonable to absurd, drawn from a seed.
import { dashboards } from '#dashboards/dashboards.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';

export interface Request {
  path: string;
  /** A page, which is asked for as a browser does. */
  isPage: boolean;
  /** Lasts until the reader has enough. */
  isEndless?: boolean;
}

/** What there is in the account, and when. */
export interface Known {
  agents: readonly string[];
  groups: readonly number[];
  tags: readonly string[];
  chats: readonly string[];
  /** ISO instants of kept snapshots. */
  instants: readonly string[];
  today: string;
}

export type Random = () => number;

const zones = [
  'UTC',
  'Europe/Warsaw',
  'America/New_York',
  'Asia/Kathmandu',
  'europe/warsaw',
  'Pacific/Apia',
  'Mars/Base',
];
const languages = ['en-GB', 'de-DE', 'pl-PL', 'ar-EG', 'ja-JP'];
const grains = ['hour', 'day', 'week', 'month', 'total'];
const strange = ['__proto__', 'constructor', "'; drop table facts.chats; --", '%', '\u202e', '=1+1', ''];

/** Below ten, from a question itself: the seeds go on giving the questions that they gave before there were variables. */
const drawnFrom = (text: string): number =>
  [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7) % 10;

export function requestFrom(random: Random, known: Known): Request {
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const some = (chance: number): boolean => random() < chance;
  const daysBefore = (days: number): string =>
    new Date(Date.parse(known.today) - days * 86_400_000).toISOString().slice(0, 10);

  /** Mostly weeks, sometimes years, sometimes forty of them. */
  function range(): Record<string, string> {
    const how = random();
    if (how < 0.6) return { from: daysBefore(1 + Math.floor(random() * 30)), to: known.today };
    if (how < 0.8) return { from: daysBefore(365), to: known.today };
    if (how < 0.92) return { from: '2000-01-01', to: '2039-12-31' };
    if (how < 0.96) return { from: known.today, to: '2000-01-01' };
    return { from: 'yesterday', to: '' };
  }

  function filters(query: URLSearchParams): void {
    if (some(0.2)) query.append('agent', one(known.agents) ?? 'nobody');
    if (some(0.2)) query.append('group', String(one(known.groups) ?? 7));
    if (some(0.2)) query.append('tag', (some(0.7) ? one(known.tags) : one(strange)) ?? 'none');
    if (some(0.01)) for (let count = 0; count < 300; count++) query.append('tag', `tag ${count}`);
  }

  function question(): URLSearchParams {
    const query = new URLSearchParams(range());
    query.set('grain', one(grains) ?? 'day');
    if (some(0.7)) query.set('timezone', one(zones) ?? 'UTC');
    filters(query);
    return query;
  }

  function metric(): Request {
    const { id = '', splits = [] } = one(metrics) ?? {};
    const query = question();
    const split: string[] = splits.filter((name) => name !== 'variable' && some(0.3));
    const drawn = drawnFrom(`${id} ${query}`);
    if (drawn < 2) split.push(drawn === 0 ? 'variable:plan' : 'variable:product');
    if (drawn === 2 || drawn === 3) query.append('variable', drawn === 2 ? 'plan:free' : 'plan:__proto__');
    if (split.length > 0) query.set('split', split.join(','));
    if (some(0.3)) query.set('compare', one(['previous', 'year', 'never']) ?? '');
    if (some(0.2)) query.set('as_of', one(known.instants) ?? 'long ago');
    if (some(0.15)) {
      query.delete('compare');
      return { path: `/api/metrics/${id}.csv?${query}`, isPage: false };
    }
    return { path: `/api/metrics/${id}?${query}`, isPage: false };
  }

  function receipt(): Request {
    const query = question();
    query.set('grain', 'total');
    return { path: `/api/receipts/${one(metrics)?.id ?? ''}?${query}`, isPage: false };
  }

  function page(): Request {
    const { path = '' } = one(dashboards) ?? {};
    const other = one([
      'agents',
      'transcripts',
      'reconciliation',
      'operations',
      'catalogue',
      'digests',
      'tv',
      'nowhere',
    ]);
    const query = question();
    if (query.get('grain') === 'total') query.delete('grain');
    return { path: `/${some(0.8) ? path : other}?${query}`, isPage: true };
  }

  function document(): Request {
    const { id = '' } = one(dashboards) ?? {};
    const query = new URLSearchParams(range());
    query.set('language', one(languages) ?? 'en-GB');
    filters(query);
    return { path: `/api/dashboards/${id}.pdf?${query}`, isPage: false };
  }

  function panelFile(): Request {
    const { id = '', panels = [] } = one(dashboards) ?? {};
    return {
      path: `/api/panels/${id}/${one(panels)?.id ?? ''}.${some(0.5) ? 'csv' : 'xlsx'}?${question()}`,
      isPage: false,
    };
  }

  function search(): Request {
    const query = new URLSearchParams({ ...range(), query: one(['thanks', 'refund', 'a', ...strange]) ?? '' });
    filters(query);
    return { path: `/api/chats?${query}`, isPage: false };
  }

  const kinds: readonly (readonly [weight: number, make: () => Request])[] = [
    [34, metric],
    [20, page],
    [10, receipt],
    [10, search],
    [6, document],
    [6, panelFile],
    [5, () => ({ path: `/api/chats/${one(known.chats) ?? 'none'}`, isPage: false })],
    [3, () => ({ path: `/chat/${one(known.chats) ?? 'none'}`, isPage: true })],
    [2, () => ({ path: '/api/restatements', isPage: false })],
    [1, () => ({ path: `/api/reports/chats/total_chats?date_from=${daysBefore(20)}&group_by=hour`, isPage: false })],
    [1, () => ({ path: '/api/snapshots/current/file', isPage: false })],
    [2, () => ({ path: '/api/events', isPage: false, isEndless: true })],
  ];
  let left = random() * kinds.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of kinds) if ((left -= weight) < 0) return make();
  return page();
}
