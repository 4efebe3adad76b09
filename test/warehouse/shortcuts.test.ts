// What the statement of an answer leaves out changes no answer: not what was counted before, not the condition on the
// account, not rows that bring nothing, and no percentile that was counted instead of sorted.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRows } from '#warehouse/query/answer.ts';
import type { QueryTexts } from '#api/question.ts';
import { compile } from '#warehouse/query/compile.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { coalesced } from '#warehouse/memoize.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { none, shortcutsOf } from '#warehouse/query/shortcuts.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { sourcesFor } from '#warehouse/query/sources.ts';
import { arrayOfAnyLength, partOf, tries } from '../chance.ts';
import { account, insert, later, pulled, second, type Chat } from './account.ts';
import { askOf, contextOf, fileOf, run } from './query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-shortcuts-'));
const to = '2026-04-05';

/** Chats around the spring switch; few of them waited, some days nobody did. */
const chatsOf = (seed: number, count: number): Chat[] => {
  const chat = fc.record(
    {
      start: fc
        .integer({ min: second('2026-03-20T00:00:00Z'), max: second('2026-04-05T23:59:59Z') })
        .map((at) => new Date(at * 1000).toISOString()),
      seconds: fc.integer({ min: 0, max: 20_000 }),
      queue: fc.integer({ min: 0, max: 40 }),
      first: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom('a@x.test', 'b@x.test')),
      turns: fc.dictionary(
        fc.constantFrom('a@x.test', 'b@x.test'),
        fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 7 })),
      ),
      rate: fc.constantFrom('rated_good', 'rated_bad', 'not_rated'),
      agents: fc.subarray(['a@x.test', 'b@x.test', 'c@x.test'], { minLength: 1 }),
      groups: fc.subarray([0, 3, 4], { minLength: 1 }),
      tags: fc.subarray(['one', 'two']),
      country: fc.constantFrom('Poland', 'Spain'),
      goals: fc.array(
        fc.record({
          ...{ id: fc.constantFrom(1, 2), sale: fc.boolean(), price: fc.constantFrom('0', '0.1', '12.5') },
          at: fc.constantFrom('2026-03-28T12:00:00Z', '2026-03-29T01:10:00Z', '2026-04-03T00:00:00Z'),
          currency: fc.constantFrom('EUR', 'PLN'),
        }),
        { maxLength: 2 },
      ),
      isReplied: fc.boolean(),
    },
    { requiredKeys: ['start'] },
  );
  const waits = (index: number): boolean => index % 50 === 0;
  return fc
    .sample(chat, { seed, numRuns: count })
    .map(({ queue, ...rest }, index) => (queue !== undefined && waits(index) ? { ...rest, queue } : rest)) as Chat[];
};

/** Questions about archived chats; some metrics refuse some of them. */
const questions = fc
  .record({
    timezone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns'),
    grain: fc.constantFrom('hour', 'day', 'week', 'month', 'total'),
    split: fc.subarray(['agent', 'group', 'tag', 'currency', 'weekday', 'hour_of_day'], { maxLength: 2 }),
    agent: fc.option(fc.constantFrom('a@x.test', 'nobody@x.test'), { freq: 3 }),
    group: fc.option(fc.constantFrom('0', '3'), { freq: 3 }),
    tag: fc.option(fc.subarray(['one', 'two'], { minLength: 1 }), { freq: 3 }),
    from: fc.constantFrom('2026-03-20', '2026-03-29', '2026-04-01'),
  })
  .map((parts): QueryTexts =>
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, value ?? undefined])),
  );

const asked = metrics.filter(({ archived }) => archived).map(({ id }) => id);

/** The answer from a statement that leaves nothing out; of a refusal the words. */
async function whole(engine: Store, id: string, question: QueryTexts): Promise<Row[]> {
  const metric = metricOf(id);
  const context = contextOf(engine, later);
  const sources = await sourcesFor(metric, askOf(metric, question, context), context);
  const { sql, params } = compile(metric, sources.ask, engine.dialect, sources.can, none);
  return answerRows(metric, sources.ask, await engine.query(sql, params), sources, context);
}

const orRefusal = (work: Promise<Row[]>): Promise<Row[] | string> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.message;
    throw error;
  });

