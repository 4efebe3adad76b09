// How webhooks are registered over the Configuration API v3.5: actions, their arguments, scopes and answers.
import { z } from 'zod';
import { webhookActions, type WebhookAction } from './webhooks.ts';

const id = z.string().min(1).max(255);
const ids = z
  .object({ values: z.array(id).max(200), exclude_values: z.array(id).max(200) })
  .partial()
  .refine(({ values, exclude_values }) => values === undefined || exclude_values === undefined, {
    error: 'takes only one of values, exclude_values',
  });

const webhookFilters = z
  .strictObject({
    author_type: z.enum(['customer', 'agent']),
    only_my_chats: z.boolean(),
    chat_presence: z.strictObject({ user_ids: ids, my_bots: z.boolean() }).partial(),
    source_type: z.array(z.enum(['my_client', 'other_clients', 'system'])).max(3),
    agent_ids: ids,
  })
  .partial();
export type WebhookFilters = z.infer<typeof webhookFilters>;
type FilterName = keyof WebhookFilters;

const additionalData = ['chat_properties', 'chat_presence_user_ids'] as const;
const withoutChat: readonly WebhookAction[] = ['routing_status_set', 'incoming_customer'];

/** The filters that a webhook can have. */
export function filtersOf(action: WebhookAction): FilterName[] {
  if (action === 'routing_status_set') return ['agent_ids', 'source_type'];
  if (action === 'incoming_customer') return ['source_type'];
  if (action === 'customer_session_fields_updated') return ['chat_presence', 'source_type'];
  const of_events: FilterName[] = action === 'incoming_event' || action === 'event_updated' ? ['author_type'] : [];
  return ['chat_presence', ...of_events, 'only_my_chats', 'source_type'];
}

/** What a webhook can carry besides its payload. */
export const additionalDataOf = (action: WebhookAction): readonly string[] =>
  withoutChat.includes(action) ? [] : additionalData;

const owner = id.optional();
const shown = z.object({
  id,
  url: z.string(),
  description: z.string().optional(),
  action: z.enum(webhookActions),
  secret_key: z.string(),
  owner_client_id: id,
  type: z.enum(['license', 'bot']),
  filters: webhookFilters.optional(),
  additional_data: z.array(z.string()).optional(),
});
const nothing = z.object({});
const configuration = ['webhooks.configuration:rw'] as const;

/** The newest failures first; `page_id` continues after those of the page before. */
const failures = {
  args: z.object({
    id,
    owner_client_id: owner,
    page_id: z.string().optional(),
    limit: z.int().min(1).max(100).optional(),
  }),
  answer: z.object({
    failures: z.array(
      z.object({
        delivery_id: id,
        action: z.enum(webhookActions),
        chat_id: id.optional(),
        attempts: z.int(),
        reason: z.string(),
        failed_at: z.string(),
        body: z.unknown(),
      }),
    ),
    next_page_id: z.string().optional(),
  }),
};

/**
 * `POST /v3.5/configuration/action/<name>`. The owner is the client of the token; a token without a client names one. Scopes null:
 * anybody may ask, without a token.
 */
export const webhookConfiguration = {
  register_webhook: {
    scopes: configuration,
    args: z.object({
      url: z.url({ protocol: /^https?$/ }).max(2000),
      action: z.enum(webhookActions),
      secret_key: z.string().min(1).max(255),
      owner_client_id: owner,
      type: z.enum(['license', 'bot']),
      description: z.string().max(1000).optional(),
      filters: webhookFilters.optional(),
      additional_data: z.array(z.enum(additionalData)).max(additionalData.length).optional(),
    }),
    answer: z.object({ id }),
  },
  unregister_webhook: { scopes: configuration, args: z.object({ id, owner_client_id: owner }), answer: nothing },
  list_webhooks: { scopes: configuration, args: z.object({ owner_client_id: owner }), answer: z.array(shown) },
  list_webhook_names: {
    scopes: null,
    args: z.object({ version: z.string().max(20).optional() }),
    answer: z.array(
      z.object({
        action: z.enum(webhookActions),
        filters: z.array(z.string()).optional(),
        additional_data: z.array(z.string()).optional(),
      }),
    ),
  },
  enable_license_webhooks: {
    scopes: ['webhooks.state:rw'],
    args: z.object({ owner_client_id: owner, client_id: owner }),
    answer: nothing,
  },
  disable_license_webhooks: {
    scopes: ['webhooks.state:rw'],
    args: z.object({ owner_client_id: owner, client_id: owner }),
    answer: nothing,
  },
  get_license_webhooks_state: {
    scopes: ['webhooks.state:ro'],
    args: z.object({ owner_client_id: owner, client_id: owner }),
    answer: z.object({ license_webhooks_enabled: z.boolean() }),
  },
} as const;

/** `POST /chatledger/action/list_webhook_failures`: not of the interfaces of others, hence under a path that says so. */
export const listWebhookFailures = { scopes: configuration, ...failures };
