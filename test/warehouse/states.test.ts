// Complete, settling, open, not pulled: zero, nothing pulled yet and not given are three different answers.
import { describe, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { addChats, pulled, second } from './account.ts';
import { run } from './query-context.ts';

const zone = 'Europe/Warsaw';
const now = second('2026-05-20T10:30:00Z');
const context = { account: 'default', zone, now };

/** Pulled from 1 May, the last time on the 20th at 10:00 UTC; the 3rd is missing. */
async function running(): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  await addChats(
    engine,
    ['2026-05-02', '2026-05-03', '2026-05-20'].map((day) => ({ start: `${day}T06:00:00Z` })),
  );
  await pulled(engine, zone, '2026-05-01', '2026-05-02', '2026-05-10T00:00:00Z');
  await pulled(engine, zone, '2026-05-04', '2026-05-20', '2026-05-20T10:00:00Z');
  return engine;
}

describe('states', () => {
  it('a day is complete a week after its end, settling before, open until it ends and was pulled again', async () => {
    const engine = await running();
    const { rows } = await run(engine, 'total_chats', { from: '2026-05-12', to: '2026-05-22' }, context);
    expect(rows.map((row) => `${row.period} ${row.chats} ${row.state}`)).toEqual([
      '2026-05-12 0 complete',
      ...[13, 14, 15, 16, 17, 18, 19].map((day) => `2026-05-${day} 0 settling`),
      '2026-05-20 1 open',
      '2026-05-21 0 open',
      '2026-05-22 0 open',
    ]);
    const hours = (await run(engine, 'total_chats', { from: '2026-05-20', to: '2026-05-20', grain: 'hour' }, context))
      .rows;
    expect(hours.slice(10, 14).map((row) => row.state)).toEqual(['settling', 'settling', 'open', 'open']);
    await engine.close();
  });

  it('a period of which a part was not pulled is never a number', async () => {
    const engine = await running();
    const rows = async (question: Record<string, string>) =>
      (await run(engine, 'total_chats', { from: '2026-05-01', to: '2026-05-04', ...question }, context)).rows;
    expect((await rows({})).map((row) => [row.chats, row.state])).toEqual([
      [0, 'complete'],
      [1, 'complete'],
      [null, 'not_pulled'],
      [0, 'complete'],
    ]);
    expect(await rows({ grain: 'total' })).toEqual([{ chats: null, state: 'not_pulled' }]);
    expect((await rows({ grain: 'month', to: '2026-05-31' }))[0]).toMatchObject({ chats: null, state: 'not_pulled' });
    await engine.close();
  });

  it('where chats begun before count in, a day is known only when the day before it was pulled too', async () => {
    const engine = await running();
    for (const metric of ['concurrent_chats', 'chatting_time'])
      for (const from of ['2026-05-01', '2026-05-02', '2026-05-05']) {
        const { rows } = await run(engine, metric, { from, to: '2026-05-06' }, context);
        const known = rows.filter(({ state }) => state !== 'not_pulled').map(({ period }) => period);
        // The 1st and the 4th follow days that were not.
        const expected = ['2026-05-02', '2026-05-05', '2026-05-06'].filter((day) => day >= from);
        expect([metric, from, known]).toEqual([metric, from, expected]);
      }
    await engine.close();
  });

  it('days of another zone are pulled only where the days of the account cover them', async () => {
    const engine = await running();
    const { rows } = await run(
      engine,
      'total_chats',
      { from: '2026-05-01', to: '2026-05-05', timezone: 'America/New_York' },
      context,
    );
    expect(rows.map((row) => row.state)).toEqual(['complete', 'not_pulled', 'not_pulled', 'complete', 'complete']);
    await engine.close();
  });

  it('after midnight, a day last pulled before it ended is open', async () => {
    const engine = await running();
    const ask = { from: '2026-05-20', to: '2026-05-21' };
    const { rows } = await run(engine, 'total_chats', ask, { ...context, now: second('2026-05-20T22:01:00Z') });
    expect(rows.map((row) => [row.period, row.chats, row.state])).toEqual([
      ['2026-05-20', 1, 'open'],
      ['2026-05-21', null, 'not_pulled'],
    ]);
    await engine.close();
  });

  it('an empty warehouse answers not_pulled, with one row when nothing is split', async () => {
    const engine = await openWarehouse(':memory:');
    expect(
      (await run(engine, 'chat_ratings', { from: '2026-05-01', to: '2026-05-02', grain: 'total' }, context)).rows,
    ).toMatchObject([{ good: null, csat: null, state: 'not_pulled' }]);
    expect((await run(engine, 'new_tickets', { from: '2026-05-01', to: '2026-05-01' }, context)).rows).toEqual([
      { period: '2026-05-01', new_tickets: null, state: 'not_pulled' },
    ]);
    await engine.close();
  });

  it('a split without a value says of the range whether it was pulled', async () => {
    const engine = await running();
    const state = async (from: string, to: string, grain = 'total') =>
      (await run(engine, 'goals', { from, to, grain, split: ['currency'] }, context)).state;
    expect(await state('2026-04-01', '2026-04-05', 'day')).toBe('not_pulled');
    expect(await state('2026-05-01', '2026-05-04')).toBe('not_pulled');
    expect(await state('2026-05-04', '2026-05-08')).toBe('complete');
    expect(await state('2026-05-19', '2026-05-20')).toBe('open');
    const { rows, ...answer } = await run(engine, 'total_chats', { from: '2026-05-04', to: '2026-05-05' }, context);
    expect([rows.length, 'state' in answer]).toEqual([2, false]);
    await engine.close();
  });
});
