// Answers of the archive: a page of 25 chats, or one chat.
import { lastPage, pageSize, type ArchiveArgs, type ArchivedChat, type ArchivePage } from '#contract/archive.ts';
import { chatOf, type ServiceAccount } from '../account.ts';
import { findChats } from '../find-chats.ts';
import { questionOf } from './find.ts';
import { shownChat } from './show.ts';

/** The newest first, ties by id descending; `total` is the true number; no more than 1000 pages can be reached. */
export function archivePage(account: ServiceAccount, args: ArchiveArgs): Promise<ArchivePage> {
  const now = account.now();
  const before = ((args.page ?? 1) - 1) * pageSize;
  return findChats(account, questionOf(account, args, now), async ({ numbers, bodyOf, readAhead }) => {
    const end = Math.max(0, numbers.length - before);
    const page = [...numbers.subarray(Math.max(0, end - pageSize), end)].reverse();
    await readAhead(page);
    return {
      chats: page.map((number) => shownChat(bodyOf(number), account.zone, now)),
      total: numbers.length,
      pages: Math.min(Math.ceil(numbers.length / pageSize), lastPage),
    };
  });
}

/** A chat that has ended, or one that has started if pending chats are included; otherwise undefined. */
export function archivedChat(account: ServiceAccount, id: string, is_pending_asked: boolean): ArchivedChat | undefined {
  const now = account.now();
  const chat = chatOf(account, id);
  if (!chat || (is_pending_asked ? chat.started : chat.ended) > now) return undefined;
  return shownChat(account.store.body(chat.number), account.zone, now);
}
