// Whatever changes while chats are searched or counted, the answer is that of a loop over the chats as they were when the question came.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { putChat, type ServiceAccount } from '#service/account.ts';
import { textsWith } from '#service/archive/text.ts';
import { HungUp } from '#service/asking.ts';
import { findChats, type ChatQuestion } from '#service/find-chats.ts';
import type { ChatRecord } from '#service/records.ts';
import { inSlices } from '#service/slices.ts';
import { tries } from '../../chance.ts';
import { at, chat, tinyAccount } from './tiny.ts';

const first = at('2026-05-06T10:00:00Z');
const moment = (minute: number): string => new Date((first + minute * 60) * 1000).toISOString();
const stored = 40;

/** So that many slices are needed. */
function dawdle(): void {
  for (const until = performance.now() + 0.5; performance.now() < until;);
}

const change = fc.record({
  number: fc.integer({ min: 1, max: stored }),
  started: fc.nat(50),
  group: fc.nat(2),
  is_new: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function carryOut(account: ServiceAccount, { number, started, group, is_new }: Change): void {
  const { store } = account;
  const own = { groups: [group], started: first + started * 60, ended: first + started * 60 + 60 };
  const light = store.transact(() =>
    is_new
      ? store.addChat({ ...chat(moment(0), moment(1)), ...own })
      : store.changeChat(number, { ...store.body(number), ...own }),
  );
  putChat(account, light);
}

it('a search finds, and reads, what was there when it began', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), fc.nat(2), async (changes, group) => {
      const chats = Array.from({ length: stored }, (_, place) =>
        chat(moment(place % 7), moment(60), { groups: [place % 3] }),
      );
      const { account } = tinyAccount({ now: moment(200), chats });
      const span = { from: first + 60, ended_by: first + 6000 };
      const expected = [...account.chats]
        .filter(({ started, groups }) => started >= span.from && groups.includes(group))
        .map((each) => [each, account.store.body(each.number)]);
      const question = {
        span,
        tests: () => [
          ({ groups }: { groups: number[] }) => {
            dawdle();
            return groups.includes(group);
          },
        ],
      };
      const found = findChats(account, question, ({ numbers, chatOf, bodyOf }) =>
        Array.from(numbers, (number) => [chatOf(number), bodyOf(number)]),
      );
      for (const each of changes) {
        carryOut(account, each);
        await new Promise((done) => setImmediate(done));
      }
      expect(await found).toEqual(expected);
      account.store.close();
    }),
    { numRuns: tries(20, 500) },
  );
});

const words = ['red', 'Red Shoe', 'blue', 'Ω'];
const saying = (...said: number[]): Partial<ChatRecord> => ({
  events: said.map((word) => ({
    ...{ type: 'message', user_type: 'visitor', author_name: 'Mary', at: first },
    text: `a ${words[word]!} one`,
  })),
});
const cities = ['Kraków', 'Lublin', 'lublin'];
const line = fc.record({
  number: fc.integer({ min: 1, max: 2 * stored }),
  said: fc.array(fc.nat(words.length - 1), { maxLength: 2 }),
  is_new: fc.boolean(),
});

it.each(['in memory', 'in a file'])(
  'texts and places are read as they were when the search began, %s',
  async (where) => {
    const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[fc.array(line, { maxLength: 20 }), fc.nat(words.length), fc.option(fc.nat(cities.length - 1)), fc.nat(4)],
        async (changes, word, city, wait) => {
          const chats = Array.from({ length: 2 * stored }, (_, place) => {
            const own = chat(moment(place % 7), moment(60), saying(place % words.length));
            return { ...own, visitor: { ...own.visitor, city: cities[place % cities.length]! } };
          });
          const file = where === 'in memory' ? ':memory:' : join(folder, `${++files}.sqlite`);
          const { account } = tinyAccount({ now: moment(200), chats }, file);
          const { store } = account;
          const query = words[word];
          const expected = [...account.chats]
            .map((each) => store.body(each.number))
            .filter(
              ({ events, visitor }) =>
                (!query || events.some(({ text }) => text.toLowerCase().includes(query.toLowerCase()))) &&
                (city === null || visitor.city.toLowerCase() === cities[city]!.toLowerCase()),
            );
          const question: ChatQuestion = {
            span: {},
            tests: () => [() => true],
            file: {
              ...(query && textsWith(query, account.now())),
              ...(city !== null && { place: { city: cities[city] } }),
            },
          };
          const found = findChats(account, question, ({ numbers, bodyOf }) => Array.from(numbers, bodyOf));
          for (const { number, said, is_new } of changes) {
            for (let turn = 0; turn < wait; turn++) await new Promise((done) => setImmediate(done));
            const own = { ...store.body(number), ...saying(...said) };
            const light = store.transact(() =>
              is_new
                ? store.addChat({ ...chat(moment(0), moment(1)), ...saying(...said) })
                : store.changeChat(number, own),
            );
            putChat(account, light);
          }
          expect(await found).toEqual(expected);
          await store.endReading();
          store.close();
        },
      ),
      { numRuns: tries(12, 200) },
    );
    rmSync(folder, { recursive: true });
  },
);

it('a search goes on in a new thread once the one before has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const { account } = tinyAccount(
    { now: moment(200), chats: [chat(moment(0), moment(60), saying(0))] },
    join(folder, 'service.sqlite'),
  );
  const search = () =>
    findChats(
      account,
      { span: {}, tests: () => [], file: textsWith('red', account.now()) },
      ({ numbers }) => numbers.length,
    );
  expect(await search()).toBe(1);
  const waiting = expect(search()).rejects.toThrow(HungUp);
  await account.store.endReading();
  await waiting;
  expect(await search()).toBe(1);
  await account.store.endReading();
  account.store.close();
  rmSync(folder, { recursive: true });
});

it('a report counts what was there when it began', async () => {
  const chats = Array.from({ length: 6000 }, (_, place) => chat(moment(place % 50), moment(60), { queue_seconds: 1 }));
  const { account, ask } = tinyAccount({ now: moment(200), chats });
  for (const [round, id] of (['total_chats', 'queued_visitors', 'chatting_time'] as const).entries()) {
    const before = await ask(id, '');
    const again = ask(id, '');
    // Some are in the report no more, and others are new in it.
    for (let number = 5000 + round * 300; number < 5300 + round * 300; number++)
      carryOut(
        account,
        number % 3 === 0
          ? { number, started: 90 + round, group: 1, is_new: true }
          : { number, started: 300, group: 1, is_new: false },
      );
    expect(await again).toEqual(before);
    expect(await ask(id, '')).not.toEqual(before);
  }
  account.store.close();
});

it('works in slices, in order, with others in between', async () => {
  const told: string[] = [];
  const work = (name: string) =>
    inSlices(Array.from({ length: 64 }).keys(), (piece) => {
      dawdle();
      if (piece % 32 === 0) told.push(`${name}${piece}`);
    });
  const both = Promise.all([work('a'), work('b')]);
  setImmediate(() => told.push('somebody else'));
  await both;
  expect(told.filter((each) => each.startsWith('a'))).toEqual(['a0', 'a32']);
  expect(told.indexOf('somebody else')).toBeLessThan(told.length - 1);
  expect(told.indexOf('b0')).toBeLessThan(told.indexOf('a32'));
});
