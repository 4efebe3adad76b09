// The suite that every engine of the warehouse has to pass: loading, transactions, its dialect, pieces, interruption, views.
import { describe, expect, it } from 'vitest';
import { Cancelled, withSignal } from '#warehouse/cancellation.ts';
import type { Store } from '#warehouse/engine.ts';
import { dateOf } from '#warehouse/periods.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { addChats, insert } from '../warehouse/account.ts';

export interface Opening {
  /** A new warehouse of this engine that is gone afterwards. */
  open(): Promise<Store>;
  /** What the warehouse holds as a published file, open for readers. */
  published(engine: Store): Promise<Store>;
}

/** Adds the whole suite under `name`. */
export function engineCase(name: string, { open, published }: Opening): void {
  describe(`the engine ${name}`, () => {
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

    describe('the dialect', () => {
      const value = async (sql: (engine: Store) => string, params = {}): Promise<unknown> => {
        const engine = await open();
        try {
          return (await engine.query(`select ${sql(engine)} as value`, params))[0]?.value;
        } finally {
          await engine.close();
        }
      };

      it('binds and writes out every type', async () => {
        const engine = await open();
        const { param, literal } = engine.dialect;
        const values = {
          text: "it's $1 {x} \\ é",
          int: -7,
          bigint: 9_007_199_254_740_991,
          double: 0.1,
          bool: true,
        } as const;
        for (const [type, of] of Object.entries(values)) {
          const kind = type as keyof typeof values;
          const [row] = await engine.query(`select ${param('given', kind)} as bound, ${literal(of, kind)} as written`, {
            given: of,
          });
          expect([type, row]).toEqual([type, { bound: of, written: of }]);
          expect(await engine.query(`select ${literal(null, kind)} as nothing`)).toEqual([{ nothing: null }]);
        }
        expect(await engine.query(`select ${literal('2026-03-29', 'date')} as day`)).toEqual([{ day: '2026-03-29' }]);
        await expect(engine.query('select 1 as n', { unused: 1 })).rejects.toThrow();
        await engine.close();
      });

      it('knows quarter hours and local time', async () => {
        const quarter = Date.parse('2026-03-29T01:45:00Z') / 900_000;
        expect(await value(({ dialect }) => dialect.wholes('11', 4))).toBe(2);
        expect(await value(({ dialect }) => dialect.quarterOf(String(quarter * 900 + 899)))).toBe(quarter);
        expect(await value(({ dialect }) => `cast(${dialect.localTime(String(quarter))} as varchar)`)).toBe(
          '2026-03-29 01:45:00',
        );
        expect(await value(({ dialect }) => `(select sum(quarter) from ${dialect.quarters('3', '7')} as q)`)).toBe(18);
      });

      it('begins and names periods as the interface writes them', async () => {
        const at = (text: string): string => `cast('${text}' as timestamp)`;
        const label = (grain: 'hour' | 'day' | 'week' | 'month', text: string): Promise<unknown> =>
          value(({ dialect }) => dialect.label(dialect.period(at(text), grain), grain));
        expect(await label('hour', '2026-03-29 23:59:59')).toBe('2026-03-29 23:00');
        expect(await label('day', '2026-02-28 23:59:59')).toBe('2026-02-28');
        expect(await label('week', '2027-01-03 12:00:00')).toBe('2026-W53');
        expect(await label('week', '2027-01-04 00:00:00')).toBe('2027-W01');
        expect(await label('month', '2024-02-29 00:00:00')).toBe('2024-02');
        expect(await value(({ dialect }) => dialect.localPart(at('2026-03-29 05:00:00'), 'weekday'))).toBe(7);
        expect(await value(({ dialect }) => dialect.localPart(at('2026-03-29 05:00:00'), 'hour_of_day'))).toBe(5);
      });

      it('takes percentiles between the values', async () => {
        const of = '(select 10.0 as n union all select 20 union all select 40) as rows';
        expect(await value(({ dialect }) => `(select ${dialect.quantile('n', 0.5)} from ${of})`)).toBe(20);
        expect(await value(({ dialect }) => `(select ${dialect.quantile('n', 0.75)} from ${of})`)).toBe(30);
        expect(
          await value(
            ({ dialect }) => `(select ${dialect.element(dialect.quantiles('n', [0.5, 0.75]), 2)} from ${of})`,
          ),
        ).toBe(30);
      });
    });

    describe('questions', () => {
      const many = Array.from({ length: 20_000 }, (_, index) => ({
        ...{ account: 'default', group_id: index, login: dateOf(index), pulled_at: 0 },
      }));

      it('have the same rows in pieces as at once, and end when nobody waits', async () => {
        const engine = await open();
        await engine.load(tableOf('account', 'group_agents'), many);
        const sql = 'select group_id, login from account.group_agents order by group_id';
        const pieces = await Array.fromAsync(engine.queryInPieces(sql));
        expect(pieces.length).toBeGreaterThan(1);
        expect(pieces.flat()).toEqual(await engine.query(sql));
        const reader = new AbortController();
        const cross =
          'select count(*) as n from account.group_agents as a, account.group_agents as b, account.group_agents as c where (a.group_id * b.group_id + c.group_id) % 7 = 3';
        const asked = withSignal(reader.signal, () => engine.query(cross));
        setTimeout(() => reader.abort(), 50);
        await expect(asked).rejects.toThrow(Cancelled);
        expect(await engine.query('select 1 as n')).toEqual([{ n: 1 }]);
        await engine.close();
      });

      it('have the same numbers in columns as in rows, and neither nulls nor texts', async () => {
        const engine = await open();
        await engine.load(tableOf('account', 'group_agents'), many);
        const sql =
          'select group_id, cast(group_id as double precision) / 2 as half from account.group_agents order by group_id';
        const { group_id, half } = await engine.queryNumbers(sql);
        expect(group_id).toBeInstanceOf(Int32Array);
        expect(half).toBeInstanceOf(Float64Array);
        const rows = await engine.query(sql);
        expect([...(group_id ?? [])].map((id, at) => ({ group_id: id, half: half?.[at] }))).toEqual(rows);
        const none = await engine.queryNumbers('select group_id from account.group_agents where group_id < 0');
        expect(none.group_id?.length).toBe(0);
        await expect(engine.queryNumbers('select login from account.group_agents')).rejects.toThrow('column login');
        const some = 'select case when group_id > 5 then group_id end as big from account.group_agents';
        await expect(engine.queryNumbers(some)).rejects.toThrow('column big has a null');
        await engine.close();
      });

      it('behind views find these and nothing else, side by side with questions to the file', async () => {
        const writer = await open();
        await addChats(writer, [
          { start: '2026-01-01T00:00:00Z', tags: ['theirs'] },
          { start: '2026-01-02T00:00:00Z', tags: ['ours', 'both'] },
        ]);
        await expect(writer.narrowed('k', () => Promise.resolve([]))).rejects.toThrow('only a published file');
        const engine = await published(writer);
        const views = (whole: (table: string) => string): Promise<string[]> =>
          Promise.resolve([
            'create schema facts',
            `create view facts.chat_tags as select * from ${whole('facts.chat_tags')} where tag <> 'theirs'`,
          ]);
        const narrow = await engine.narrowed('without theirs', views);
        expect(await engine.narrowed('without theirs', views)).toBe(narrow);
        const count = 'select count(*) as n from facts.chat_tags';
        const asked = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? engine : narrow).query(count));
        const answers = await Promise.all(asked);
        expect(answers.map(([row]) => row?.n)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 3 : 2)));
        expect(
          (await Array.fromAsync(narrow.queryInPieces('select tag from facts.chat_tags order by tag'))).flat(),
        ).toEqual([{ tag: 'both' }, { tag: 'ours' }]);
        await expect(narrow.query('select * from facts.chats')).rejects.toThrow();
        await expect(narrow.query('select * from ledger.pulls')).rejects.toThrow();
        await expect(engine.narrowed('broken', () => Promise.resolve(['create view nothing']))).rejects.toThrow();
        expect(await engine.query(count)).toEqual([{ n: 3 }]);
        await engine.close();
        await writer.close();
      });
    });
  });
}
