// Levels that are kept per quarter hour: what plain loops count, after any number of changes, and the same answers as from the chats.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { listingOf, wantedCellOf, type QueryTexts } from '#api/question.ts';
import { receiptFor } from '#reports/receipts/receipt.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { levelsIn } from '#warehouse/query/levels.ts';
import { keepLevels } from '#warehouse/store/levels/refresh.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { arrayOfAnyLength, tries } from '../chance.ts';
import { account, addChats, later, pulled, second, type Chat } from './account.ts';
import { contextOf, fileOf, run } from './query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-levels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const agents = ['a@x.test', 'b@x.test', 'c@x.test'];
const beginning = second('2026-03-28T00:00:00Z');

const chat: fc.Arbitrary<Chat> = fc.record({
  // Often on a border of quarter hours or days.
  start: fc
    .tuple(fc.integer({ min: 0, max: 3 * 96 }), fc.oneof(fc.constantFrom(0, 1, 899), fc.integer({ min: 0, max: 899 })))
    .map(([quarter, more]) => new Date((beginning + quarter * 900 + more) * 1000).toISOString()),
  seconds: fc.oneof(fc.constantFrom(0, 1, 899, 900, 901), fc.integer({ min: 0, max: 100_000 })),
  agents: fc.subarray(agents, { minLength: 1 }),
  groups: fc.subarray([0, 3]),
});

interface Level {
  quarter: number;
  busy: number;
  open: number;
  highest: number;
}

/** Counted second by second. */
function counted(chats: readonly Chat[]): Level[] {
  const seconds = new Map<number, { open: number; shown: number }>();
  for (const { start, seconds: length = 600 } of chats) {
    const from = second(start);
    for (let at = from; at < Math.max(from + length, from + 1); at++) {
      const cell = seconds.get(at) ?? { open: 0, shown: 0 };
      cell.shown += 1;
      if (at < from + length) cell.open += 1;
      seconds.set(at, cell);
    }
  }
  const levels = new Map<number, Level>();
  for (const [at, { open, shown }] of seconds) {
    const quarter = Math.floor(at / 900);
    const level = levels.get(quarter) ?? { quarter, busy: 0, open: 0, highest: 0 };
    level.busy += open > 0 ? 1 : 0;
    level.open += open;
    level.highest = Math.max(level.highest, shown);
    levels.set(quarter, level);
  }
  return [...levels.values()].sort((one, other) => one.quarter - other.quarter);
}

const columns = 'quarter, busy_seconds as busy, chat_seconds as open, highest';

const expectCounted = async (engine: Store, chats: readonly Chat[]): Promise<void> => {
  expect(await engine.query(`select ${columns} from facts.account_levels order by quarter`)).toEqual(counted(chats));
  for (const agent of agents) {
    const own = chats.filter((each) => each.agents?.includes(agent));
    const kept = `select ${columns} from facts.agent_levels where agent = '${agent}' order by quarter`;
    expect([agent, await engine.query(kept)]).toEqual([agent, counted(own)]);
  }
  for (const group of [0, 3]) {
    const own = chats.filter((each) => each.groups?.includes(group));
    const kept = `select ${columns} from facts.group_levels where group_id = ${group} order by quarter`;
    expect([group, await engine.query(kept)]).toEqual([group, counted(own)]);
  }
};

const facts = ['chats', 'chat_agents', 'chat_groups'] as const;

/** The same engine, but its statement after so many fails. */
function cutOff(engine: Store, statements: number): Store {
  let left = statements;
  const exec: Store['exec'] = (sql, params) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('cut off')) : engine.exec(sql, params);
  };
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'exec') return exec;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}

const idsOf = (from: number, to: number): string =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `'C${String(from + index).padStart(6, '0')}'`).join(
    ', ',
  );

