// The suite that every engine for readers has to pass: values, its dialect, pieces, interruption, views.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cancelled, withSignal } from '#warehouse/cancellation.ts';
import type { Engine, NarrowedTable, Store } from '#warehouse/engine.ts';
import { dateOf } from '#warehouse/periods.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { addChats, insert } from '../warehouse/account.ts';

/** An engine that is open for readers. */
export interface Opened {
  engine: Engine;
  close(): Promise<void>;
}

/** Publishes what `fill` puts into a warehouse, and opens that for readers. */
export type Opening = (fill?: (store: Store) => Promise<void>) => Promise<Opened>;

/** Adds the whole suite under `name`. */
export function engineCase(name: string, opening: Opening): void {
  describe(`the engine ${name}`, () => {
    /** Of a warehouse without rows. */
    let empty: Opened;
    beforeAll(async () => {
      empty = await opening();
    });
    afterAll(() => empty.close());

    async function withEngine(
      work: (engine: Engine) => Promise<void>,
      fill?: (store: Store) => Promise<void>,
    ): Promise<void> {
      const { engine, close } = fill ? await opening(fill) : empty;
      try {
        await work(engine);
      } finally {
        if (fill) await close();
      }
    }

    it('gives instants, dates, decimals, texts and nulls exactly, as plain values', async () => {
      const goals = { sales_tracker: 1, currency: 'EUR', goals: null, sales_count: 3, value: '12345678901234.5678' };
      const fill = async (store: Store): Promise<void> => {
        await insert(store, 'reports', 'goals', [
          { ...goals, day: '2026-03-29', pulled_at: 1774746000.25, split: "it's" },
        ]);
        await insert(store, 'reports', 'availability', [
          { hours: 0.1, split: 'é\n\\"' },
          { hours: 1e-9 },
          { hours: -1.5e15 },
        ]);
      };
      await withEngine(async (engine) => {
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
        expect(await engine.query('select hours, split from reports.availability order by hours')).toEqual([
          { hours: -1.5e15, split: '' },
          { hours: 1e-9, split: '' },
          { hours: 0.1, split: 'é\n\\"' },
        ]);
        expect((await engine.columns()).get('reports.availability')?.has('hours')).toBe(true);
        expect((await engine.columns()).has('reports.nothing')).toBe(false);
      }, fill);
    });

    it('puts nulls last, and texts by their bytes', async () => {
      const texts = ["'b'", 'null', "'Z'", "'é'", "'a'"].map((text) => `select ${text} as v`).join(' union all ');
      const sql = `select v from (${texts}) as texts order by v`;
      await withEngine(async (engine) => {
        expect((await engine.query(sql)).map(({ v }) => v)).toEqual(['Z', 'a', 'b', 'é', null]);
        expect((await engine.query(`${sql} desc`)).map(({ v }) => v)).toEqual(['é', 'b', 'a', 'Z', null]);
      });
    });

    describe('the dialect', () => {
      const value = async (sql: (engine: Engine) => string, params = {}): Promise<unknown> =>
        (await empty.engine.query(`select ${sql(empty.engine)} as value`, params))[0]?.value;

      it('binds and writes out every type', async () => {
        const { engine } = empty;
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
      });

      it('knows quarter hours and local time', async () => {
        const quarter = Date.parse('2026-03-29T01:45:00Z') / 900_000;
        expect(await value(({ dialect }) => dialect.wholes('11', 4))).toBe(2);
        expect(await value(({ dialect }) => dialect.quarterOf(String(quarter * 900 + 899)))).toBe(quarter);
        expect(await value(({ dialect }) => dialect.localTime(String(quarter)))).toBe('2026-03-29T01:45:00.000Z');
        expect(await value(({ dialect }) => dialect.localMoment(String(quarter * 900 + 59)))).toBe(
          '2026-03-29T01:45:59.000Z',
        );
        expect(await value(({ dialect }) => dialect.localOf("'2026-03-29 05:00'"))).toBe('2026-03-29T05:00:00.000Z');
        const day = ({ dialect }: Engine): string => dialect.literal('2026-03-29', 'date');
        expect(await value((engine) => engine.dialect.localOf(day(engine)))).toBe('2026-03-29T00:00:00.000Z');
        expect(await value((engine) => engine.dialect.dayNumber(day(engine)))).toBe(
          Date.parse('2026-03-29') / 86_400_000,
        );
        expect(await value(({ dialect }) => dialect.second(dialect.literal('2026-03-29 01:00:00.25', 'instant')))).toBe(
          1774746000.25,
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

      it('counts and cuts characters, not bytes', async () => {
        expect(await value(({ dialect }) => dialect.characters("'aé€😀'"))).toBe(4);
        expect(await value(({ dialect }) => dialect.slice("'aé€😀b'", '1', 3))).toBe('aé€');
        expect(await value(({ dialect }) => dialect.slice("'aé€😀b'", '1 + 1', 3))).toBe('é€😀');
        expect(await value(({ dialect }) => dialect.filled('·', "'é😀'"))).toBe('··');
        expect(await value(({ dialect }) => dialect.trimmed("' \u00a0\u3000a b\t '"))).toBe('a b\t');
        expect(await value(({ dialect }) => dialect.placeOf("'ÄRGER ΑΣ'", "'😀 ärger ας ärger ασ'"))).toBe(12);
        expect(await value(({ dialect }) => dialect.placeOf("'i'", "'aİ'"))).toBe(2);
        expect(await value(({ dialect }) => dialect.placeOf("'x'", "'aİ'"))).toBe(0);
      });

      it('makes the same names of the same texts everywhere', async () => {
        const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
        expect(await value(({ dialect }) => dialect.pseudonym("'visitor'", 'secret'))).toBe(md5('secretvisitor'));
        expect(await value(({ dialect }) => dialect.digest("'é'"))).toBe(md5('é'));
      });

      it('rounds halves away from zero, to the bit', async () => {
        const rounded: [number, number][] = [
          ...([
            [0.5, 1],
            [2.5, 3],
            [-0.5, -1],
            [-1.5, -2],
            [0.49999999999999994, 0],
            [7, 7],
          ] as [number, number][]),
          ...([
            [2251799813685248.5, 2251799813685249],
            [1e300, 1e300],
          ] as [number, number][]),
        ];
        for (const [number, whole] of rounded) {
          const found = await value(({ dialect }) => dialect.rounded(`cast('${number}' as double precision)`));
          expect([number, Number(found) + 0]).toEqual([number, whole]);
        }
      });

      it('looks at the rows before and after', async () => {
        await withEngine(async (engine) => {
          const { before, after } = engine.dialect;
          const columns = `n, ${before('n', 'order by n')} as b, ${after('n', 'order by n')} as a`;
          const rows = '(select 1 as n union all select 2 union all select 5) as rows';
          expect(await engine.query(`select ${columns} from ${rows} order by n`)).toEqual([
            { n: 1, b: null, a: 2 },
            { n: 2, b: 1, a: 5 },
            { n: 5, b: 2, a: null },
          ]);
        });
      });

      it('joins texts in an order, and adds bits', async () => {
        const texts = ["2 as n, 'b' as t", "1, 'z'", "1, 'z'", '3, null']
          .map((row) => `select ${row}`)
          .join(' union all ');
        await withEngine(async (engine) => {
          const { joined, inOrder, last, anyBits, shareBits } = engine.dialect;
          const of = async (sql: string, where = 'true'): Promise<unknown> =>
            (await engine.query(`select ${sql} as value from (${texts}) as rows where ${where}`))[0]?.value;
          expect(await of(joined('t', 'n'))).toBe('z; b');
          expect(await of(joined('t', 'n', 'n > 1'))).toBe('b');
          expect(await of(joined('t', 'n', 'n > 9'))).toBe(null);
          expect(await of(inOrder('t', 'n', ' '), 'n < 3')).toBe('z z b');
          expect(await of(inOrder('t', 'n', ' '), 'n > 9')).toBe(null);
          expect(await of(last('t', 'n'), 'n < 3')).toBe('b');
          expect(await of(anyBits('n'))).toBe(3);
          expect(await of('count(*)', shareBits('n', '2'))).toBe(2);
        });
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

      it('takes the same percentiles as a plain loop, to the bit', async () => {
        const numbers = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 12 });
        const shares = [0.5, 0.9, 0.95];
        await withEngine(async (engine) => {
          const columns = shares.map((q, at) => `${engine.dialect.quantile('n', q)} as q${at}`);
          await fc.assert(
            fc.asyncProperty(numbers, async (values) => {
              const rows = values
                .map((number) => `select cast('${number}' as double precision) as n`)
                .join(' union all ');
              const [row] = await engine.query(`select ${columns.join(', ')} from (${rows}) as rows`);
              const sorted = values.toSorted((one, other) => one - other);
              for (const [at, q] of shares.entries()) {
                const place = q * (values.length - 1);
                const part = place - Math.floor(place);
                const low = sorted[Math.floor(place)] ?? 0;
                const between = low * (1 - part) + (sorted[Math.ceil(place)] ?? 0) * part;
                expect(Number(row?.[`q${at}`]) + 0).toBe((part === 0 ? low : between) + 0);
              }
            }),
            { numRuns: 30 },
          );
        });
      });
    });

    describe('questions', () => {
      const many = Array.from({ length: 20_000 }, (_, index) => ({
        ...{ account: 'default', group_id: index, login: dateOf(index), pulled_at: 0 },
      }));

      it('have the same rows in pieces as at once, and end when nobody waits', async () => {
        const { engine, close } = await opening((store) => store.load(tableOf('account', 'group_agents'), many));
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
        await close();
      });

      it('have the same numbers in columns as in rows, and neither nulls nor texts', async () => {
        const { engine, close } = await opening((store) => store.load(tableOf('account', 'group_agents'), many));
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
        await close();
      });

      it('behind views find these and nothing else, side by side with questions to the file', async () => {
        const { engine, close } = await opening((store) =>
          addChats(store, [
            { start: '2026-01-01T00:00:00Z', tags: ['theirs'] },
            { start: '2026-01-02T00:00:00Z', tags: ['ours', 'both'] },
          ]),
        );
        const views = (whole: (table: string) => string): Promise<NarrowedTable[]> =>
          Promise.resolve([
            { name: 'facts.chat_tags', select: `select * from ${whole('facts.chat_tags')} where tag <> 'theirs'` },
            { name: 'facts.agents', select: "select 'a' as login", isCopied: true },
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
        expect(await narrow.query('select login from facts.agents')).toEqual([{ login: 'a' }]);
        expect([...(await narrow.columns()).keys()].toSorted()).toEqual(['facts.agents', 'facts.chat_tags']);
        const broken = [{ name: 'facts.chats', select: 'nothing at all' }];
        await expect(engine.narrowed('broken', () => Promise.resolve(broken))).rejects.toThrow();
        expect(await engine.query(count)).toEqual([{ n: 3 }]);
        await close();
      });
    });
  });
}
