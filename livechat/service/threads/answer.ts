// list_archives: a page of chats, each with one thread, and the ids of the pages before and after.
import { z } from 'zod';
import { highlights, threadFilters, threadsPerPage, type ListArchivesArgs } from '#contract/list-archives.ts';
import type { ThreadsPage } from '#contract/threads.ts';
import { chatOf, type ServiceAccount } from '../account.ts';
import type { ServiceCaller } from '../callers.ts';
import type { LightChat } from '../light.ts';
import { cutPage, pageIds, type ItemKey } from '../pages.ts';
import { seesAll, sightOf } from '../sight.ts';
import { findChats } from '../find-chats.ts';
import { questionOf } from './find.ts';
import { highlighted } from './highlight.ts';
import { shownThread } from './show.ts';

const first = z.object({
  filters: threadFilters,
  sort_order: z.enum(['asc', 'desc']),
  limit: z.int().min(threadsPerPage.least).max(threadsPerPage.most),
  highlights: highlights.optional(),
});
const ids = pageIds('archives', first);

/** `found_chats` is the true number; the documents call it estimated. */
export function threadsPage(
  account: ServiceAccount,
  args: ListArchivesArgs,
  caller: ServiceCaller,
): Promise<ThreadsPage> {
  const now = account.now();
  const { first: asked, ...page } = ids.read(args.page_id, firstPage(args), now);
  const seesGroups = sightOf(account, caller);
  const sees = seesAll(caller) ? undefined : ({ groups }: LightChat): boolean => seesGroups(groups);
  const is_seen = (id: string): boolean => sees === undefined || sees(chatOf(account, id)!);
  const { agent, author_id: follower = agent } = caller;
  const { query } = asked.filters;
  const tags = asked.highlights;
  return findChats(account, questionOf(account, asked.filters, sees, now), async (found) => {
    const { numbers, chatOf: then, bodyOf, readAhead } = found;
    if (asked.sort_order === 'desc') numbers.reverse();
    const keyOf = (number: number): ItemKey => [then(number).started, then(number).id];
    const { items, next, previous } = cutPage(numbers, keyOf, { order: asked.sort_order, limit: asked.limit, ...page });
    await readAhead(items);
    return {
      chats: items.map((number) => {
        const shown = shownThread(account, bodyOf(number), now, is_seen, follower);
        return query && tags ? highlighted(shown, query, tags) : shown;
      }),
      found_chats: numbers.length,
      ...(next && { next_page_id: ids.write(asked, next, false, now) }),
      ...(previous && { previous_page_id: ids.write(asked, previous, true, now) }),
    };
  });
}

function firstPage({
  filters = {},
  sort_order = 'desc',
  limit,
  highlights: marks,
}: ListArchivesArgs): z.infer<typeof first> {
  // Threads requested by id are not paged: all of them come at once.
  const most = filters.thread_ids?.length || (limit ?? threadsPerPage.usual);
  return { filters, sort_order, limit: most, ...(marks && { highlights: marks }) };
}
