// Who was answered in time: exact for those who entered a chat, an interval where those who left come in.
import { describe, expect, it } from 'vitest';
import type { Row } from '#warehouse/engine.ts';
import { tries } from '../../chance.ts';
import { account, insert, later, pulled, type Chat } from '../account.ts';
import { run } from '../query-context.ts';

const day = '2026-05-05';
const chats = [0, 30, 31].map((queue, hour): Chat => ({ start: `${day}T1${hour}:00:00Z`, queue, tags: ['vip'] }));

/** Waits of those who left, as the source gives them: how many, and three rounded numbers. */
async function level(left: readonly number[], question: Record<string, string> = {}) {
  const engine = await account(chats);
  const count = left.length;
  const told: Row = {
    left_queue_count: count,
    left_queue_min: count ? Math.min(...left) : null,
    left_queue_max: count ? Math.max(...left) : null,
    left_queue_average: count ? Math.round(left.reduce((a, b) => a + b, 0) / count) : null,
  };
  const where = { timezone: 'UTC', grain: 'day', split: 'account', split_value: '' };
  await insert(engine, 'reports', 'waiting_times', [{ ...where, period: day, day, ...told }]);
  const { timezone: _, ...of } = { ...where, source: 'waiting_times' };
  await pulled(engine, 'UTC', day, day, '2027-02-01T00:00:00Z', of);
  const answer = await run(engine, 'service_level', { from: day, to: day, grain: 'total', ...question }, later);
  await engine.close();
  return answer;
}

describe('service level', () => {
  it('is exact over those who entered, the target included', async () => {
    expect((await level([])).rows).toEqual([
      { answered_within: 2 / 3, entered_chat_count: 3, low: 2 / 3, high: 2 / 3, state: 'complete' },
    ]);
    expect((await level([], { target: '31' })).rows[0]).toMatchObject({ answered_within: 1 });
    expect((await level([])).target).toBe(30);
  });

  it('who left before the target is left out, who left after it counts; where that is known the interval is a point', async () => {
    expect((await level([5, 10])).rows[0]).toMatchObject({ low: 2 / 3, high: 2 / 3 });
    expect((await level([40, 50])).rows[0]).toMatchObject({ low: 2 / 5, high: 2 / 5 });
    expect((await level([5, 50])).rows[0]).toMatchObject({ low: 2 / 4, high: 2 / 4 });
  });

  it('the truth lies in the interval, whatever the waits', async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let run = 0; run < tries(6, 12); run++) {
      const left = Array.from({ length: 1 + random(9) }, () => random(90));
      const [row] = (await level(left)).rows;
      const truth = 2 / (3 + left.filter((wait) => wait > 30).length);
      expect(Number(row?.low), left.join()).toBeLessThanOrEqual(truth + 1e-12);
      expect(Number(row?.high), left.join()).toBeGreaterThanOrEqual(truth - 1e-12);
    }
  });

  it('by tag only those who entered are known, and the answer says so; a target must be seconds', async () => {
    const tagged = await level([5], { tag: 'vip' });
    expect(tagged.rows[0]).toMatchObject({ answered_within: 2 / 3, low: null, high: null });
    expect(Object.keys(tagged.not_given ?? {}).sort()).toEqual(['high', 'low']);
    await expect(level([], { target: 'soon' })).rejects.toThrow('not a whole number of seconds');
    await expect(level([], { target: '100000' })).rejects.toThrow('0 to 86400');
  });
});
