// The chats before and after one in the order in which a "Why?" lists them.
import type { ResolvedPathname } from '$app/types';
import type { Metric } from '#api/contract/metrics.ts';
import { measuredOf } from '#dashboards/why/measured.ts';
import { pointedIn } from '#dashboards/why/pointed.ts';
import { chatAddress } from '#lib/drill/addresses.ts';
import { backOf } from '#lib/drill/back.ts';
import { textOf } from '#lib/drill/segment.ts';
import { readReceipt } from './chats.ts';

interface Neighbours {
  /** From one on. */
  place: number;
  total: number;
  earlier: ResolvedPathname | undefined;
  later: ResolvedPathname | undefined;
}

/** `query` is that of the chat's page. Null if it was not opened from such a list, or the list has changed since. */
export async function readNeighbours(
  fetch: typeof globalThis.fetch,
  id: string,
  query: URLSearchParams,
  { account, metrics }: { account: { id: string; timezone: string; since: string }; metrics: Metric[] },
): Promise<Neighbours | null> {
  const nth = query.get('nth') ?? '';
  const from = backOf(query);
  const [, segment] = /^\/why\/([^/]+)$/.exec(from?.path ?? '') ?? [];
  const metric = metrics.find((it) => it.id === textOf(segment ?? ''));
  if (!from || !metric || !/^\d{1,7}$/.test(nth)) return null;
  const place = Number(nth);
  const { since, timezone } = account;
  const pointed = pointedIn(metric.id, from.query, { from: since, to: since, timezone });
  const measure = pointed.cell.measure || Object.keys(metric.measures)[0] || '';
  const page = { limit: place > 0 ? 3 : 2, offset: Math.max(0, place - 1) };
  const found = await readReceipt(fetch, pointed, account.id, measuredOf(metric, measure).worst, page);
  if (found.kind !== 'answered') return null;
  const { rows, total } = found.answer.chats;
  const own = place > 0 ? 1 : 0;
  if (rows[own]?.chat_id !== id) return null;
  const addressOf = (at: number, nth: number): ResolvedPathname | undefined => {
    const chat = rows[at];
    if (!chat) return undefined;
    const kept = Object.fromEntries(query);
    const line = chat.lines[0];
    const address = chatAddress(chat.chat_id, { ...kept, offset: undefined, nth: String(nth) });
    return (address + (line ? `#line-${line.from}` : '')) as ResolvedPathname;
  };
  return {
    ...{ place: place + 1, total },
    earlier: place > 0 ? addressOf(0, place - 1) : undefined,
    later: addressOf(own + 1, place + 1),
  };
}
