// Lines that a chat repeats are left out when its facts are made, and of nothing else: rows, hashes and what is set aside stay the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundsOf } from '#etl/days.ts';
import { decodeRecord } from '#etl/decode/record.ts';
import { withoutRepeatedLines } from '#etl/decode/repeated-lines.ts';
import { nobodyErased } from '#etl/erased/erased.ts';
import { readLedger } from '#etl/ledger/ledger.ts';
import { Bundle } from '#etl/load/bundle.ts';
import { prepare } from '#etl/load/load.ts';
import { archiveUnit } from '#etl/plan/plan.ts';
import { bodyOn, recordsOn, wholeOf } from '#etl/raw/page-records.ts';
import { takeApart } from '#etl/raw/pages.ts';
import { noRedaction } from '#etl/redact/redaction.ts';
import { emptyTally } from '#etl/tally.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tries } from '../chance.ts';
import { archivedChatOf } from '../../bench/pages.ts';
import { at } from './pulled.ts';

const odd = fc.constantFrom('x', ']', '],"events":[{', ',"messages":[', '\\', '"', '},{"type":"chat",', '{', '');
/** Objects of few names, in any order and depth, so that lists of messages and events are where nobody expects them. */
const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom('type', 'id', 'messages', 'events', 'files'), tie('value')), {
      selector: ([name]) => name,
      maxLength: 5,
    })
    .map(Object.fromEntries),
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(odd, fc.constant('chat'), fc.nat(9)),
    fc.array(tie('object'), { maxLength: 3 }),
    fc.array(odd, { maxLength: 2 }),
    tie('object'),
  ),
}));
const chat = fc.oneof(
  object.map((own) => ({ type: 'chat', ...own })),
  fc.record({ messages: fc.array(object), events: fc.array(object) }).map((lines) => ({ type: 'chat', ...lines })),
);

/** Without what any list of messages holds. */
const stripped = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each: unknown) => (name === 'messages' && Array.isArray(each) ? [] : each));

test('a page has the same records, whole and without repeated lines, wherever lists of that name are', () => {
  fc.assert(
    fc.property(fc.array(chat, { maxLength: 4 }), fc.constantFrom(undefined, 1), (chats, indent) => {
      const page = { body: JSON.stringify({ chats, total: chats.length, pages: 1 }, null, indent) };
      const read = recordsOn(page, true);
      expect(read.map(wholeOf)).toEqual(JSON.parse(JSON.stringify(chats)));
      for (const { record, text } of read) {
        const whole = text === undefined ? record : (JSON.parse(text) as { events: unknown[] });
        expect(stripped(record)).toEqual(stripped(whole));
        if (text !== undefined) expect((whole as { events: unknown[] }).events.length).toBeGreaterThan(0);
      }
      expect(bodyOn(page)).toEqual(takeApart(page.body));
    }),
    { numRuns: tries(300, 1000) },
  );
});

test.each([
  ['are written twice', '{"id":"a","messages":[1],"events":[{}],"events":[]}'],
  ['are in another place', '{"id":"a","messages":[1],"x":1,"events":[{}]}'],
  ['have a bracket', '{"id":"a","messages":[{"text":"]"}],"events":[{}]}'],
  ['come first', '{"messages":[1],"events":[{}]}'],
  ['have white space', '{"id":"a", "messages":[1], "events":[{}]}'],
  ['are inside others', '{"id":"a","messages":[{"x":0,"messages":[1],"events":[{}]}],"events":[{}]}'],
  ['are not repeated', '{"id":"a","messages":[1],"events":[]}'],
])('lines that %s are read', (_, text) => expect(withoutRepeatedLines(text)).toBeUndefined());

test('lines that are repeated are left out', () =>
  expect(withoutRepeatedLines('{"id":"a","messages":[{"x":"\\"{"}],"events":[{"y":1}],"z":2}')).toEqual({
    ...{ id: 'a', messages: [], events: [{ y: 1 }], z: 2 },
  }));

const started = at('2026-05-04T10:00:00Z');
const day = boundsOf('2026-05-04', 'UTC');
const good = (number: number, messages?: unknown[]) => {
  const own = archivedChatOf(number, started);
  return { ...own, messages: messages ?? own.messages };
};

test('facts are the same, whatever the messages are that events repeat', () => {
  const from = { account: 'default', pull_id: 'p-1', content_hash: '' };
  for (const messages of [undefined, [], [{ text: 1 }], ['no line'], [{ text: 'other', timestamp: '7' }]])
    for (let number = 0; number < 20; number += 1) {
      const whole = good(number, messages);
      const short = withoutRepeatedLines(JSON.stringify(whole));
      expect(short === undefined).toBe(messages?.length === 0);
      const rows = decodeRecord(whole, from, day);
      expect(typeof rows).toBe('object');
      expect(decodeRecord(short ?? whole, from, day)).toEqual(rows);
    }
});

test('what is set aside, and what an erasure looks at, is the whole record', async () => {
  const engine = await openWarehouse(':memory:');
  const now = at('2026-05-05T12:00:00Z');
  const batch = { account: 'default', timezone: 'UTC', pull_id: 'p', now };
  const unit = archiveUnit({ timezone: 'UTC' }, '2026-05-04');
  const chats = [good(1), { ...good(2), rate: 7 }];
  const pages = [{ body: JSON.stringify({ chats, total: 2, pages: 1 }) }];
  const asked: unknown[] = [];
  const record = (_: string, each: unknown): unknown => (asked.push(each), each);
  for (const erased of [nobodyErased, { ...nobodyErased, isEmpty: false, record }]) {
    const ledger = await readLedger(engine, { account: 'default', timezone: 'UTC', now });
    const bundle = new Bundle();
    const loading = { engine, ledger, batch, erased, redaction: noRedaction, tally: emptyTally(), bundle };
    await prepare({ ...loading, previous: undefined }, [{ unit, answers: [], bodies: [], pages, total: 2 }]);
    await bundle.commit(engine);
    const [aside] = await engine.query('select body, reason from ledger.quarantine');
    expect(JSON.parse(String(aside?.body))).toEqual(chats[1]);
    expect(aside?.reason).toContain('rate');
  }
  expect(asked).toEqual(chats);
  expect(await engine.query('select chat_id, content_hash from facts.chats')).toEqual([
    { chat_id: chats[0]?.id, content_hash: takeApart(pages[0]?.body ?? '').chats[0]?.hash },
  ]);
  await engine.close();
});
