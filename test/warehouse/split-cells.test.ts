// Counts by local period and by agent, group or tag: what plain loops over the chats and their goals count.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Row, Store } from '#warehouse/engine.ts';
import { dateOf, dayNumber, weekdays } from '#warehouse/periods.ts';
import { stretches } from '#warehouse/zone.ts';
import { tries } from '../chance.ts';
import { account, later, second, type Chat, type Goal } from './account.ts';
import { run } from './query-context.ts';

const day = 86_400;
const [from, to] = ['2026-03-20', '2026-04-05'];

const instant = fc
  .integer({ min: second('2026-03-18T00:00:00Z'), max: second('2026-04-07T23:59:59Z') })
  .map((at) => new Date(at * 1000).toISOString());

const goal: fc.Arbitrary<Goal> = fc.record(
  {
    ...{ id: fc.integer({ min: 1, max: 3 }), at: instant, sale: fc.boolean() },
    price: fc.constantFrom('0', '0.1', '0.2', '19.99'),
    currency: fc.constantFrom('EUR', 'PLN', ''),
  },
  { requiredKeys: ['id', 'at'] },
);

const chats: Chat[] = fc.sample(
  fc.record({
    start: instant,
    agents: fc.subarray(['a@x.test', 'b@x.test', 'c@x.test']),
    groups: fc.subarray([0, 3, 4]),
    tags: fc.subarray(['one', 'two']),
    goals: fc.array(goal, { maxLength: 3 }),
  }),
  { seed: 11, numRuns: 500 },
);

/** The labels of a moment in a zone. */
function labelsOf(zone: string, at: number): Record<string, string> {
  const local = at + (stretches(zone, at, at + 1)[0]?.offset ?? 0);
  const date = dateOf(Math.floor(local / day));
  const thursday = dateOf(dayNumber(date) + 3 - ((dayNumber(date) + 3) % 7));
  const week = Math.floor((dayNumber(thursday) - dayNumber(`${thursday.slice(0, 4)}-01-01`)) / 7) + 1;
  const hour = String(Math.floor((local % day) / 3600)).padStart(2, '0');
  return {
    ...{
      date,
      hour: `${date} ${hour}:00`,
      day: date,
      week: `${thursday.slice(0, 4)}-W${String(week).padStart(2, '0')}`,
    },
    ...{ month: date.slice(0, 7), weekday: weekdays[(dayNumber(date) + 3) % 7] ?? '', hour_of_day: hour },
  };
}

const bridged = { agent: 'agents', group: 'groups', tag: 'tags' } as const;
type Bridged = keyof typeof bridged;

interface Question {
  zone: string;
  grain: 'hour' | 'day' | 'week' | 'month' | 'total';
  by: Bridged;
  parts: string[];
}

const questions: fc.Arbitrary<Question> = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'),
  grain: fc.constantFrom('hour', 'day', 'week', 'month', 'total'),
  by: fc.constantFrom('agent', 'group', 'tag'),
  parts: fc.subarray(['weekday', 'hour_of_day'], { maxLength: 1 }),
});

/** Rows with the same keys are one; `add` puts something into it. */
function cellsOf() {
  const cells = new Map<string, Row>();
  const add = (keys: Row, numbers: Record<string, number>): void => {
    const name = JSON.stringify(Object.values(keys));
    const cell = cells.get(name) ?? { ...keys };
    for (const [measure, number] of Object.entries(numbers)) cell[measure] = Number(cell[measure] ?? 0) + number;
    cells.set(name, cell);
  };
  return { add, rows: () => [...cells.values()] };
}

const keysOf = ({ zone, grain, parts }: Question, at: number): Row | undefined => {
  const labels = labelsOf(zone, at);
  if ((labels.date ?? '') < from || (labels.date ?? '') > to) return undefined;
  return {
    ...(grain === 'total' ? {} : { period: labels[grain] ?? '' }),
    ...Object.fromEntries(parts.map((part) => [part, labels[part] ?? ''])),
  };
};

function chatsBy(question: Question): Row[] {
  const { add, rows } = cellsOf();
  for (const chat of chats) {
    const keys = keysOf(question, second(chat.start));
    for (const value of keys ? (chat[bridged[question.by]] ?? []) : [])
      add({ ...keys, [question.by]: value }, { chats: 1 });
  }
  return rows();
}

function salesBy(question: Question): Row[] {
  const { add, rows } = cellsOf();
  for (const chat of chats)
    for (const { at, sale, price = '0', currency = '' } of chat.goals ?? []) {
      const keys = keysOf(question, second(at));
      const isWorth = sale === true && Number(price) > 0 && currency !== '';
      for (const value of keys && isWorth ? (chat[bridged[question.by]] ?? []) : [])
        add(
          { ...keys, [question.by]: value, currency },
          { sales_count: 1, hundredths: Math.round(Number(price) * 100) },
        );
    }
  return rows();
}

/** In no order: rows as texts. */
const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

let engine: Store;
beforeAll(async () => {
  engine = await account(chats);
});
afterAll(() => engine.close());

async function answered(id: string, question: Question, more: string[]): Promise<Row[]> {
  const { zone, grain, by, parts } = question;
  const split = [...parts, by, ...more].join(',');
  return (await run(engine, id, { from, to, timezone: zone, grain, split }, later)).rows;
}

it('chats are counted by agent, group or tag in every local period as by plain loops', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const rows = await answered('total_chats', question, []);
      const found = rows.filter(({ chats }) => chats !== 0).map(({ state: _, ...row }) => row);
      expect(sorted(found)).toEqual(sorted(chatsBy(question)));
    }),
    { numRuns: tries(12, 200) },
  );
});

it('sales are added by agent, group or tag and currency as by plain loops', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const rows = await answered('goals', question, ['currency']);
      const found = rows
        .filter(({ sales_count }) => sales_count !== 0)
        .map(({ state: _, goals: __, value, sales_count = 0, ...keys }): Row => ({
          ...{ ...keys, sales_count, hundredths: Math.round(Number(value) * 100) },
        }));
      expect(sorted(found)).toEqual(sorted(salesBy(question)));
    }),
    { numRuns: tries(12, 200) },
  );
});
