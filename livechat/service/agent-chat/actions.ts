// The 36 actions of the Agent Chat Web API v3.5 by name.
import type { AgentActionName } from '#contract/agent-chat.ts';
import { threadsPage } from '../threads/answer.ts';
import type { AgentAction } from './action.ts';
import {
  deactivateChat,
  followChat,
  getChat,
  listChats,
  listThreads,
  resumeChat,
  startChat,
  unfollowChat,
} from './chats.ts';
import {
  banCustomer,
  createCustomer,
  followCustomer,
  getCustomer,
  listCustomers,
  unfollowCustomer,
  updateCustomer,
} from './customers.ts';
import {
  markEventsAsSeen,
  multicast,
  sendEvent,
  sendPostback,
  sendTypingIndicator,
  tagThread,
  untagThread,
  uploadFile,
} from './events.ts';
import {
  deleteChatProperties,
  deleteEventProperties,
  deleteThreadProperties,
  updateChatProperties,
  updateEventProperties,
  updateThreadProperties,
} from './properties.ts';
import { listRoutingStatuses, setRoutingStatus } from './status.ts';
import { addUserToChat, listAgentsForTransfer, removeUserFromChat, transferChat } from './users.ts';

export const agentHandlers: { readonly [Name in AgentActionName]: AgentAction<Name> } = {
  list_chats: listChats,
  list_threads: listThreads,
  get_chat: getChat,
  list_archives: ({ account, args, caller }) => threadsPage(account, args, caller),
  start_chat: startChat,
  resume_chat: resumeChat,
  deactivate_chat: deactivateChat,
  follow_chat: followChat,
  unfollow_chat: unfollowChat,
  transfer_chat: transferChat,
  add_user_to_chat: addUserToChat,
  remove_user_from_chat: removeUserFromChat,
  list_agents_for_transfer: listAgentsForTransfer,
  send_event: sendEvent,
  upload_file: uploadFile,
  send_rich_message_postback: sendPostback,
  update_chat_properties: updateChatProperties,
  delete_chat_properties: deleteChatProperties,
  update_thread_properties: updateThreadProperties,
  delete_thread_properties: deleteThreadProperties,
  update_event_properties: updateEventProperties,
  delete_event_properties: deleteEventProperties,
  tag_thread: tagThread,
  untag_thread: untagThread,
  mark_events_as_seen: markEventsAsSeen,
  send_typing_indicator: sendTypingIndicator,
  multicast,
  get_customer: getCustomer,
  list_customers: listCustomers,
  create_customer: createCustomer,
  update_customer: updateCustomer,
  ban_customer: banCustomer,
  follow_customer: followCustomer,
  unfollow_customer: unfollowCustomer,
  set_routing_status: setRoutingStatus,
  list_routing_statuses: listRoutingStatuses,
};