describe('kept levels', () => {
  it('are what plain loops count when keeping them was cut off, and the chats have changed again', async () => {
    const engine = await account([]);
    let named = 0;
    await fc.assert(
      fc.asyncProperty(
        arrayOfAnyLength(chat, { minLength: 1, maxLength: 4 }),
        fc.array(chat, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 9 }),
        async (first, then, statements) => {
          for (const table of facts) await engine.exec(`delete from facts.${table}`);
          await addChats(engine, first, named);
          await keepLevels(engine);
          await addChats(engine, then, named + first.length);
          const end = await keepLevels(cutOff(engine, statements)).then(
            () => 'kept',
            (error: unknown) => String(error),
          );
          expect(['kept', 'Error: cut off']).toContain(end);
          // As it was before: what was counted in between must not stay.
          const gone = idsOf(named + first.length, named + first.length + then.length);
          for (const table of facts) await engine.exec(`delete from facts.${table} where chat_id in (${gone})`);
          await keepLevels(engine);
          await expectCounted(engine, first);
          named += first.length + then.length;
        },
      ),
      { numRuns: tries(3, 15) },
    );
    await engine.close();
  });

  it('are what plain loops count, also after chats came, changed and went', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrayOfAnyLength(chat, { minLength: 1, maxLength: 8 }),
        fc.array(chat, { maxLength: 4 }),
        fc.integer({ min: 0, max: 8 }),
        async (first, more, gone) => {
          const engine = await account(first);
          await keepLevels(engine);
          await expectCounted(engine, first);
          // The first ones go, others come in their place.
          const left = first.slice(gone);
          const ids = idsOf(0, Math.min(gone, first.length));
          for (const table of facts)
            if (ids !== '') await engine.exec(`delete from facts.${table} where chat_id in (${ids})`);
          await addChats(engine, more, first.length);
          await keepLevels(engine);
          await expectCounted(engine, [...left, ...more]);
          await engine.close();
        },
      ),
      { numRuns: tries(3, 12) },
    );
  });

  it('change no answer about levels, nor a file of them', async () => {
    const chats = fc.sample(chat, { seed: 11, numRuns: 150 });
    const writer = await account(chats);
    const { file } = await publish(writer, join(folder, 'answers'), second('2027-02-01T00:00:00Z') * 1000);
    const snapshot = await openWarehouse(file, { readOnly: true });
    expect((await levelsIn(snapshot)).accounts).toEqual(new Set(['default']));
    const question = fc.record(
      {
        timezone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'),
        grain: fc.constantFrom('hour', 'day', 'week', 'month', 'total'),
        split: fc
          .subarray(['agent', 'group', 'weekday', 'hour_of_day'], { maxLength: 2 })
          .map((names) => names.join(',')),
        agent: fc.constantFrom('a@x.test', 'nobody@x.test'),
        group: fc.constantFrom('0', '3'),
        from: fc.constantFrom('2026-03-20', '2026-03-28', '2026-03-29', '2026-03-31'),
        to: fc.constantFrom('2026-03-31', '2026-04-02'),
      },
      { requiredKeys: ['timezone', 'grain', 'from', 'to'] },
    );
    const metric = fc.constantFrom('concurrent_chats', 'chatting_time');
    await fc.assert(
      fc.asyncProperty(metric, question, async (id, { split, ...rest }) => {
        const asked = { ...rest, ...(split ? { split } : {}) };
        const [kept, swept] = [await run(snapshot, id, asked, later), await run(writer, id, asked, later)];
        expect(kept.rows).toEqual(swept.rows);
        const files = [await fileOf(snapshot, id, asked, later), await fileOf(writer, id, asked, later)];
        expect(files[0]).toEqual(files[1]);
      }),
      { numRuns: tries(20, 150) },
    );
    await snapshot.close();
    await writer.close();
  });

  it('are not kept for an account in which many had one long chat', async () => {
    const engine = await account([
      {
        start: '2026-03-28T00:00:00Z',
        seconds: 5 * 86_400,
        agents: Array.from({ length: 1000 }, (_, of) => `${of}@x.test`),
      },
    ]);
    await keepLevels(engine);
    expect(await engine.query('select count(*) as rows from facts.agent_levels')).toEqual([{ rows: 0 }]);
    await engine.close();
  });

  it('are not kept for an account whose chats are open for years, and go when they become so', async () => {
    const engine = await account([{ start: '2026-03-28T00:00:00Z' }]);
    await keepLevels(engine);
    const kept = async (): Promise<unknown[]> => [
      (await engine.query('select count(*) as rows from facts.account_levels'))[0]?.rows,
      (await engine.query('select count(*) as rows from facts.level_days'))[0]?.rows,
    ];
    expect(await kept()).toEqual([1, 1]);
    // Forty years, in a quarter hour of 1.4 million.
    await engine.exec(
      `update facts.chats set started_second = ${second('1986-01-01T00:00:00Z')}, started_quarter = ${second('1986-01-01T00:00:00Z') / 900}`,
    );
    await keepLevels(engine);
    expect(await kept()).toEqual([0, 0]);
    await engine.close();
  });
});

