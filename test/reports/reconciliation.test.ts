// Recomputed against reported: every cell agrees on an honest account, and each kind of damage is named at the next run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '#etl/days.ts';
import { roundedTo, reasonFor, type CellFacts, type ComparedPair } from '#reports/reconciliation/cell.ts';
import { withEdges } from '#reports/reconciliation/edges.ts';
import { explanationsOf } from '#reports/reconciliation/explanations.ts';
import { reconcile, reconcileInParts } from '#reports/reconciliation/reconcile.ts';
import { summaryOf } from '#reports/reconciliation/summary.ts';
import type { ReconciledCell } from '#reports/reconciliation/cell.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { isWhole } from '../chance.ts';
import { addChats, insert, pulled, second } from '../warehouse/account.ts';
import { contextOf } from '../warehouse/query-context.ts';
import { subjectOf, type Subject } from '../zones/agree.ts';

/** Sixteen days around the night in which Warsaw's clocks go back. */
const now = Date.parse('2026-10-31T09:13:05Z') / 1000;
const zone = 'Europe/Warsaw';
let subject: Subject;
beforeAll(async () => {
  subject = await subjectOf(2, zone, 16, now, 'everything');
});
afterAll(() => subject.close());

const range = () => ({ account: 'default', timezone: zone, from: subject.service.firstDay, to: dayOf(now, zone) });
const context = () => contextOf(subject.engine, { account: 'default', zone, now });
const check = (to = range().to): Promise<ReconciledCell[]> => reconcile(context(), { ...range(), to });

/** Of the account as it is. */
let undamaged: Promise<ReconciledCell[]> | undefined;
const checked = (): Promise<ReconciledCell[]> => (undamaged ??= check());

