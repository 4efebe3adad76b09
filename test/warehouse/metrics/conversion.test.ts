// Chats that led to a sale, and what a chat brings in each currency.
import { expect, it } from 'vitest';
import type { QueryTexts } from '#api/question.ts';
import { account, later, type Chat } from '../account.ts';
import { run } from '../query-context.ts';

const day = '2026-05-05';
const sale = { id: 9, sale: true, at: '2026-05-09T12:00:00Z' };
const chats: Chat[] = [
  {
    start: `${day}T10:00:00Z`,
    agents: ['a@x.test', 'b@x.test'],
    goals: [
      { ...sale, price: '10', currency: 'EUR' },
      { ...sale, price: '20', currency: 'EUR' },
      { ...sale, price: '7', currency: 'USD' },
      { id: 1, at: sale.at, price: '100', currency: 'EUR' },
    ],
  },
  { start: `${day}T11:00:00Z`, agents: ['b@x.test'], goals: [{ ...sale, price: '0', currency: 'EUR' }] },
  { start: `${day}T12:00:00Z`, agents: ['b@x.test'], goals: [{ ...sale, price: '5', currency: 'USD' }] },
  { start: `${day}T13:00:00Z`, agents: ['a@x.test'] },
];

async function ask(question: QueryTexts) {
  const engine = await account(chats);
  const answer = await run(engine, 'conversion', { from: day, to: day, grain: 'total', ...question }, later);
  await engine.close();
  return answer;
}

it('a chat with several sales, agents and currencies is one chat with a sale; days later counts too', async () => {
  const { rows, not_given } = await ask({ agent: ['a@x.test', 'b@x.test'] });
  expect(rows).toEqual([{ chats_with_sale: 2, chats: 4, rate: 0.5, revenue_per_chat: null, state: 'complete' }]);
  expect(not_given).toEqual({ revenue_per_chat: 'ask with split=currency' });
});

it('revenue per chat is over all chats, in each currency for itself', async () => {
  expect((await ask({ split: 'currency' })).rows).toEqual([
    { currency: 'EUR', chats_with_sale: null, chats: null, rate: null, revenue_per_chat: 7.5, state: 'complete' },
    { currency: 'USD', chats_with_sale: null, chats: null, rate: null, revenue_per_chat: 3, state: 'complete' },
  ]);
  expect((await ask({ currency: 'EUR' })).rows).toEqual([
    { chats_with_sale: 1, chats: 4, rate: 0.25, revenue_per_chat: 7.5, state: 'complete' },
  ]);
});

it('splits with an agent and by day', async () => {
  const { rows } = await ask({ split: 'currency,agent', grain: 'day' });
  expect(rows.map(({ currency, agent, revenue_per_chat }) => [currency, agent, revenue_per_chat])).toEqual([
    ['EUR', 'a@x.test', 15],
    ['EUR', 'b@x.test', 10],
    ['USD', 'a@x.test', 3.5],
    ['USD', 'b@x.test', 4],
  ]);
});
