// The six actions on properties that both v3 APIs have: of a chat, of a thread, of an event; set and deleted.
import type { PropertyNames, PropertyValues } from '#contract/properties.ts';
import { refuse } from '../refusals.ts';
import { shownEvents } from '../threads/events.ts';
import { changeOf } from './change.ts';
import { isVisible, type Author } from './members.ts';
import { demandNames, demandValues, dropProperties, putProperties, withValues, without } from './properties.ts';
import { latestThread, liveOf, save, saveChat, threadNamed, type Chat, type ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

interface OfThread<T> {
  thread_id: string;
  properties: T;
}
type OfEvent<T> = OfThread<T> & { event_id: string };

export function updateChatProperties(turn: Turn, chat: Chat, author: Author, properties: PropertyValues): void {
  demandValues(properties, 'chat', author.type);
  chat.state.properties = withValues(chat.state.properties, properties, author.type);
  saveChat(turn, chat);
  tellChat(turn, chat, 'chat_properties_updated', properties);
}

export function deleteChatProperties(turn: Turn, chat: Chat, author: Author, properties: PropertyNames): void {
  demandNames(properties, 'chat', author.type);
  chat.state.properties = without(chat.state.properties, properties);
  saveChat(turn, chat);
  tellChat(turn, chat, 'chat_properties_deleted', properties);
}

function tellChat(
  turn: Turn,
  chat: Chat,
  action: 'chat_properties_updated' | 'chat_properties_deleted',
  properties: PropertyValues | PropertyNames,
): void {
  const last = latestThread(turn.account, chat);
  const payload = { chat_id: chat.id, properties };
  turn.changes.push(last ? changeOf(turn, last, action, payload) : { action, payload, chat_id: chat.id });
}

export function updateThreadProperties(
  turn: Turn,
  chat: Chat,
  author: Author,
  { thread_id, properties }: OfThread<PropertyValues>,
): void {
  const thread = threadNamed(turn.account, chat, thread_id);
  putProperties(turn, thread, author, properties);
  save(turn, thread);
  turn.changes.push(changeOf(turn, thread, 'thread_properties_updated', { chat_id: chat.id, thread_id, properties }));
}

export function deleteThreadProperties(
  turn: Turn,
  chat: Chat,
  author: Author,
  { thread_id, properties }: OfThread<PropertyNames>,
): void {
  const thread = threadNamed(turn.account, chat, thread_id);
  dropProperties(turn, thread, author, properties);
  save(turn, thread);
  turn.changes.push(changeOf(turn, thread, 'thread_properties_deleted', { chat_id: chat.id, thread_id, properties }));
}

export function updateEventProperties(turn: Turn, chat: Chat, author: Author, asked: OfEvent<PropertyValues>): void {
  const { thread_id, event_id, properties } = asked;
  demandValues(properties, 'event', author.type);
  const thread = threadWithEvent(turn, chat, author, asked);
  const own = liveOf(thread, turn.now).event_properties;
  own[event_id] = withValues(own[event_id] ?? {}, properties, author.type);
  save(turn, thread);
  const payload = { chat_id: chat.id, thread_id, event_id, properties };
  turn.changes.push(changeOf(turn, thread, 'event_properties_updated', payload));
}

export function deleteEventProperties(turn: Turn, chat: Chat, author: Author, asked: OfEvent<PropertyNames>): void {
  const { thread_id, event_id, properties } = asked;
  demandNames(properties, 'event', author.type);
  const thread = threadWithEvent(turn, chat, author, asked);
  const own = liveOf(thread, turn.now).event_properties;
  own[event_id] = without(own[event_id] ?? {}, properties);
  const sent = thread.record.events.find(({ v3 }) => v3?.id === event_id)?.v3;
  if (sent?.properties) sent.properties = without(sent.properties as PropertyValues, properties);
  save(turn, thread);
  const payload = { chat_id: chat.id, thread_id, event_id, properties };
  turn.changes.push(changeOf(turn, thread, 'event_properties_deleted', payload));
}

/** Throws not_found for an event that is not there or that the author does not see. */
function threadWithEvent(
  { account, now }: Turn,
  chat: Chat,
  { type }: Author,
  { thread_id, event_id }: OfEvent<unknown>,
): ChatThread {
  const thread = threadNamed(account, chat, thread_id);
  if (!shownEvents(thread.record, now).some((event) => event.id === event_id && isVisible(event, type)))
    throw refuse.v3('not_found', `the thread has no event ${event_id}`);
  return thread;
}
