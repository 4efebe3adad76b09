// Chats laid over each other in time, against a loop over every second; midnights, clock changes and half-hour zones.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { tries } from '../chance.ts';
import { account, addChats, later, pulled, second, type Chat } from './account.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { run } from './query-context.ts';

const labels = new Map<string, string>();

/** Label of the hour; offsets change on quarter hours only, so one question a quarter is enough. */
function local(zone: string, at: number): string {
  const key = `${zone} ${Math.floor(at / 900)}`;
  const label =
    labels.get(key) ??
    Temporal.Instant.fromEpochMilliseconds(at * 1000)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString()
      .slice(0, 13)
      .replace('T', ' ') + ':00';
  labels.set(key, label);
  return label;
}

/** Per hour label: seconds with a chat, seconds of chats, most at once, seconds of the hour. */
function bySecond(chats: readonly Chat[], zone: string, from: number, until: number) {
  const cells = new Map<string, { busy: number; sum: number; most: number; point: number; length: number }>();
  const level = (at: number, isPoint: boolean): number =>
    chats.filter((chat) => {
      const start = second(chat.start);
      const end = start + (chat.seconds ?? 600);
      return start <= at && at < (isPoint ? Math.max(end, start + 1) : end);
    }).length;
  for (let at = from; at < until; at++) {
    const label = local(zone, at);
    const cell = cells.get(label) ?? { busy: 0, sum: 0, most: 0, point: 0, length: 0 };
    const open = level(at, false);
    const pointed = level(at, true);
    cells.set(label, {
      busy: cell.busy + (open > 0 ? 1 : 0),
      sum: cell.sum + open,
      most: Math.max(cell.most, pointed),
      point: cell.point + pointed,
      length: cell.length + 1,
    });
  }
  return cells;
}

const changes = [
  { zone: 'Europe/Warsaw', day: '2026-03-29', near: '2026-03-29T00:30:00Z' },
  { zone: 'Europe/Warsaw', day: '2026-10-25', near: '2026-10-25T00:30:00Z' },
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', near: '2026-04-04T14:45:00Z' },
  { zone: 'Asia/Kathmandu', day: '2026-06-01', near: '2026-05-31T18:10:00Z' },
] as const;

