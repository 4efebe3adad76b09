// What an action changed, as a value: the action returns it, webhooks are made of it.
import type { WebhookAction } from '#contract/webhooks.ts';

export interface Change {
  action: WebhookAction;
  payload: Record<string, unknown>;
  /** The changes of a chat are delivered in order. */
  chat_id?: string;
  /** The chat after the change: what filters and the additional data of a webhook read. */
  chat?: {
    /** Namespace, name, value. */
    properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    /** Users who are present, agents by login, customers and bots by id. */
    present_user_ids: readonly string[];
  };
  /** Of an event, who wrote it. */
  author_type?: 'customer' | 'agent';
  /** The Client ID of the token that caused it; none of what the service did by itself. */
  client_id?: string;
}
