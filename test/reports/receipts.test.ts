// A receipt adds up: whatever is asked of whatever account, the chats that it lists give the number, and so does its SQL.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listingOf, wantedCellOf, type QueryTexts } from '#api/question.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import type { MetricDefinition, Split } from '#warehouse/definitions/metric.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { slots, weekdays } from '#warehouse/periods.ts';
import { askedCellOf } from '#warehouse/receipts/receipt-cell.ts';
import { cellOf } from '#warehouse/receipts/cell.ts';
import { askingOne } from '#warehouse/receipts/asking.ts';
import { membersOf } from '#warehouse/receipts/members.ts';
import { adding } from '#warehouse/receipts/sum.ts';
import { receiptFor as receiptIn, type MetricReceipt } from '#reports/receipts/receipt.ts';
import { tries } from '../chance.ts';
import { later, type Chat } from '../warehouse/account.ts';
import {
  agents,
  chats,
  groups,
  plans,
  range,
  reportedAccount,
  tagNames,
  withChats,
  zone,
  zones,
} from './receipt-account.ts';
import { contextOf, run } from '../warehouse/query-context.ts';

const context = { ...later, zone };
const all: readonly MetricDefinition[] = [...metrics, metricOf('goal_records')];

let engine: Store;
beforeAll(async () => {
  engine = await reportedAccount();
});
afterAll(() => engine.close());

const valuesOf: Readonly<Record<Split, readonly string[]>> = {
  account: [],
  agent: [...agents, 'nobody@x.test'],
  group: [...groups, 77].map(String),
  tag: [...tagNames, 'never'],
  country: ['Poland', 'Atlantis', ''],
  variable: [...plans, 'never', ''],
  goal: ['4', '9'],
  currency: ['USD', 'EUR', 'XXX'],
  weekday: weekdays,
  hour_of_day: ['02', '09', '23'],
};

const receiptFor = (id: string, question: QueryTexts): Promise<MetricReceipt> =>
  receiptIn(id, wantedCellOf(metricOf(id), question), listingOf(question), contextOf(engine, context));

/** Values of a split as a filter names them. */
const filterOf = (name: Split): string[] =>
  valuesOf[name].filter(Boolean).map((value) => (name === 'variable' ? `plan:${value}` : value));

type Gen = fc.GeneratorValue;
const isLocal = (split: Split): boolean => split === 'weekday' || split === 'hour_of_day';

/** A question about one cell of a metric, with every choice left to chance. */
function questionOf(metric: MetricDefinition, g: Gen): QueryTexts {
  const pick = <T>(from: readonly T[]): T => g(fc.constantFrom<T[]>, ...(from as T[]));
  const timezone = pick(metric.archived ? zones : [zone]);
  const grain = pick(metric.grains);
  const asked = g(fc.subarray<Split>, [...metric.splits], { maxLength: Math.min(2, metric.splits.length) });
  const split = [...new Set([...(metric.always ?? []), ...asked])];
  const question: Record<string, string | readonly string[]> = { ...range, timezone, grain };
  if (split.length > 0) question.split = split.map((name) => (name === 'variable' ? 'variable:plan' : name)).join(',');
  for (const name of metric.filters)
    if (g(fc.integer, { min: 0, max: 4 }) === 0)
      question[name] = g(fc.subarray<string>, filterOf(name), {
        minLength: 1,
        maxLength: metric.archived ? 2 : 1,
      });
  const parts = split.filter(isLocal) as ('weekday' | 'hour_of_day')[];
  const slot = pick([...slots(timezone, range.from, range.to, grain, parts)]);
  if (slot.period !== undefined) question.period = slot.period;
  for (const name of split) {
    const choices = name === 'tag' && metric.archived?.untagged ? [...valuesOf.tag, ''] : valuesOf[name];
    question[`at.${name}`] = isLocal(name) ? (slot[name as 'weekday'] ?? '') : pick(choices);
  }
  return question;
}

const isNear = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'number' &&
    typeof other === 'number' &&
    Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)));

/** The same cell of the answer that charts are drawn from; undefined where it has no row. */
async function charted(metric: string, question: QueryTexts, receipt: MetricReceipt): Promise<Row | undefined> {
  const names = Object.keys(question).filter(
    (name) => name !== 'period' && name !== 'measure' && !name.startsWith('at.'),
  );
  const asked = Object.fromEntries(names.map((name) => [name, question[name]]));
  const { rows } = await run(engine, metric, asked, context);
  return rows.find(
    (row) =>
      (row.period ?? null) === receipt.period &&
      Object.entries(receipt.at).every(([name, value]) => row[name] === value),
  );
}

