// The archive is read from two days before the account's first one: chats begin with the same day as the reports.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wantedOf, type QueryTexts } from '#api/question.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { ownContext } from '#warehouse/query/context.ts';
import { pooledContextIn } from '#warehouse/query/pooled-context.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { addChats, later, pulled } from './account.ts';

const zone = 'America/St_Johns';
const ofReport = { source: 'total_chats', grain: 'day', split: 'account', split_value: '' };
const at = '2026-06-01T00:00:00Z';

let engine: Store;

beforeAll(async () => {
  engine = await openWarehouse(':memory:');
  // Two days before the first one: one chat of each day, and one that runs into it.
  await addChats(engine, [
    { start: '2026-05-02T15:00:00Z' },
    { start: '2026-05-03T15:00:00Z' },
    { start: '2026-05-04T02:00:00Z', seconds: 3600 },
    { start: '2026-05-04T15:00:00Z' },
    { start: '2026-05-05T15:00:00Z' },
  ]);
  await pulled(engine, zone, '2026-05-02', '2026-05-10', at);
});
afterAll(() => engine.close());

const accountSince = (since: string) => ({ id: 'default', timezone: zone, since });

const asked = async (id: string, question: QueryTexts, since = '2026-05-04'): Promise<Row[]> => {
  const context = ownContext(engine, accountSince(since), later.now);
  return (await run(id, wantedOf(metricOf(id), question), context)).rows;
};

const range = { from: '2026-05-01', to: '2026-05-05' };
const states = (rows: readonly Row[]): unknown[] => rows.map(({ state }) => state);
const unknown = 'not_pulled';

it('days before the first one to pull are not pulled, though the archive was read for them', async () => {
  const rows = await asked('total_chats', range);
  expect(rows.map(({ chats }) => chats)).toEqual([null, null, null, 1, 1]);
  expect(states(rows)).toEqual([unknown, unknown, unknown, 'complete', 'complete']);
  const { rows: compared } =
    (
      await run(
        'total_chats',
        wantedOf(metricOf('total_chats'), {
          from: '2026-05-10',
          to: '2026-05-10',
          grain: 'total',
          compare: 'previous',
        }),
        ownContext(engine, accountSince('2026-05-04'), later.now),
      )
    ).compare ?? {};
  expect(compared).toEqual([{ chats: null, state: unknown }]);
});

it('the first day is whole: chats that run into it count at its beginning', async () => {
  const rows = await asked('concurrent_chats', { from: '2026-05-03', to: '2026-05-04' });
  expect(states(rows)).toEqual([unknown, 'complete']);
  expect(rows[1]).toMatchObject({ most: 1, mean: expect.closeTo(40 / (24 * 60), 4) });
});

it('in another zone the local day in which the first one begins is known whole', async () => {
  const hours = async (timezone: string, day: string): Promise<unknown[]> => [
    ...new Set(states(await asked('total_chats', { from: day, to: day, grain: 'hour', timezone }))),
  ];
  expect(await hours('UTC', '2026-05-03')).toEqual([unknown]);
  expect(await hours('UTC', '2026-05-04')).toEqual(['complete']);
  // The account's first day begins there at 19:30 of the day before.
  expect(await hours('America/Los_Angeles', '2026-05-02')).toEqual([unknown]);
  expect(await hours('America/Los_Angeles', '2026-05-03')).toEqual(['complete']);
  const total = { ...range, from: '2026-05-04', grain: 'total', timezone: 'Asia/Kathmandu' };
  expect((await asked('total_chats', total))[0]).toMatchObject({ chats: 3, state: 'complete' });
});

it('days that were pulled before the first one was set later stay known: their reports say so', async () => {
  expect(states(await asked('total_chats', range, '2026-05-05'))).toEqual([
    ...[unknown, unknown, unknown, unknown, 'complete'],
  ]);
  await pulled(engine, zone, '2026-05-03', '2026-05-10', at, ofReport);
  expect(states(await asked('total_chats', range, '2026-05-05'))).toEqual([
    ...[unknown, unknown, 'complete', 'complete', 'complete'],
  ]);
  await engine.exec("delete from ledger.periods where source = 'total_chats'");
});

it('several accounts together say the same of these days', async () => {
  const context = await pooledContextIn(
    localReader,
    { id: 's', published_at: at, engine },
    [accountSince('2026-05-04')],
    later.now,
  );
  const { rows } = await runPooled('total_chats', wantedOf(metricOf('total_chats'), range), context);
  expect(states(rows)).toEqual([unknown, unknown, unknown, 'complete', 'complete']);
});
