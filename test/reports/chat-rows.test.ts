// Chats as rows: each column against plain loops over the chats that were put in, and against the metrics of the same rows.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { wantedChatRowsOf, type QueryTexts } from '#api/question.ts';
import { chatRows } from '#reports/chat-rows.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { chatColumnIds } from '#warehouse/read/chat-columns.ts';
import { arrayOfAnyLength, tries } from '../chance.ts';
import { account, insert, later, second, type Chat } from '../warehouse/account.ts';
import { contextOf, run } from '../warehouse/query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chat-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rowsOf = async (engine: Store, question: QueryTexts): Promise<Row[]> =>
  (
    await Array.fromAsync((await chatRows(wantedChatRowsOf(question), contextOf(engine, later))).pieces((some) => some))
  ).flat();

async function taken(chats: readonly Chat[], question: QueryTexts, more?: (engine: Store) => Promise<void>) {
  const engine = await account(chats);
  try {
    await more?.(engine);
    return await rowsOf(engine, question);
  } finally {
    await engine.close();
  }
}

/** Clock time in a zone, by the runtime's own calendar. */
const clock = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant * 1000);

const list = <T>(values: readonly T[]) => fc.subarray([...values]);
const agents = ['a@x.test', 'b@x.test', 'c@x.test'];
const randomChat = fc.record({
  // Around both changes of the clock in Europe, and around those in America.
  day: fc.constantFrom(
    '2026-03-08',
    '2026-03-28',
    '2026-03-29',
    '2026-03-30',
    '2026-10-24',
    '2026-10-25',
    '2026-11-01',
  ),
  at: fc.integer({ min: 0, max: 86_399 }),
  seconds: fc.integer({ min: 0, max: 90_000 }),
  agents: fc.shuffledSubarray(agents),
  groups: list([0, 3, 12]),
  tags: list(['one', 'two', 'Two; three']),
  rate: fc.constantFrom('rated_good', 'rated_bad', 'not_rated'),
  country: fc.constantFrom('Poland', 'Chile', null),
});
const randomQuestion = fc.record({
  from: fc.constantFrom('2026-03-08', '2026-03-29', '2026-10-25'),
  days: fc.constantFrom(0, 1, 2, 300),
  timezone: fc.constantFrom('UTC', 'Europe/Warsaw', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
  agent: list(agents),
  group: list([0, 3, 12]),
  tag: list(['one', 'Two; three']),
  rate: list(['rated_good', 'not_rated']),
  country: list(['Chile']),
});

it('rows are those that plain loops find, in every zone and under every filter, with the clock times of that zone', async () => {
  await fc.assert(
    fc.asyncProperty(arrayOfAnyLength(randomChat, { maxLength: 12 }), randomQuestion, async (chats, asked) => {
      const { days, group, ...rest } = asked;
      const to = new Date(Date.parse(asked.from) + days * 86_400_000).toISOString().slice(0, 10);
      const given = chats.map(({ day, at, country, ...chat }): Chat => {
        const start = new Date(Date.parse(day) + at * 1000).toISOString();
        return { ...chat, start, ...(country ? { country } : {}) };
      });
      const found = await taken(given, {
        ...{ ...rest, to, group: group.map(String) },
        columns: 'chat_id,started,ended,timezone,duration_seconds,agents,groups,tags,rate,country',
      });
      const any = <T>(wanted: readonly T[], has: readonly T[]) =>
        wanted.length === 0 || wanted.some((it) => has.includes(it));
      const expected = given
        .map((chat, index) => ({ ...chat, id: `C${String(index).padStart(6, '0')}`, began: second(chat.start) }))
        .filter(({ began }) => {
          const day = clock(asked.timezone, began).slice(0, 10);
          return day >= asked.from && day <= to;
        })
        .filter((chat) => any(asked.agent, chat.agents ?? []) && any(group, chat.groups ?? []))
        .filter((chat) => any(asked.tag, chat.tags ?? []) && any(asked.rate, [chat.rate ?? '']))
        .filter((chat) => any(asked.country, [chat.country ?? '']))
        .sort((one, other) => other.began - one.began || (one.id < other.id ? 1 : -1))
        .map(({ id, began, seconds = 600, rate = '', country = null, ...chat }) => ({
          chat_id: id,
          started: clock(asked.timezone, began),
          ended: clock(asked.timezone, began + seconds),
          timezone: asked.timezone,
          duration_seconds: seconds,
          agents: chat.agents?.join('; ') || null,
          groups: chat.groups?.join('; ') || null,
          tags: [...(chat.tags ?? [])].sort().join('; ') || null,
          ...{ rate, country },
        }));
      const told = found.map((row) => ({
        ...row,
        started: String(row['started']).slice(0, 19).replace('T', ' '),
        ended: String(row['ended']).slice(0, 19).replace('T', ' '),
      }));
      expect(told).toEqual(expected);
    }),
    { numRuns: tries(6, 25) },
  );
});

const at = (time: string): string => `2026-05-05T${time}Z`;
const sold = (price: string, currency = 'EUR') => ({ id: 9, at: at('12:00:00'), sale: true, price, currency });

it('the mean of a column over rows is the mean of the metric over the same chats', async () => {
  const engine = await account([
    { start: at('10:00:00'), seconds: 31, queue: 4, first: [7, 'a@x.test'], turns: { 'a@x.test': [22, 3] } },
    {
      ...{ start: at('10:05:00'), seconds: 600, queue: 0, first: [120, 'b@x.test'], agents: ['a@x.test', 'b@x.test'] },
      turns: { 'a@x.test': [10, 1], 'b@x.test': [95, 2] },
      goals: [sold('10'), sold('2.5'), { id: 1, at: at('12:00:00') }],
    },
    { start: at('23:59:59'), seconds: 5, goals: [sold('0')] },
  ]);
  const asked = { from: '2026-05-05', to: '2026-05-05' };
  const rows = await rowsOf(engine, { ...asked, columns: chatColumnIds });
  const metric = async (id: string, measure: string) =>
    (await run(engine, id, { ...asked, grain: 'total' }, later)).rows[0]?.[measure];
  const mean = (column: string): number => {
    const known = rows.flatMap((row) => (row[column] === null ? [] : [Number(row[column])]));
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  expect(rows).toHaveLength(3);
  for (const [column, id, measure] of [
    ['duration_seconds', 'chat_duration', 'seconds'],
    ['queue_seconds', 'waiting_times', 'entered_chat_average'],
    ['first_response_seconds', 'first_response_time', 'seconds'],
    ['response_seconds', 'response_time', 'seconds'],
  ] as const)
    expect([column, mean(column)]).toEqual([column, expect.closeTo(Number(await metric(id, measure)), 6)]);
  expect(rows.map(({ sales, turnover, currency, goals }) => [sales, turnover, currency, goals])).toEqual([
    [0, null, null, 0],
    [2, 12.5, 'EUR', 1],
    [0, null, null, 0],
  ]);
  expect(rows.filter(({ sales }) => Number(sales) > 0)).toHaveLength(
    Number(await metric('conversion', 'chats_with_sale')),
  );
  await engine.close();
});

it('sales in two currencies are never added', async () => {
  const [row] = await taken([{ start: at('10:00:00'), goals: [sold('10'), sold('5', 'USD')] }], {
    ...{ from: '2026-05-05', to: '2026-05-05', columns: 'sales,turnover,currency' },
  });
  expect(row).toEqual({ sales: 2, turnover: null, currency: 'EUR; USD' });
});

it('lines are counted by who wrote them, and comments are answers in own words', async () => {
  const own = { chat_id: 'C000000', started_at: second(at('10:00:00')), started_quarter: second(at('10:00:00')) / 900 };
  const lines = [
    ...[
      ['message', 'visitor'],
      ['attachment', 'visitor'],
      ['event', 'visitor'],
      ['message', 'agent'],
    ],
    ...[
      ['message', 'supervisor'],
      ['event', 'agent'],
      ['message', 'visitor'],
    ],
  ];
  const long = 'It took a while, and yet it was worth every minute of it.';
  const rows = await taken(
    [{ start: at('10:00:00') }, { start: at('11:00:00') }],
    { from: '2026-05-05', to: '2026-05-05', survey: 'pre', columns: 'chat_id,visitor_messages,agent_messages,comment' },
    async (engine) => {
      await insert(
        engine,
        'facts',
        'messages',
        lines.map(([kind = '', user_type = ''], position) => ({ ...own, kind, user_type, position })),
      );
      await insert(engine, 'facts', 'chat_surveys', [
        { ...own, survey: 'pre', position: 0, question: 'Who are you?', answer: 'Somebody' },
        { ...own, survey: 'post', position: 0, question: 'How was it?', answer: 'Good' },
        { ...own, survey: 'post', position: 1, question: 'What else?', answer: long },
      ]);
    },
  );
  expect(rows).toEqual([{ chat_id: 'C000000', visitor_messages: 3, agent_messages: 1, comment: long }]);
});

it('many chats are read in spans: every one once, newest first, on pages, in pieces and in a file alike', async () => {
  const chats = Array.from({ length: 45_000 }, (_, index): Chat => ({
    start: new Date(second('2026-01-01T00:00:00Z') * 1000 + index * 97_000).toISOString(),
  }));
  const engine = await account(chats);
  const rows = await chatRows(
    wantedChatRowsOf({ from: '2026-01-02', to: '2026-02-18', columns: 'chat_id,agents' }),
    contextOf(engine, later),
  );
  const expected = chats
    .flatMap(({ start }, index) =>
      start >= '2026-01-02' && start < '2026-02-19' ? [`C${String(index).padStart(6, '0')}`] : [],
    )
    .reverse();
  expect(rows.total).toBe(expected.length);
  expect(rows.total).toBeGreaterThan(40_000);
  const all = (await Array.fromAsync(rows.pieces((some) => some))).flat().map(({ chat_id }) => chat_id);
  expect(all).toEqual(expected);
  for (const offset of [0, 19_000, 20_400, 39_950, expected.length - 3, expected.length]) {
    const page = (await rows.page({ limit: 900, offset })).map(({ chat_id }) => chat_id);
    expect([offset, page]).toEqual([offset, expected.slice(offset, offset + 900)]);
  }
  const file = await rows.fileIn(folder);
  const read = await engine.query(`select chat_id, agents from ${`read_parquet('${file}')`}`);
  expect(read.map(({ chat_id }) => chat_id)).toEqual(expected);
  expect(readdirSync(folder).length).toBeGreaterThan(2);
  await engine.close();
});
