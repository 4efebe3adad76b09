// Which webhooks a change is queued for, in which order it is due, and what the queued body says.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  additionalDataOf,
  filtersOf,
  listWebhookFailures,
  webhookConfiguration,
} from '#contract/webhook-registration.ts';
import { webhookActions, webhookPayloads } from '#contract/webhooks.ts';
import { licenseOf } from '#service/license.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { most_waiting, type WebhookRow } from '#service/webhook-tables.ts';
import type { Change } from '#service/webhooks/change.ts';
import { chatOf, enqueue } from '#service/webhooks/enqueue.ts';

const now = 1_780_000_000;
let store: ChatStore;
const webhook = (id: string, own: Partial<WebhookRow> = {}): WebhookRow => ({
  id,
  owner_client_id: 'mine',
  action: 'incoming_event',
  url: 'https://example.com/hook',
  secret_key: `secret of ${id}`,
  type: 'license',
  description: null,
  filters: null,
  additional_data: [],
  ...own,
});
const event = (chat_id: string, own: Partial<Change> = {}): Change => ({
  action: 'incoming_event',
  payload: { chat_id, thread_id: 'T1', event: { id: 'T1_1', type: 'message' } },
  chat_id,
  ...own,
});
const queued = () => store.webhooks.due(now, []).map(({ webhook_id, lane }) => `${webhook_id} ${chatOf(lane) ?? ''}`);
/** Ids of the webhooks that want the change, of those with these filters. */
const wanting = (change: Change, filters: Record<string, WebhookRow['filters']>) => {
  for (const [id, filter] of Object.entries(filters)) store.webhooks.add(webhook(id, { filters: filter }));
  enqueue(store, [change], now);
  return allQueued();
};
/** Ids of the webhooks in the order in which one chat is told of. */
function allQueued(): string[] {
  const [next] = store.webhooks.due(now, []);
  if (!next) return [];
  store.webhooks.delivered(next, now);
  return [next.webhook_id, ...allQueued()];
}

beforeEach(() => {
  store = openStore(':memory:');
  store.webhooks.setEnabled('mine', true);
});

