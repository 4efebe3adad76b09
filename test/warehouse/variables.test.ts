// Declared variables against plain loops over the service's own chats, and whatever a site or a visitor may write into one.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivedChat } from '#contract/archive.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { shownChat } from '#service/archive/show.ts';
import type { ChatRecord } from '#service/records.ts';
import { zoneNamed } from '#service/zone.ts';
import type { Store } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { dimensionStatements, setVariables } from '#warehouse/store/variables.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { chosenValue, splitNamed, type VariableDefinition } from '#warehouse/variables.ts';
import { tries } from '../chance.ts';
import { simulated } from '../livechat/service/world/simulated.ts';
import { account, addChats, later, pulled, type Chat } from './account.ts';
import { run } from './query-context.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-02-01T00:00:00Z') / 1000;
const chats = simulated(5, 20).chats.filter(({ ended }) => ended <= now);
const declared: VariableDefinition[] = [
  { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' },
  { id: 'login', title: 'Login', source: 'custom_variable', name: 'customer_login' },
  { id: 'product', title: 'Product', source: 'prechat', name: 'Which product is it about?' },
  { id: 'quality', title: 'Quality', source: 'postchat', name: 'How would you rate the quality of support?' },
];

/** What a chat says of a variable, as its record has it. */
function saidOf({ source, name }: VariableDefinition, chat: ChatRecord): string | undefined {
  const of = { custom_variable: chat.custom_variables, prechat: chat.prechat_survey, postchat: chat.postchat_survey };
  let said: string | undefined;
  for (const { key, value } of of[source]) if (key === name) said = value.trim();
  return said === '' ? undefined : said;
}

/** The value of each chat, counted by loops: the fifty most frequent that three visitors gave, `Other` for the rest. */
function countedByLoops(variable: VariableDefinition): Map<ChatRecord, string> {
  const visitors = new Map<string, Set<string>>();
  const times = new Map<string, number>();
  for (const chat of chats) {
    const value = saidOf(variable, chat);
    if (value === undefined) continue;
    times.set(value, (times.get(value) ?? 0) + 1);
    visitors.set(value, (visitors.get(value) ?? new Set()).add(chat.visitor.id));
  }
  const named = [...times.keys()].filter((value) => value.length <= 100 && (visitors.get(value)?.size ?? 0) >= 3);
  named.sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0) || (one < other ? -1 : 1));
  const kept = new Set(named.slice(0, 50));
  const found = new Map<ChatRecord, string>();
  for (const chat of chats) {
    const value = saidOf(variable, chat);
    if (value !== undefined) found.set(chat, kept.has(value) ? value : 'Other');
  }
  return found;
}

const fill = async (engine: Store): Promise<void> => {
  for (const statement of dimensionStatements(engine.dialect)) await engine.exec(statement);
};

let engine: Store;
beforeAll(async () => {
  engine = await openWarehouse(':memory:', { now });
  const from = { account: 'default', pull_id: 'p', content_hash: 'h' };
  const rows = chats.map((chat) => decodeChat(archivedChat.parse(shownChat(chat, zoneNamed(zone), now)), from));
  const names = ['chats', 'chat_agents', 'chat_groups', 'chat_tags', 'chat_goals', 'chat_surveys', 'chat_variables'];
  for (const name of names as 'chats'[])
    await engine.load(
      tableOf('facts', name),
      rows.flatMap((each) => each[name]),
    );
  await pulled(engine, zone, '2025-12-30', '2026-01-31', '2026-02-01T00:00:00Z');
  await setVariables(engine, 'default', declared);
  await fill(engine);
});
afterAll(() => engine.close());

const january = { from: '2026-01-01', to: '2026-01-31', grain: 'total' };
const asked = { account: 'default', zone, now };
const ask = (id: string, question: Parameters<typeof run>[2]) => run(engine, id, { ...january, ...question }, asked);

