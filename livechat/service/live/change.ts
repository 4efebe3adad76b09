// A change of a thread as webhooks want it: with the chat's properties and who is present.
import type { WebhookAction } from '#contract/webhooks.ts';
import { chatProperties } from '../threads/show.ts';
import type { Change } from '../webhooks/change.ts';
import type { ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

export function changeOf(
  { account }: Turn,
  { chat_id, record }: ChatThread,
  action: WebhookAction,
  payload: Record<string, unknown>,
): Change {
  if (!account.store.webhooks.isAsked(action)) return { action, payload, chat_id };
  const { is_continuous = false, properties = {} } = account.store.live.chatState(chat_id) ?? {};
  const present = (record.live?.members ?? []).filter((member) => member.present);
  return {
    ...{ action, payload, chat_id },
    chat: {
      properties: chatProperties(record, { is_continuous, properties }),
      present_user_ids: present.map(({ id }) => id),
    },
  };
}
