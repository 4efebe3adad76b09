// Numbers that only the source gives, alone and beside recomputed ones.
import { describe, expect, it } from 'vitest';
import { Refused } from '#warehouse/errors.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { account, insert, later, pulled, type Chat } from './account.ts';
import { run } from './query-context.ts';

const zone = 'Europe/Warsaw';
const context = { ...later, zone };
const pulledAt = '2027-02-01T00:00:00Z';

async function stored(
  engine: Store,
  table: string,
  split: string,
  value: string,
  days: Record<string, Row>,
  grain = 'day',
) {
  const rows = Object.entries(days).map(([period, row]) => ({
    timezone: zone,
    grain,
    split,
    split_value: value,
    period,
    day: period.slice(0, 10),
    ...row,
  }));
  await insert(engine, 'reports', table, rows);
  await pulled(engine, zone, '2026-05-01', '2026-05-31', pulledAt, { source: table, grain, split, split_value: value });
}

const refusal = async (work: Promise<unknown>): Promise<Refused> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refused);
  return error as Refused;
};

const may = { from: '2026-05-04', to: '2026-05-05' };

describe('reported numbers', () => {
  it('a mean over days is weighted by count, and null without tickets', async () => {
    const engine = await account([], zone);
    await stored(engine, 'ticket_resolution_time', 'account', '', {
      '2026-05-04': { count: 1, hours: 10 },
      '2026-05-05': { count: 3, hours: 2 },
      '2026-05-06': { count: 0, hours: null },
    });
    const ask = async (question: Record<string, string>) =>
      (await run(engine, 'ticket_resolution_time', { ...may, ...question }, context)).rows;
    expect(await ask({ grain: 'total' })).toEqual([{ count: 4, hours: 4, state: 'complete' }]);
    expect(await ask({ grain: 'week' })).toEqual([{ period: '2026-W19', count: 4, hours: 4, state: 'complete' }]);
    expect(await ask({ from: '2026-05-06', to: '2026-05-06' })).toEqual([
      { period: '2026-05-06', count: 0, hours: null, state: 'complete' },
    ]);
    await engine.close();
  });

  it('hours come from hour answers, weekdays from day answers', async () => {
    const engine = await account([], zone);
    await stored(engine, 'availability', 'account', '', { '2026-05-04': { hours: 2 }, '2026-05-05': { hours: 5.5 } });
    await stored(
      engine,
      'availability',
      'account',
      '',
      { '2026-05-04 09:00': { hours: 0.5 }, '2026-05-05 09:00': { hours: 1 } },
      'hour',
    );
    const ask = async (question: Record<string, string>) =>
      (await run(engine, 'availability', { ...may, ...question }, context)).rows;
    expect(await ask({ grain: 'total' })).toEqual([{ hours: 7.5, state: 'complete' }]);
    expect((await ask({ grain: 'hour' })).filter((row) => row.hours !== 0)).toEqual([
      { period: '2026-05-04 09:00', hours: 0.5, state: 'complete' },
      { period: '2026-05-05 09:00', hours: 1, state: 'complete' },
    ]);
    expect((await ask({ grain: 'total', split: 'hour_of_day' }))[9]).toEqual({
      hour_of_day: '09',
      hours: 1.5,
      state: 'complete',
    });
    expect(await ask({ grain: 'total', split: 'weekday' })).toEqual([
      { weekday: 'mon', hours: 2, state: 'complete' },
      { weekday: 'tue', hours: 5.5, state: 'complete' },
    ]);
    await engine.close();
  });

  it('a metric made of a row for each agent offers no rows of other splits, and says why there are no hours of agents', async () => {
    const engine = await account([], zone);
    for (const split of ['account', 'agent'])
      await stored(engine, 'availability', split, split === 'agent' ? 'a@x.test' : '', { '2026-05-04': { hours: 1 } });
    const refused = await refusal(run(engine, 'agents_online', { ...may, grain: 'hour' }, context));
    expect(refused.message).toBe(
      'agents_online was not pulled by hour for each agent: ' +
        'hours of each agent are pulled for accounts of at most 25 agents',
    );
    expect(refused.choices).toEqual(['by day for each agent']);
    // Of other reports no account has them.
    await stored(engine, 'solved_tickets', 'agent', 'a@x.test', { '2026-05-04': {} });
    const other = await refusal(run(engine, 'solved_tickets', { ...may, grain: 'hour', split: 'agent' }, context));
    expect(other.message).toBe('solved_tickets was not pulled by hour for each agent, only by day for each agent');
    await engine.close();
  });

  it('exists only in the zone and at the splits it was pulled in; the refusal says which', async () => {
    const engine = await account([], zone);
    await stored(engine, 'availability', 'account', '', { '2026-05-04': { hours: 2 } });
    await stored(engine, 'availability', 'agent', 'a@x.test', { '2026-05-04': { hours: 1 } });
    const ask = (question: Record<string, string | string[]>) =>
      run(engine, 'availability', { ...may, ...question }, context);
    expect((await refusal(ask({ timezone: 'UTC' }))).choices).toEqual([zone]);
    expect((await refusal(ask({ grain: 'hour' }))).choices).toEqual([
      'by day for each account',
      'by day for each agent',
    ]);
    expect((await refusal(ask({ group: '1' }))).choices).toContain('by day for each agent');
    expect((await refusal(ask({ agent: ['a@x.test', 'b@x.test'] }))).choices).toEqual(['split=agent']);
    expect((await refusal(ask({ agent: 'a@x.test', group: '1' }))).message).toContain('not by both at once');
    expect((await refusal(ask({ tag: 'one' }))).choices).toEqual(['agent', 'group']);
    expect((await ask({ split: 'agent' })).rows[0]).toEqual({
      period: '2026-05-04',
      agent: 'a@x.test',
      hours: 1,
      state: 'complete',
    });
    expect((await ask({ agent: 'nobody@x.test' })).rows[0]).toEqual({
      period: '2026-05-04',
      hours: null,
      state: 'not_given',
    });
    await engine.close();
  });
});

