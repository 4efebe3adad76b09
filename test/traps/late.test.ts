// What comes after the chat: a late rating, a changed tag, a sale days later. Each reaches the numbers with a later pull.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openArchive } from '#etl/raw/archive.ts';
import { pull } from '#etl/pull.ts';
import { basic } from '#etl/source.ts';
import type { ChatRecord } from '#service/records.ts';
import type { Row } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { isWhole } from '../chance.ts';
import { at, chat, lines, tinyService } from '../livechat/service/tiny.ts';
import { run } from '../warehouse/query-context.ts';

const started = '2026-05-04T10:00:00Z';
/** Chats, and the reports that show what comes after them; with the drill every report. */
const only = isWhole ? {} : { only: new Set(['archive', 'total_chats', 'chat_ratings', 'goals']) };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An account of one chat, its clock, and a warehouse that pulls it as often as the test says. */
async function pulledAccount(own: Partial<ChatRecord>) {
  const one = chat(started, '2026-05-04T10:20:00Z', { events: lines(started, 'a0', 'v5', 'a20'), ...own });
  const running = await tinyService({ now: '2026-05-04T12:00:00Z', chats: [one] });
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-late-'));
  const engine = await openWarehouse(join(folder, 'w.duckdb'));
  const archive = await openArchive(join(folder, 'a.duckdb'));
  ends.push(async () => {
    await archive.close();
    await engine.close();
    await running.end();
  });
  const clock = (): number => running.clock.now;
  const source = {
    ...{ id: 'default', base_url: running.service().url, authorization: basic('owner@example.com', 'secret') },
    ...{ region: 'dal', timezone: 'UTC', since: '2026-05-04', requests_per_second: null },
  };
  return {
    async pullAt(instant: string): Promise<void> {
      running.clock.now = at(instant);
      await pull({ source, engine, archive, clock, publish: () => Promise.resolve(), ...only });
    },
    async ask(metric: string, question: Record<string, string> = {}): Promise<Row[]> {
      const range = { from: '2026-05-04', to: '2026-05-04', grain: 'total' };
      return (await run(engine, metric, { ...range, ...question }, { account: 'default', zone: 'UTC', now: clock() }))
        .rows;
    },
    rows: (sql: string): Promise<Row[]> => engine.query(sql),
  };
}

test('a late rating counts to the day of its chat, and a changed one replaces it', async () => {
  const { pullAt, ask } = await pulledAccount({
    ratings: [
      { at: at('2026-05-06T09:00:00Z'), rate: 'rated_bad' },
      { at: at('2026-05-09T09:00:00Z'), rate: 'rated_good' },
    ],
  });
  await pullAt('2026-05-04T13:00:00Z');
  expect((await ask('chat_ratings'))[0]).toMatchObject({ good: 0, bad: 0, chats: 1, state: 'open' });
  await pullAt('2026-05-06T10:00:00Z');
  expect((await ask('chat_ratings'))[0]).toMatchObject({ good: 0, bad: 1, chats: 1, state: 'settling' });
  await pullAt('2026-05-09T10:00:00Z');
  expect((await ask('chat_ratings'))[0]).toMatchObject({ good: 1, bad: 0, chats: 1 });
});

test('a changed tag is read again while the day settles, and once more after it', async () => {
  const { pullAt, ask } = await pulledAccount({
    tags: [
      { at: at('2026-05-04T10:30:00Z'), tag: 'sales' },
      { at: at('2026-05-11T15:00:00Z'), tag: 'refund' },
    ],
  });
  await pullAt('2026-05-05T13:00:00Z');
  const tags = async (): Promise<unknown[]> => (await ask('total_chats', { split: 'tag' })).map((row) => row.tag);
  expect(await tags()).toEqual(['sales']);
  // No report shows a tag: the archive is asked again when the day has settled.
  await pullAt('2026-05-12T01:00:00Z');
  expect(await tags()).toEqual(['refund', 'sales']);
  expect((await ask('total_chats'))[0]).toMatchObject({ chats: 1, state: 'complete' });
});

test('a sale days after the chat counts to its own day, once', async () => {
  const { pullAt, ask, rows } = await pulledAccount({
    goals: [
      {
        ...{ id: 5, name: 'shop', type: 'sales_tracker', at: at('2026-05-08T18:00:00Z') },
        order: { id: 'A1', description: '', price: '99.95', currency: 'EUR' },
      },
    ],
  });
  await pullAt('2026-05-05T13:00:00Z');
  expect(await rows('select * from facts.chat_goals')).toEqual([]);
  await pullAt('2026-05-09T13:00:00Z');
  await pullAt('2026-05-10T13:00:00Z');
  expect((await ask('goals', { currency: 'EUR' }))[0]).toMatchObject({ sales_count: 0 });
  const day = { from: '2026-05-08', to: '2026-05-08', currency: 'EUR' };
  expect((await ask('goals', day))[0]).toMatchObject({ sales_count: 1, value: 99.95 });
});
