// The table of agents as a file: its numbers against those that were put in, now and before, and what is not told.
import { expect, it } from 'vitest';
import { agentsTable } from '#digests/agents-file.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { account, later, type Chat } from '../warehouse/account.ts';
import { comparedDays } from '#dashboards/comparison.ts';
import { contextOf } from '../warehouse/query-context.ts';

const chat = (day: string, agent: string, rate: 'rated_good' | 'rated_bad', seconds: number): Chat => ({
  ...{ start: `${day}T10:00:00Z`, agents: [agent], rate, first: [seconds, agent] },
});
const chats = [
  chat('2026-05-05', 'b@x.test', 'rated_good', 10),
  chat('2026-05-06', 'b@x.test', 'rated_bad', 30),
  chat('2026-05-07', 'a@x.test', 'rated_good', 7),
  chat('2026-05-08', 'c@x.test', 'rated_good', 7),
  chat('2026-04-28', 'a@x.test', 'rated_bad', 50),
];
const range = { from: '2026-05-04', to: '2026-05-10', timezone: 'UTC' };

async function tableOf(wanted: object, reader?: Reader) {
  const engine = await account(chats);
  try {
    return await agentsTable({ ...range, ...wanted }, { ...contextOf(engine, later), ...(reader ? { reader } : {}) });
  } finally {
    await engine.close();
  }
}

it('each number stands beside that of the compared days, under a plain head', async () => {
  const { columns, rows } = await tableOf({ compare: 'previous' });
  const heads = columns.map(({ title }) => title);
  expect(heads.slice(0, 4)).toEqual(['Agent', 'Login', 'Chats', 'Chats, 2026-04-27 – 2026-05-03']);
  const at = (login: string, title: string) => rows.find((row) => row[1] === login)?.[heads.indexOf(title)];
  const before = (title: string) => `${title}, 2026-04-27 – 2026-05-03`;
  expect(rows.map(([, login]) => login)).toEqual(['a@x.test', 'b@x.test', 'c@x.test', null]);
  expect([at('a@x.test', 'Chats'), at('a@x.test', before('Chats'))]).toEqual([1, 1]);
  expect([at('b@x.test', 'Chats'), at('b@x.test', 'CSAT'), at('b@x.test', before('CSAT'))]).toEqual([2, 0.5, null]);
  expect([at('a@x.test', 'CSAT'), at('a@x.test', before('CSAT'))]).toEqual([1, 0]);
  expect(at('b@x.test', 'First response (seconds)')).toBe(20);
  expect(columns[heads.indexOf('CSAT')]?.format).toBe('share');
});

it('without a comparison there is one column of each number', async () => {
  const { columns } = await tableOf({});
  expect(columns.filter(({ title }) => /\bchats\b/i.test(title))).toHaveLength(2);
  expect(columns.some(({ title }) => title.includes('2026'))).toBe(false);
});

it('the last line is of the whole team, in which a chat of two agents counts once', async () => {
  const together: Chat = { start: '2026-05-09T10:00:00Z', agents: ['a@x.test', 'b@x.test'], rate: 'rated_bad' };
  const engine = await account([...chats, together]);
  try {
    const { columns, rows } = await agentsTable({ ...range, compare: 'previous' }, contextOf(engine, later));
    const heads = columns.map(({ title }) => title);
    const team = rows.at(-1);
    const at = (title: string) => team?.[heads.indexOf(title)];
    const before = (title: string) => at(`${title}, 2026-04-27 – 2026-05-03`);
    expect(rows).toHaveLength(4);
    expect(team?.slice(0, 2)).toEqual(['The whole team', null]);
    expect(team).toHaveLength(columns.length);
    expect(rows.slice(0, -1).map((row) => row[heads.indexOf('Chats')])).toEqual([2, 3, 1]);
    expect([at('Chats'), before('Chats'), at('CSAT'), before('CSAT')]).toEqual([5, 1, 0.6, 0]);
    expect(at('First response (seconds)')).toBe(8.5);
    expect([at('Vendor’s score'), at('Occupancy'), at('Chatting (hours)')]).toEqual([null, null, null]);
  } finally {
    await engine.close();
  }
});

it('figures that rest on too few chats are left empty, and an agent is told of no colleague', async () => {
  const { rows } = await tableOf({}, { id: 'm', rows: { agents_from: 2 } });
  const chatsOf = (login: string) => rows.find((row) => row[1] === login)?.[2] ?? null;
  expect(['a@x.test', 'b@x.test', 'c@x.test'].map(chatsOf)).toEqual([null, 2, null]);
  await expect(tableOf({}, { id: 'a', rows: { agent: 'a@x.test', own_figures: true } })).rejects.toThrow(
    'of single agents you may see your own figures only',
  );
});

it('one day that is compared is named once', () => {
  const days = (from: string, to: string) => comparedDays([{ timezone: 'UTC', compare: { from, to, rows: [] } }]);
  expect(days('2026-11-20', '2026-11-20')).toBe('2026-11-20');
  expect(days('2026-11-20', '2026-11-21')).toBe('2026-11-20 – 2026-11-21');
});
