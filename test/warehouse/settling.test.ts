// How long days go on changing: measured from what the ledger saw, the default where it saw too little.
import { describe, expect, it } from 'vitest';
import { openWarehouse } from '#warehouse/store/open.ts';
import { measure, settlingDaysOf, settlingOf, type DayHistory } from '#warehouse/query/settling.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { insert, second } from './account.ts';

const day = 86_400;
/** Days seen from the start, asked again after they settled, that changed for the last time at these ages (in days). */
const history = (ages: readonly number[], differs: Partial<DayHistory> = {}): DayHistory[] =>
  ages.map((age, index) => {
    const ended = 1_700_000_000 + index * day;
    return {
      ended,
      first_pulled: ended - 3600,
      last_pulled: ended + 8 * day,
      last_changed: ended + age * day,
      ...differs,
    };
  });
const times = (count: number, age: number): number[] => Array.from({ length: count }, () => age);

describe('settling time', () => {
  it('is the age that 99 of 100 days did not outlast, in whole days', () => {
    expect(measure(history([...times(98, 0.2), 2.1, 9]))).toBe(3);
    expect(measure(history([...times(97, 0.2), 2.1, 9, 9]))).toBe(9);
    expect(measure(history([...times(40, 0.2), 4]))).toBe(4);
  });

  it('is at least one day and at most thirty', () => {
    expect(measure(history(times(30, -0.5)))).toBe(1);
    expect(measure(history(times(30, 90)))).toBe(30);
  });

  it('needs thirty days', () => {
    expect(measure(history(times(29, 1)))).toBeUndefined();
    expect(measure([])).toBeUndefined();
  });

  it('a backfilled day and a day that is still settling say nothing', () => {
    const good = history(times(30, 0.5));
    const backfilled = good.map((one) => ({
      ...one,
      first_pulled: one.ended + 40 * day,
      last_changed: one.ended + 40 * day,
    }));
    expect(measure(backfilled)).toBeUndefined();
    expect(measure([...good, ...backfilled])).toBe(1);
    expect(measure(good.map((one) => ({ ...one, last_pulled: one.ended + 6 * day })))).toBeUndefined();
  });
});

/** Forty days of a source, each changed for the last time so many hours after its end in Warsaw. */
async function seen(engine: Store, source: string, hours: number, firstHours = -1): Promise<void> {
  const rows = Array.from({ length: 40 }, (_, index): Row => {
    const ended = second('2026-01-02T23:00:00Z') + index * day;
    return {
      ...{ timezone: 'Europe/Warsaw', source, grain: 'day', split: 'account', split_value: '', state: 'pulled' },
      day: new Date((second('2026-01-02T00:00:00Z') + index * day) * 1000).toISOString().slice(0, 10),
      first_pulled_at: ended + firstHours * 3600,
      changed_at: ended + hours * 3600,
      pulled_at: ended + 10 * day,
    };
  });
  await insert(engine, 'ledger', 'periods', rows);
}

