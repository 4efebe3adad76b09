// A page of the threads of a chat.
import { z } from 'zod';
import type { ServiceAccount } from '../account.ts';
import { cutPage, pageIds, type ItemKey } from '../pages.ts';
import { refuse } from '../refusals.ts';
import { shownEvents } from '../threads/events.ts';
import { threadKeys, threadNamed, type Chat, type ThreadKey } from './threads.ts';

const first = z.object({
  chat_id: z.string(),
  /** Unix seconds. */
  from: z.number().optional(),
  to: z.number().optional(),
  order: z.enum(['asc', 'desc']),
  limit: z.int().min(1).max(100),
  min_events_count: z.int().min(1).max(100).optional(),
});
const ids = pageIds('threads', first);

interface ThreadsPage {
  keys: ThreadKey[];
  found_threads: number;
  next_page_id?: string;
  previous_page_id?: string;
}

/** A page of the chat's threads; with `min_events_count` as many as have so many events together, on the pages that follow too. */
export function pageOfThreads(
  account: ServiceAccount,
  chat: Chat,
  { page_id, min_events_count }: { page_id?: string | undefined; min_events_count?: number | undefined },
  asked: Omit<z.infer<typeof first>, 'chat_id' | 'min_events_count'>,
  now: number,
): ThreadsPage {
  const { first: filters, ...page } = ids.read(page_id, { chat_id: chat.id, ...asked, min_events_count }, now);
  if (filters.chat_id !== chat.id) throw refuse.v3('validation', '`page_id` is of another chat');
  const { from = -Infinity, to = Infinity, order, min_events_count: least } = filters;
  const found = threadKeys(account, chat).filter(({ created }) => created >= from && created <= to);
  if (order === 'desc') found.reverse();
  const limit =
    least === undefined ? filters.limit : (keys: readonly ThreadKey[]) => enough(account, chat, keys, least, now);
  const keyOf = ({ created, id }: ThreadKey): ItemKey => [created, id];
  const { items, next, previous } = cutPage(found, keyOf, { order, limit, ...page });
  return {
    keys: items,
    found_threads: found.length,
    ...(next && { next_page_id: ids.write(filters, next, false, now) }),
    ...(previous && { previous_page_id: ids.write(filters, previous, true, now) }),
  };
}

/** How many of the threads have so many events together. */
function enough(account: ServiceAccount, chat: Chat, keys: readonly ThreadKey[], count: number, now: number): number {
  let events = 0;
  for (const [place, { id }] of keys.entries()) {
    events += shownEvents(threadNamed(account, chat, id).record, now).length;
    if (events >= count) return place + 1;
  }
  return Math.max(1, keys.length);
}
