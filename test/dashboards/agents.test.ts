// The tables of agents and of accounts: join metrics by agent, keep silence apart from zero, sort by any column.
import { accountColumnsOf, accountRows } from '#dashboards/accounts.ts';
import { expect, test } from 'vitest';
import { agentColumns, agentQuestions, columnsOf } from '#dashboards/agent-columns.ts';
import { agentRows, sortedAgents } from '#dashboards/agents.ts';
import { answer } from './answers.ts';

const people = [
  { login: 'ann@example.com', name: 'Ann' },
  { login: 'bob@example.com', name: 'Bob' },
  { login: 'zoe@example.com', name: 'Zoë' },
];
const state = 'complete' as const;
const ratings = answer(
  [
    { agent: 'ann@example.com', chats: 10, csat: 0.9, rated: 5, state },
    { agent: 'bob@example.com', chats: 30, csat: null, rated: 0, state },
    { agent: 'gone@example.com', chats: 2, csat: 1, rated: 1, state },
  ],
  { metric: 'chat_ratings', grain: 'total' },
);
const trend = answer(
  [3, null, 7].map((chats, day) => ({ agent: 'ann@example.com', period: `2026-11-0${day + 1}`, chats, state })),
  { metric: 'total_chats', grain: 'day' },
);
const rows = agentRows(agentColumns, people, [ratings, trend], { availability: 'only in UTC' }, 'en-GB');
const at = (login: string, column: string) =>
  rows.find((it) => it.login === login)?.cells[agentColumns.findIndex(({ id }) => id === column)];

test('every named agent has a row, and so has one who is gone but has numbers', () => {
  expect(rows.map(({ name }) => name)).toEqual(['Ann', 'Bob', 'Zoë', 'gone@example.com']);
});

test('a number opens its receipt; no data, not given and zero are different', () => {
  expect(at('ann@example.com', 'chats')).toMatchObject({
    text: '10',
    cell: { metric: 'chat_ratings', measure: 'chats', grain: 'total', at: { agent: 'ann@example.com' } },
  });
  expect(at('bob@example.com', 'rated')?.text).toBe('0');
  expect(at('bob@example.com', 'csat')).toMatchObject({ text: 'no data', kind: 'no_data' });
  expect(at('ann@example.com', 'available')).toMatchObject({ kind: 'not_given', reason: 'only in UTC' });
});

test('the trend keeps its gaps', () => {
  expect(rows[0]?.trend).toEqual([3, null, 7]);
});

test('who has no number is last, whichever way the column is sorted', () => {
  const order = (sort: string, isDescending: boolean) =>
    sortedAgents(agentColumns, rows, sort, isDescending, 'en-GB').map(({ name }) => name);
  expect(order('chats', true)).toEqual(['Bob', 'Ann', 'gone@example.com', 'Zoë']);
  expect(order('chats', false)).toEqual(['gone@example.com', 'Ann', 'Bob', 'Zoë']);
  expect(order('csat', false)).toEqual(['Ann', 'gone@example.com', 'Bob', 'Zoë']);
  expect(order('name', true)).toEqual(['Zoë', 'gone@example.com', 'Bob', 'Ann']);
});

test('each metric is asked once, the trend by the grain of the page', () => {
  const asked = agentQuestions();
  expect(new Set(asked.map(({ metric, grain }) => `${metric} ${grain}`)).size).toBe(asked.length);
  expect(asked.at(-1)).toMatchObject({ metric: 'total_chats', grain: 'asked', split: ['agent'] });
});

test('where figures are told from so many chats on, who has none has fewer', () => {
  const few = answer(
    [
      { agent: 'ann@example.com', chats: 40, csat: 0.9, rated: 25, state },
      { agent: 'bob@example.com', chats: null, csat: null, rated: null, state: 'too_few', fewer_than: 20 },
    ],
    { metric: 'chat_ratings', grain: 'total' },
  );
  const shown = agentRows(agentColumns, people, [few], {}, 'en-GB', 20).map(({ cells }) => cells[0]);
  expect(shown.map((it) => [it?.text, it?.value])).toEqual([
    ['40', 40],
    ['< 20 chats', null],
    ['< 20 chats', null],
  ]);
  expect(shown[2]?.reason).toBe('fewer than 20 chats');
});

test('sales have a column for each currency, and a number that of the time before below it; who sold nothing sold for zero', () => {
  const at = (agent: string, currency: string, value: number) => ({ agent, currency, value, sales_count: 1, state });
  const before = { from: '2026-10-26', to: '2026-10-31', rows: [at('ann@example.com', 'EUR', 12.5)] };
  const sales = answer([at('ann@example.com', 'EUR', 20), at('bob@example.com', 'USD', 3)], {
    ...{ metric: 'goals', grain: 'total', split: ['agent', 'currency'], compare: before },
  });
  const columns = columnsOf([ratings, sales]);
  expect(columns.slice(agentColumns.length).map(({ title }) => title)).toEqual(['Sales (EUR)', 'Sales (USD)']);
  const [ann, bob] = agentRows(columns, people, [ratings, sales], {}, 'en-GB').map(({ cells }) => cells.slice(-2));
  expect(ann?.[0]).toMatchObject({ value: 20, text: '20.00', before: '12.50', cell: { at: { currency: 'EUR' } } });
  expect([ann?.[1]?.value, bob?.[0]?.value, bob?.[1]?.value]).toEqual([0, 0, 3]);
});

test('an account of which no day was pulled sold an unknown amount, and one with days sold for zero', () => {
  const sold = { account: 'eu', currency: 'EUR', value: 20, sales_count: 1, state };
  const gone = (account: string, from: string, to: string) => ({ account, from, to });
  const sales = answer([sold], {
    ...{ metric: 'goals', grain: 'total', split: ['account', 'currency'] },
    no_data: [gone('new', '2026-11-01', '2026-11-06'), gone('late', '2026-11-01', '2026-11-03')],
    compare: {
      from: '2026-10-27',
      to: '2026-10-31',
      rows: [sold],
      no_data: [gone('late', '2026-10-01', '2026-10-31')],
    },
  });
  const { rows } = accountRows(accountColumnsOf([sales]), ['eu', 'new', 'late'], [sales], {}, 'en-GB');
  expect(rows.map(({ cells }) => cells.at(-1)).map((it) => [it?.kind, it?.value, it?.earlier])).toEqual([
    ['number', 20, 20],
    ['not_pulled', null, 0],
    ['number', 0, null],
  ]);
});