describe('settling time of a metric', () => {
  it('is that of its slowest source, the default when one of them has too little history', async () => {
    const engine = await openWarehouse(':memory:');
    await seen(engine, 'archive', 30);
    await seen(engine, 'queued_visitors', 70);
    await seen(engine, 'new_tickets', 2000, 2000);
    const settling = await settlingOf(engine, 'default');
    expect(settling.get('chat_ratings')).toEqual({ days: 2, measured: true });
    expect(settling.get('tags')).toEqual({ days: 2, measured: true });
    expect(settling.get('queued_visitors')).toEqual({ days: 3, measured: true });
    expect(settling.get('new_tickets')).toEqual({ days: 7, measured: false });
    expect(settling.get('availability')).toEqual({ days: 7, measured: false });
    await engine.close();
  });

  it('of how many chats there were and how fast they were answered is a day, whatever comes to chats that are over', async () => {
    const engine = await openWarehouse(':memory:');
    await seen(engine, 'archive', 100);
    const settling = await settlingOf(engine, 'default');
    const daysOf = (id: string): number | undefined => settling.get(id)?.days;
    for (const id of ['total_chats', 'first_response_time', 'chat_duration', 'concurrent_chats'])
      expect([id, daysOf(id)]).toEqual([id, 1]);
    for (const id of ['chat_ratings', 'tags', 'goals', 'chat_ranking', 'conversion'])
      expect([id, daysOf(id)]).toEqual([id, 5]);
    const all = { split: [], filters: {} };
    expect(settlingDaysOf({ settling }, 'total_chats', all)).toBe(1);
    expect(settlingDaysOf({ settling }, 'total_chats', { ...all, split: ['tag'] })).toBe(5);
    expect(settlingDaysOf({ settling }, 'total_chats', { ...all, filters: { tag: ['one'] } })).toBe(5);
    await engine.close();
  });

  it('of the queue is a day, and longer where its report was seen to change for longer', async () => {
    const engine = await openWarehouse(':memory:');
    const queue = ['queued_visitors', 'waiting_times', 'service_level', 'occupancy'];
    const daysOf = async (id: string) => (await settlingOf(engine, 'default')).get(id);
    for (const id of queue) expect([id, await daysOf(id)]).toEqual([id, { days: 1, measured: false }]);
    await engine.close();
    const later = await openWarehouse(':memory:');
    await seen(later, 'archive', 100);
    await seen(later, 'queued_visitors', 70);
    await seen(later, 'waiting_times', 2000, 2000);
    const settling = await settlingOf(later, 'default');
    // What is rated, tagged or bought later does not keep the queue waiting.
    expect(settling.get('queued_visitors')).toEqual({ days: 3, measured: true });
    expect(settling.get('waiting_times')).toEqual({ days: 1, measured: false });
    expect(settling.get('goals')).toEqual({ days: 5, measured: true });
    await later.close();
  });

  it('is what somebody has set for the newest pull, but not for what is over with the chat', async () => {
    const engine = await openWarehouse(':memory:');
    await seen(engine, 'archive', 30);
    await seen(engine, 'queued_visitors', 70);
    const pulls = [
      { pull_id: 'p1', started_at: second('2026-02-20T08:00:00Z'), settling_days: 9 },
      { pull_id: 'p2', started_at: second('2026-02-21T08:00:00Z'), settling_days: 14 },
      { account: 'other', pull_id: 'p3', started_at: second('2026-02-22T08:00:00Z'), settling_days: 3 },
    ];
    await insert(
      engine,
      'ledger',
      'pulls',
      pulls.map((one) => ({ state: 'done', ...one })),
    );
    const settling = await settlingOf(engine, 'default');
    for (const id of ['chat_ratings', 'tags', 'goals', 'new_tickets'])
      expect([id, settling.get(id)]).toEqual([id, { days: 14, measured: false }]);
    expect(settling.get('total_chats')).toEqual({ days: 1, measured: true });
    expect(settling.get('queued_visitors')).toEqual({ days: 3, measured: true });
    expect(settling.get('repeat_contact')).toEqual({ days: 8, measured: true });
    await engine.close();
  });

  it('is measured in a file of a program that knew no such setting', async () => {
    const engine = await openWarehouse(':memory:');
    await seen(engine, 'archive', 30);
    await engine.exec('alter table ledger.pulls drop column settling_days');
    expect((await settlingOf(engine, 'default')).get('chat_ratings')).toEqual({ days: 2, measured: true });
    await engine.close();
  });

  it('a metric that looks for the next chat settles that much later', async () => {
    const engine = await openWarehouse(':memory:');
    await seen(engine, 'archive', 30);
    expect((await settlingOf(engine, 'default')).get('repeat_contact')).toEqual({ days: 8, measured: true });
    await engine.close();
  });
});
