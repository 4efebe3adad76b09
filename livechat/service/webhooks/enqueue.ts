// Writes the deliveries that changes cause into the outbox, within the transaction of the action.
import { randomUUID } from 'node:crypto';
import { licenseOf } from '../license.ts';
import type { ChatStore } from '../store.ts';
import type { WebhookRow } from '../webhook-tables.ts';
import type { Change } from './change.ts';
import { wants } from './filters.ts';

/** Queues each change for each webhook that wants it. `now` is Unix seconds; the caller has a transaction open. */
export function enqueue(store: ChatStore, changes: readonly Change[], now: number): void {
  for (const change of changes) {
    if (!store.webhooks.isAsked(change.action)) continue;
    for (const webhook of store.webhooks.ofAction(change.action)) {
      const bots = (): ReadonlySet<string> => new Set(store.bots.ofClient(webhook.owner_client_id).map(({ id }) => id));
      const is_on = webhook.type === 'bot' || store.webhooks.isEnabled(webhook.owner_client_id);
      if (!is_on || !wants(webhook, change, bots)) continue;
      const body = JSON.stringify(envelopeOf(store, webhook, change));
      const { chat_id = null, action } = change;
      const delivery = { id: randomUUID(), webhook_id: webhook.id, lane: laneOf(webhook, chat_id), action, body };
      store.webhooks.queue(delivery, chat_id, now);
    }
  }
}

/** All webhooks of a client that go to the same server tell of a chat in the order in which it changed. */
const laneOf = ({ owner_client_id, url }: WebhookRow, chat_id: string | null): string =>
  `${owner_client_id}\n${new URL(url).origin}\n${chat_id ?? ''}`;

/** The chat whose changes are in the lane, or null. */
export const chatOf = (lane: string): string | null => lane.slice(lane.lastIndexOf('\n') + 1) || null;

function envelopeOf(store: ChatStore, { id, secret_key, additional_data }: WebhookRow, change: Change) {
  const { properties, present_user_ids } = change.chat ?? {};
  const told = { chat_properties: properties, chat_presence_user_ids: present_user_ids };
  const asked = Object.entries(told).filter(([name, value]) => additional_data.includes(name) && value !== undefined);
  return {
    webhook_id: id,
    secret_key,
    action: change.action,
    organization_id: licenseOf(store).organization_id,
    payload: change.payload,
    additional_data: Object.fromEntries(asked),
  };
}
