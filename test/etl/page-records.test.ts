// Records of a page: read one by one they are what reading the whole page gives, however the source writes, and the facts know
// a record by the same hash.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLedger } from '#etl/ledger/ledger.ts';
import { load } from '#etl/load/load.ts';
import { archiveUnit } from '#etl/plan/plan.ts';
import { bodyOn, recordsOn } from '#etl/raw/page-records.ts';
import { contentHash, hashOf, takeApart } from '#etl/raw/pages.ts';
import { emptyTally } from '#etl/tally.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tries } from '../chance.ts';
import { archivedChatOf } from '../../bench/pages.ts';
import { at } from './pulled.ts';

const odd = fc.oneof(fc.string(), fc.constantFrom('},{"type":"chat",', '"chats":[', '}],', '\\', '"', '/', '\u2028'));
const chat = fc.record(
  {
    type: fc.constant('chat'),
    id: fc.oneof(fc.string(), fc.integer()),
    thread: fc.oneof(odd, fc.record({ id: odd })),
    lines: fc.array(fc.record({ type: fc.constantFrom('chat', 'event'), text: odd })),
    7: fc.jsonValue(),
  },
  { requiredKeys: ['type', 'id'] },
);
const pages = fc
  .record({
    chats: fc.array(fc.oneof({ weight: 9, arbitrary: chat }, fc.record({ id: odd, type: odd }), fc.jsonValue())),
    before: fc.oneof(fc.constant({}), fc.record({ total: fc.jsonValue() })),
    after: fc.oneof(fc.constant({ total: 3, pages: 1 }), fc.record({ rest: fc.jsonValue() })),
    indent: fc.constantFrom(undefined, undefined, 1),
  })
  .map(({ chats, before, after, indent }) => JSON.stringify({ ...before, chats, ...after }, null, indent));

test('records read one by one are those of the page, and the raw archive keeps the page as if it had not been read', () => {
  fc.assert(
    fc.property(pages, (body) => {
      const page = { body };
      expect(recordsOn(page).map(({ record }) => record)).toEqual((JSON.parse(body) as { chats: unknown[] }).chats);
      const { chats, ...rest } = bodyOn(page);
      const { chats: kept, ...other } = takeApart(body);
      expect(rest).toEqual(other);
      expect(chats.map((each) => [each.hash, each.body])).toEqual(kept.map((each) => [each.hash, each.body]));
    }),
    { numRuns: tries(150, 500) },
  );
});

test('the hash of a record is that of the record written again, with needless escapes and white space or without', () => {
  fc.assert(
    fc.property(chat, fc.constantFrom(undefined, 1, '\t'), (record, indent) => {
      const written = hashOf(JSON.stringify(record));
      for (const text of [
        JSON.stringify(record),
        JSON.stringify(record, null, indent),
        JSON.stringify(record).replaceAll('/', '\\/'),
        JSON.stringify(record).replaceAll(
          /[^\0-~]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ])
        expect(contentHash(text, () => JSON.parse(text), hashOf(text))).toBe(written);
    }),
  );
});

test.each([
  ['without white space', (page: object) => JSON.stringify(page)],
  ['with white space', (page: object) => JSON.stringify(page, null, 2)],
  ['with escaped slashes', (page: object) => JSON.stringify(page).replaceAll('/', '\\/')],
  ['with parts of numbers', (page: object) => JSON.stringify(page).replaceAll(/"duration":(\d+)/g, '"duration":$1.0')],
])('a chat that earlier versions loaded is unchanged when it comes %s', async (_, write) => {
  const engine = await openWarehouse(':memory:');
  try {
    const now = at('2026-05-05T12:00:00Z');
    const chats = [1, 2, 3].map((number) => archivedChatOf(number, at('2026-05-04T10:00:00Z')));
    const batch = { account: 'default', timezone: 'UTC', pull_id: 'p', now };
    const unit = archiveUnit({ timezone: 'UTC' }, '2026-05-04');
    const ledger = await readLedger(engine, { account: 'default', timezone: 'UTC', now });
    const loaded = async (part: { bodies: unknown[] } | { pages: { body: string }[] }) => {
      const tally = emptyTally();
      await load(engine, ledger, [{ unit, answers: [], bodies: [], total: 3, ...part }], batch, tally);
      return tally;
    };
    const page = { chats, total: 3, pages: 1 };
    expect(await loaded({ bodies: [page] })).toMatchObject({ chats_new: 3 });
    expect(await loaded({ pages: [{ body: write(page) }] })).toMatchObject({ chats_new: 0, chats_changed: 0 });
    chats[1]!.rate = 'rated_good';
    expect(await loaded({ pages: [{ body: write(page) }] })).toMatchObject({ chats_changed: 1, chats_unchanged: 2 });
  } finally {
    await engine.close();
  }
});
