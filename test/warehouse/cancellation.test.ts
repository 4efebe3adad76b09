// Work that nobody waits for ends: at the engine, in the queue before it, and when several share it.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cancelled, Coalescer, TooLate, until, within, withSignal } from '#warehouse/cancellation.ts';
import { ClosedWarehouse } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import type { Store } from '#warehouse/engine.ts';

/** Hours of work for an engine, in a moment of typing. */
const endless = 'select count(*) as n from range(100000000) as a, range(100000) as b where (a.range * b.range) % 7 = 3';
const endlessRows =
  'select a.range as a from range(100000000) as a, range(1000) as b where (a.range * b.range) % 7 = 3';

let engine: Store;
beforeAll(async () => void (engine = await openWarehouse(':memory:')));
afterAll(() => engine.close());

const one = (): Promise<unknown> => engine.query('select 1 as n');

describe('a question', () => {
  it('ends at the engine when whoever asked leaves, and the connection serves the next', async () => {
    const reader = new AbortController();
    const asked = withSignal(reader.signal, () => engine.query(endless));
    setTimeout(() => reader.abort(), 50);
    await expect(asked).rejects.toThrow(Cancelled);
    expect(await one()).toEqual([{ n: 1 }]);
  });

  it('in pieces ends with an error, never like a complete one', async () => {
    const reader = new AbortController();
    let rows = 0;
    const read = async (): Promise<void> => {
      for await (const piece of engine.queryInPieces(endlessRows)) {
        rows += piece.length;
        if (rows > 10_000) reader.abort();
      }
    };
    await expect(withSignal(reader.signal, read)).rejects.toThrow(Cancelled);
    expect(rows).toBeGreaterThan(10_000);
    expect(await one()).toEqual([{ n: 1 }]);
  });

  it('that waits for its turn leaves the queue, and those behind it come on', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const busy = [1, 2].map(() =>
      withSignal(first.signal, () => engine.query(endless)).catch((error: unknown) => error),
    );
    const waiting = withSignal(second.signal, one);
    const behind = one();
    second.abort();
    await expect(waiting).rejects.toThrow(Cancelled);
    first.abort();
    expect(await behind).toEqual([{ n: 1 }]);
    for (const ended of await Promise.all(busy)) expect(ended).toBeInstanceOf(Cancelled);
  });

  it('that is not wanted any more is not begun', async () => {
    await expect(withSignal(AbortSignal.abort(), one)).rejects.toThrow(Cancelled);
  });

  it('that takes longer than it may is too late, and says how long it had', async () => {
    await expect(within(0.05, () => engine.query(endless))).rejects.toThrow(TooLate);
    await expect(within(0.05, () => new Promise<never>(() => undefined))).rejects.toThrow('within 0.05 seconds');
    expect(await within(60, one)).toEqual([{ n: 1 }]);
  });
});

describe('a shared question', () => {
  it('goes on for those that stay, and ends with the last of them', async () => {
    const shared = new Coalescer<unknown>();
    const readers = [new AbortController(), new AbortController(), new AbortController()];
    let begun = 0;
    const work = (): Promise<unknown> => {
      begun += 1;
      return engine.query(endless);
    };
    const asked = readers.map(({ signal }) =>
      withSignal(signal, () => shared.run('the same', work)).catch((error: unknown) => error),
    );
    readers[0]?.abort();
    expect(await asked[0]).toBeInstanceOf(Cancelled);
    readers[1]?.abort();
    expect(await asked[1]).toBeInstanceOf(Cancelled);
    expect(await Promise.race([asked[2], pause(50, 'under way')])).toBe('under way');
    readers[2]?.abort();
    expect(await asked[2]).toBeInstanceOf(Cancelled);
    expect(begun).toBe(1);
    expect(await shared.run('the same', one)).toEqual([{ n: 1 }]);
  });

  it('is answered for a reader who stays although the first has left', async () => {
    const shared = new Coalescer<number>();
    const { promise, resolve } = Promise.withResolvers<number>();
    const first = new AbortController();
    const left = withSignal(first.signal, () => shared.run('k', () => until(promise, first.signal)));
    const stayed = shared.run('k', () => Promise.reject(new Error('begun twice')));
    const other = new Coalescer<number>();
    expect(await other.run('k', () => Promise.resolve(3))).toBe(3);
    resolve(7);
    expect(await Promise.all([left, stayed])).toEqual([7, 7]);
  });
});

describe('closing', () => {
  it('waits for what is under way, refuses what waits and whoever comes later', async () => {
    const closing = await openWarehouse(':memory:');
    const reader = new AbortController();
    const under_way = [1, 2].map(() =>
      withSignal(reader.signal, () => closing.query(endless)).catch((error: unknown) => error),
    );
    const waiting = closing.query('select 1 as n').catch((error: unknown) => error);
    const closed = closing.close();
    expect(await waiting).toBeInstanceOf(ClosedWarehouse);
    await expect(closing.query('select 1 as n')).rejects.toThrow(ClosedWarehouse);
    expect(await Promise.race([closed, pause(50, 'open')])).toBe('open');
    reader.abort();
    await closed;
    for (const ended of await Promise.all(under_way)) expect(ended).toBeInstanceOf(Cancelled);
    await closing.close();
  });
});
