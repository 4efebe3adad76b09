// Reads which number an address asks about, and finds the days of it.
import { comparisons } from '../panel-queries.ts';
import { grains } from '../grains.ts';
import { daysOf, read } from '../periods.ts';
import type { DateRange } from '../ranges.ts';
import { columnOf } from '../variables.ts';
import type { Pointed } from './asked-about.ts';

/** The number that a query refers to; the API rejects invalid parts. `usual` provides dates for queries without any. */
export function pointedIn(metric: string, query: URLSearchParams, usual: DateRange & { timezone: string }): Pointed {
  const grain = [...grains, 'total' as const].find((it) => it === query.get('grain')) ?? 'total';
  const period = query.get('period') || undefined;
  const of = (name: string) => [...new Set(query.getAll(name).filter(Boolean))];
  const splits = (query.get('split') ?? '').split(',').filter(Boolean);
  const [from, to] = [query.get('from') || usual.from, query.get('to') || usual.to];
  const target = /^\d{1,5}$/.test(query.get('target') ?? '') ? Number(query.get('target')) : undefined;
  return {
    cell: {
      metric,
      measure: query.get('measure') ?? '',
      ...(target === undefined ? {} : { isWithin: true }),
      grain: period === undefined ? 'total' : grain === 'hour' ? 'hour' : 'asked',
      ...(period === undefined ? {} : { period }),
      at: Object.fromEntries(splits.map((split) => [split, query.get(`at.${columnOf(split)}`) ?? ''])),
    },
    asking: {
      ...{ account: query.get('account'), from, to, timezone: query.get('timezone') || usual.timezone, grain },
      ...{ group: of('group'), agent: of('agent'), tag: of('tag'), variable: of('variable') },
      ...(target === undefined ? {} : { target }),
    },
    compare: comparisons.find((it) => it === query.get('compare')) ?? 'previous',
  };
}

/** What narrows a receipt and is not asked here: another snapshot, or filters that pages do not have. */
const unasked = ['as_of', 'country', 'goal', 'currency'];

/** The parameter that would change the number of a query here; undefined if it stays the same. */
export const unaskedIn = (query: URLSearchParams): string | undefined => unasked.find((name) => query.has(name));

/** The days of the number: those of its period that lie within the range. */
export function daysIn({ cell: { period }, asking }: Pointed): DateRange & { isWhole: boolean } {
  if (period === undefined || read(period).kind === 'other')
    return { from: asking.from, to: asking.to, isWhole: false };
  const days = daysOf(period, period);
  const from = days.from < asking.from ? asking.from : days.from;
  const to = days.to > asking.to ? asking.to : days.to;
  return { from, to, isWhole: from === days.from && to === days.to };
}
