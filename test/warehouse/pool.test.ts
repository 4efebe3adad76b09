// Whose turn it is at the connections: everybody comes to a turn, nobody has one twice, and who asks little does not wait for who asks much.
import fc from 'fast-check';
import { setImmediate as moment } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Cancelled, withSignal } from '#warehouse/cancellation.ts';
import { Pool } from '#warehouse/engines/pool.ts';
import { asRequester, currentRequester } from '#warehouse/requester.ts';

/** As one that has had much already. */
const asGreedy = <T>(work: () => T): T =>
  asRequester(() => {
    currentRequester().spent_ms = 10_000;
    return work();
  });

describe('turns', () => {
  it('are one for each item at a time, and everybody comes to one who does not leave', async () => {
    const asking = fc.record({
      isGreedy: fc.boolean(),
      leaves: fc.boolean(),
      questions: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(asking, { maxLength: 12 }), async (size, asked) => {
        const pool = new Pool(Array.from({ length: size }, (_, item) => item));
        const out = new Set<number>();
        let most_greedy = 0;
        let greedy = 0;
        const use = async (isGreedy: boolean): Promise<string> => {
          const turn = await pool.turn();
          expect(out.has(turn.item)).toBe(false);
          out.add(turn.item);
          greedy += Number(isGreedy);
          most_greedy = Math.max(most_greedy, greedy);
          await moment();
          greedy -= Number(isGreedy);
          out.delete(turn.item);
          turn.release();
          turn.release();
          return 'done';
        };
        const ended = asked.map(({ isGreedy, leaves, questions }) => {
          const leaving = new AbortController();
          const all = withSignal(leaving.signal, () =>
            (isGreedy ? asGreedy : asRequester)(() =>
              Promise.allSettled(Array.from({ length: questions }, () => use(isGreedy))),
            ),
          );
          if (leaves) leaving.abort(new Cancelled('left'));
          return all.then((results) => ({ leaves, results }));
        });
        for (const { leaves, results } of await Promise.all(ended))
          for (const result of results)
            if (!leaves) expect(result).toEqual({ status: 'fulfilled', value: 'done' });
            else if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Cancelled);
        if (size > 1) expect(most_greedy).toBeLessThan(size);
        expect([pool.isTaken, out.size]).toEqual([false, 0]);
        const again = await Promise.all(Array.from({ length: size }, () => pool.turn()));
        expect(new Set(again.map(({ item }) => item)).size).toBe(size);
      }),
      { numRuns: 200 },
    );
  });

  it('come to who asks little before a hundred questions that came earlier, and one is kept free for them', async () => {
    const pool = new Pool(['one', 'two', 'three']);
    const order: string[] = [];
    const ask = async (name: string): Promise<void> => {
      const turn = await pool.turn();
      order.push(name);
      await moment();
      turn.release();
    };
    const much = asGreedy(() => Promise.all(Array.from({ length: 100 }, () => ask('much'))));
    await moment();
    expect(order).toEqual(['much', 'much']);
    await asRequester(() => ask('little'));
    expect(order.indexOf('little')).toBeLessThan(6);
    await much;
  });

  it('come to who came earlier first, and also to who asks much while others ask little without end', async () => {
    const pool = new Pool(['only']);
    const order: string[] = [];
    const held = await pool.turn();
    const ask = async (name: string): Promise<void> => {
      const turn = await pool.turn();
      order.push(name);
      turn.release();
    };
    const all = [
      asGreedy(() => ask('earlier')),
      asGreedy(() => ask('later')),
      ...Array.from({ length: 10 }, (_, place) => asRequester(() => ask(`little ${place}`))),
    ];
    held.release();
    await Promise.all(all);
    expect(order.indexOf('earlier')).toBeLessThan(order.indexOf('later'));
    expect(order.indexOf('earlier')).toBeLessThan(6);
  });

  it('are refused to those who wait when the file is closed', async () => {
    const pool = new Pool(['only']);
    await pool.turn();
    const waiting = pool.turn();
    pool.refuseAll(() => new Error('it is closed'));
    await expect(waiting).rejects.toThrow('it is closed');
  });
});