describe('the license', () => {
  it('is drawn once and stays', () => {
    const first = licenseOf(store);
    expect(Number.isInteger(first.license_id)).toBe(true);
    expect(first.organization_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(licenseOf(store)).toEqual(first);
    expect(licenseOf(openStore(':memory:'))).not.toEqual(first);
  });
});

describe('a change', () => {
  it('is queued for the webhooks of its action, and for those of enabled clients only', () => {
    store.webhooks.add(webhook('a'));
    store.webhooks.add(webhook('b', { action: 'thread_tagged' }));
    store.webhooks.add(webhook('c', { owner_client_id: 'other' }));
    enqueue(store, [event('C1')], now);
    expect(queued()).toEqual(['a C1']);
    store.webhooks.setEnabled('mine', false);
    enqueue(store, [event('C2')], now);
    expect(queued()).toEqual(['a C1']);
  });
  it('is due after those of its chat that came before, and not after those of other chats', () => {
    store.webhooks.add(webhook('a'));
    enqueue(store, [event('C1'), event('C1'), event('C2')], now);
    expect(queued()).toEqual(['a C1', 'a C2']);
    const [first] = store.webhooks.due(now, []);
    store.webhooks.delivered(first!, now);
    expect(queued()).toEqual(['a C1', 'a C2']);
    expect(store.webhooks.due(now, [])[0]!.position).not.toBe(first!.position);
  });
  it('is due after those of its chat for other webhooks of the client, and goes on when these are removed', () => {
    store.webhooks.setEnabled('other', true);
    store.webhooks.add(webhook('a'));
    store.webhooks.add(webhook('b', { action: 'thread_tagged' }));
    store.webhooks.add(webhook('c', { action: 'thread_tagged', owner_client_id: 'other' }));
    const tag = {
      action: 'thread_tagged',
      payload: { chat_id: 'C1', thread_id: 'T1', tag: 'x' },
      chat_id: 'C1',
    } as const;
    enqueue(store, [event('C1'), tag], now);
    expect(queued()).toEqual(['a C1', 'c C1']);
    store.webhooks.remove('a', now);
    expect(queued().sort()).toEqual(['b C1', 'c C1']);
  });
  it('is told in the envelope, with the additional data that the webhook asked for', () => {
    store.webhooks.add(webhook('a', { additional_data: ['chat_properties'] }));
    const chat = { properties: { source: { client_id: 'mine' } }, present_user_ids: ['ann@example.com'] };
    enqueue(store, [event('C1', { chat })], now);
    expect(JSON.parse(store.webhooks.due(now, [])[0]!.body)).toEqual({
      webhook_id: 'a',
      secret_key: 'secret of a',
      action: 'incoming_event',
      organization_id: licenseOf(store).organization_id,
      payload: { chat_id: 'C1', thread_id: 'T1', event: { id: 'T1_1', type: 'message' } },
      additional_data: { chat_properties: { source: { client_id: 'mine' } } },
    });
  });
  it('that is rolled back was never queued', () => {
    store.webhooks.add(webhook('a'));
    const fails = () =>
      store.transact(() => {
        enqueue(store, [event('C1')], now);
        throw new Error('the action failed');
      });
    expect(fails).toThrow('the action failed');
    expect(queued()).toEqual([]);
  });
  it('is given up at once when too many wait', () => {
    store.webhooks.add(webhook('a'));
    store.transact(() =>
      enqueue(
        store,
        Array.from({ length: most_waiting + 2 }, () => event('C1')),
        now,
      ),
    );
    const failures = store.webhooks.failures('a', Number.MAX_SAFE_INTEGER, 10);
    expect(failures.map(({ reason, attempts }) => [reason, attempts])).toEqual(
      Array(2).fill([`${most_waiting} deliveries were waiting`, 0]),
    );
  });
});

describe('filters', () => {
  it('take the kind of author', () => {
    const filters = { customer: { author_type: 'customer' }, agent: { author_type: 'agent' } };
    expect(wanting(event('C1', { author_type: 'agent' }), filters)).toEqual(['agent']);
  });
  it('take who is present', () => {
    const change = event('C1', { chat: { properties: {}, present_user_ids: ['ann', 'v1'] } });
    const among = (user_ids: object) => ({ chat_presence: { user_ids } });
    const filters = {
      ann: among({ values: ['bob', 'ann'] }),
      bob: among({ values: ['bob'] }),
      notBob: among({ exclude_values: ['bob'] }),
      notAnn: among({ exclude_values: ['ann'] }),
    };
    expect(wanting(change, filters)).toEqual(['ann', 'notBob']);
  });
  it('take chats of my client', () => {
    const of = (client_id: string) =>
      event(client_id, { chat: { properties: { source: { client_id } }, present_user_ids: [] } });
    store.webhooks.add(webhook('a', { filters: { only_my_chats: true } }));
    enqueue(store, [of('mine'), of('other'), event('none')], now);
    expect(queued()).toEqual(['a mine']);
  });
  it('take the source of the change', () => {
    const filters = Object.fromEntries(
      ['my_client', 'other_clients', 'system'].map((source) => [source, { source_type: [source] }]),
    );
    for (const [client_id, source] of [
      ['mine', 'my_client'],
      ['other', 'other_clients'],
      [undefined, 'system'],
    ] as const) {
      store = openStore(':memory:');
      store.webhooks.setEnabled('mine', true);
      expect(wanting(event('C1', client_id === undefined ? {} : { client_id }), filters)).toEqual([source]);
    }
  });
  it('take changes about my bots, as do the webhooks of bots, which need not be enabled', () => {
    store.webhooks.setEnabled('mine', false);
    store.bots.add({ id: 'bot1', name: 'Robo', owner_client_id: 'mine' });
    store.bots.add({ id: 'bot2', name: 'Other', owner_client_id: 'other' });
    store.webhooks.add(webhook('a', { type: 'bot' }));
    store.webhooks.add(webhook('b', { type: 'bot', action: 'routing_status_set' }));
    const of = (...present_user_ids: string[]) => ({ chat: { properties: {}, present_user_ids } });
    const set = (agent_id: string): Change => ({
      action: 'routing_status_set',
      payload: { agent_id, status: 'offline' },
    });
    enqueue(store, [event('C1', of('bot1')), event('C2', of('bot2')), event('C3'), set('bot1'), set('bot2')], now);
    expect(queued()).toEqual(['a C1', 'b ']);
  });
});

describe('the names', () => {
  it('each have filters and additional data of their own', () => {
    expect(webhookActions).toHaveLength(20);
    expect(Object.keys(webhookPayloads)).toEqual(webhookActions);
    expect([filtersOf('incoming_event'), additionalDataOf('incoming_event')]).toEqual([
      ['chat_presence', 'author_type', 'only_my_chats', 'source_type'],
      ['chat_properties', 'chat_presence_user_ids'],
    ]);
    expect([filtersOf('routing_status_set'), additionalDataOf('routing_status_set')]).toEqual([
      ['agent_ids', 'source_type'],
      [],
    ]);
  });
});

describe('a registration', () => {
  it('takes http(s) addresses and known filters only', () => {
    const { args } = webhookConfiguration.register_webhook;
    const right = { url: 'https://example.com/hook', action: 'incoming_event', secret_key: 's', type: 'license' };
    expect(args.safeParse(right).success).toBe(true);
    for (const wrong of [
      { url: 'ftp://example.com/' },
      { url: 'example.com' },
      { action: 'incoming_nothing' },
      { secret_key: '' },
      { type: 'agent' },
      { filters: { unknown: true } },
      { filters: { chat_presence: { user_ids: { values: ['a'], exclude_values: ['b'] } } } },
      { additional_data: ['everything'] },
    ])
      expect(args.safeParse({ ...right, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  });
  it('is answered with failures a page at a time', () => {
    expect(listWebhookFailures.args.safeParse({ id: 'a', limit: 101 }).success).toBe(false);
  });
});
