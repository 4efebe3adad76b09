// Numbers of several accounts together, counted a second time in plain loops over their chats; and whom they do not hold.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wantedOf, type QueryTexts } from '#api/question.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import { pooledContextIn } from '#warehouse/query/pooled-context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import type { QueryAnswer } from '#warehouse/query/run.ts';
import { pulled, second } from './account.ts';
import { members, separate } from './several-accounts.ts';

const range = { from: '2026-03-20', to: '2026-04-05', timezone: 'UTC', grain: 'total' };
const chats = members.flatMap(({ id, chats }) => chats.map((chat) => ({ account: id, ...chat })));

let engine: Store;
beforeAll(async () => {
  engine = await separate(members);
});
afterAll(() => engine.close());

async function ask(
  id: string,
  question: QueryTexts,
  now = '2027-03-01T00:00:00Z',
  since = '2025-12-28',
): Promise<QueryAnswer> {
  const context = await pooledContextIn(
    localReader,
    { id: 's', published_at: now, engine },
    members.map(({ id: account, zone }) => ({ id: account, timezone: zone, since })),
    second(now),
  );
  return runPooled(id, wantedOf(metricOf(id), question), context);
}
const only = async (id: string, question: QueryTexts = range): Promise<Row> => (await ask(id, question)).rows[0] ?? {};

/** Linear between the two values around the place. */
function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const place = q * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return low + (high - low) * (place % 1);
}

