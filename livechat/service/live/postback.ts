// Buttons of rich messages.
import type { ThreadEvent } from '#contract/threads.ts';
import { refuse } from '../refusals.ts';
import { shownEvents } from '../threads/events.ts';
import { changeOf } from './change.ts';
import { isVisible, type Author } from './members.ts';
import { isActive, threadNamed, type Chat } from './threads.ts';
import type { Turn } from './turn.ts';

interface Press {
  thread_id: string;
  event_id: string;
  postback: { id: string; toggled: boolean };
}

/** Tells who pressed which button of a rich message; of an inactive thread nobody is told. */
export function pressButton(
  turn: Turn,
  chat: Chat,
  { id: user_id, type }: Author,
  { thread_id, event_id, postback }: Press,
  now: number,
): void {
  const thread = threadNamed(turn.account, chat, thread_id);
  const event = shownEvents(thread.record, now).find((each) => each.id === event_id && isVisible(each, type));
  if (!event) throw refuse.v3('not_found', `the thread has no event ${event_id}`);
  if (event.type !== 'rich_message') throw refuse.v3('validation', 'event_id: must be a rich message');
  if (!buttonsOf(event).includes(postback.id))
    throw refuse.v3('validation', `postback.id: the rich message has no button ${postback.id}`);
  if (!isActive(thread, now)) return;
  const payload = { user_id, chat_id: chat.id, thread_id, event_id, postback };
  turn.changes.push(changeOf(turn, thread, 'incoming_rich_message_postback', payload));
}

const buttonsOf = ({ elements = [] }: ThreadEvent): string[] =>
  (elements as { buttons?: { postback_id: string }[] }[]).flatMap(({ buttons = [] }) =>
    buttons.map(({ postback_id }) => postback_id),
  );
