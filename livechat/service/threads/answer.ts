// list_archives: a page of chats, each with one thread, and the ids of the pages before and after.
import { threadsPerPage, type ListArchivesArgs } from '#contract/list-archives.ts';
import type { ThreadsPage } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import type { ServiceCaller } from '../callers.ts';
import type { LightChat } from '../light.ts';
import { members } from '../presence.ts';
import { everyScope } from '../tokens.ts';
import { findThreads } from './find.ts';
import { highlighted } from './highlight.ts';
import { pageIdOf, pageOf, type PageCursor } from './page-id.ts';
import { shownThread } from './show.ts';

/** What determines a page besides its starting point. */
type PageScope = Omit<PageCursor, 'beside' | 'is_before' | 'issued'>;

/** `found_chats` is the true number; the documents call it estimated. */
export function threadsPage(account: ServiceAccount, args: ListArchivesArgs, caller: ServiceCaller): ThreadsPage {
  const now = account.now();
  const {
    beside,
    is_before,
    issued: _,
    ...asked
  } = args.page_id === undefined ? firstPage(args) : pageOf(args.page_id, now);
  const sees = sightOf(account, caller);
  const found = findThreads(account, asked.filters, sees, now);
  if (asked.sort_order === 'desc') found.reverse();
  const cut = beside ? placeOf(found, beside, asked.sort_order, is_before) : 0;
  const from = is_before ? Math.max(0, cut - asked.limit) : cut;
  const to = is_before ? cut : Math.min(found.length, cut + asked.limit);
  // Issued for the day, so that the same request gets the same page ids all day.
  const today = now - (now % 86_400);
  const idAt = (place: number, before: boolean): string => {
    const { started, id } = found[place]!;
    return pageIdOf({ ...asked, beside: [started, id], is_before: before, issued: today });
  };
  const is_seen = (id: string): boolean => sees(account.by_id.get(id)!);
  const { query } = asked.filters;
  const tags = asked.highlights;
  return {
    chats: found.slice(from, to).map((chat) => {
      const shown = shownThread(account, account.store.body(chat.number), now, is_seen);
      return query && tags ? highlighted(shown, query, tags) : shown;
    }),
    found_chats: found.length,
    ...(to < found.length && to > 0 && { next_page_id: idAt(to - 1, false) }),
    ...(from > 0 && { previous_page_id: idAt(Math.min(from, found.length - 1), true) }),
  };
}

function firstPage(args: ListArchivesArgs): PageScope & { beside?: undefined; is_before: false; issued: 0 } {
  const { filters = {}, sort_order = 'desc', highlights } = args;
  // Threads requested by id are not paged: all of them come at once.
  const limit = filters.thread_ids?.length || (args.limit ?? threadsPerPage.usual);
  return { filters, sort_order, limit, ...(highlights && { highlights }), is_before: false, issued: 0 };
}

/**
 * Where to cut the list: after the named thread, or before it for a preceding page. The thread may have been removed and others added
 * since; its start and id still mark its position.
 */
function placeOf(
  found: readonly LightChat[],
  [started, id]: PageCursor['beside'],
  order: PageCursor['sort_order'],
  is_before: boolean,
): number {
  const older = (chat: LightChat): boolean => chat.started < started || (chat.started === started && chat.id < id);
  const is_past = (chat: LightChat): boolean => (order === 'asc' ? !older(chat) && chat.id !== id : older(chat));
  const is_there = (chat: LightChat): boolean => is_past(chat) || (is_before && chat.id === id);
  const place = found.findIndex(is_there);
  return place < 0 ? found.length : place;
}

/** With access to some chats only, an agent sees those of their own groups; group 0 belongs to everybody. */
function sightOf(account: ServiceAccount, { agent, scopes }: ServiceCaller): (chat: LightChat) => boolean {
  if (scopes.includes(everyScope) || scopes.some((scope) => scope.startsWith('chats--all:'))) return () => true;
  const own = account.staff.groups
    .map(({ id }) => id)
    .filter((id) => members(account, id).some(({ login }) => login === agent));
  return ({ groups }) => groups.some((group) => own.includes(group));
}
