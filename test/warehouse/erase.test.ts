// The proof of an erasure: the same numbers are found to be the same, and one that is another is named.
import { expect, it } from 'vitest';
import { compareMetrics } from '#warehouse/erase/proof.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { account, pulled } from './account.ts';

const chat = { start: '2026-05-05T10:00:00Z', groups: [2], agents: ['a@x.test'] };
const accounts = [{ id: 'default', timezone: 'Europe/Warsaw', since: '2026-05-01' }];
const snapshot = (engine: Store) => ({ id: 's', published_at: '2026-05-12T09:00:00.000Z', engine });

/** Every metric by day, and by day and group where it has that split. */
const all_questions = metrics.length + metrics.filter(({ splits }) => splits.includes('group')).length;

it('counts what it compared: every metric by day, and by day and group', async () => {
  const [before, after] = [await account([chat]), await account([chat])];
  const compared = await compareMetrics(snapshot(before), snapshot(after), accounts);
  expect(compared).toMatchObject({ metrics: metrics.length, differences: [] });
  expect(compared.questions).toBe(all_questions);
  expect(compared.cells).toBeGreaterThan(500);
  await Promise.all([before.close(), after.close()]);
});

it('names the first row of each question that is another', async () => {
  const [before, after] = [await account([chat]), await account([{ ...chat, groups: [3] }])];
  const { differences } = await compareMetrics(snapshot(before), snapshot(after), accounts);
  expect(differences).toContainEqual({
    ...{ metric: 'total_chats', account: 'default', split: ['group'] },
    before: expect.objectContaining({ group: 2, period: '2026-05-01' }) as unknown,
    after: expect.objectContaining({ group: 3, period: '2026-05-01' }) as unknown,
  });
  expect(differences.every(({ split }) => split.length === 1)).toBe(true);
  await Promise.all([before.close(), after.close()]);
});

it('passes over what both refuse, such as a report that was not pulled by group; one that only one refuses is another', async () => {
  const greetings = { source: 'greetings', grain: 'day', split: 'account', split_value: '' };
  const withReport = async (...splits: string[]): Promise<Store> => {
    const engine = await account([chat]);
    for (const split of splits)
      await pulled(engine, 'Europe/Warsaw', '2026-05-01', '2026-05-10', '2026-05-10T09:00:00Z', {
        ...greetings,
        split,
      });
    return engine;
  };
  const [one, other, more] = await Promise.all([
    withReport('account'),
    withReport('account'),
    withReport('account', 'group'),
  ]);
  const inAnotherZone = accounts.map((known) => ({ ...known, timezone: 'Asia/Tokyo' }));
  const elsewhere = await compareMetrics(snapshot(more), snapshot(more), inAnotherZone);
  expect([elsewhere.differences, elsewhere.metrics]).toEqual([[], metrics.length - 1]);
  const both = await compareMetrics(snapshot(one), snapshot(other), accounts);
  expect([both.differences, both.questions]).toEqual([[], all_questions - 1]);
  const { differences } = await compareMetrics(snapshot(one), snapshot(more), accounts);
  expect(differences).toContainEqual({
    ...{ metric: 'greetings', account: 'default', split: ['group'] },
    before: { refused: 'greetings was not pulled by day for each group, only by day for each account' },
    after: null,
  });
  await Promise.all([one, other, more].map((engine) => engine.close()));
});
