// Up to when somebody has seen the events of a chat.
import { momentOf, secondOf } from '../names.ts';
import { changeOf } from './change.ts';
import { latestShared, saveChat, type Chat } from './threads.ts';
import type { Turn } from './turn.ts';

/** Whoever sends an event has seen what was there. */
export function see(turn: Turn, chat: Chat, id: string, until: number): void {
  chat.state.seen[id] = Math.max(until, chat.state.seen[id] ?? 0);
  saveChat(turn, chat);
}

export function markSeen(turn: Turn, chat: Chat, user_id: string, seen_up_to: string, now: number): void {
  const until = Math.min(secondOf(seen_up_to), now);
  see(turn, chat, user_id, until);
  const last = latestShared(turn.account, chat);
  const payload = { user_id, chat_id: chat.id, seen_up_to: momentOf(until) };
  turn.changes.push(
    last ? changeOf(turn, last, 'events_marked_as_seen', payload) : { action: 'events_marked_as_seen', payload },
  );
}
