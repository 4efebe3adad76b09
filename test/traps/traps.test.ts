// The ways in which such numbers go wrong, each a test named after its trap.
import { expect, test } from 'vitest';
import type { Row, Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { account, addChats, insert, later, pulled, type Chat } from '../warehouse/account.ts';
import { run } from '../warehouse/query-context.ts';

type Question = Record<string, string | string[]>;

/** Rows of a metric over a handful of chats. */
async function ask(chats: readonly Chat[], metric: string, question: Question, zone = 'UTC'): Promise<Row[]> {
  const engine = await account(chats, zone);
  try {
    return (await run(engine, metric, question, { ...later, zone })).rows;
  } finally {
    await engine.close();
  }
}

const may = { from: '2026-05-01', to: '2026-05-31' };

test('averages of averages: the mean of a month is over its chats, not over its days', async () => {
  const quick: Chat = { start: '2026-05-04T10:00:00Z', first: [10, 'a@x.test'], turns: { 'a@x.test': [10, 1] } };
  const slow: Chat = { start: '2026-05-05T10:00:00Z', first: [100, 'a@x.test'], turns: { 'a@x.test': [100, 1] } };
  const chats = [quick, quick, quick, slow];
  for (const metric of ['first_response_time', 'response_time']) {
    const [row] = await ask(chats, metric, { ...may, grain: 'month' });
    expect(row).toMatchObject({ count: 4, seconds: (3 * 10 + 100) / 4 });
  }
});

test('averages of averages: stored means of days are weighted by their counts', async () => {
  const engine = await account([]);
  const base = { timezone: 'UTC', grain: 'day', split: 'account', split_value: '' };
  const days = { '2026-05-04': { count: 9, hours: 1 }, '2026-05-05': { count: 1, hours: 11 } };
  const rows = Object.entries(days).map(([day, own]) => ({ ...base, period: day, day, ...own }));
  await insert(engine, 'reports', 'ticket_resolution_time', rows);
  await pulled(engine, 'UTC', '2026-05-01', '2026-05-31', '2027-02-01T00:00:00Z', {
    ...{ source: 'ticket_resolution_time', grain: 'day', split: 'account', split_value: '' },
  });
  const { rows: found } = await run(engine, 'ticket_resolution_time', { ...may, grain: 'month' }, later);
  await engine.close();
  expect(found[0]).toMatchObject({ count: 10, hours: 2 });
});

test('a chat with two tags, two agents or two groups counted twice: once in each, and once in the whole', async () => {
  const chats: Chat[] = [
    {
      start: '2026-05-04T10:00:00Z',
      tags: ['a', 'b'],
      agents: ['a@x.test', 'b@x.test'],
      groups: [1, 2],
      rate: 'rated_good',
      queue: 30,
    },
  ];
  const day = { from: '2026-05-04', to: '2026-05-04', grain: 'total' };
  const engine = await account(chats);
  const counted = async (metric: string, question: Question): Promise<Row[]> =>
    (await run(engine, metric, { ...day, ...question }, later)).rows;
  const narrow: Question[] = [{}, { tag: ['a', 'b'] }, { agent: ['a@x.test', 'b@x.test'] }, { group: ['1', '2'] }];
  for (const filter of narrow) {
    expect((await counted('total_chats', filter))[0]).toMatchObject({ chats: 1 });
    expect((await counted('chat_ratings', filter))[0]).toMatchObject({ good: 1, chats: 1 });
    expect((await counted('chatting_time', filter))[0]).toMatchObject({ chat_hours: 600 / 3600 });
    expect((await counted('concurrent_chats', filter))[0]).toMatchObject({ most: 1 });
  }
  for (const split of ['tag', 'agent', 'group'])
    expect((await counted('total_chats', { split })).map((row) => row.chats)).toEqual([1, 1]);
  await engine.close();
});

test('a chat over midnight counts whole to the day it began, and its time to both days', async () => {
  const chats: Chat[] = [{ start: '2026-05-04T23:30:00Z', seconds: 3600 }];
  const days = { from: '2026-05-04', to: '2026-05-05' };
  expect((await ask(chats, 'total_chats', days)).map((row) => row.chats)).toEqual([1, 0]);
  expect((await ask(chats, 'chatting_time', days)).map((row) => row.hours)).toEqual([0.5, 0.5]);
  expect((await ask(chats, 'concurrent_chats', days)).map((row) => row.most)).toEqual([1, 1]);
});

test('a chat over a daylight-saving switch: the skipped hour is there and empty, the doubled one is one cell', async () => {
  const zone = 'Europe/Warsaw';
  // 01:30 to 03:30 on the wall is one hour long in spring and three in autumn.
  const spring = await ask(
    [{ start: '2026-03-29T00:30:00Z', seconds: 3600 }],
    'chatting_time',
    {
      ...{ from: '2026-03-29', to: '2026-03-29', grain: 'hour' },
    },
    zone,
  );
  expect(spring.slice(1, 4).map((row) => row.hours)).toEqual([0.5, 0, 0.5]);
  const autumn = await ask(
    [{ start: '2026-10-24T23:30:00Z', seconds: 3 * 3600 }],
    'chatting_time',
    {
      ...{ from: '2026-10-25', to: '2026-10-25', grain: 'hour' },
    },
    zone,
  );
  expect(autumn.slice(1, 4).map((row) => row.hours)).toEqual([0.5, 2, 0.5]);
  for (const rows of [spring, autumn]) expect(rows).toHaveLength(24);
});

test('a half-hour time zone: hours and days begin on its own clock', async () => {
  const chats: Chat[] = [{ start: '2026-05-04T18:14:59Z' }, { start: '2026-05-04T18:15:00Z' }];
  const question = { from: '2026-05-04', to: '2026-05-05', timezone: 'Asia/Kathmandu' };
  expect((await ask(chats, 'total_chats', question)).map((row) => row.chats)).toEqual([1, 1]);
  const hours = await ask(chats, 'total_chats', { ...question, grain: 'hour' });
  const busy = hours.filter((row) => Number(row.chats) > 0).map((row) => row.period);
  expect(busy).toEqual(['2026-05-04 23:00', '2026-05-05 00:00']);
});

test('an empty period drawn as zero response time: counts are 0, means are nothing', async () => {
  const days = { from: '2026-05-04', to: '2026-05-05' };
  const chats: Chat[] = [{ start: '2026-05-04T10:00:00Z', first: [10, 'a@x.test'] }];
  const [, empty] = await ask(chats, 'first_response_time', days);
  expect(empty).toMatchObject({ count: 0, seconds: null, p50: null, p90: null, state: 'complete' });
  const [, unrated] = await ask(chats, 'chat_ratings', days);
  expect(unrated).toMatchObject({ chats: 0, good: 0, csat: null, response_rate: null });
  const [, unqueued] = await ask(chats, 'waiting_times', days);
  expect(unqueued).toMatchObject({ entered_chat_count: 0, entered_chat_average: null, entered_chat_p90: null });
});

test('two currencies added: without a currency there is no value, with one it is its own', async () => {
  const sale = (currency: string, price: string) => ({
    id: 1,
    at: '2026-05-04T10:05:00Z',
    sale: true,
    price,
    currency,
  });
  const chats: Chat[] = [
    { start: '2026-05-04T10:00:00Z', goals: [sale('USD', '10'), sale('EUR', '0.10'), sale('EUR', '0.20')] },
  ];
  const day = { from: '2026-05-04', to: '2026-05-04', grain: 'total' };
  expect((await ask(chats, 'goals', day))[0]).toMatchObject({ sales_count: 3, value: null });
  const split = await ask(chats, 'goals', { ...day, split: 'currency' });
  expect(split.map(({ currency, sales_count, value }) => [currency, sales_count, value])).toEqual([
    ['EUR', 2, 0.3],
    ['USD', 1, 10],
  ]);
});

test('a period half pulled is not a number', async () => {
  const engine: Store = await openWarehouse(':memory:');
  await addChats(engine, [{ start: '2026-05-20T10:00:00Z' }]);
  await pulled(engine, 'UTC', '2026-05-15', '2026-05-31', '2027-02-01T00:00:00Z');
  const { rows: months } = await run(engine, 'total_chats', { ...may, grain: 'month' }, later);
  expect(months[0]).toMatchObject({ chats: null, state: 'not_pulled' });
  const { rows: days } = await run(engine, 'total_chats', { from: '2026-05-14', to: '2026-05-15' }, later);
  expect(days.map(({ chats, state }) => [chats, state])).toEqual([
    [null, 'not_pulled'],
    [0, 'complete'],
  ]);
  // A day of another zone that reaches into a day that is not pulled is not whole either.
  const { rows: warsaw } = await run(
    engine,
    'total_chats',
    { from: '2026-05-15', to: '2026-05-16', timezone: 'Europe/Warsaw' },
    later,
  );
  expect(warsaw.map(({ state }) => state)).toEqual(['not_pulled', 'complete']);
  await engine.close();
});

test('the first and last clipped month hold the asked days only', async () => {
  const chats: Chat[] = ['2026-04-14', '2026-04-15', '2026-05-10', '2026-06-02', '2026-06-03'].map((day) => ({
    start: `${day}T12:00:00Z`,
  }));
  const rows = await ask(chats, 'total_chats', { from: '2026-04-15', to: '2026-06-02', grain: 'month' });
  expect(rows.map(({ period, chats }) => [period, chats])).toEqual([
    ['2026-04', 1],
    ['2026-05', 1],
    ['2026-06', 1],
  ]);
});
