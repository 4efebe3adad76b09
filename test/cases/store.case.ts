// The suite that the store of every writer has to pass: loading, transactions.
import { describe, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { addChats, insert } from '../warehouse/account.ts';

/** Adds the whole suite under `name`; `open` gives a new warehouse that is gone afterwards. */
export function storeCase(name: string, open: () => Promise<Store>): void {
  describe(`the store ${name}`, () => {
    describe('loading', () => {
      it('keeps instants, dates, decimals and nulls exactly, and gives them back as plain values', async () => {
        const engine = await open();
        const row = {
          sales_tracker: 1,
          currency: 'EUR',
          goals: null,
          sales_count: 3,
          value: '12345678901234.5678',
          day: '2026-03-29',
        };
        await insert(engine, 'reports', 'goals', [{ ...row, pulled_at: 1774746000.25, split: "it's" }]);
        expect(
          await engine.query(
            'select day, pulled_at, goals, sales_count, split, cast(value as varchar) as value from reports.goals',
          ),
        ).toEqual([
          {
            day: '2026-03-29',
            pulled_at: '2026-03-29T01:00:00.250Z',
            goals: null,
            sales_count: 3,
            split: "it's",
            value: '12345678901234.5678',
          },
        ]);
        await engine.close();
      });

      it('replaces what the marks name, also when nothing comes in its place', async () => {
        const engine = await open();
        await addChats(engine, [
          { start: '2026-01-01T00:00:00Z', tags: ['old'] },
          { start: '2026-01-02T00:00:00Z', tags: ['kept'] },
        ]);
        await engine.load(tableOf('facts', 'chat_tags'), [], {
          replacing: ['account', 'chat_id'],
          marks: [{ account: 'default', chat_id: 'C000000' }],
        });
        expect(await engine.query('select tag from facts.chat_tags')).toEqual([{ tag: 'kept' }]);
        const chats = tableOf('facts', 'chats');
        const [chat] = await engine.query("select * from facts.chats where chat_id = 'C000001'");
        await engine.load(chats, [{ ...chat, rate: 'rated_good' }], { replacing: ['account', 'chat_id'] });
        expect(await engine.query('select chat_id, rate, started_at from facts.chats order by chat_id')).toEqual([
          { chat_id: 'C000000', rate: 'not_rated', started_at: '2026-01-01T00:00:00.000Z' },
          { chat_id: 'C000001', rate: 'rated_good', started_at: '2026-01-02T00:00:00.000Z' },
        ]);
        await engine.close();
      });

      it('loads more rows than fit into one chunk', async () => {
        const engine = await open();
        const rows = Array.from({ length: 5000 }, (_, index) => ({
          account: 'default',
          group_id: index,
          login: `é${index}`,
          pulled_at: 0,
        }));
        await engine.load(tableOf('account', 'group_agents'), rows);
        expect(
          await engine.query(
            'select count(*) as n, sum(group_id) as total, count(distinct login) as logins from account.group_agents',
          ),
        ).toEqual([{ n: 5000, total: 12_497_500, logins: 5000 }]);
        await engine.close();
      });

      it('refuses a row with a column that the table does not have', async () => {
        const engine = await open();
        await expect(engine.load(tableOf('facts', 'chat_tags'), [{ colour: 'red' }])).rejects.toThrow(
          'has no column colour',
        );
        await engine.close();
      });
    });

    describe('transactions', () => {
      it('are all or nothing, and others wait until they are over', async () => {
        const engine = await open();
        const tags = (): Promise<unknown> => engine.query('select count(*) as n from facts.chat_tags');
        const failing = engine.transaction(async () => {
          await addChats(engine, [{ start: '2026-01-01T00:00:00Z', tags: ['one'] }]);
          expect(await tags()).toEqual([{ n: 1 }]);
          throw new Error('no');
        });
        const outside = tags();
        await expect(failing).rejects.toThrow('no');
        expect(await outside).toEqual([{ n: 0 }]);
        await engine.close();
      });

      it('keep nobody from reading, however many read and however long they last', async () => {
        const engine = await open();
        const { promise, resolve } = Promise.withResolvers<void>();
        const count = 'select count(*) as n from facts.chat_tags';
        const answers = promise.then(() => Promise.all(Array.from({ length: 5 }, () => engine.query(count))));
        await engine.transaction(async () => {
          resolve();
          expect(await answers).toEqual(Array.from({ length: 5 }, () => [{ n: 0 }]));
        });
        await engine.close();
      });
    });

    describe('statements of one transaction', () => {
      /** More rows than an engine hands over at once. */
      const numbers = 'select range as n from range(100000)';

      it('are refused between two pieces of the rows of another, which then still come to their end', async () => {
        const engine = await open();
        await engine.transaction(async () => {
          let read = 0;
          let refused = 0;
          for await (const rows of engine.queryInPieces(numbers)) {
            read += rows.length;
            for (const begun of [engine.query('select 1 as n'), engine.exec('create table facts.two as select 1 as n')])
              refused += await begun.then(
                () => 0,
                (error: unknown) => Number(String(error).includes('read piece by piece')),
              );
          }
          expect(read).toBe(100_000);
          expect(refused).toBeGreaterThan(2);
          expect(await engine.query('select 1 as n')).toEqual([{ n: 1 }]);
        });
        await engine.close();
      });

      it('are refused as well when they waited before the rows of another are read piece by piece', async () => {
        const engine = await open();
        await engine.transaction(async () => {
          const before = engine.query(numbers);
          const pieces = engine.queryInPieces(numbers);
          const first = pieces.next();
          const waiting = engine.query('select 1 as n').then(
            () => 'answered',
            (error: unknown) => String(error),
          );
          expect((await before).length).toBe(100_000);
          const { value } = (await first) as { value: unknown[] };
          // Whoever reads the rows may wait for it.
          expect(await waiting).toContain('read piece by piece');
          const rest = (await Array.fromAsync(pieces)).flat();
          expect(value.length + rest.length).toBe(100_000);
        });
        await engine.close();
      });

      it('are all there when it is committed, or it is not', async () => {
        const engine = await open();
        const left = engine.transaction(async () => {
          await engine.exec('create table facts.three as select 1 as n');
          await engine.queryInPieces(numbers).next();
        });
        await expect(left).rejects.toThrow('read piece by piece');
        await expect(engine.query('select n from facts.three')).rejects.toThrow('three');
        await engine.close();
      });

      it('do not look complete when they are read on after a transaction that failed', async () => {
        const engine = await open();
        const pieces = engine.queryInPieces(numbers);
        const failing = engine.transaction(async () => {
          await pieces.next();
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        await expect(Array.fromAsync(pieces)).rejects.toThrow('the transaction is over');
        await engine.close();
      });
    });

    it('is not narrowed while it is written', async () => {
      const engine = await open();
      await expect(engine.narrowed('k', () => Promise.resolve([]))).rejects.toThrow('only a published file');
      await engine.close();
    });
  });
}
