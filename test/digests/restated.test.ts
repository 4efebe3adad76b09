// The next digest says which figures of the one before changed, by how much and why; of other groups it tells nothing.
import { expect, it } from 'vitest';
import { restatedSince } from '#digests/restated.ts';
import { rangeOf } from '#digests/periods.ts';
import { askerFor, documentContext } from '#digests/digest-questions.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Published } from '#warehouse/engine.ts';
import { twoSnapshots, zone, type TwoSnapshots } from '../reports/snapshots.ts';
import type { Chat } from '../warehouse/account.ts';

const chat: Chat = { start: '2026-05-04T10:00:00Z', groups: [2], rate: 'rated_bad' };
const other: Chat = { start: '2026-05-05T10:00:00Z', groups: [3], rate: 'rated_good' };

async function restated(two: TwoSnapshots, groups?: number[]) {
  const account = { id: 'default', timezone: zone, since: '2026-05-01' };
  const contextOf = async ({ id, published_at }: Published): Promise<QueryContext> =>
    documentContext(
      askerFor({}, { name: 'ann', ...(groups ? { groups } : {}) }, account),
      { id, published_at, engine: await two.open(id) },
      account,
    );
  const scope = {
    period: rangeOf('2026-05-04', '2026-05-06'),
    timezone: zone,
    filters: { group: [], agent: [], tag: [], variable: [] },
  };
  const before = { context: await contextOf(two.older), scope };
  return restatedSince(
    before,
    await contextOf(two.newer),
    { content: ['overview/chats-tile', 'overview/csat-tile', 'overview/sales-tile'] },
    'en-GB',
  );
}

it('a late rating and a late chat are told with their difference and their reason', async () => {
  const two = await twoSnapshots(
    [chat, other],
    [{ ...chat, rate: 'rated_good' }, other, { start: '2026-05-06T10:00:00Z', groups: [3] }],
    ['2026-05-04', '2026-05-06'],
  );
  const found = await restated(two);
  expect(found?.intro).toBe('The report about 4 May to 6 May 2026 said something else:');
  expect(found?.lines).toEqual([
    { text: 'Chats: was 2, is 3 (+1)', why: 'because of new chats (1)' },
    {
      text: 'Satisfaction (CSAT): was 50.0%, is 100.0% (+50 points)',
      why: 'because of changed ratings (1), new chats (1)',
    },
  ]);
  const own = await restated(two, [2]);
  expect(own?.lines).toEqual([
    { text: 'Satisfaction (CSAT): was 0.0%, is 100.0% (+100 points)', why: 'because of changed ratings (1)' },
  ]);
  await two.close();
});

it('a currency in which nothing was sold before had no sales then', async () => {
  const sold = (currency: string, price: string) => ({
    id: 1,
    at: '2026-05-04T10:30:00Z',
    sale: true,
    price,
    currency,
  });
  const two = await twoSnapshots(
    [{ ...chat, goals: [sold('EUR', '20')] }, other],
    [{ ...chat, goals: [sold('EUR', '20'), sold('USD', '30')] }, other],
    ['2026-05-04'],
  );
  expect((await restated(two))?.lines.map(({ text }) => text)).toEqual([
    'Sales USD: was USD\u00a00.00, is USD\u00a030.00 (+USD\u00a030.00)',
  ]);
  await two.close();
});

it('when every figure still stands nothing is said', async () => {
  const two = await twoSnapshots([chat, other], [chat, other], []);
  expect(await restated(two)).toBeUndefined();
  await two.close();
});