/** Visitors who left on two of the days; the reports were pulled for all of them. */
async function addLeft(writer: Store): Promise<void> {
  const of = { grain: 'day', split: 'account', split_value: '' };
  for (const source of ['waiting_times', 'queued_visitors'])
    await pulled(writer, 'UTC', '2026-03-01', '2026-04-30', '2027-02-01T00:00:00Z', { ...of, source });
  const days = ['2026-03-21', '2026-03-30'].map((day) => ({ ...of, timezone: 'UTC', day, period: day }));
  await insert(
    writer,
    'reports',
    'queued_visitors',
    days.map((day) => ({ ...day, left_queue: 3 })),
  );
  const waits = { left_queue_count: 3, left_queue_min: 1, left_queue_max: 9, left_queue_average: 4 };
  await insert(
    writer,
    'reports',
    'waiting_times',
    days.map((day) => ({ ...day, ...waits, queued_count: 0 })),
  );
}

const facts = ['chats', 'chat_agents', 'chat_groups', 'chat_tags'];

describe('the shortcuts of a snapshot', () => {
  const opened: Store[] = [];
  let writer: Store;
  let snapshot: Store;

  async function published(of: Store, name: string): Promise<Store> {
    const { file } = await publish(of, join(folder, name), second('2027-02-01T00:00:00Z') * 1000);
    const engine = await openWarehouse(file, { readOnly: true });
    opened.push(engine);
    return engine;
  }

  beforeAll(async () => {
    writer = await account(chatsOf(7, 400));
    opened.push(writer);
    await addLeft(writer);
    snapshot = await published(writer, 'one');
  });
  afterAll(async () => {
    for (const engine of opened) await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are all taken in a file of one account', async () => {
    const { quarters, levels, present, isAnswered } = await shortcutsOf(snapshot, localReader);
    expect([quarters.size > 8, present, isAnswered]).toEqual([true, ['default'], true]);
    expect(levels.columns.map(({ name }) => name)).toEqual([
      ...['busy_seconds', 'chat_seconds', 'highest', 'concurrent_chats_chat_seconds'],
    ]);
    expect([...levels.accounts]).toEqual(['default']);
  });

  it('change no answer, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...asked), questions, async (id, some) => {
        const question = { ...some, to };
        const answered = run(snapshot, id, question, later).then(({ rows }) => rows);
        expect(await orRefusal(answered)).toEqual(await orRefusal(whole(writer, id, question)));
      }),
      { numRuns: tries(20, 400) },
    );
  });

  it('change no file: it has the rows of cells in which something happened, as from what is not kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...asked), questions, async (id, some) => {
        const question = { ...some, to };
        expect(await orRefusal(fileOf(snapshot, id, question, later))).toEqual(
          await orRefusal(fileOf(writer, id, question, later)),
        );
      }),
      { numRuns: tries(15, 200) },
    );
  });

  it('are taken as far as the file has them: a snapshot of an earlier version answers the same', async () => {
    const { file } = snapshot;
    const old = join(folder, 'old.duckdb');
    copyFileSync(file, old);
    const earlier = await openWarehouse(old);
    for (const table of ['chat_agents', 'chat_groups', 'chat_tags'])
      for (const column of [
        'rate',
        'queue_seconds',
        'is_replied',
        ...(table === 'chat_agents' ? [] : ['first_response_seconds', 'response_seconds']),
      ])
        await earlier.exec(`alter table facts.${table} drop column ${column}`);
    for (const table of ['account_levels', 'agent_levels', 'group_levels', 'level_parts', 'level_days'])
      await earlier.exec(`drop table facts.${table}`);
    await earlier.close();
    const engine = await openWarehouse(old, { readOnly: true });
    opened.push(engine);
    const { levels, lacking } = await shortcutsOf(engine, localReader);
    expect([levels.columns.length, lacking.has('chat_tags.rate'), lacking.has('chat_tags.tag')]).toEqual([
      0,
      true,
      false,
    ]);
    const narrowed: QueryTexts[] = [{ tag: 'one' }, { split: 'agent' }, { group: '3' }, { split: 'group' }];
    // Two of them, others for the next metric; with the drill all.
    for (const [place, id] of asked.entries())
      for (const more of partOf(narrowed, 2, place)) {
        const question = { from: '2026-03-20', to, grain: 'week', ...more };
        const answered = run(engine, id, question, later).then(({ rows }) => rows);
        const newest = run(snapshot, id, question, later).then(({ rows }) => rows);
        expect([id, more, await orRefusal(answered)]).toEqual([id, more, await orRefusal(newest)]);
      }
  });

  it.each([
    ['chat_groups', { split: 'group' }],
    ['chat_groups', { group: '3' }],
    ['chat_tags', { split: 'tag' }],
    ['chat_tags', { tag: 'one' }],
  ])(
    'read response times in facts.%s alone, asked for %j, and they are those of the joined chats',
    async (table, of) => {
      const metric = metricOf('response_time');
      const known = await shortcutsOf(snapshot, localReader);
      const lacking = new Set([`${table}.response_seconds`]);
      for (const grain of ['total', 'day', 'week']) {
        const ask = askOf(metric, { from: '2026-03-20', to, grain, ...of }, contextOf(snapshot, later));
        const [one, joined] = [known, { ...known, lacking }].map((shortcuts) =>
          compile(metric, ask, snapshot.dialect, ['archived'], shortcuts),
        );
        if (!one || !joined) throw new Error('two statements are expected');
        expect([one.sql.includes('facts.chats'), joined.sql.includes('facts.chats')]).toEqual([false, true]);
        const rows = await snapshot.query(one.sql, one.params);
        expect(rows.some(({ p50 }) => p50 !== null)).toBe(true);
        expect(rows).toEqual(await snapshot.query(joined.sql, joined.params));
      }
    },
  );

  it('do not mix accounts', async () => {
    const two = await account(chatsOf(8, 120));
    opened.push(two);
    for (const table of facts)
      await two.exec(`insert into facts.${table} select * replace ('other' as account) from facts.${table}`);
    const both = await published(two, 'two');
    expect((await shortcutsOf(both, localReader)).present?.toSorted()).toEqual(['default', 'other']);
    for (const id of partOf(asked, 2)) {
      const question = { from: '2026-03-20', to, grain: 'total' };
      const answered = run(both, id, question, later).then(({ rows }) => rows);
      expect([id, await orRefusal(answered)]).toEqual([id, await orRefusal(whole(two, id, question))]);
    }
    expect((await run(both, 'total_chats', { from: '2026-03-20', to, grain: 'total' }, later)).rows[0]?.chats).toBe(
      120,
    );
  });

  it('questions that come together read the same thing once, later ones again', async () => {
    let reads = 0;
    const read = (of: Store): Promise<number> => coalesced(of, 'counting', () => Promise.resolve(++reads));
    expect(await Promise.all([read(snapshot), read(snapshot)])).toEqual([1, 1]);
    expect(await read(snapshot)).toBe(2);
    expect(await Promise.all([read(writer), read(writer)])).toEqual([3, 4]);
    const failing = (): Promise<never> => coalesced(snapshot, 'failing', () => Promise.reject(new Error('no')));
    await expect(Promise.all([failing(), failing()])).rejects.toThrow('no');
    expect(await coalesced(snapshot, 'failing', () => Promise.resolve('yes'))).toBe('yes');
  });

  it('asked for an account that is not the one in the file, nothing is left out', async () => {
    const shortcuts = await shortcutsOf(snapshot, localReader);
    const metric = metricOf('total_chats');
    const ask = { ...askOf(metric, { group: '3' }, contextOf(snapshot, later)), account: 'other' };
    expect(compile(metric, ask, snapshot.dialect, ['archived'], shortcuts).sql).toContain("c.account = 'other'");
    const own = askOf(metric, { group: '3' }, contextOf(snapshot, later));
    expect(compile(metric, own, snapshot.dialect, ['archived'], shortcuts).sql).not.toContain('c.account');
  });
});

