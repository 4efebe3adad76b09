// Properties of the account and of its groups: administrators set them, customers read them, also without a token.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { ann } from './tiny.ts';
import { parties } from './live/parties.ts';

let world: Awaited<ReturnType<typeof parties>>;
beforeAll(async () => {
  world = await parties();
});
afterAll(() => world.end());

async function configure(agent: string, action: string, body: unknown, scopes: string[] = ['groups--all:rw']) {
  const store = openStore(world.options.file);
  const token = mintToken(store, { agent, scopes });
  store.close();
  const answer = await fetch(`${world.service().url}/v3.5/configuration/action/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}
const read = async (action: string, query = ''): Promise<unknown> =>
  (await fetch(`${world.service().url}/v3.3/customer/action/${action}?license_id=${world.license}${query}`)).json();

const owner = 'owner@example.com';

it('are put over those that are there, and are kept over a restart', async () => {
  expect(await read('list_license_properties')).toEqual({});
  const set = (properties: unknown) => configure(owner, 'update_license_properties', { properties });
  expect(await set({ shop: { currency: 'EUR', rounding: 2 } })).toEqual({ status: 200, body: {} });
  await set({ shop: { currency: 'USD' }, window: { is_dark: true } });
  expect(
    (await configure(owner, 'update_group_properties', { id: 2, properties: { shop: { rounding: 0 } } })).status,
  ).toBe(200);
  await world.restart();
  expect(await read('list_license_properties')).toEqual({
    shop: { currency: 'USD', rounding: 2 },
    window: { is_dark: true },
  });
  expect(await read('get_license_properties', '&namespace=shop&name=rounding')).toEqual({ shop: { rounding: 2 } });
  expect(await read('list_group_properties', '&id=2')).toEqual({ shop: { rounding: 0 } });
  expect(await read('list_group_properties', '&id=1')).toEqual({});
});

it('are refused to others, without the scope, of no group, and malformed', async () => {
  const properties = { shop: { currency: 'EUR' } };
  expect((await configure(ann, 'update_license_properties', { properties })).status).toBe(403);
  expect((await configure(owner, 'update_license_properties', { properties }, ['tags_read'])).status).toBe(403);
  expect((await configure(owner, 'update_group_properties', { id: 99, properties })).status).toBe(422);
  expect((await configure(owner, 'update_license_properties', { properties: {} })).status).toBe(422);
  expect((await configure(owner, 'update_license_properties', {})).status).toBe(422);
});