describe('chatting time and chats at once', () => {
  it.each(changes)('agree with a loop over every second in $zone on $day', async ({ zone, day, near }) => {
    const engine = await openWarehouse(':memory:');
    await pulled(engine, zone, '2026-01-01', '2026-12-31', '2027-02-01T00:00:00Z');
    const chat = fc.record({
      offset: fc.integer({ min: -3000, max: 6000 }),
      seconds: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
    });
    const property = fc.asyncProperty(fc.array(chat, { maxLength: 8 }), async (drawn) => {
      const chats: Chat[] = drawn.map(({ offset, seconds }) => ({
        start: new Date((second(near) + offset) * 1000).toISOString(),
        seconds,
      }));
      for (const table of ['chats', 'chat_agents', 'chat_groups']) await engine.exec(`delete from facts.${table}`);
      await addChats(engine, chats);
      const ask = { from: day, to: day, grain: 'hour' };
      const context = { ...later, zone };
      const time = (await run(engine, 'chatting_time', ask, context)).rows;
      const once = (await run(engine, 'concurrent_chats', ask, context)).rows;
      const start = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds / 1000;
      const cells = bySecond(chats, zone, start, Math.min(second(near) + 12_000, start + 90_000));
      for (const [index, row] of time.entries()) {
        const cell = cells.get(String(row.period)) ?? { busy: 0, sum: 0, most: 0, point: 0, length: 0 };
        expect(row.hours).toBeCloseTo(cell.busy / 3600, 9);
        expect(row.chat_hours).toBeCloseTo(cell.sum / 3600, 9);
        expect(once[index]?.most).toBe(cell.most);
      }
    });
    await fc.assert(property, { numRuns: tries(3, 12), seed: 7 });
    await engine.close();
  });

  it.each(['UTC', 'Europe/Warsaw', 'Asia/Kathmandu'])(
    'over a whole range by weekday and hour each agent has what the hours of the range have, in %s',
    async (zone) => {
      const engine = await openWarehouse(':memory:');
      await pulled(engine, zone, '2026-01-01', '2026-12-31', '2027-02-01T00:00:00Z');
      const chat = fc.record({
        at: fc.integer({ min: 0, max: 6 * 86_400 }),
        seconds: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
        agent: fc.constantFrom('a@x.test', 'b@x.test'),
      });
      const property = fc.asyncProperty(fc.array(chat, { minLength: 1, maxLength: 6 }), async (drawn) => {
        for (const table of ['chats', 'chat_agents', 'chat_groups']) await engine.exec(`delete from facts.${table}`);
        const start = second('2026-10-22T00:07:00Z');
        await addChats(
          engine,
          drawn.map(({ at, seconds, agent }) => ({
            ...{ start: new Date((start + at) * 1000).toISOString(), seconds, agents: [agent] },
          })),
        );
        // Clocks go back within the chats; most of the range lies before and after them.
        const range = { from: '2026-09-03', to: '2026-11-20' };
        const ask = async (id: string, question: Record<string, string>) =>
          (await run(engine, id, { ...range, ...question }, { ...later, zone })).rows;
        const hours = Map.groupBy(
          await ask('concurrent_chats', { grain: 'hour', split: 'agent,weekday,hour_of_day' }),
          ({ agent, weekday, hour_of_day }) => JSON.stringify([agent, weekday, hour_of_day]),
        );
        const busy = Map.groupBy(
          await ask('chatting_time', { grain: 'hour', split: 'agent,weekday,hour_of_day' }),
          ({ agent, weekday, hour_of_day }) => JSON.stringify([agent, weekday, hour_of_day]),
        );
        for (const row of await ask('concurrent_chats', { grain: 'total', split: 'agent,weekday,hour_of_day' })) {
          const own = hours.get(JSON.stringify([row.agent, row.weekday, row.hour_of_day])) ?? [];
          expect(row.most).toBe(Math.max(0, ...own.map(({ most }) => Number(most))));
          // The night in which clocks go back has an hour of two hours.
          const length = (period: unknown): number =>
            zone === 'Europe/Warsaw' && period === '2026-10-25 02:00' ? 7200 : 3600;
          const sum = own.reduce((all, { mean, period }) => all + Number(mean) * length(period), 0);
          const whole = own.reduce((all, { period }) => all + length(period), 0);
          expect(Number(row.mean)).toBeCloseTo(sum / whole, 9);
        }
        for (const row of await ask('chatting_time', { grain: 'total', split: 'agent,weekday,hour_of_day' })) {
          const own = busy.get(JSON.stringify([row.agent, row.weekday, row.hour_of_day])) ?? [];
          expect(Number(row.hours)).toBeCloseTo(
            own.reduce((all, { hours: part }) => all + Number(part), 0),
            9,
          );
        }
      });
      await fc.assert(property, { numRuns: tries(2, 6), seed: 11 });
      await engine.close();
    },
  );

  it('one begun before the range counts in for an agent among the chats of a tag, whoever else chats', async () => {
    const start = '2026-05-04T23:30:00Z';
    const [agents, tags] = [['a@x.test', 'b@x.test'], ['one']];
    const engine = await account([
      { start, seconds: 3600, agents, tags },
      { start, seconds: 7200, agents },
    ]);
    const asked = { from: '2026-05-05', to: '2026-05-05', grain: 'total', tag: 'one', split: 'agent' };
    const found = async (agent: object) => (await run(engine, 'chatting_time', { ...asked, ...agent }, later)).rows;
    const both = agents.map((agent) => ({ agent, hours: 0.5, chat_hours: 0.5, state: 'complete' }));
    expect(await found({})).toEqual(both);
    expect(await found({ agent: 'b@x.test' })).toEqual(both.slice(1));
    await engine.close();
  });

  it('a chat over midnight is cut at the border, and one begun before the range counts in', async () => {
    const engine = await account([{ start: '2026-05-04T23:30:00Z', seconds: 3600 }]);
    const ask = { from: '2026-05-05', to: '2026-05-05' };
    expect((await run(engine, 'chatting_time', ask, later)).rows).toEqual([
      { period: '2026-05-05', hours: 0.5, chat_hours: 0.5, state: 'complete' },
    ]);
    expect((await run(engine, 'concurrent_chats', { ...ask, grain: 'total' }, later)).rows[0]).toMatchObject({
      most: 1,
      mean: 1800 / 86_400,
    });
    expect((await run(engine, 'total_chats', ask, later)).rows[0]?.chats).toBe(0);
    await engine.close();
  });

  it('an end and a start in the same second do not overlap; a chat of zero length counts for its second only', async () => {
    const engine = await account([
      { start: '2026-05-05T10:00:00Z', seconds: 60 },
      { start: '2026-05-05T10:01:00Z', seconds: 60 },
      { start: '2026-05-05T12:00:00Z', seconds: 0 },
    ]);
    const ask = { from: '2026-05-05', to: '2026-05-05', grain: 'hour' };
    const most = (await run(engine, 'concurrent_chats', ask, later)).rows.map((row) => row.most);
    expect([most[9], most[10], most[11], most[12], most[13]]).toEqual([0, 1, 0, 1, 0]);
    expect((await run(engine, 'chatting_time', ask, later)).rows[12]).toMatchObject({ hours: 0, chat_hours: 0 });
    await engine.close();
  });

  it('two chats at once are one hour of chatting and two hours of chats, for each agent one', async () => {
    const engine = await account([
      { start: '2026-05-05T10:00:00Z', seconds: 3600, agents: ['a@x.test', 'b@x.test'] },
      { start: '2026-05-05T10:00:00Z', seconds: 3600, agents: ['b@x.test'] },
    ]);
    const ask = { from: '2026-05-05', to: '2026-05-05', grain: 'day' };
    expect((await run(engine, 'chatting_time', { ...ask, split: 'agent' }, later)).rows).toMatchObject([
      { agent: 'a@x.test', hours: 1, chat_hours: 1 },
      { agent: 'b@x.test', hours: 1, chat_hours: 2 },
    ]);
    const heat = (
      await run(engine, 'concurrent_chats', { ...ask, grain: 'total', split: 'weekday,hour_of_day' }, later)
    ).rows;
    expect(heat).toHaveLength(24);
    expect(heat[10]).toMatchObject({ weekday: 'tue', hour_of_day: '10', most: 2, mean: 2 });
    await engine.close();
  });
});

