// An action for each method of the REST API v2.0 that changes something within the store; a missing one does not compile.
import type { restMethods, RestMethodId } from '#contract/rest-v2.ts';
import type { Action } from './action.ts';
import { createAgent, deleteAgent, resetApiKey, updateAgent } from './agents.ts';
import { createCannedResponse, deleteCannedResponse, updateCannedResponse } from './canned-responses.ts';
import { markGoalAsSuccessful, updateChatTags } from './chats.ts';
import { createGoal, deleteGoal, updateGoal } from './goals.ts';
import { createGreeting, deleteGreeting, updateGreeting } from './greetings.ts';
import { createGroup, deleteGroup, updateGroup } from './groups.ts';
import { createTag, deleteTag } from './tags.ts';

/** The methods that write; a transcript is sent and changes nothing. */
type WritingId = Exclude<
  { [K in RestMethodId]: (typeof restMethods)[K]['verb'] extends 'GET' ? never : K }[RestMethodId],
  'send_transcript'
>;

export const actions: Record<WritingId, Action> = {
  create_agent: createAgent,
  update_agent: updateAgent,
  delete_agent: deleteAgent,
  reset_api_key: resetApiKey,
  update_chat_tags: updateChatTags,
  create_canned_response: createCannedResponse,
  update_canned_response: updateCannedResponse,
  delete_canned_response: deleteCannedResponse,
  create_goal: createGoal,
  update_goal: updateGoal,
  delete_goal: deleteGoal,
  mark_goal_as_successful: markGoalAsSuccessful,
  create_greeting: createGreeting,
  update_greeting: updateGreeting,
  delete_greeting: deleteGreeting,
  create_group: createGroup,
  update_group: updateGroup,
  delete_group: deleteGroup,
  create_tag: createTag,
  delete_tag: deleteTag,
};