describe('a day that is not over', () => {
  // Received at 11:20 of the day in UTC: two hours of one chat, and five minutes of another one.
  const chats: Chat[] = [
    { start: '2026-05-04T10:00:00Z', seconds: 600, agents: ['a@x.test'] },
    { start: '2026-05-05T02:00:00Z', seconds: 7200, agents: ['a@x.test'] },
    { start: '2026-05-05T11:15:00Z', seconds: 300, agents: ['b@x.test'] },
  ];
  const asked = { account: 'default', zone: 'UTC', now: second('2026-05-05T11:30:00Z') };
  const passed = (11 * 60 + 20) * 60;
  const today = { from: '2026-05-05', to: '2026-05-05', grain: 'day' };

  async function engines(): Promise<{ kept: Store; swept: Store }> {
    const swept = await openWarehouse(':memory:');
    await addChats(swept, chats);
    await pulled(swept, 'UTC', '2026-04-27', '2026-05-04', '2026-05-05T00:30:00Z');
    await pulled(swept, 'UTC', '2026-05-05', '2026-05-05', '2026-05-05T11:20:00Z');
    const place = mkdtempSync(join(folder, 'open-'));
    const { file } = await publish(swept, place, asked.now * 1000);
    return { swept, kept: await openWarehouse(file, { readOnly: true }) };
  }

  it('divides by the time that has passed, with levels that are kept, from the chats, and in the view', async () => {
    const { kept, swept } = await engines();
    try {
      for (const engine of [kept, swept]) {
        const meanOf = async (question: QueryTexts, of: (row: Row) => boolean = () => true): Promise<number[]> =>
          (await run(engine, 'concurrent_chats', question, asked)).rows.filter(of).map((row) => Number(row.mean));
        expect(await meanOf(today)).toEqual([7500 / passed]);
        expect(await meanOf({ ...today, split: 'agent' })).toEqual([7200 / passed, 300 / passed]);
        expect(await meanOf({ from: '2026-05-04', to: '2026-05-06', grain: 'total' })).toEqual([
          8100 / (86_400 + passed),
        ]);
        // Of the only Tuesday, twenty minutes of the hour from 11 on have passed.
        const hours = { from: '2026-05-01', to: '2026-05-05', grain: 'total', split: 'weekday,hour_of_day' };
        const at = (weekday: string, hour: string) => (row: Row) => row.weekday === weekday && row.hour_of_day === hour;
        expect(await meanOf(hours, at('tue', '11'))).toEqual([300 / 1200]);
        expect(await meanOf(hours, at('tue', '02'))).toEqual([1]);
        expect(await meanOf({ ...today, grain: 'hour' }, ({ period }) => period === '2026-05-05 11:00')).toEqual([
          300 / 1200,
        ]);
        // Days that are over are as they were.
        expect(await meanOf({ ...today, from: '2026-05-04', to: '2026-05-04' })).toEqual([600 / 86_400]);
      }
      const view = await kept.query('select day, mean from metrics.concurrent_chats order by day desc limit 2');
      expect(view).toEqual([
        { day: '2026-05-05', mean: 7500 / passed },
        { day: '2026-05-04', mean: 600 / 86_400 },
      ]);
    } finally {
      await kept.close();
      await swept.close();
    }
  });

  it('is compared with the same time of the earlier day', async () => {
    const { kept, swept } = await engines();
    await addChats(swept, [{ start: '2026-04-28T02:00:00Z', seconds: 7500 }], 10);
    const { rows, compare } = await run(swept, 'concurrent_chats', { ...today, compare: 'previous' }, asked);
    const until = (11 * 60 + 15) * 60;
    expect([rows[0]?.mean, compare?.rows[0]?.mean]).toEqual([7500 / passed, 7500 / until]);
    await kept.close();
    await swept.close();
  });

  it('has a receipt that adds up', async () => {
    const { kept, swept } = await engines();
    const wanted = { ...today, period: '2026-05-05', measure: 'mean' };
    const { value, adds_up } = await receiptFor(
      'concurrent_chats',
      wantedCellOf(metricOf('concurrent_chats'), wanted),
      listingOf(wanted),
      contextOf(kept, asked),
    );
    expect({ value, adds_up }).toMatchObject({
      value: 7500 / passed,
      adds_up: { from_chats: 7500 / passed, agrees: true },
    });
    await kept.close();
    await swept.close();
  });
});
