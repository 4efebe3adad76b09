// Answers of the archive: a page of 25 chats, or one chat.
import { lastPage, pageSize, type ArchiveArgs, type ArchivedChat, type ArchivePage } from '#contract/archive.ts';
import type { ServiceAccount } from '../account.ts';
import type { LightChat } from '../light.ts';
import { findChats } from './find.ts';
import { shownChat } from './show.ts';

/** `total` is the true number; no more than 1000 pages can be reached. */
export function archivePage(account: ServiceAccount, args: ArchiveArgs): ArchivePage {
  const now = account.now();
  const found = findChats(account, args, now);
  const from = ((args.page ?? 1) - 1) * pageSize;
  return {
    chats: found.slice(from, from + pageSize).map((chat) => shown(account, chat, now)),
    total: found.length,
    pages: Math.min(Math.ceil(found.length / pageSize), lastPage),
  };
}

/** A chat that has ended, or one that has started if pending chats are included; otherwise undefined. */
export function archivedChat(account: ServiceAccount, id: string, is_pending_asked: boolean): ArchivedChat | undefined {
  const now = account.now();
  const chat = account.by_id.get(id);
  if (!chat || (is_pending_asked ? chat.started : chat.ended) > now) return undefined;
  return shown(account, chat, now);
}

function shown(account: ServiceAccount, chat: LightChat, now: number): ArchivedChat {
  return shownChat(account.store.body(chat.number), account.zone, now);
}