describe('local periods', () => {
  it('a chat in the doubled hour counts to the one cell of that hour; the skipped hour is there with zero', async () => {
    const engine = await account(
      [
        { start: '2026-10-25T00:10:00Z' },
        { start: '2026-10-25T01:10:00Z' },
        { start: '2026-03-29T00:59:59Z' },
        { start: '2026-03-29T01:00:00Z' },
      ],
      'Europe/Warsaw',
    );
    const context = { ...later, zone: 'Europe/Warsaw' };
    const hours = async (day: string) =>
      (await run(engine, 'total_chats', { from: day, to: day, grain: 'hour' }, context)).rows.filter(
        (row) => row.chats !== 0,
      );
    expect(await hours('2026-10-25')).toEqual([{ period: '2026-10-25 02:00', chats: 2, state: 'complete' }]);
    expect((await hours('2026-03-29')).map((row) => row.period)).toEqual(['2026-03-29 01:00', '2026-03-29 03:00']);
    await engine.close();
  });

  it('days of a zone at a quarter to the hour begin at that quarter', async () => {
    const engine = await account(
      [{ start: '2026-05-04T18:14:59Z' }, { start: '2026-05-04T18:15:00Z' }],
      'Asia/Kathmandu',
    );
    const ask = { from: '2026-05-04', to: '2026-05-05' };
    const { rows } = await run(engine, 'total_chats', ask, { ...later, zone: 'Asia/Kathmandu' });
    expect(rows).toEqual([
      { period: '2026-05-04', chats: 1, state: 'complete' },
      { period: '2026-05-05', chats: 1, state: 'complete' },
    ]);
    await engine.close();
  });

  it('the first and last month of a range hold only the days asked', async () => {
    const engine = await account(
      ['2026-01-30', '2026-01-31', '2026-02-10', '2026-03-01', '2026-03-02'].map((day) => ({
        start: `${day}T12:00:00Z`,
      })),
    );
    const { rows } = await run(engine, 'total_chats', { from: '2026-01-31', to: '2026-03-01', grain: 'month' }, later);
    expect(rows.map((row) => [row.period, row.chats])).toEqual([
      ['2026-01', 1],
      ['2026-02', 1],
      ['2026-03', 1],
    ]);
    await engine.close();
  });

  it('compare asks the same weekdays of the weeks before, or of a year earlier', async () => {
    const engine = await account([{ start: '2026-04-28T12:00:00Z' }]);
    const ask = { from: '2026-05-04', to: '2026-05-05', grain: 'total' };
    expect((await run(engine, 'total_chats', { ...ask, compare: 'previous' }, later)).compare).toEqual({
      from: '2026-04-27',
      to: '2026-04-28',
      rows: [{ chats: 1, state: 'complete' }],
    });
    expect((await run(engine, 'total_chats', { ...ask, compare: 'year' }, later)).compare).toMatchObject({
      from: '2025-05-05',
      to: '2025-05-06',
      rows: [{ chats: null, state: 'not_pulled' }],
    });
    // Where a split has no value in the days before, nothing else says whether they are known.
    const stateOf = async (compare: string) =>
      (await run(engine, 'goals', { ...ask, split: 'currency', compare }, later)).compare?.state;
    expect([await stateOf('previous'), await stateOf('year')]).toEqual(['complete', 'not_pulled']);
    await engine.close();
  });
});