describe('a declared variable', () => {
  test.each(declared)('splits chats as loops over the records do: $id', async (variable) => {
    const loops = countedByLoops(variable);
    const expected = new Map<string | null, number>();
    for (const chat of chats) {
      const value = loops.get(chat) ?? null;
      expected.set(value, (expected.get(value) ?? 0) + 1);
    }
    expect(expected.size).toBeGreaterThan(2);
    const { rows } = await ask('total_chats', { split: `variable:${variable.id}` });
    expect(new Map(rows.map(({ variable: value, chats: count }) => [value, count]))).toEqual(expected);
    expect(rows.reduce((sum, row) => sum + Number(row['chats']), 0)).toBe(chats.length);
  });

  test('narrows any metric of chats, alone and with others: values of one are any of them, variables are all of them', async () => {
    const [plan, , product] = declared.map(countedByLoops);
    const wanted = new Set(['free', 'fleet']);
    const some = chats.filter((chat) => wanted.has(plan?.get(chat) ?? ''));
    const [model = ''] = product?.values() ?? [];
    const both = some.filter((chat) => product?.get(chat) === model);
    expect([some.length > 20, both.length > 0]).toEqual([true, true]);
    const filter = { variable: ['plan:free', 'plan:fleet'] };
    const narrower = { variable: [...filter.variable, `product:${model}`] };
    expect((await ask('total_chats', filter)).rows[0]?.chats).toBe(some.length);
    expect((await ask('total_chats', narrower)).rows[0]?.chats).toBe(both.length);
    const good = some.filter(({ ratings }) => ratings.at(-1)?.rate === 'rated_good').length;
    expect((await ask('chat_ratings', filter)).rows[0]?.good).toBe(good);
    const goals = some.flatMap((chat) => chat.goals).filter(({ type, at }) => type !== 'sales_tracker' && at <= now);
    expect((await ask('goals', filter)).rows[0]?.goals).toBe(goals.length);
    const { rows } = await ask('total_chats', { ...narrower, split: 'variable:plan,group' });
    expect(new Set(rows.map((row) => row['variable']))).toEqual(new Set(both.map((chat) => plan?.get(chat))));
  });

  test('that is none of the snapshot is refused with those that are', async () => {
    for (const question of [{ split: 'variable:colour' }, { variable: 'colour:red' }])
      await expect(ask('total_chats', question)).rejects.toThrow('only plan, login, product, quality');
    for (const question of [{ split: 'variable' }, { split: 'variable:plan,variable:product' }])
      await expect(ask('total_chats', question)).rejects.toThrow('such as split=variable:plan');
    await expect(ask('total_chats', { variable: 'plan' })).rejects.toThrow('such as plan:pro');
    await expect(ask('availability', { variable: 'plan:free' })).rejects.toThrow(Refused);
    // What the source reports it reports of no variable.
    const { not_given } = await ask('service_level', { variable: 'plan:free' });
    expect(Object.values(not_given ?? {}).join()).toMatch(/not by variable/);
  });
});

/** What nobody expects in a value: commas, colons, markup, quotes, names of objects, letters of two units. */
const odd = fc.oneof(
  fc.constantFrom('a,b', 'plan:pro', '__proto__', 'constructor', '<img src=x onerror=alert(1)>', "'; drop table x; --"),
  fc.constantFrom('😀👩‍👩‍👧', '%_', '"', '\\', '\u202eevil', 'null', 'Other'),
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).map((text) => text.replaceAll(/[\0\s]/g, ' ')),
);

test('a value is read back whatever it is, and a name is one or is refused', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(chosenValue(`plan:${value}`)).toEqual({ variable: 'plan', value });
      expect(() => chosenValue(value.replaceAll(':', ''))).toThrow(Refused);
      expect(() => chosenValue(`__proto__:${value}`)).toThrow(Refused);
      expect(splitNamed(`variable:${value}`)).toEqual({ split: 'variable', variable: value });
    }),
  );
});

test('odd values split and narrow like any other; blank ones, and those that were erased, are none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(odd, { minLength: 2, maxLength: 6, selector: (text) => text.trim() }),
      async (values) => {
        const shown = values.map((value) => value.trim()).filter((value) => value.replaceAll(/[· ]/g, '') !== '');
        const given = [...values, 'x'.repeat(1000), ' ', '··· ··', ''];
        const each = given.flatMap((value, at): Chat[] =>
          ['A', 'B', 'C'].map((visitor) => ({
            ...{ start: '2026-03-02T10:00:00Z', visitor: `${visitor}${at}` },
            variables: new Map([['__proto__', value]]),
          })),
        );
        const rare: Chat[] = [{ start: '2026-03-02T11:00:00Z', variables: new Map([['__proto__', 'ann@x.test']]) }];
        const file = await account([]);
        try {
          await addChats(file, [...each, ...rare]);
          await setVariables(file, 'default', [
            { id: 'odd', title: 'Odd', source: 'custom_variable', name: '__proto__' },
          ]);
          await fill(file);
          const day = { from: '2026-03-02', to: '2026-03-02', grain: 'total' };
          const { rows } = await run(file, 'total_chats', { ...day, split: 'variable:odd' }, later);
          const found = new Map(rows.map(({ variable, chats: count }) => [variable, count]));
          const isOther = shown.includes('Other');
          for (const value of shown.filter((text) => text !== 'Other')) {
            expect(found.get(value)).toBe(3);
            const narrowed = await run(file, 'total_chats', { ...day, variable: `odd:${value}` }, later);
            expect(narrowed.rows[0]?.chats).toBe(3);
          }
          // The longest text and what one visitor gave.
          expect(found.get('Other')).toBe(isOther ? 7 : 4);
          expect(found.size).toBe(shown.length + (isOther ? 1 : 2));
        } finally {
          await file.close();
        }
      },
    ),
    { numRuns: tries(3, 12) },
  );
});
