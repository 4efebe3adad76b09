// Which accounts of a question have no data in part of its range: a number of several accounts says whom it does not hold.
import { localDate } from '../periods.ts';
import type { Ask } from './ask.ts';
import type { Coverage } from './coverage.ts';
import type { Pool } from './sources.ts';
import { asked } from './time-buckets.ts';

/** Local days of the account's own zone, both included. */
export interface NoData {
  account: string;
  from: string;
  to: string;
}

/** Stretches of the range, up to the present, that no pulled day covers. Unix seconds. */
function gapsIn(coverage: Coverage, from: number, until: number): { from: number; until: number }[] {
  const gaps: { from: number; until: number }[] = [];
  let reached = from;
  for (const day of coverage) {
    if (day.until <= reached) continue;
    if (day.from >= until) break;
    if (day.from > reached) gaps.push({ from: reached, until: day.from });
    reached = day.until;
  }
  if (reached < until) gaps.push({ from: reached, until });
  return gaps;
}

export function noDataIn(ask: Ask, pool: Pool): NoData[] {
  const { from, until } = asked(ask);
  return [...pool].flatMap(([account, { sources, context }]) => {
    const dateAt = (second: number): string => localDate(context.account.timezone, second);
    return gapsIn(sources.archive ?? [], from, Math.min(until, context.now)).map((gap) => ({
      ...{ account, from: dateAt(gap.from), to: dateAt(gap.until - 1) },
    }));
  });
}

/** In a sentence for each stretch, with how many of the accounts lack it and which. */
export function noDataWords(
  missing: readonly NoData[],
  { from, to }: Pick<Ask, 'from' | 'to'>,
  accounts: number,
): string[] {
  const when = (gap: NoData): string => {
    if (gap.from <= from && gap.to >= to) return 'of these days';
    if (gap.from <= from) return `up to ${gap.to}`;
    return gap.to >= to
      ? `from ${gap.from} on`
      : gap.from === gap.to
        ? `of ${gap.from}`
        : `from ${gap.from} to ${gap.to}`;
  };
  return [...Map.groupBy(missing, when)].map(([words, gaps]) => {
    const ids = [...new Set(gaps.map(({ account }) => account))];
    return `${ids.length} of ${accounts} accounts ${ids.length === 1 ? 'has' : 'have'} no data ${words}: ${ids.join(', ')}`;
  });
}
