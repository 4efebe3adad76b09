// What is counted in advance for days that were said to be written: the same, bit for bit, as when everything is counted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row, Store } from '#warehouse/engine.ts';
import { keepCounts } from '#warehouse/store/counts.ts';
import { forgetCounts, touch, type TouchedQuarter } from '#warehouse/store/touched.ts';
import { arrayOfAnyLength, tries } from '../chance.ts';
import { account, addChats, second, type Chat } from './account.ts';

const beginning = second('2026-03-26T00:00:00Z');
const facts = ['chats', 'chat_agents', 'chat_groups', 'chat_tags', 'chat_turns'];
const kept = ['chat_quarters', 'account_levels', 'agent_levels', 'group_levels', 'level_days', 'open_changes'];

const chat: fc.Arbitrary<Chat> = fc.record({
  start: fc
    .tuple(
      fc.oneof(fc.integer({ min: 0, max: 5 * 96 }), fc.integer({ min: 0, max: 40 * 96 })),
      fc.constantFrom(0, 1, 450, 899),
    )
    .map(([quarter, more]) => new Date((beginning + quarter * 900 + more) * 1000).toISOString()),
  seconds: fc.oneof(fc.constantFrom(0, 899, 900), fc.integer({ min: 0, max: 200_000 })),
  agents: fc.subarray(['a@x.test', 'b@x.test'], { minLength: 1 }),
  groups: fc.subarray([0, 3]),
  rate: fc.constantFrom('rated_good', 'rated_bad', 'not_rated'),
  visitor: fc.constantFrom('', 'V1', 'V2'),
  turns: fc.record({ 'a@x.test': fc.tuple(fc.integer({ min: 1, max: 997 }), fc.integer({ min: 1, max: 7 })) }),
});

/** A late rating, a longer chat, chats that go and others that come; or a publication that is cut off. */
const change = fc.record({
  comes: fc.array(chat, { maxLength: 3 }),
  goes: fc.array(fc.nat(30), { maxLength: 2 }),
  isRated: fc.array(fc.nat(30), { maxLength: 2 }),
  isLonger: fc.array(fc.nat(30), { maxLength: 1 }),
  cutAfter: fc.option(fc.nat(12), { nil: undefined }),
});

const idOf = (index: number): string => `'C${String(index).padStart(6, '0')}'`;

async function writtenOf(engine: Store, ids: readonly number[]): Promise<TouchedQuarter[]> {
  const rows = await engine.query(
    `select account, started_quarter from facts.chats where chat_id in (${[-1, ...ids].map(idOf).join(', ')})`,
  );
  return rows.map((row) => ({ account: String(row.account), started_quarter: Number(row.started_quarter) }));
}

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

type Change = typeof change extends fc.Arbitrary<infer Found> ? Found : never;

async function make(engine: Store, from: number, { comes, goes, isRated, isLonger }: Change): Promise<void> {
  await engine.transaction(async () => {
    await touch(engine, await writtenOf(engine, [...goes, ...isRated, ...isLonger]));
    for (const id of isRated)
      await engine.exec(`update facts.chats set rate = 'rated_good' where chat_id = ${idOf(id)}`);
    for (const id of isLonger)
      await engine.exec(
        `update facts.chats set ended_second = ended_second + 5000, content_hash = 'longer' where chat_id = ${idOf(id)}`,
      );
    for (const table of facts)
      await engine.exec(`delete from facts.${table} where chat_id in (${[-1, ...goes].map(idOf).join(', ')})`);
    await addChats(engine, comes, from);
    await touch(
      engine,
      comes.map(({ start }) => ({ account: 'default', started_quarter: Math.floor(second(start) / 900) })),
    );
  });
}

const keptIn = async (engine: Store): Promise<Row[][]> => {
  const found: Row[][] = [];
  for (const table of kept) found.push(await engine.query(`select * from facts.${table} order by all`));
  return found;
};

