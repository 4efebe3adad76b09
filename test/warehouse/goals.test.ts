// Goals and sales: by their own time, and never two currencies in one number.
import { describe, expect, it } from 'vitest';
import type { QueryTexts } from '#api/question.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { account, later } from './account.ts';
import { run } from './query-context.ts';

const day = '2026-05-05';
const at = `${day}T12:00:00Z`;
const sale = { sale: true, at };

const shop = (): Promise<Store> =>
  account([
    {
      start: '2026-05-01T10:00:00Z',
      agents: ['a@x.test', 'b@x.test'],
      tags: ['one', 'two'],
      goals: [
        { id: 1, at, price: '20', currency: 'EUR' },
        { id: 2, at },
        { id: 9, ...sale, price: '0.1', currency: 'EUR' },
        { id: 9, ...sale, price: '0.2', currency: 'EUR' },
        { id: 9, ...sale, price: '7', currency: 'USD' },
        { id: 9, ...sale, price: '0', currency: 'USD' },
        { id: 9, ...sale, price: '5' },
      ],
    },
  ]);

async function ask(question: QueryTexts) {
  const engine = await shop();
  const answer = await run(engine, 'goals', { from: day, to: day, grain: 'total', ...question }, later);
  await engine.close();
  return answer;
}

describe('goals', () => {
  it('a sale counts to the day it happened, days after its chat, and once for two agents and two tags', async () => {
    const { rows, not_given } = await ask({ agent: ['a@x.test', 'b@x.test'], tag: ['one', 'two'] });
    expect(rows).toEqual([{ goals: 2, sales_count: 3, value: null, state: 'complete' }]);
    expect(not_given).toEqual({ value: 'ask with split=currency' });
  });

  it('currencies are never added: value comes by currency, exact to the cent', async () => {
    const { rows } = await ask({ split: 'currency' });
    expect(rows).toEqual([
      { currency: 'EUR', goals: null, sales_count: 2, value: 0.3, state: 'complete' },
      { currency: 'USD', goals: null, sales_count: 1, value: 7, state: 'complete' },
    ]);
  });

  it('one currency in the question narrows sales and value, not goals; two give no value', async () => {
    expect((await ask({ currency: 'EUR' })).rows).toEqual([
      { goals: 2, sales_count: 2, value: 0.3, state: 'complete' },
    ]);
    expect((await ask({ currency: ['EUR', 'USD'] })).rows).toEqual([
      { goals: 2, sales_count: 3, value: null, state: 'complete' },
    ]);
    expect((await ask({ currency: ['EUR', 'PLN'], split: 'currency' })).rows).toMatchObject([
      { currency: 'EUR', value: 0.3 },
    ]);
  });

  it('goals can be narrowed and split by goal', async () => {
    expect((await ask({ goal: '2' })).rows[0]).toMatchObject({ goals: 1, sales_count: 0 });
    expect((await ask({ split: 'goal' })).rows.map((row) => [row.goal, row.goals])).toEqual([
      [1, 1],
      [2, 1],
      [9, 0],
    ]);
  });

  it('a goal days after its chat counts for each of its agents and tags, also where one of them is asked for', async () => {
    const { rows } = await ask({ split: ['agent', 'tag'] });
    expect(rows.map((row) => [row.agent, row.tag, row.goals, row.sales_count])).toEqual([
      ['a@x.test', 'one', 2, 3],
      ['a@x.test', 'two', 2, 3],
      ['b@x.test', 'one', 2, 3],
      ['b@x.test', 'two', 2, 3],
    ]);
    const one = await ask({ split: ['agent', 'tag'], agent: 'b@x.test', tag: 'two' });
    expect(one.rows).toEqual(rows.slice(3));
  });

  it('a goal with a price is no sale, and conversion says so', async () => {
    const engine = await account([
      { start: '2026-05-01T10:00:00Z', goals: [{ id: 1, at, price: '20', currency: 'EUR' }] },
    ]);
    const { rows } = await run(engine, 'conversion', { from: '2026-05-01', to: '2026-05-01', grain: 'total' }, later);
    await engine.close();
    expect(rows).toMatchObject([{ chats: 1, chats_with_sale: 0 }]);
    expect(metrics.find(({ id }) => id === 'conversion')?.definition).toContain('a goal with a price is none');
  });
});
