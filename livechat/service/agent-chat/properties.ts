// Properties of chats, threads and events in the Agent Chat Web API v3.5.
import { demandAccess } from '../live/members.ts';
import {
  deleteChatProperties as dropOfChat,
  deleteEventProperties as dropOfEvent,
  deleteThreadProperties as dropOfThread,
  updateChatProperties as putOfChat,
  updateEventProperties as putOfEvent,
  updateThreadProperties as putOfThread,
} from '../live/properties-of.ts';
import { chatNamed, type Chat } from '../live/threads.ts';
import type { ServiceAccount } from '../account.ts';
import type { ServiceCaller } from '../callers.ts';
import { writing } from './action.ts';

/** The chat that the caller may change. */
function chatOf(account: ServiceAccount, caller: ServiceCaller, id: string): Chat {
  const chat = chatNamed(account, id);
  demandAccess(account, caller, chat);
  return chat;
}

export const updateChatProperties = writing<'update_chat_properties'>((turn, { account, caller, author, args }) => {
  putOfChat(turn, chatOf(account, caller, args.id), author, args.properties);
  return {};
});

export const deleteChatProperties = writing<'delete_chat_properties'>((turn, { account, caller, author, args }) => {
  dropOfChat(turn, chatOf(account, caller, args.id), author, args.properties);
  return {};
});

export const updateThreadProperties = writing<'update_thread_properties'>((turn, { account, caller, author, args }) => {
  putOfThread(turn, chatOf(account, caller, args.chat_id), author, args);
  return {};
});

export const deleteThreadProperties = writing<'delete_thread_properties'>((turn, { account, caller, author, args }) => {
  dropOfThread(turn, chatOf(account, caller, args.chat_id), author, args);
  return {};
});

export const updateEventProperties = writing<'update_event_properties'>((turn, { account, caller, author, args }) => {
  putOfEvent(turn, chatOf(account, caller, args.chat_id), author, args);
  return {};
});

export const deleteEventProperties = writing<'delete_event_properties'>((turn, { account, caller, author, args }) => {
  dropOfEvent(turn, chatOf(account, caller, args.chat_id), author, args);
  return {};
});