describe('counting what was said to be written', () => {
  it('gives what counting everything gives, after any changes and publications that were cut off', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrayOfAnyLength(chat, { maxLength: 8 }),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (first, changes) => {
          const engine = await account(first);
          await keepCounts(engine);
          let chats = first.length;
          for (const each of changes) {
            await make(engine, chats, each);
            chats += each.comes.length;
            if (each.cutAfter !== undefined)
              await keepCounts(cutOff(engine, each.cutAfter)).catch((error: unknown) =>
                expect(String(error)).toBe('Error: cut off'),
              );
          }
          await keepCounts(engine);
          const told = await keptIn(engine);
          await engine.exec(forgetCounts);
          for (const table of [...kept.slice(1), 'agent_outcomes']) await engine.exec(`delete from facts.${table}`);
          await keepCounts(engine);
          expect(told).toEqual(await keptIn(engine));
          await engine.close();
        },
      ),
      { numRuns: tries(2, 10) },
    );
  });

  it('counts many chats in pieces, across which visitors return as if it were one', async () => {
    const engine = await account([{ start: '2026-03-18T00:00:00Z', visitor: 'V' }]);
    const copies = 140_000;
    for (const table of ['chats', 'chat_agents', 'chat_groups']) {
      const ofChats =
        ", 'V' || (r * 7919 % 50000) as visitor_id, c.started_second + r // 250 * 900 as started_second, c.ended_second + r // 250 * 900 as ended_second";
      await engine.exec(
        `insert into facts.${table}\nselect c.* replace ('D' || r as chat_id, cast(c.started_quarter + r // 250 as integer) as started_quarter` +
          `${table === 'chats' ? ofChats : ''})\nfrom facts.${table} as c cross join (select range as r from range(${copies})) as copies`,
      );
    }
    await keepCounts(engine);
    const kept = 'select started_quarter, count(*) as chats, sum(is_returning) as returning from facts.agent_outcomes';
    const told = await engine.query(`${kept} group by 1 order by 1`);
    const whole =
      'select started_quarter, count(*) as chats, count(*) filter (where nth > 1) as returning\n' +
      'from (select started_quarter, row_number() over (partition by visitor_id order by started_second, chat_id) as nth from facts.chats)';
    expect(told).toEqual(await engine.query(`${whole} group by 1 order by 1`));
    expect(told.some(({ returning }) => Number(returning) > 0)).toBe(true);
    expect(await engine.query('select sum(all_chats) as chats from facts.chat_quarters')).toEqual([
      { chats: copies + 1 },
    ]);
    await engine.close();
  });

  it('looks at nothing else', async () => {
    const engine = await account([{ start: '2026-03-18T10:00:00Z' }, { start: '2026-03-30T10:00:00Z' }]);
    await keepCounts(engine);
    const good = 'select sum(rated_good) as good from facts.chat_quarters';
    await engine.exec("update facts.chats set rate = 'rated_good'");
    await keepCounts(engine);
    expect(await engine.query(good)).toEqual([{ good: 0 }]);
    await touch(engine, [{ account: 'default', started_quarter: Math.floor(second('2026-03-30T10:00:00Z') / 900) }]);
    await keepCounts(engine);
    expect(await engine.query(good)).toEqual([{ good: 1 }]);
    await engine.exec(forgetCounts);
    await keepCounts(engine);
    expect(await engine.query(good)).toEqual([{ good: 2 }]);
    await engine.close();
  });

  it('sees that chats came or went of which nothing was said', async () => {
    const engine = await account([{ start: '2026-03-28T10:00:00Z' }]);
    await keepCounts(engine);
    await addChats(engine, [{ start: '2026-03-29T10:00:00Z' }], 1);
    await keepCounts(engine);
    expect(await engine.query('select count(*) as quarters from facts.chat_quarters')).toEqual([{ quarters: 2 }]);
    await engine.exec("delete from facts.chats where chat_id = 'C000000'");
    await keepCounts(engine);
    expect(await engine.query('select count(*) as quarters from facts.chat_quarters')).toEqual([{ quarters: 1 }]);
    await engine.close();
  });
});
