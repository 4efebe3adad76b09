// Marks the searched words in the lines of a thread and in the customer's name.
import type { Highlights } from '#contract/list-archives.ts';
import type { ThreadedChat } from '#contract/threads.ts';

/** The chat with `thread.highlights`, one per text that contains the words. */
export function highlighted(chat: ThreadedChat, words: string, tags: Highlights): ThreadedChat {
  const { pre_tag = '<em>', post_tag = '</em>' } = tags;
  const marked = (text: string | undefined): string | undefined => {
    const found = text?.replaceAll(pattern(words), (match) => `${pre_tag}${match}${post_tag}`);
    return found === text ? undefined : found;
  };
  const names = chat.users.flatMap(({ type, name }) => (type === 'customer' ? (marked(name) ?? []) : []));
  const lines = (chat.thread.events ?? []).flatMap(({ id, type, text }) => {
    const highlight = type === 'message' ? marked(text) : undefined;
    return highlight === undefined ? [] : [{ field: 'event', event_id: id, highlight }];
  });
  const highlights = [...names.map((highlight) => ({ field: 'customer_name', highlight })), ...lines];
  return { ...chat, thread: { ...chat.thread, highlights } };
}

const pattern = (words: string): RegExp => new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