/** Everything that must hold of a receipt. */
async function check(metric: MetricDefinition, question: QueryTexts): Promise<void> {
  let sql: Row | undefined;
  let chart: Row | undefined;
  for (const measure of Object.keys(metric.measures)) {
    const asked = { ...question, measure };
    const receipt = await receiptFor(metric.id, asked);
    const said = JSON.stringify({ metric: metric.id, asked, value: receipt.value, adds_up: receipt.adds_up });
    expect(receipt.adds_up.agrees, said).toBe(true);
    chart ??= await charted(metric.id, question, receipt);
    if (chart) expect(isNear(receipt.value, chart[measure]), `${said} ${JSON.stringify(chart)}`).toBe(true);
    const ran = sql ?? (await engine.query(receipt.sql))[0];
    sql = ran;
    expect(isNear(ran?.[measure], receipt.value), `${said} ${JSON.stringify(ran)} ${receipt.sql}`).toBe(true);
    expect(receipt.chats.total).toBe(receipt.chats.rows.length);
  }
}

describe('every receipt adds up', () => {
  for (const metric of all)
    it(`${metric.id}: its chats give the number, and so does its SQL alone`, async () => {
      await fc.assert(
        fc.asyncProperty(chats, fc.gen(), async (some, g) => {
          await withChats(engine, some);
          for (let cell = 0; cell < 2; cell++) {
            const question = questionOf(metric, g);
            await check(metric, question).catch((error: unknown) => {
              // A question that the metric refuses has no receipt either.
              if (!(error instanceof Refused)) throw error;
            });
          }
        }),
        { numRuns: tries(1, 5), endOnFailure: true },
      );
    });

  it('every metric has a receipt of each of its measures, and no receipt is of anything else', () => {
    const named = (of: Record<string, { measures: object }>) =>
      Object.fromEntries(Object.entries(of).map(([id, { measures }]) => [id, Object.keys(measures).sort()]));
    expect(named(Object.fromEntries(all.map(({ id, recipe }) => [id, recipe])))).toEqual(
      named(Object.fromEntries(all.map((metric) => [metric.id, metric]))),
    );
  });
});

const at = (time: string): string => `2026-03-29T${time}Z`;
const ask = async (some: readonly Chat[], metric: string, question: QueryTexts): Promise<MetricReceipt> => {
  await withChats(engine, some);
  return receiptFor(metric, { from: '2026-03-29', to: '2026-03-29', timezone: 'UTC', grain: 'total', ...question });
};

