// Who had a first answer in time: counted again by a plain loop over random chats, by local day, group and agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listingOf, wantedCellOf } from '#api/question.ts';
import type { Store } from '#warehouse/engine.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { receiptFor } from '#reports/receipts/receipt.ts';
import { account, later, type Chat } from '../account.ts';
import { contextOf, run } from '../query-context.ts';

const id = 'first_response_within_target';
const zone = 'America/St_Johns';
const localDay = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
let seed = 11;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

const agents = ['ann@x.test', 'ben@x.test'];
const firstOf = (): readonly [number, string] => [random(90), agents[random(2)] ?? ''];
// Three weeks around the day on which clocks go forward there.
const chats = Array.from({ length: 400 }, (): Chat => {
  const start = new Date(Date.parse('2026-02-25T00:00:00Z') + random(21 * 86_400) * 1000).toISOString();
  return { start, groups: [random(3)], agents, ...(random(5) === 0 ? {} : { first: firstOf() }) };
});

let engine: Store;
beforeAll(async () => {
  engine = await account(chats, zone);
});
afterAll(() => engine.close());

const context = { ...later, zone };
const range = { from: '2026-02-26', to: '2026-03-16', timezone: zone };
const ask = (question: Record<string, string>) => run(engine, id, { ...range, ...question }, context);

/** Of chats that `is` of a local day and key: counted, and in time. */
function recount(target: number, keyOf: (chat: Chat) => string): Record<string, [counted: number, within: number]> {
  const found: Record<string, [number, number]> = {};
  for (const chat of chats) {
    const day = localDay.format(new Date(chat.start));
    if (!chat.first || day < range.from || day > range.to) continue;
    const cell = (found[`${day} ${keyOf(chat)}`] ??= [0, 0]);
    cell[0] += 1;
    if (chat.first[0] <= target) cell[1] += 1;
  }
  return found;
}

describe('first response within target', () => {
  it.each([
    { split: 'group', keyOf: ({ groups }: Chat) => String(groups?.[0]) },
    { split: 'agent', keyOf: ({ first }: Chat) => String(first?.[1]) },
  ])('is what a loop over the chats counts by day and $split, the target included', async ({ split, keyOf }) => {
    for (const target of [0, 29, 30, 89]) {
      const { rows } = await ask({ grain: 'day', split, target: String(target) });
      const told = rows.flatMap(({ period, [split]: key, counted, within, missed, share }) =>
        Number(counted) === 0 ? [] : [[`${String(period)} ${String(key)}`, [counted, within, missed, share]]],
      );
      const counted = Object.entries(recount(target, keyOf)).map(([key, [all, within]]) => [
        key,
        [all, within, all - within, within / all],
      ]);
      expect(Object.fromEntries(told)).toEqual(Object.fromEntries(counted));
      expect(told.length).toBeGreaterThan(30);
    }
  });

  it('is null where nothing was answered, never zero', async () => {
    const { rows } = await ask({ from: '2026-05-05', to: '2026-05-05', grain: 'total' });
    expect(rows).toEqual([{ within: 0, missed: 0, counted: 0, share: null, state: 'complete' }]);
  });

  it('the receipt of what missed lists these chats and no other', async () => {
    const question = { ...range, grain: 'total', measure: 'missed', target: '45' };
    const receipt = await receiptFor(
      id,
      wantedCellOf(metricOf(id), question),
      listingOf({ limit: '500' }),
      contextOf(engine, context),
    );
    const late = Object.values(recount(45, () => '')).reduce((sum, [all, within]) => sum + all - within, 0);
    expect([receipt.value, receipt.chats.total, receipt.adds_up.agrees]).toEqual([late, late, true]);
    expect(receipt.chats.rows.every(({ words }) => words.startsWith('missed the target: answered after'))).toBe(true);
    expect(receipt.left_out.map(({ reason }) => reason)).toContain('in time');
  });
});