describe('several accounts together, in plain loops', () => {
  it('chats are added up', async () => {
    expect((await only('total_chats')).chats).toBe(chats.length);
    const { rows } = await ask('total_chats', { ...range, split: 'account' });
    expect(rows.map(({ account, chats }) => [account, chats])).toEqual(
      members.map(({ id, chats }) => [id, chats.length]),
    );
  });

  it('a percentile is that of all values, and no mean of percentiles', async () => {
    const waits = chats.flatMap(({ first }) => (first ? [first[0]] : []));
    const row = await only('first_response_time');
    expect(row.p50).toBeCloseTo(quantile(waits, 0.5) ?? NaN, 9);
    expect(row.p90).toBeCloseTo(quantile(waits, 0.9) ?? NaN, 9);
  });

  it('a share is that of all ratings', async () => {
    const good = chats.filter(({ rate }) => rate === 'rated_good').length;
    const bad = chats.filter(({ rate }) => rate === 'rated_bad').length;
    expect(await only('chat_ratings')).toMatchObject({ good, bad });
  });

  it('the most chats at once are those of the accounts at the same second', async () => {
    const edges = chats.flatMap(({ start, seconds = 600 }) => {
      const begin = Math.floor(second(start));
      return [
        [begin, 1],
        [begin + seconds, -1],
      ] as const;
    });
    edges.sort(([one, first], [other, last]) => one - other || first - last);
    let [level, most] = [0, 0];
    for (const [, change] of edges) most = Math.max(most, (level += change));
    const row = await only('concurrent_chats', { ...range, to: '2026-04-08' });
    expect(row.most).toBe(most);
    const byDay = { ...range, grain: 'day' };
    const { rows: ofAll } = await ask('concurrent_chats', byDay);
    const { rows: ofEach } = await ask('concurrent_chats', { ...byDay, split: 'account' });
    const between = ofAll.filter(({ period, most: level }) => {
      const levels = ofEach.filter((each) => each.period === period).map((each) => Number(each.most));
      const sum = levels.reduce((before, each) => before + each, 0);
      return Math.max(...levels) < Number(level) && Number(level) < sum;
    });
    expect(between.length).toBeGreaterThan(3);
  });

  it('money is told by currency', async () => {
    const taken = new Map<string, number>();
    for (const { goals = [] } of chats)
      for (const { sale, price, currency = '', at } of goals)
        if (sale && at >= '2026-03-20')
          taken.set(currency, (taken.get(currency) ?? 0) + Math.round(Number(price) * 100));
    const { rows } = await ask('goals', { ...range, split: 'currency' });
    const found = rows.map(({ currency, value }) => [currency, Math.round(Number(value) * 100)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(taken));
    expect(taken.size).toBe(4);
  });

  it('a turnover without a currency is not given', async () => {
    const answer = await ask('goals', range);
    expect([answer.rows[0]?.value, Object.keys(answer.not_given ?? {})]).toEqual([null, ['value']]);
  });

  it('visitors of the same id in two accounts are two', async () => {
    let repeated = 0;
    for (const { id } of members) {
      const byVisitor = Map.groupBy(
        chats.filter(({ account, visitor }) => account === id && visitor !== undefined && visitor !== ''),
        ({ visitor }) => visitor,
      );
      for (const its of byVisitor.values()) {
        const starts = its.map(({ start }) => second(start)).sort((one, other) => one - other);
        for (const [place, start] of starts.entries()) {
          const next = starts[place + 1];
          if (next !== undefined && next - start <= 7 * 86_400) repeated += 1;
        }
      }
    }
    expect(Object.values(await only('repeat_contact'))).toContain(repeated);
  });

  it('days are those of the zone that is asked for, else of the zone that all share, else UTC', async () => {
    const { timezone: _, ...days } = { ...range, grain: 'day' };
    expect((await ask('total_chats', { ...days, timezone: 'Asia/Tokyo' })).timezone).toBe('Asia/Tokyo');
    const answer = await ask('total_chats', days);
    expect([answer.timezone, answer.account]).toEqual(['UTC', 'a,b,c']);
    expect(answer.notes).toEqual([
      'the accounts have different time zones (Europe/Warsaw, America/St_Johns, UTC): days are those of UTC',
    ]);
    for (const { period, chats: counted } of answer.rows)
      expect(counted).toBe(chats.filter(({ start }) => start.startsWith(String(period))).length);
  });

  it.each([
    [
      'group=3',
      { group: '3' },
      'group=3 is another group in each account: ask with split=account,group, or of one account',
    ],
    [
      'a report of the source',
      {},
      "availability comes from the source's own reports, which are of one account each and cannot be added up: ask with split=account",
    ],
  ])('%s is refused with what to ask instead', async (name, more, words) => {
    await expect(ask(name.startsWith('group') ? 'total_chats' : 'availability', { ...range, ...more })).rejects.toThrow(
      words,
    );
  });
});

describe('accounts that lack data', () => {
  const day = { from: '2026-03-25', to: '2026-03-28', timezone: 'UTC' };
  const now = '2026-03-28T14:20:00Z';
  const at = (account: string, start: string) => ({ account, start });
  const some = [
    ...['2026-03-18T10:00:00Z', '2026-03-25T10:00:00Z', '2026-03-21T09:00:00Z', '2026-03-28T09:00:00Z'].map((start) =>
      at('a', start),
    ),
    ...['2026-03-18T11:00:00Z', '2026-03-21T09:00:00Z', '2026-03-21T11:30:00Z', '2026-03-28T10:30:00Z'].map((start) =>
      at('b', start),
    ),
    ...['2026-03-18T12:00:00Z', '2026-03-21T13:00:00Z'].map((start) => at('c', start)),
  ];
  let lagging: Store;
  /** `a` up to 14:00 today, `b` up to 11:00; `c` has nothing of the last days, `d` begins on the 27th. */
  beforeAll(async () => {
    const of = (account: string) => some.filter((chat) => chat.account === account).map(({ start }) => ({ start }));
    lagging = await separate(['a', 'b', 'c', 'd'].map((id) => ({ id, zone: 'UTC', chats: of(id) })));
    await lagging.exec('delete from ledger.periods');
    const days = [
      ...([
        ['a', '2026-03-01', '2026-03-28', '2026-03-28T14:00:00Z'],
        ['b', '2026-03-01', '2026-03-28', '2026-03-28T11:00:00Z'],
      ] as const),
      ...([
        ['c', '2026-03-01', '2026-03-22', '2026-03-23T00:00:00Z'],
        ['d', '2026-03-27', '2026-03-28', '2026-03-28T14:00:00Z'],
      ] as const),
    ];
    for (const [account, from, to, pulledAt] of days) {
      await pulled(lagging, 'UTC', from, to, pulledAt);
      await lagging.exec(`update ledger.periods set account = '${account}' where account = 'default'`);
    }
  });
  afterAll(() => lagging.close());
  const asked = async (question: QueryTexts): Promise<QueryAnswer> => {
    const context = await pooledContextIn(
      localReader,
      { id: 's', published_at: now, engine: lagging },
      ['a', 'b', 'c', 'd'].map((id) => ({ id, timezone: 'UTC', since: id === 'd' ? '2026-03-27' : '2026-03-01' })),
      second(now),
    );
    return runPooled('total_chats', wantedOf(metricOf('total_chats'), question), context);
  };

  it('are named, counted in each cell, and leave it open as long as they may still be pulled', async () => {
    const answer = await asked({ ...day, grain: 'day' });
    expect(answer.no_data).toEqual([
      { account: 'c', from: '2026-03-25', to: '2026-03-28' },
      { account: 'd', from: '2026-03-25', to: '2026-03-26' },
    ]);
    expect(answer.notes).toEqual([
      '1 of 4 accounts has no data of these days: c',
      '1 of 4 accounts has no data up to 2026-03-26: d',
    ]);
    expect(
      answer.rows.map(({ period, chats, state, accounts_missing }) => [period, chats, state, accounts_missing]),
    ).toEqual([
      ['2026-03-25', 1, 'open', 2],
      ['2026-03-26', 0, 'open', 2],
      ['2026-03-27', 0, 'open', 1],
      ['2026-03-28', 2, 'open', 1],
    ]);
  });

  it('before their first day to pull leave the others as final as they are', async () => {
    const { rows } = await asked({ from: '2026-03-01', to: '2026-03-01', timezone: 'UTC', grain: 'total' });
    expect(rows).toEqual([{ chats: 0, state: 'complete', accounts_missing: 1 }]);
  });

  it('are null by account, and together where nobody has any', async () => {
    const { rows } = await asked({ ...day, grain: 'total', split: 'account' });
    expect(rows.map(({ account, chats, state }) => [account, chats, state])).toEqual([
      ['a', 2, 'open'],
      ['b', 1, 'open'],
      ['c', null, 'not_pulled'],
      ['d', null, 'not_pulled'],
    ]);
    const before = await asked({ from: '2026-02-01', to: '2026-02-02', grain: 'total' });
    expect(before.rows).toEqual([{ chats: null, state: 'not_pulled' }]);
  });

  it('each is compared up to when it is known itself, and without those that the range does not have', async () => {
    const { compare } = await asked({ ...day, grain: 'total', compare: 'previous' });
    // Of the 21st until 14:00 one of `a`; until 11:00 one of `b`; on the 18th one each; none of `c`.
    expect(compare?.rows.map(({ chats }) => chats)).toEqual([4]);
    expect([compare?.from, compare?.to, compare?.until]).toEqual([
      '2026-03-18',
      '2026-03-21',
      '2026-03-21T14:00:00.000Z',
    ]);
    expect(compare?.notes).toContain('without c, of which the range has no data');
    const by = await asked({ ...day, grain: 'total', compare: 'previous', split: 'account' });
    expect(by.compare?.rows.map(({ account, chats }) => [account, chats])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 2],
      ['d', null],
    ]);
  });
});