/** Damages the warehouse, looks, and takes the damage back. */
async function whileDamaged(damage: string, look: () => Promise<void>): Promise<void> {
  const { engine } = subject;
  const undo = new Error('taken back');
  await engine
    .transaction(async () => {
      await engine.exec(damage);
      await look();
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

/** What is unexplained of the first ten days, of which one is damaged; with the drill of all. */
async function damaged(damage: string): Promise<ReconciledCell[]> {
  let cells: ReconciledCell[] = [];
  const to = isWhole ? undefined : addDays(subject.service.firstDay, 9);
  await whileDamaged(damage, async () => void (cells = await check(to)));
  return cells.filter((cell) => cell.reason === 'unexplained');
}

test('against the embedded service every complete cell is equal, around a switch of daylight saving too', async () => {
  const { cells, by_reason } = summaryOf(await checked());
  expect(Object.keys(by_reason).sort()).toEqual(['equal', 'settling']);
  expect(by_reason.equal).toBeGreaterThan(4000);
  expect(cells).toBe((by_reason.equal ?? 0) + (by_reason.settling ?? 0));
});

test('compared a few days at a time, the cells are those of all days at once, edges between two parts too', async () => {
  const other = `update reports.total_chats
    set chats = chats + case when cast(day as date) < date '2026-10-20' then 1 else -1 end
    where split = 'account' and cast(day as date) between date '2026-10-19' and date '2026-10-20'`;
  const inOrder = (cells: readonly ReconciledCell[]): string[] => cells.map((cell) => JSON.stringify(cell)).sort();
  await whileDamaged(other, async () => {
    const whole = await check();
    expect(whole.filter(({ reason }) => reason === 'edge').length).toBeGreaterThan(1);
    const found: ReconciledCell[] = [];
    const parts: string[] = [];
    const take = (cells: readonly ReconciledCell[], { from, to }: { from: string; to: string }): void => {
      found.push(...cells);
      parts.push(`${from} ${to}`);
    };
    await reconcileInParts(context(), range(), take, undefined, 4);
    expect(parts.slice(0, 2)).toEqual(['2026-10-16 2026-10-19', '2026-10-20 2026-10-23']);
    expect(parts).toHaveLength(4);
    expect(inOrder(found)).toEqual(inOrder(whole));
  });
});

test('chats are excuses of their own local day, in zones whose days begin on a quarter hour too', async () => {
  const engine = await openWarehouse(':memory:');
  try {
    // 18:15 UTC is midnight in Kathmandu; the last one ends after it.
    for (const [place, start] of ['2026-05-01T18:14:00Z', '2026-05-01T18:16:00Z', '2026-05-02T18:14:50Z'].entries())
      await addChats(engine, [{ start, seconds: 30 }], place);
    const asked = { account: 'default', timezone: 'Asia/Kathmandu', from: '2026-05-01', to: '2026-05-04' };
    const { changed, bordered } = await explanationsOf(
      contextOf(engine, { account: 'default', zone: asked.timezone, now }),
      asked,
    );
    expect([...changed.keys()].sort()).toEqual(['2026-05-01', '2026-05-02']);
    expect([...bordered].sort()).toEqual(['2026-05-02', '2026-05-03']);
  } finally {
    await engine.close();
  }
});

test('hours of today that have not begun are no cells, though the source reports zeros of them', async () => {
  const stored = await subject.engine.query("select max(period) as last from reports.total_chats where grain = 'hour'");
  expect(stored).toEqual([{ last: '2026-10-31 23:00' }]);
  const hours = (await checked()).filter(({ grain }) => grain === 'hour').map(({ period }) => period);
  expect(hours.sort().at(-1)).toBe('2026-10-31 10:00');
});

test.each(['chat_agents', 'chat_groups', 'chat_tags'])(
  'what facts.%s repeats of a chat is what the chat says',
  async (bridge) => {
    const columns = [
      'rate',
      'queue_seconds',
      'is_replied',
      ...(bridge === 'chat_agents' ? [] : ['first_response_seconds', 'response_seconds']),
    ];
    const rows = (of: string): string =>
      `select b.chat_id, ${columns.map((column) => `${of}.${column}`).join(', ')}
     from facts.${bridge} as b join facts.chats as c using (account, started_quarter, chat_id) order by all`;
    const repeated = await subject.engine.query(rows('b'));
    expect(repeated.length).toBeGreaterThan(300);
    expect(repeated).toEqual(await subject.engine.query(rows('c')));
  },
);

test('a day into which chats may run that are not there yet is compared with nothing, nor are days before it', async () => {
  const engine = await openWarehouse(':memory:');
  await addChats(engine, [{ start: '2026-05-11T10:00:00Z', seconds: 3600 }]);
  await pulled(engine, 'UTC', '2026-05-10', '2026-05-12', '2026-05-19T13:00:00Z');
  const hours = { '2026-05-09': 2, '2026-05-10': 0.5, '2026-05-11': 1 };
  const rows = ['account', 'agent'].flatMap((split) =>
    Object.entries(hours).map(([period, hours]) => ({
      ...{ split, split_value: split === 'agent' ? 'a@x.test' : '', timezone: 'UTC', grain: 'day', day: period },
      ...{ period, hours, pulled_at: second('2026-05-19T12:00:00Z') },
    })),
  );
  await insert(engine, 'reports', 'chatting_time', rows);
  const range = { account: 'default', timezone: 'UTC', from: '2026-05-09', to: '2026-05-11' };
  const context = contextOf(engine, { account: 'default', zone: 'UTC', now: second('2026-05-25T12:00:00Z') });
  const cells = await reconcile(context, range);
  expect(cells.map(({ split, period, reason }) => `${split} ${period} ${reason}`).sort()).toEqual(
    ['account', 'agent'].flatMap((split) => [
      ...[`${split} 2026-05-09 not_pulled`, `${split} 2026-05-10 not_pulled`, `${split} 2026-05-11 equal`],
    ]),
  );
  await engine.close();
});

test('sales of chats from before the first pulled day are looked for up to thirty days after it, and no longer', async () => {
  const engine = await openWarehouse(':memory:');
  const sale = { id: 1, sale: true, price: '20', currency: 'EUR' };
  await addChats(engine, [{ start: '2026-01-20T10:00:00Z', goals: [{ at: '2026-02-02T11:00:00Z', ...sale }] }]);
  await pulled(engine, 'UTC', '2026-01-01', '2026-02-10', '2026-03-19T13:00:00Z');
  const told: Record<string, [many: number, value: number]> = {
    // More than the pulled chats have, at the start, on the last day and after it; then less than they have.
    ...{ '2026-01-03': [1, 9], '2026-01-31': [2, 18], '2026-02-01': [1, 9], '2026-02-02': [0, 0] },
  };
  await insert(
    engine,
    'reports',
    'goals',
    Object.entries(told).map(([day, [sales_count, value]]) => ({
      ...{ split: 'account', split_value: '', timezone: 'UTC', grain: 'day', day, period: day },
      ...{ sales_tracker: 1, currency: 'EUR', sales_count, value, pulled_at: second('2026-03-19T12:00:00Z') },
    })),
  );
  const reasonsSince = async (since: string): Promise<string[]> => {
    const context = contextOf(engine, { account: 'default', zone: 'UTC', now: second('2026-03-25T12:00:00Z') });
    const range = { account: 'default', timezone: 'UTC', from: '2026-01-01', to: '2026-02-10' };
    const cells = await reconcile({ ...context, account: { ...context.account, since } }, range);
    const tracked = cells.filter(({ metric, measure }) => metric === 'goals' && measure.endsWith(':EUR'));
    return tracked.map(({ period, reason }) => `${period} ${reason}`).sort();
  };
  expect(await reasonsSince('2026-01-01')).toEqual([
    ...['2026-01-03 not_pulled', '2026-01-31 not_pulled', '2026-02-01 unexplained', '2026-02-02 unexplained'],
  ]);
  expect((await reasonsSince('2026-01-04')).slice(-2)).toEqual(['2026-02-01 not_pulled', '2026-02-02 unexplained']);
  // A first pull goes back in time, and so may a day fail: sales of the thirty days after it wait for its chats.
  const withoutDay = async (day: string): Promise<string[]> => {
    const of = `where source = 'archive' and day = date '${day}'`;
    await engine.exec(`update ledger.periods set state = 'failed' ${of}`);
    const found = await reasonsSince('2025-11-01');
    await engine.exec(`update ledger.periods set state = 'pulled' ${of}`);
    return found;
  };
  await pulled(engine, 'UTC', '2025-11-01', '2025-12-31', '2026-03-19T13:00:00Z');
  expect(await reasonsSince('2025-11-01')).toEqual([
    ...['2026-01-03', '2026-01-31', '2026-02-01', '2026-02-02'].map((day) => `${day} unexplained`),
  ]);
  expect(await withoutDay('2026-01-01')).toEqual([
    ...['2026-01-03 not_pulled', '2026-01-31 not_pulled', '2026-02-01 not_pulled', '2026-02-02 unexplained'],
  ]);
  expect(await withoutDay('2025-12-31')).toEqual([
    ...['2026-01-03 not_pulled', '2026-01-31 not_pulled', '2026-02-01 unexplained', '2026-02-02 unexplained'],
  ]);
  expect((await withoutDay('2026-01-31'))[0]).toBe('2026-01-03 unexplained');
  await engine.close();
});

describe('numbers that are wrong on purpose', () => {
  const day = (): string => addDays(subject.service.firstDay, 2);
  const chat = (): string => `(select min(chat_id) from facts.chats where chat_id in (
    select chat_id from facts.chats where strftime(timezone('${zone}', started_at), '%Y-%m-%d') = '${day()}' and rate = 'rated_good'))`;

  test('a chat deleted from the facts is named in its day', async () => {
    const found = await damaged(`delete from facts.chats where chat_id = ${chat()}`);
    const total = found.find(
      (cell) => cell.metric === 'total_chats' && cell.grain === 'day' && cell.split === 'account',
    );
    expect(total).toMatchObject({ period: day(), difference: 1 });
  });
  test('a rating flipped is named in ratings and ranking, and nowhere else', async () => {
    const [{ id } = {}] = await subject.engine.query(`select ${chat()} as id`);
    const found = await damaged(
      ['chats', 'chat_agents', 'chat_groups', 'chat_tags']
        .map((table) => `update facts.${table} set rate = 'rated_bad' where chat_id = '${id}'`)
        .join('; '),
    );
    expect(new Set(found.map((cell) => cell.metric))).toEqual(new Set(['chat_ratings', 'chat_ranking']));
    expect(found.find((cell) => cell.metric === 'chat_ratings' && cell.split === 'account')).toMatchObject({
      difference: 1,
    });
  });
  test('a report row altered is named in its cell alone', async () => {
    const found = await damaged(
      `update reports.chatting_time set hours = hours + 0.5 where grain = 'day' and split = 'account' and period = '${day()}'`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ metric: 'chatting_time', period: day(), split: 'account', measure: 'hours' });
    expect(found[0]?.difference).toBeCloseTo(0.5, 9);
  });
  test('a sale in another currency is named', async () => {
    const found = await damaged(
      `update facts.chat_goals set currency = 'GBP' where is_sale_tracker and price > 0 and currency = 'USD'
         and strftime(timezone('${zone}', reached_at), '%Y-%m-%d') = '${day()}'`,
    );
    expect(found.some((cell) => cell.metric === 'goals' && /^(sales_count|value):/.test(cell.measure))).toBe(true);
  });
  test('goals that an archive without goals left out are not called a difference', async () => {
    const found = await damaged("update facts.chats set source = 'agent_v3'; delete from facts.chat_goals");
    expect(new Set(found.map((cell) => cell.metric))).toEqual(new Set());
  });
  test('an agent who is gone from the account is an explanation of its own cells only', async () => {
    const { engine } = subject;
    const [{ login } = {}] = await engine.query('select min(agent) as login from facts.chat_agents');
    const found = await damaged(
      `update account.agents set is_removed = true where login = '${login}';
       delete from reports.total_chats where split = 'agent' and split_value = '${login}' and period = '${day()}';
       update reports.engagement set chats_from_immediate_start = 0 where split = 'agent' and split_value = '${login}' and chats_from_immediate_start > 0`,
    );
    expect(found).toEqual([]);
  });
});

describe('the first reason that fits', () => {
  const fine: CellFacts = {
    is_pulled: true,
    is_complete: true,
    is_capped: false,
    is_changed_after: false,
    is_agent_removed: false,
  };
  const off = (by: number, digits: number | null): ComparedPair[] => [
    { measure: 'x', reported: 5 + by, recomputed: 5, digits },
  ];

  test.each([
    [off(1, null), { is_pulled: false }, 'not_pulled'],
    [off(0, null), { is_complete: false }, 'settling'],
    [off(1, null), { is_capped: true, is_changed_after: true }, 'capped'],
    [off(1, null), { is_changed_after: true, is_agent_removed: true }, 'changed_after'],
    [off(1, null), { is_agent_removed: true }, 'agent_removed'],
    [off(0, null), { is_changed_after: true, is_capped: true }, 'equal'],
    [off(0.01, 2), {}, 'rounding'],
    [off(0.02, 2), {}, 'unexplained'],
    [off(1, 0), {}, 'rounding'],
    [off(1, null), {}, 'unexplained'],
    [[{ measure: 'x', reported: null, recomputed: 5, digits: 2 }], {}, 'unexplained'],
    [[{ measure: 'x', reported: null, recomputed: null, digits: 2 }], {}, 'equal'],
  ] as const)('%j with %j is %s', (pairs, about, reason) => {
    expect(reasonFor(pairs, { ...fine, ...about })).toBe(reason);
  });

  const cell = (period: string, difference: number): ReconciledCell => ({
    ...{
      account: 'a',
      metric: 'total_chats',
      timezone: 'UTC',
      grain: 'day',
      split: 'account',
      split_value: '',
      period,
    },
    ...{ measure: 'chats', reported: 5 + difference, recomputed: 5, difference, reason: 'unexplained' },
  });
  test('a chat over midnight that one side counts on the next day is an edge; a missing chat is not', () => {
    const bordered = new Set(['2026-01-01']);
    const edge = withEdges([cell('2026-01-01', 1), cell('2026-01-02', -1)], bordered);
    expect(edge.map(({ reason }) => reason)).toEqual(['edge', 'edge']);
    const missing = withEdges([cell('2026-01-01', 1), cell('2026-01-02', 0)], bordered);
    expect(missing.map(({ reason }) => reason)).toEqual(['unexplained', 'unexplained']);
    expect(withEdges([cell('2026-01-01', 1), cell('2026-01-02', -1)], new Set())[0]?.reason).toBe('unexplained');
  });
  test('rounding is the vendor’s own: half up, with a hair for what binary fractions lose', () => {
    expect(roundedTo(1.005, 2)).toBe(1.01);
    expect(roundedTo(2.5, 0)).toBe(3);
    expect(roundedTo(0.124999, 2)).toBe(0.12);
  });
});
