// Numbers that only the source gives, added up from what it said day by day.
import { describe, expect, it } from 'vitest';
import type { Row, Store } from '#warehouse/engine.ts';
import type { QueryTexts } from '#api/question.ts';
import { rankingScore } from '#warehouse/definitions/wilson.ts';
import { account, insert, later, pulled } from '../account.ts';
import { run } from '../query-context.ts';

const days = ['2026-05-04', '2026-05-05', '2026-05-06'];

async function stored(engine: Store, table: string, rows: readonly Row[], split = 'account', split_value = '') {
  const where = { timezone: 'UTC', grain: 'day', split, split_value };
  await insert(
    engine,
    'reports',
    table,
    rows.map((row) => ({ ...where, period: String(row.day), ...row })),
  );
  const of = { source: table, grain: 'day', split, split_value };
  for (const day of new Set(rows.map((row) => String(row.day))))
    await pulled(engine, 'UTC', day, day, '2027-02-01T00:00:00Z', of);
}

const asked = async (engine: Store, metric: string, question: QueryTexts = {}): Promise<Row[]> =>
  (await run(engine, metric, { from: '2026-05-04', to: '2026-05-06', grain: 'total', ...question }, later)).rows;

describe('net flow', () => {
  it('accumulates new minus solved from zero at the start of the range', async () => {
    const engine = await account([]);
    await stored(
      engine,
      'new_tickets',
      days.map((day, at) => ({ day, new_tickets: [5, 1, 2][at] ?? 0 })),
    );
    await stored(
      engine,
      'solved_tickets',
      days.map((day, at) => ({ day, solved_tickets: [1, 4, 0][at] ?? 0 })),
    );
    const flow = (rows: readonly Row[]) => rows.map((row) => row.net_flow);
    expect(flow(await asked(engine, 'net_flow', { grain: 'day' }))).toEqual([4, 1, 3]);
    expect(flow(await asked(engine, 'net_flow', { grain: 'day', from: '2026-05-05' }))).toEqual([-3, -1]);
    expect(await asked(engine, 'net_flow')).toEqual([
      { new_tickets: 8, solved_tickets: 5, net_flow: 3, state: 'complete' },
    ]);
    await engine.close();
  });
  it('is unknown after a day of which one of the two is missing', async () => {
    const engine = await account([]);
    await stored(
      engine,
      'new_tickets',
      days.map((day) => ({ day, new_tickets: 2 })),
    );
    await stored(engine, 'solved_tickets', [
      { day: days[0] ?? '', solved_tickets: 1 },
      { day: days[2] ?? '', solved_tickets: 1 },
    ]);
    const rows = await asked(engine, 'net_flow', { grain: 'day' });
    expect(rows.map(({ net_flow, state }) => [net_flow, state])).toEqual([
      [1, 'complete'],
      [null, 'not_pulled'],
      [null, 'complete'],
    ]);
    await engine.close();
  });
});

describe('ticket ranking', () => {
  it('adds the rankings of days and scores again; of a group its own', async () => {
    const engine = await account([]);
    const row = (day: string, agent: string, good: number, bad: number): Row => ({
      day,
      agent,
      good,
      bad,
      total: good + bad,
      score: 0,
    });
    await stored(engine, 'ticket_ranking', [
      row('2026-05-04', 'a', 1, 1),
      row('2026-05-05', 'b', 3, 0),
      row('2026-05-06', 'a', 1, 0),
    ]);
    await stored(
      engine,
      'ticket_ranking',
      [row('2026-05-04', 'a', 1, 0), row('2026-05-05', 'b', 0, 1), row('2026-05-06', 'b', 0, 1)],
      'group',
      '1',
    );
    expect(await asked(engine, 'ticket_ranking')).toEqual([
      { agent: 'b', good: 3, bad: 0, total: 3, score: rankingScore(3, 0), state: 'complete' },
      { agent: 'a', good: 2, bad: 1, total: 3, score: rankingScore(2, 1), state: 'complete' },
    ]);
    expect((await asked(engine, 'ticket_ranking', { group: '1' })).map(({ agent, total }) => [agent, total])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    await expect(asked(engine, 'ticket_ranking', { agent: 'a' })).rejects.toThrow('narrowed by group');
    await engine.close();
  });
});

describe('the others', () => {
  it('ticket response times are weighted by count, null without tickets', async () => {
    const engine = await account([]);
    const times = [
      { day: days[0] ?? '', count: 1, hours: 9 },
      { day: days[1] ?? '', count: 3, hours: 1 },
      { day: days[2] ?? '', count: 0, hours: null },
    ];
    await stored(engine, 'ticket_first_response_time', times);
    expect(await asked(engine, 'ticket_first_response_time')).toEqual([{ count: 4, hours: 3, state: 'complete' }]);
    expect((await asked(engine, 'ticket_first_response_time', { grain: 'day' }))[2]).toMatchObject({
      count: 0,
      hours: null,
    });
    await engine.close();
  });
  it('ticket sources and greetings add up', async () => {
    const engine = await account([]);
    await stored(
      engine,
      'ticket_sources',
      days.map((day) => ({ day, tickets_from_chat_window: 1, tickets_from_mail: 2, tickets_from_chat: 3 })),
    );
    await stored(
      engine,
      'greetings',
      days.map((day) => ({ day, displayed: 10, accepted: 2, goals: 1 })),
    );
    expect(await asked(engine, 'ticket_sources')).toEqual([
      { tickets_from_chat_window: 3, tickets_from_mail: 6, tickets_from_chat: 9, state: 'complete' },
    ]);
    expect(await asked(engine, 'greetings')).toEqual([{ displayed: 30, accepted: 6, goals: 3, state: 'complete' }]);
    await engine.close();
  });
});
