// The 33 actions of the Customer Chat Web API v3.3 by name.
import type { CustomerActionName } from '#contract/customer-chat.ts';
import type { CustomerAction } from './action.ts';
import * as chats from './chats.ts';
import { getUrlInfo } from './url-info.ts';
import { requestEmailVerification } from './verification.ts';
import * as widget from './widget.ts';

export const customerHandlers: { readonly [Name in CustomerActionName]: CustomerAction<Name> } = {
  list_chats: chats.listChats,
  list_threads: chats.listThreads,
  get_chat: chats.getChat,
  start_chat: chats.startChat,
  resume_chat: chats.resumeChat,
  deactivate_chat: chats.deactivateChat,
  send_event: chats.sendEvent,
  upload_file: chats.uploadFile,
  send_rich_message_postback: chats.sendPostback,
  send_sneak_peek: chats.sendSneakPeek,
  update_chat_properties: chats.updateChatProperties,
  delete_chat_properties: chats.deleteChatProperties,
  update_thread_properties: chats.updateThreadProperties,
  delete_thread_properties: chats.deleteThreadProperties,
  update_event_properties: chats.updateEventProperties,
  delete_event_properties: chats.deleteEventProperties,
  mark_events_as_seen: chats.markEventsAsSeen,
  get_dynamic_configuration: widget.getDynamicConfiguration,
  get_configuration: widget.getConfiguration,
  get_localization: widget.getLocalization,
  list_license_properties: widget.listLicenseProperties,
  list_group_properties: widget.listGroupProperties,
  update_customer: widget.updateCustomer,
  set_customer_session_fields: widget.setSessionFields,
  get_customer: widget.getCustomer,
  list_group_statuses: widget.listGroupStatuses,
  check_goals: widget.checkGoals,
  get_form: widget.getForm,
  get_predicted_agent: widget.getPredictedAgent,
  get_url_info: getUrlInfo,
  accept_greeting: widget.acceptGreeting,
  cancel_greeting: widget.cancelGreeting,
  request_email_verification: requestEmailVerification,
};
