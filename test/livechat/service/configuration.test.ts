// The Configuration API over HTTP: webhooks and bots of clients, every refusal with its type, and a webhook that arrives.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedHost } from '#network/reach.ts';
import { botConfiguration } from '#contract/bots.ts';
import { listWebhookFailures, webhookConfiguration } from '#contract/webhook-registration.ts';
import { webhookActions } from '#contract/webhooks.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { enqueue } from '#service/webhooks/enqueue.ts';
import { ann, tinyService } from './tiny.ts';
import { receiver, until } from './webhooks/receiver.ts';

const setting = 'CHATLEDGER_SERVICE_OUTGOING_HOSTS';
const owner = 'owner@example.com';
let it_runs: Awaited<ReturnType<typeof tinyService>>;
let store: ChatStore;
let token = '';

beforeAll(async () => {
  it_runs = await tinyService(
    { now: '2026-05-06T00:00:00Z' },
    { reach: { hosts: [allowedHost('127.0.0.1')!], setting } },
  );
  store = openStore(it_runs.options.file);
  token = mintToken(store, { agent: owner, scopes: 'all' });
});
afterAll(async () => {
  store.close();
  await it_runs.end();
});

async function post(path: string, body: unknown, bearer: string | null = token, more: Record<string, string> = {}) {
  const answer = await fetch(it_runs.service().url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...more,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const act = (action: string, body: unknown, bearer?: string | null) =>
  post(`/v3.5/configuration/action/${action}`, body, bearer);
const refusal = async (asked: ReturnType<typeof post>) => {
  const { status, body } = await asked;
  return [status, (body.error as { type: string } | undefined)?.type];
};
const right = {
  url: 'https://example.com/hook',
  action: 'thread_tagged',
  secret_key: 's',
  type: 'license',
  owner_client_id: 'c',
};
const clientToken = (client_id: string, scopes: string[] | 'all' = 'all', agent = owner) =>
  mintToken(store, { agent, scopes, client_id });

describe('webhooks', () => {
  it('are registered, listed and removed, each answer in the shape of the contract', async () => {
    const whole = {
      ...right,
      description: 'Test',
      filters: { source_type: ['my_client'], chat_presence: { user_ids: { values: [ann] } } },
      additional_data: ['chat_properties'],
    };
    const { status, body } = await act('register_webhook', { ...whole, unknown: 1 });
    expect(status).toBe(200);
    const { id } = webhookConfiguration.register_webhook.answer.parse(body);
    const listed = (await act('list_webhooks', { owner_client_id: 'c' })).body;
    expect(webhookConfiguration.list_webhooks.answer.parse(listed)).toEqual([{ id, ...whole }]);
    expect((await act('list_webhooks', { owner_client_id: 'other' })).body).toEqual([]);
    expect(await refusal(act('unregister_webhook', { id, owner_client_id: 'other' }))).toEqual([404, 'not_found']);
    expect(await act('unregister_webhook', { id, owner_client_id: 'c' })).toEqual({ status: 200, body: {} });
    expect((await act('list_webhooks', { owner_client_id: 'c' })).body).toEqual([]);
    expect(await refusal(act('unregister_webhook', { id, owner_client_id: 'c' }))).toEqual([404, 'not_found']);
  });
  it('are three at most of a client for an action', async () => {
    const mine = clientToken('three');
    const { owner_client_id: _, ...asked } = right;
    for (let count = 0; count < 3; count += 1) expect((await act('register_webhook', asked, mine)).status).toBe(200);
    expect(await refusal(act('register_webhook', asked, mine))).toEqual([422, 'limit_reached']);
    expect((await act('register_webhook', { ...asked, action: 'thread_untagged' }, mine)).status).toBe(200);
    expect((await act('register_webhook', asked, clientToken('four'))).status).toBe(200);
  });
  it('belong to the client of the token, which can name no other', async () => {
    const mine = clientToken('mine');
    const { id } = (await act('register_webhook', { ...right, owner_client_id: 'mine' }, mine)).body;
    expect(await refusal(act('register_webhook', right, mine))).toEqual([403, 'authorization']);
    expect(await refusal(act('unregister_webhook', { id }, clientToken('other')))).toEqual([404, 'not_found']);
    expect(await refusal(act('list_webhooks', {}))).toEqual([422, 'validation']);
    expect((await act('list_webhooks', {}, mine)).body).toMatchObject([{ id, owner_client_id: 'mine' }]);
  });
  it('are refused with wrong arguments', async () => {
    for (const wrong of [
      { url: undefined },
      { url: 'x' },
      { url: 'file:///etc/passwd' },
      { url: 'http://10.0.0.1/' },
      { url: 'http://localhost:3000/' },
      { url: `https://example.com/${'x'.repeat(2000)}` },
      { action: 'nothing' },
      { secret_key: '' },
      { type: 'user' },
      { description: 'x'.repeat(1001) },
      { filters: { agent_ids: { values: ['a'] } } },
      { filters: { author_type: 'agent' } },
      { filters: { chat_presence: { user_ids: { values: ['a'], exclude_values: ['b'] } } } },
      { additional_data: ['chat_users'] },
      { action: 'incoming_customer', additional_data: ['chat_properties'] },
    ])
      expect(
        await refusal(act('register_webhook', { ...right, ...wrong })),
        JSON.stringify(wrong).slice(0, 99),
      ).toEqual([422, 'validation']);
    for (const body of ['', 'x', '[]', '"x"', 'null'])
      expect(await refusal(act('register_webhook', body)), body).toEqual([422, 'validation']);
    expect(await refusal(act('register_webhook', { ...right, description: 'x'.repeat(70_000) }))).toEqual([
      422,
      'validation',
    ]);
  });
  it('have names that anybody may ask for', async () => {
    const { status, body } = await act('list_webhook_names', {}, null);
    expect(status).toBe(200);
    const names = webhookConfiguration.list_webhook_names.answer.parse(body);
    expect(names.map(({ action }) => action)).toEqual(webhookActions);
    expect(await refusal(act('list_webhook_names', { version: '3.0' }, null))).toEqual([400, 'unsupported_version']);
  });
  it('arrive once the client has enabled them, and what was given up is listed', async () => {
    const it_takes = await receiver(({ body }) => (body.payload.tag === 'gone' ? undefined : 200));
    const mine = clientToken('arriving');
    const state = async () =>
      webhookConfiguration.get_license_webhooks_state.answer.parse(
        (await act('get_license_webhooks_state', {}, mine)).body,
      ).license_webhooks_enabled;
    const { owner_client_id: _, ...asked } = right;
    const { id } = (await act('register_webhook', { ...asked, url: it_takes.url }, mine)).body;
    const tag = (name: string) => {
      const payload = { chat_id: 'C1', thread_id: 'T1', tag: name };
      store.transact(() => enqueue(store, [{ action: 'thread_tagged', payload, chat_id: 'C1' }], it_runs.clock.now));
    };
    expect(await state()).toBe(false);
    tag('before');
    expect(await act('enable_license_webhooks', {}, mine)).toEqual({ status: 200, body: {} });
    expect(await state()).toBe(true);
    tag('after');
    await until(() => it_takes.received.length === 1);
    expect(it_takes.received[0]!.body).toMatchObject({
      webhook_id: id,
      organization_id: it_runs.service().license.organization_id,
      payload: { tag: 'after' },
    });
    it_takes.close();
    await act('disable_license_webhooks', {}, mine);
    expect(await state()).toBe(false);
    const reason = 'answered with 503';
    const failed = {
      webhook_id: String(id),
      chat_id: 'C1',
      action: 'thread_tagged',
      body: '{"webhook_id":"x"}',
      lane: 'C1',
    };
    for (const name of ['1', '2', '3']) {
      const delivery = { ...failed, id: name, position: 1_000_000, attempts: 10 };
      store.webhooks.giveUp(delivery, 'C1', reason, it_runs.clock.now);
    }
    const failures = async (more: object) =>
      listWebhookFailures.answer.parse(
        (await post('/chatledger/action/list_webhook_failures', { id, ...more }, mine)).body,
      );
    const first = await failures({ limit: 2 });
    expect(first.failures.map(({ delivery_id }) => delivery_id)).toEqual(['3', '2']);
    expect(first.failures[0]).toMatchObject({
      attempts: 11,
      reason,
      chat_id: 'C1',
      failed_at: '2026-05-06T00:00:00.000Z',
    });
    const second = await failures({ limit: 2, page_id: first.next_page_id });
    expect([second.failures.map(({ delivery_id }) => delivery_id), second.next_page_id]).toEqual([['1'], undefined]);
    expect(await refusal(post('/chatledger/action/list_webhook_failures', { id, page_id: 'x' }, mine))).toEqual([
      422,
      'validation',
    ]);
    expect(await refusal(post('/chatledger/action/list_webhook_failures', { id }, clientToken('x')))).toEqual([
      404,
      'not_found',
    ]);
  });
});

describe('bots', () => {
  it('are made by a client, listed, and gone with their tokens', async () => {
    const mine = clientToken('maker');
    const { id } = botConfiguration.create_bot.answer.parse((await act('create_bot', { name: 'Robo' }, mine)).body);
    const itself = { id, name: 'Robo', owner_client_id: 'maker' };
    expect((await act('list_bots', {}, mine)).body).toEqual([itself]);
    expect((await act('list_bots', {}, clientToken('other'))).body).toEqual([]);
    expect(
      botConfiguration.list_bots.answer.parse((await act('list_bots', { all: true }, clientToken('x'))).body),
    ).toContainEqual(itself);
    const narrow = clientToken('x', ['agents-bot--my:ro']);
    expect(await refusal(act('list_bots', { all: true }, narrow))).toEqual([403, 'authorization']);
    const bot = mintToken(store, { kind: 'bot', agent: id, scopes: 'all' });
    expect((await act('get_license_webhooks_state', { owner_client_id: 'maker' }, bot)).status).toBe(200);
    expect(await refusal(act('delete_bot', { id }, clientToken('other')))).toEqual([403, 'authorization']);
    expect(await act('delete_bot', { id }, mine)).toEqual({ status: 200, body: {} });
    expect(await refusal(act('delete_bot', { id }, mine))).toEqual([404, 'not_found']);
    expect(await refusal(act('get_license_webhooks_state', { owner_client_id: 'maker' }, bot))).toEqual([
      401,
      'authentication',
    ]);
  });
});

describe('every action', () => {
  const names = [...Object.keys(webhookConfiguration), ...Object.keys(botConfiguration)].filter(
    (name) => name !== 'list_webhook_names',
  );
  const scopesOf = (name: string): readonly string[] =>
    ({ ...webhookConfiguration, ...botConfiguration })[name as keyof typeof botConfiguration].scopes;

  it.each(names)('%s is refused without a token, with one of another kind, and without its scope', async (name) => {
    expect(await refusal(act(name, {}, null))).toEqual([401, 'authentication']);
    expect(await refusal(act(name, {}, 'dal:wrong'))).toEqual([401, 'authentication']);
    const customer = mintToken(store, {
      kind: 'customer',
      agent: '11111111-1111-4111-8111-111111111111',
      scopes: 'all',
    });
    expect(await refusal(act(name, {}, customer))).toEqual([401, 'authentication']);
    expect(await refusal(act(name, {}, mintToken(store, { agent: owner, scopes: ['chats--all:rw'] })))).toEqual([
      403,
      'authorization',
    ]);
    const elsewhere = mintToken(store, { agent: owner, scopes: 'all', region: 'fra' });
    expect(await act(name, {}, elsewhere)).toEqual({
      status: 421,
      body: { error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } } },
    });
    for (const scope of scopesOf(name)) {
      const narrow = mintToken(store, { agent: owner, scopes: [scope], client_id: 'narrow' });
      expect((await refusal(act(name, { id: 'x' }, narrow)))[1], scope).not.toBe('authorization');
    }
  });
  it.each(names.filter((name) => !/^(get|list_bots)/.test(name)))('%s is for administrators', async (name) => {
    const normal = mintToken(store, { agent: ann, scopes: 'all', client_id: 'ann' });
    expect(await refusal(act(name, { ...right, owner_client_id: 'ann', id: 'x', name: 'x' }, normal))).toEqual([
      403,
      'authorization',
    ]);
  });
  it('is sent by POST, under its version', async () => {
    const url = `${it_runs.service().url}/v3.5/configuration/action/list_webhooks`;
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(422);
    const body = { owner_client_id: 'nobody' };
    expect(await refusal(post('/v3.1/configuration/action/list_webhooks', body))).toEqual([400, 'unsupported_version']);
    expect(await refusal(post('/configuration/action/list_webhooks', body))).toEqual([400, 'unsupported_version']);
    expect((await post('/configuration/action/list_webhooks', body, token, { 'x-api-version': '3.5' })).status).toBe(
      200,
    );
    expect(await refusal(act('list_nothing', {}))).toEqual([404, 'not_found']);
    expect(await refusal(act('constructor', {}))).toEqual([404, 'not_found']);
  });
});