describe('percentiles over everything', () => {
  const [of, column] = ['first_response_time', 'first_response_seconds'];

  it.each(['2026-03-25', '2025-12-28'])('are those of the engine to the last bit, from %s', async (from) => {
    const value = fc.option(fc.integer({ min: 0, max: 5_000 }), { freq: 8 });
    await fc.assert(
      fc.asyncProperty(arrayOfAnyLength(value, { maxLength: 60 }), async (values) => {
        const engine = await account(
          values.map((seconds, index) => ({
            start: new Date((second('2026-03-25T00:00:00Z') + index * 97) * 1000).toISOString(),
            ...(seconds === null ? {} : { first: [seconds, 'a@x.test'] as const }),
          })),
        );
        const [row] = (await run(engine, of, { from, to: '2026-03-26', grain: 'total' }, later)).rows;
        const { dialect } = engine;
        const shown = [0.5, 0.9, 0.95].map((q) => `${dialect.quantile(column, q)} as p${q * 100}`);
        const sums = `count(${column}) as count, sum(${column}) / count(${column}) as seconds`;
        const [expected] = await engine.query(`select ${[sums, ...shown].join(', ')} from facts.chats`);
        await engine.close();
        const seconds = expected?.count === 0 ? null : expected?.seconds;
        expect(row).toEqual({ ...expected, seconds, state: 'complete' });
      }),
      { numRuns: tries(4, 40) },
    );
  });
});
