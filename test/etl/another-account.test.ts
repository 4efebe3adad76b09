// A source that is asked in another way may be another account: its chats never take the place of those that are held.
import { expect, test } from 'vitest';
import { AnotherAccount } from '#etl/errors.ts';
import type { PullSetup } from '#etl/pull.ts';
import { basic } from '#etl/source.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { pulledAccount, type Pulled, type PulledAccount } from './pulled.ts';

const instant = '2026-05-06T15:00:00Z';
const made = (seed: number, own: object = {}): Promise<PulledAccount> =>
  pulledAccount(instant, 4, { seed, world: thirdOfSmallWorld, ...own });

const sourceOf = ({ service }: PulledAccount): PullSetup['source'] => ({
  ...{ id: 'default', base_url: service.url, authorization: basic('owner@example.com', 'secret'), region: 'dal' },
  ...{ timezone: 'UTC', since: service.firstDay, requests_per_second: null },
});

/** How often it was known again, or the error. */
async function pullAs(warehouse: Pulled, own: Partial<PullSetup>, later = 3600): Promise<number | Error> {
  let known = 0;
  try {
    await warehouse.pull(later, { ...own, onSameAccount: () => void (known += 1) });
    return known;
  } catch (error) {
    return error as Error;
  }
}

test('nothing of another account is loaded, and the same one at another address is pulled', async () => {
  const [mine, other] = [await made(1), await made(2)];
  const warehouse = await mine.warehouse();
  try {
    expect(await pullAs(warehouse, {}, 0)).toBe(1);
    const before = await warehouse.content();
    const chats = await warehouse.rows(
      "select count(*)::int as chats from facts.chats where started_at >= '2026-05-03' and started_at < '2026-05-06'",
    );
    const refused = await pullAs(warehouse, { source: sourceOf(other) });
    expect(refused).toBeInstanceOf(AnotherAccount);
    expect((refused as Error).message).toBe(
      `${other.service.url} lists none of the ${Number(chats[0]?.chats)} chats from 2026-05-03 to 2026-05-05 that are held, so this is another account`,
    );
    expect(await warehouse.content()).toEqual(before);
    const [last] = await warehouse.rows('select error from ledger.pulls order by started_at desc limit 1');
    expect(last?.error).toBe((refused as Error).message);
    const elsewhere = { ...sourceOf(mine), base_url: mine.service.url.replace('127.0.0.1', 'localhost') };
    expect(await pullAs(warehouse, { source: elsewhere })).toBe(1);
    // In another zone days are cut elsewhere.
    expect(await pullAs(warehouse, { source: { ...sourceOf(other), timezone: 'America/St_Johns' } })).toBeInstanceOf(
      AnotherAccount,
    );
  } finally {
    await warehouse.close();
    await Promise.all([mine.close(), other.close()]);
  }
});

test('what cannot tell accounts apart refuses nothing', async () => {
  const [mine, other] = [await made(1), await made(2)];
  const warehouse = await mine.warehouse();
  try {
    await warehouse.pull();
    const source = sourceOf(other);
    // Too long ago: the source need not have them any more.
    expect(await pullAs(warehouse, { source, only: new Set(['total_chats']) }, 40 * 86_400)).toBe(1);
    // Nothing is held of it.
    expect(await pullAs(warehouse, { source: { ...source, id: 'second' }, only: new Set(['archive']) })).toBe(1);
    // The archive is not answered: neither known again nor refused.
    mine.service.chaos.follow(chaosPlan({ script: [{ fault: '403', path: '/chats', times: 9 }] }));
    expect(await pullAs(warehouse, { only: new Set(['total_chats']) })).toBe(0);
  } finally {
    await warehouse.close();
    await Promise.all([mine.close(), other.close()]);
  }
});