const chats: Chat[] = [
  { start: '2026-05-04T10:00:00Z', queue: 0, groups: [1], tags: ['vip'] },
  { start: '2026-05-04T11:00:00Z', queue: 30, groups: [1] },
  { start: '2026-05-04T12:00:00Z', groups: [1] },
];

async function queue(): Promise<Store> {
  const engine = await account(chats, zone);
  await stored(engine, 'queued_visitors', 'account', '', {
    '2026-05-04': { left_queue: 2 },
    '2026-05-05': { left_queue: 1 },
  });
  const waits = { left_queue_count: 2, left_queue_min: 5, left_queue_max: 60, left_queue_average: 32.5 };
  await stored(engine, 'waiting_times', 'account', '', {
    '2026-05-04': waits,
    '2026-05-05': { left_queue_count: 0, left_queue_min: null, left_queue_max: null, left_queue_average: null },
  });
  return engine;
}

describe('the queue', () => {
  it('adds who entered a chat, also after 0 seconds, and who left', async () => {
    const engine = await queue();
    expect((await run(engine, 'queued_visitors', may, context)).rows).toEqual([
      { period: '2026-05-04', queued: 4, entered_chat: 2, left_queue: 2, abandonment: 0.5, state: 'complete' },
      { period: '2026-05-05', queued: 1, entered_chat: 0, left_queue: 1, abandonment: 1, state: 'complete' },
    ]);
    await engine.close();
  });

  it('pools waits weighted by count, and has no average without visitors', async () => {
    const engine = await queue();
    const { rows } = await run(engine, 'waiting_times', may, context);
    expect(rows[0]).toMatchObject({
      queued_count: 4,
      queued_min: 0,
      queued_max: 60,
      queued_average: (0 + 30 + 65) / 4,
      entered_chat_count: 2,
      entered_chat_average: 15,
      entered_chat_p50: 15,
      entered_chat_p90: 27,
      left_queue_count: 2,
      left_queue_average: 32.5,
    });
    expect(rows[1]).toMatchObject({
      queued_count: 0,
      queued_min: null,
      queued_average: null,
      entered_chat_p50: null,
      left_queue_max: null,
    });
    await engine.close();
  });

  it('the mean of all queued stays within what the rounded mean of the source allows, where both count the same', async () => {
    const engine = await account(chats, zone);
    // 0 s, 30 s and 46 s are 25.3 s on average; a source that says 24 knows the 46 to be less than that.
    const told = { left_queue_count: 1, left_queue_min: 46, left_queue_max: 46, left_queue_average: 46 };
    await stored(engine, 'waiting_times', 'account', '', {
      '2026-05-04': { ...told, queued_count: 3, queued_average: 24 },
      '2026-05-05': { ...told, queued_count: 2, queued_average: 1 },
    });
    const { rows } = await run(engine, 'waiting_times', may, context);
    expect(rows[0]?.queued_average).toBeCloseTo(24.499999, 6);
    expect(rows[1]?.queued_average).toBe(46);
    await engine.close();
  });

  it('by tag or in another zone only those who entered are known, and the answer says so', async () => {
    const engine = await queue();
    const tagged = await run(engine, 'queued_visitors', { ...may, tag: 'vip', grain: 'total' }, context);
    expect(tagged.rows).toEqual([
      { queued: null, entered_chat: 1, left_queue: null, abandonment: null, state: 'complete' },
    ]);
    expect(Object.keys(tagged.not_given ?? {}).sort()).toEqual(['abandonment', 'left_queue', 'queued']);
    const elsewhere = await run(engine, 'queued_visitors', { ...may, timezone: 'UTC', grain: 'total' }, context);
    expect(elsewhere.rows[0]).toMatchObject({ entered_chat: 2, left_queue: null });
    expect(elsewhere.not_given?.left_queue).toContain('Europe/Warsaw');
    await engine.close();
  });

  it('a group whose report was not pulled takes nothing from the groups after it', async () => {
    const engine = await account([{ start: '2026-05-04T10:00:00Z', queue: 7, groups: [1, 2] }], zone);
    await stored(engine, 'queued_visitors', 'group', '2', { '2026-05-04': { left_queue: 1 } });
    const { rows, not_given } = await run(
      engine,
      'queued_visitors',
      { ...may, split: 'group', grain: 'total' },
      context,
    );
    expect(rows).toMatchObject([
      { group: 1, queued: null, entered_chat: 1, left_queue: null },
      { group: 2, queued: 2, entered_chat: 1, left_queue: 1, state: 'complete' },
    ]);
    expect(not_given?.left_queue).toBe('not pulled for group 1');
    await engine.close();
  });
});
