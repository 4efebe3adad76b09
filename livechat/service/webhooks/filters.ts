// Decides whether a webhook wants a change: its type, the filters of its registration, and whose the bots in the chat are.
import type { WebhookFilters } from '#contract/webhook-registration.ts';
import type { WebhookRow } from '../webhook-tables.ts';
import type { Change } from './change.ts';

/** `my_bots` are the ids of the bots that the owner of the webhook has. */
export function wants(webhook: WebhookRow, change: Change, my_bots: () => ReadonlySet<string>): boolean {
  const filters = (webhook.filters ?? {}) as WebhookFilters;
  const present = change.chat?.present_user_ids ?? [];
  const hasMyBot = (): boolean => present.some((user) => my_bots().has(user)) || isAbout(change, my_bots());
  if (webhook.type === 'bot' && !hasMyBot()) return false;
  const { author_type, only_my_chats, chat_presence, source_type, agent_ids } = filters;
  if (author_type !== undefined && change.author_type !== author_type) return false;
  if (only_my_chats && change.chat?.properties.source?.client_id !== webhook.owner_client_id) return false;
  if (chat_presence?.user_ids && !isAmong(chat_presence.user_ids, present)) return false;
  if (chat_presence?.my_bots && !hasMyBot()) return false;
  if (source_type && !source_type.includes(sourceOf(change, webhook))) return false;
  return !agent_ids || isAmong(agent_ids, [String(change.payload.agent_id)]);
}

/** Changes of routing are about an agent, or a bot, and of no chat. */
const isAbout = ({ payload }: Change, bots: ReadonlySet<string>): boolean => bots.has(String(payload.agent_id));

interface Ids {
  values?: string[] | undefined;
  exclude_values?: string[] | undefined;
}

function isAmong({ values, exclude_values = [] }: Ids, ids: readonly string[]) {
  return (!values || ids.some((id) => values.includes(id))) && !ids.some((id) => exclude_values.includes(id));
}

function sourceOf({ client_id }: Change, { owner_client_id }: WebhookRow): 'my_client' | 'other_clients' | 'system' {
  if (client_id === undefined) return 'system';
  return client_id === owner_client_id ? 'my_client' : 'other_clients';
}
