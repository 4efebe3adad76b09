// Connections that requests share: everybody gets one, nobody gets one that another has, and light requests do not wait for heavy ones.
import fc from 'fast-check';
import { setImmediate as moment } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Cancelled, withSignal } from '#warehouse/cancellation.ts';
import { Pool } from '#warehouse/engines/pool.ts';
import { asRequester, currentRequester } from '#warehouse/requester.ts';

/** As a request that has used much already. */
const asHeavy = <T>(work: () => T): T =>
  asRequester(() => {
    currentRequester().spent_ms = 10_000;
    return work();
  });

describe('a pool', () => {
  it('gives each item to one at a time, and one to everybody who does not leave', async () => {
    const asking = fc.record({
      isHeavy: fc.boolean(),
      leaves: fc.boolean(),
      questions: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(asking, { maxLength: 12 }), async (size, asked) => {
        const pool = new Pool(Array.from({ length: size }, (_, item) => item));
        const out = new Set<number>();
        let most_heavy = 0;
        let heavy = 0;
        const use = async (isHeavy: boolean): Promise<string> => {
          const acquired = await pool.acquire();
          expect(out.has(acquired.item)).toBe(false);
          out.add(acquired.item);
          heavy += Number(isHeavy);
          most_heavy = Math.max(most_heavy, heavy);
          await moment();
          heavy -= Number(isHeavy);
          out.delete(acquired.item);
          acquired.release();
          acquired.release();
          return 'done';
        };
        const ended = asked.map(({ isHeavy, leaves, questions }) => {
          const leaving = new AbortController();
          const all = withSignal(leaving.signal, () =>
            (isHeavy ? asHeavy : asRequester)(() =>
              Promise.allSettled(Array.from({ length: questions }, () => use(isHeavy))),
            ),
          );
          if (leaves) leaving.abort(new Cancelled('left'));
          return all.then((results) => ({ leaves, results }));
        });
        for (const { leaves, results } of await Promise.all(ended))
          for (const result of results)
            if (!leaves) expect(result).toEqual({ status: 'fulfilled', value: 'done' });
            else if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Cancelled);
        if (size > 1) expect(most_heavy).toBeLessThan(size);
        expect([pool.isEmpty, out.size]).toEqual([false, 0]);
        const again = await Promise.all(Array.from({ length: size }, () => pool.acquire()));
        expect(new Set(again.map(({ item }) => item)).size).toBe(size);
      }),
      { numRuns: 200 },
    );
  });

  it('serves a light request before a hundred heavy questions that came earlier, and keeps one item for it', async () => {
    const pool = new Pool(['one', 'two', 'three']);
    const order: string[] = [];
    const ask = async (name: string): Promise<void> => {
      const acquired = await pool.acquire();
      order.push(name);
      await moment();
      acquired.release();
    };
    const heavy = asHeavy(() => Promise.all(Array.from({ length: 100 }, () => ask('heavy'))));
    await moment();
    expect(order).toEqual(['heavy', 'heavy']);
    await asRequester(() => ask('light'));
    expect(order.indexOf('light')).toBeLessThan(6);
    await heavy;
  });

  it('serves heavy requests in the order in which they came, also while light ones come without end', async () => {
    const pool = new Pool(['only']);
    const order: string[] = [];
    const held = await pool.acquire();
    const ask = async (name: string): Promise<void> => {
      const acquired = await pool.acquire();
      order.push(name);
      acquired.release();
    };
    const all = [
      asHeavy(() => ask('earlier')),
      asHeavy(() => ask('later')),
      ...Array.from({ length: 10 }, (_, place) => asRequester(() => ask(`light ${place}`))),
    ];
    held.release();
    await Promise.all(all);
    expect(order.indexOf('earlier')).toBeLessThan(order.indexOf('later'));
    expect(order.indexOf('earlier')).toBeLessThan(6);
  });

  it('refuses whoever waits when it is told to', async () => {
    const pool = new Pool(['only']);
    await pool.acquire();
    const waiting = pool.acquire();
    pool.refuseAll(() => new Error('it is closed'));
    await expect(waiting).rejects.toThrow('it is closed');
  });
});
