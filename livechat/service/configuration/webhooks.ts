// The actions that register, list, switch and remove webhooks, and that tell which deliveries were given up.
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { refusalOf } from '#network/reach.ts';
import {
  additionalDataOf,
  filtersOf,
  type listWebhookFailures,
  type webhookConfiguration,
} from '#contract/webhook-registration.ts';
import { webhookActions } from '#contract/webhooks.ts';
import { refuse } from '../refusals.ts';
import type { WebhookRow } from '../webhook-tables.ts';
import { demandAdministrator, ownerOf, type ConfigurationAction, type ConfigurationRequest } from './action.ts';

type Registration = typeof webhookConfiguration;
type Args<K extends keyof Registration> = z.infer<Registration[K]['args']>;

/** Of one client for one action. */
const most_of_action = 3;
const usual_failures = 25;

export const webhookConfigurationActions: {
  [K in Exclude<keyof Registration, 'list_webhook_names'>]: ConfigurationAction<Args<K>>;
} = {
  register_webhook(asked) {
    demandAdministrator(asked);
    const owner_client_id = ownerOf(asked);
    const { url, action, secret_key, type, description = null, filters = null, additional_data = [] } = asked.args;
    demandKnown(action, 'filters', Object.keys(filters ?? {}), filtersOf(action));
    demandKnown(action, 'additional_data', additional_data, additionalDataOf(action));
    const refusal = refusalOf(url, asked.reach);
    if (refusal !== undefined) throw refuse.v3('validation', `url: ${refusal}`);
    const { webhooks } = asked.account.store;
    if (webhooks.ofClient(owner_client_id).filter((each) => each.action === action).length >= most_of_action)
      throw refuse.v3('limit_reached', `a client has at most ${most_of_action} webhooks for an action`);
    const id = randomBytes(16).toString('hex');
    webhooks.add({ id, owner_client_id, action, url, secret_key, type, description, filters, additional_data });
    return { id };
  },
  unregister_webhook(asked) {
    demandAdministrator(asked);
    asked.account.store.webhooks.remove(ownWebhook(asked).id, asked.account.now());
    return {};
  },
  list_webhooks: (asked) => {
    demandAdministrator(asked);
    return asked.account.store.webhooks.ofClient(ownerOf(asked)).map(shown);
  },
  enable_license_webhooks(asked) {
    demandAdministrator(asked);
    asked.account.store.webhooks.setEnabled(ownerOf(asked), true);
    return {};
  },
  disable_license_webhooks(asked) {
    demandAdministrator(asked);
    asked.account.store.webhooks.setEnabled(ownerOf(asked), false);
    return {};
  },
  get_license_webhooks_state: (asked) => ({
    license_webhooks_enabled: asked.account.store.webhooks.isEnabled(ownerOf(asked)),
  }),
};

export const webhookNames = (): object[] =>
  webhookActions.map((action) => {
    const additional_data = additionalDataOf(action);
    return { action, filters: filtersOf(action), ...(additional_data.length > 0 && { additional_data }) };
  });

export const webhookFailures: ConfigurationAction<z.infer<typeof listWebhookFailures.args>> = (asked) => {
  demandAdministrator(asked);
  const { page_id, limit = usual_failures } = asked.args;
  const before = page_id === undefined ? Number.MAX_SAFE_INTEGER : Number(page_id);
  if (!Number.isSafeInteger(before)) throw refuse.v3('validation', 'page_id: is none that an answer gave');
  const found = asked.account.store.webhooks.failures(ownWebhook(asked).id, before, limit + 1);
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    failures: found.slice(0, limit).map(({ id, action, chat_id, attempts, reason, at, body }) => ({
      delivery_id: id,
      action,
      ...(chat_id !== null && { chat_id }),
      ...{ attempts, reason, failed_at: new Date(at * 1000).toISOString(), body: JSON.parse(body) as unknown },
    })),
    ...(last && { next_page_id: String(last.position) }),
  };
};

function demandKnown(action: string, argument: string, given: readonly string[], known: readonly string[]): void {
  const strange = given.find((name) => !known.includes(name));
  if (strange !== undefined) throw refuse.v3('validation', `${argument}: ${action} has no ${strange}`);
}

function ownWebhook(asked: ConfigurationRequest<{ id: string; owner_client_id?: string | undefined }>): WebhookRow {
  const webhook = asked.account.store.webhooks.one(asked.args.id);
  if (webhook?.owner_client_id !== ownerOf(asked) || !webhook) throw refuse.v3('not_found', 'there is no such webhook');
  return webhook;
}

function shown({ description, filters, additional_data, ...webhook }: WebhookRow): object {
  return {
    ...webhook,
    ...(description !== null && { description }),
    ...(filters !== null && { filters }),
    ...(additional_data.length > 0 && { additional_data }),
  };
}
