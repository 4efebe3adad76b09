// Who is next in a queue: whoever was transferred to busy agents, then whoever has had none, each in the order in which they began to wait.
import { afterEach, expect, it } from 'vitest';
import { allowedHost } from '#network/reach.ts';
import { mintToken } from '#service/tokens.ts';
import { receiver, until } from '../webhooks/receiver.ts';
import { ann, bob } from '../tiny.ts';
import { parties } from './parties.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const setting = 'CHATLEDGER_SERVICE_OUTGOING_HOSTS';

/** Ann and Bob have as many chats as they can; one more customer waits. */
async function busy() {
  const world = await parties({}, { reach: { hosts: [allowedHost('127.0.0.1')!], setting } });
  ends.push(world.end);
  const asAnn = world.agent(ann);
  const start = async () => {
    const customer = world.customer();
    const { chat_id } = (await customer('start_chat', { chat: { access: { group_ids: [1] } } })).body;
    return { customer, chat_id };
  };
  const placeOf = async ({ chat_id }: { chat_id: string }) =>
    (await asAnn('get_chat', { chat_id })).body.thread!.queue?.position;
  const served = [];
  let last = await start();
  while ((await placeOf(last)) === undefined) {
    served.push(last);
    last = await start();
  }
  const of_ann = [];
  for (const each of served) {
    const { users } = (await asAnn('get_chat', { chat_id: each.chat_id })).body;
    if (users.some(({ id, present }) => id === ann && present)) of_ann.push(each);
  }
  const accept = async (is_accepting: boolean) => {
    for (const login of [ann, bob])
      await world.agent(login)('set_routing_status', {
        status: is_accepting ? 'accepting_chats' : 'not_accepting_chats',
      });
  };
  const transfer = async ({ chat_id: id }: { chat_id: string }) => {
    const { status } = await asAnn('transfer_chat', { id, ignore_agents_availability: true });
    expect(status).toBe(200);
    world.clock.now += 1;
  };
  world.clock.now += 1;
  return { world, start, placeOf, accept, transfer, of_ann, waiting: last };
}

it('a transferred chat waits before those who have had nobody, and is served in its turn', async () => {
  const { world, placeOf, accept, transfer, of_ann, waiting } = await busy();
  const [one, two] = of_ann as [(typeof of_ann)[number], (typeof of_ann)[number]];
  await accept(false);
  world.clock.now += 1;
  // The second by its place among Ann's chats goes first.
  await transfer(two);
  await transfer(one);
  const places = () => Promise.all([two, one, waiting].map(placeOf));
  expect(await places()).toEqual([1, 2, 3]);
  const seen = (await one.customer('get_chat', { chat_id: one.chat_id })).body.thread!;
  expect(seen).toMatchObject({ active: true, queue: { position: 2, wait_time: expect.any(Number) as number } });
  await accept(true);
  world.clock.now += 1;
  expect(await places()).toEqual([undefined, undefined, 1]);
});

it('a newcomer does not pass those who wait when somebody becomes free within the same second', async () => {
  const { world, start, placeOf, of_ann, waiting } = await busy();
  await of_ann[0]!.customer('deactivate_chat', { id: of_ann[0]!.chat_id });
  const newcomer = await start();
  expect(await placeOf(newcomer)).toBe(2);
  world.clock.now += 1;
  expect(await Promise.all([waiting, newcomer].map(placeOf))).toEqual([undefined, 1]);
});

it('the webhook of a transfer to busy agents says where the chat waits', async () => {
  const { world, accept, transfer, of_ann } = await busy();
  const hooks = await receiver();
  ends.push(hooks.close);
  const token = world.opened((store) => mintToken(store, { agent: 'owner@example.com', scopes: 'all' }));
  const registration = { url: hooks.url, action: 'chat_transferred', secret_key: 's', type: 'license' };
  for (const [name, body] of [
    ['register_webhook', { ...registration, owner_client_id: 'mine' }],
    ['enable_license_webhooks', { client_id: 'mine' }],
  ] as const) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${world.service().url}/v3.5/configuration/action/${name}`;
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  }
  await accept(false);
  await transfer(of_ann[0]!);
  await until(() => hooks.received.length > 0);
  expect(hooks.received[0]!.body.payload).toMatchObject({
    reason: 'manual',
    transferred_to: { group_ids: [1] },
    queue: { position: 1, queued_at: '2026-05-06T12:00:01.000000Z' },
  });
});

it('customers of one second wait in the order in which they came', async () => {
  const { start, placeOf, waiting } = await busy();
  const newcomers = [];
  for (let count = 0; count < 6; count++) newcomers.push(await start());
  expect(await Promise.all([waiting, ...newcomers].map(placeOf))).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('chats that are transferred within one second wait in the order of the transfers', async () => {
  const { world, placeOf, accept, transfer, of_ann } = await busy();
  await accept(false);
  const turned = of_ann.slice(0, 2).reverse();
  for (const each of turned) {
    await transfer(each);
    world.clock.now -= 1;
  }
  expect(await Promise.all(turned.map(placeOf))).toEqual([1, 2]);
});