describe('what a receipt says', () => {
  const rated: Chat[] = [
    { start: at('10:00:00'), rate: 'rated_good' },
    { start: at('11:00:00'), rate: 'rated_bad' },
    { start: at('12:00:00') },
    { start: at('13:00:00'), rate: 'rated' },
  ];

  it('satisfaction lists the rated chats and leaves the others out with the reason', async () => {
    const receipt = await ask(rated, 'chat_ratings', { measure: 'csat' });
    expect(receipt.value).toBe(0.5);
    expect(receipt.chats.rows.map(({ contribution, words }) => [contribution, words])).toEqual([
      [1, 'rated good'],
      [0, 'rated bad'],
    ]);
    expect(receipt.left_out).toEqual([
      { reason: 'not rated', count: 1, chats: ['C000002'] },
      { reason: 'rated, but neither good nor bad', count: 1, chats: ['C000003'] },
    ]);
  });

  it('the number is of all chats, also of those beyond the page', async () => {
    const receipt = await ask(rated, 'total_chats', { limit: '1', offset: '2' });
    expect([receipt.value, receipt.adds_up.from_chats, receipt.chats.total]).toEqual([4, 4, 4]);
    expect(receipt.chats.rows.map(({ chat_id }) => chat_id)).toEqual(['C000002']);
  });

  it('chats stand in the order in which they started, or by what they bring, and every page is a part of that', async () => {
    await fc.assert(
      fc.asyncProperty(chats, fc.nat(6), fc.nat(6), async (some, limit, offset) => {
        const listed = async (question: QueryTexts) =>
          (await ask(some, 'response_time', { ...range, measure: 'seconds', ...question })).chats.rows;
        const started = await listed({});
        const slowest = started.toSorted((one, other) => (other.contribution ?? 0) - (one.contribution ?? 0));
        expect(await listed({ order: 'largest' })).toEqual(slowest);
        const page = { limit: String(limit), offset: String(offset) };
        expect(await listed({ order: 'largest', ...page })).toEqual(slowest.slice(offset, offset + limit));
      }),
      { numRuns: tries(1, 5) },
    );
  });

  it('the smallest of very many are found without keeping all of them', () => {
    const made = {
      how: '',
      unit: 's',
      brings: (row: Row) => ({ value: Number(row.value), words: '' }),
      total: () => null,
    };
    const about = { pieces: [], stored: [], hasRow: true, spans: [] };
    const sum = adding(made, about, { limit: 3, offset: 2, order: 'smallest' }, 'default');
    const values = Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 30_011);
    for (const [at, value] of values.entries()) sum.add([{ chat_id: `C${at}`, value, pull_id: 'P' }]);
    const sorted = values.toSorted((one, other) => one - other);
    expect(sum.sum().shown.map(({ contribution }) => contribution)).toEqual(sorted.slice(2, 5));
    expect(sum.sum().total).toBe(30_000);
  });

  it('many chats are read in slices, each of them once and in the same order', async () => {
    const some = Array.from({ length: 23 }, (_, minute): Chat => ({ start: at(`1${minute % 3}:${10 + minute}:00`) }));
    await withChats(engine, some);
    const metric = metricOf('total_chats');
    const question = { from: '2026-03-29', to: '2026-03-29', timezone: 'UTC', grain: 'total' };
    const own = askingOne(contextOf(engine, context));
    const cell = await cellOf(metric, askedCellOf(metric, wantedCellOf(metric, question), own), own);
    const read = async (batch?: number): Promise<[number, unknown[]]> => {
      const batches = await Array.fromAsync(membersOf(engine, metric.archived!, cell, {}, 'took_part', batch));
      return [batches.length, batches.flat().map((row) => row.chat_id)];
    };
    const [one, all] = await read();
    const [many, sliced] = await read(4);
    expect([one, all.length]).toEqual([1, 23]);
    expect(many).toBeGreaterThan(3);
    expect(sliced).toEqual(all);
  });

  it('most at once names the busiest moment and lists who was open then', async () => {
    const open: Chat[] = [
      { start: at('10:00:00'), seconds: 600 },
      { start: at('10:05:00'), seconds: 600 },
      { start: at('10:10:00'), seconds: 60 },
    ];
    const receipt = await ask(open, 'concurrent_chats', {});
    expect(receipt.value).toBe(2);
    expect(receipt.adds_up.how).toContain('2026-03-29T10:05:00Z');
    expect(receipt.left_out).toEqual([{ reason: 'not open at the busiest moment', count: 1, chats: ['C000002'] }]);
  });

  it('a chat that somebody else answered first is left out of the time of an agent', async () => {
    const two: Chat[] = [
      { start: at('10:00:00'), agents: agents, first: [5, agents[1] ?? ''] },
      { start: at('11:00:00'), agents: agents, first: [9, agents[0] ?? ''] },
    ];
    const receipt = await ask(two, 'first_response_time', {
      split: 'agent',
      'at.agent': agents[0] ?? '',
      measure: 'seconds',
    });
    expect([receipt.value, receipt.chats.total]).toEqual([9, 1]);
    expect(receipt.left_out).toEqual([{ reason: 'first answered by another agent', count: 1, chats: ['C000000'] }]);
  });

  it('goals of one chat are one line of the list, and each record counts', async () => {
    const goals = [4, 5].map((id) => ({ id, at: at('10:05:00') }));
    const sale = { id: 6, at: at('10:06:00'), sale: true };
    const receipt = await ask([{ start: at('10:00:00'), goals: [...goals, sale] }], 'goals', {});
    expect([receipt.value, receipt.chats.total, receipt.chats.rows[0]?.contribution]).toEqual([2, 1, 2]);
    expect(receipt.chats.rows[0]?.words).toBe('goal 4, goal 5');
    expect(
      (await ask([{ start: at('10:00:00'), goals: [...goals, sale] }], 'goals', { measure: 'sales_count' })).left_out,
    ).toEqual([
      { reason: 'a goal, not a tracked sale', count: 2, chats: ['C000000'] },
      { reason: 'sale without a price above 0', count: 1, chats: ['C000000'] },
    ]);
  });

  it('a number that only the source gives shows its stored rows', async () => {
    const receipt = await ask([], 'new_tickets', { timezone: zone, grain: 'day', period: '2026-03-29' });
    expect(receipt.stored).toMatchObject([{ period: '2026-03-29', new_tickets: receipt.value, pull_id: 'P2' }]);
    expect([receipt.adds_up.from_chats, receipt.adds_up.agrees]).toEqual([null, true]);
    expect(receipt.pulls.map(({ pull_id }) => pull_id)).toEqual(['P2']);
  });
});

describe('wrong questions', () => {
  const refused = async (question: QueryTexts): Promise<Refused> => {
    const error: unknown = await ask([], 'total_chats', question).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    return error as Refused;
  };

  it('say what is missing or wrong, and what may be asked instead', async () => {
    expect((await refused({ grain: 'day' })).message).toContain('say which day');
    expect((await refused({ grain: 'day', period: '2027-01-01' })).choices).toEqual(['2026-03-29']);
    expect((await refused({ period: '2026-03-29' })).message).toContain('grain=total');
    expect((await refused({ split: 'weekday' })).choices).toContain('at.weekday=mon');
    expect((await refused({ split: 'weekday', 'at.weekday': 'foo' })).choices).toContain('sun');
    expect((await refused({ split: 'weekday', 'at.weekday': 'mon' })).message).toContain('has no at.weekday=mon');
    expect((await refused({ 'at.agent': 'a' })).message).toContain('no split');
    expect((await refused({ measure: 'nothing' })).choices).toEqual(['chats']);
    expect((await refused({ limit: '1001' })).message).toContain('1000');
    expect((await refused({ colour: 'red' })).choices).toContain('period');
    expect((await refused({ split: 'tag', 'at.tag': '' })).message).toContain('no row without a tag');
  });
});
