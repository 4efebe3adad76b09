// Answers of the archive: a page of 25 chats, or one chat.
import { lastPage, pageSize, type ArchiveArgs, type ArchivedChat, type ArchivePage } from '#contract/archive.ts';
import { chatOf, type ServiceAccount } from '../account.ts';
import { findChats } from './find.ts';
import { shownChat } from './show.ts';

/** `total` is the true number; no more than 1000 pages can be reached. */
export function archivePage(account: ServiceAccount, args: ArchiveArgs): ArchivePage {
  const now = account.now();
  const found = findChats(account, args, now);
  const from = ((args.page ?? 1) - 1) * pageSize;
  return {
    chats: found.slice(from, from + pageSize).map((place) => shown(account, account.chats.numberAt(place), now)),
    total: found.length,
    pages: Math.min(Math.ceil(found.length / pageSize), lastPage),
  };
}

/** A chat that has ended, or one that has started if pending chats are included; otherwise undefined. */
export function archivedChat(account: ServiceAccount, id: string, is_pending_asked: boolean): ArchivedChat | undefined {
  const now = account.now();
  const chat = chatOf(account, id);
  if (!chat || (is_pending_asked ? chat.started : chat.ended) > now) return undefined;
  return shown(account, chat.number, now);
}

function shown(account: ServiceAccount, number: number, now: number): ArchivedChat {
  return shownChat(account.store.body(number), account.zone, now);
}
