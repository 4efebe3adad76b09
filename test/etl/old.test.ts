// What is left of records of chats that are too old: texts or names go, everything else stays; what is not so old keeps its bytes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archivedChat } from '#contract/archive.ts';
import { threadedChat } from '#contract/threads.ts';
import { decodeChat, type DecodedChat } from '#etl/decode/chats.ts';
import { decodeThread } from '#etl/decode/threads.ts';
import { erasedBy } from '#etl/erased/erased.ts';
import { begunAt, oldBy, type Retained, type Marks } from '#etl/erased/old.ts';
import { differencesOf } from '#etl/load/source-differences.ts';
import { bodyWithout } from '#etl/raw/omit-records.ts';
import { shownChat } from '#service/archive/show.ts';
import type { ChatRecord } from '#service/records.ts';
import { shownThread } from '#service/threads/show.ts';
import { zoneNamed } from '#service/zone.ts';
import { partOf } from '../chance.ts';
import { tinyAccount } from '../livechat/service/tiny.ts';
import { simulated } from '../livechat/service/world/simulated.ts';
import { rowsLeft } from './rows-left.ts';

const from = { account: 'default', pull_id: 'p', content_hash: 'h' };
const { account } = tinyAccount({ now: '2030-01-01T00:00:00Z' });
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const v2Of = (record: ChatRecord) => sent(shownChat(record, zoneNamed('Europe/Warsaw'), record.ended));
const v3Of = (record: ChatRecord) => sent(shownThread(account, record, record.ended, () => true));
const { chats } = simulated(3, 4);
const dayOf = (second: number): string => new Date(second * 1000).toISOString().slice(0, 10);
const all: Marks = { texts: '2100-01-01', names: '2100-01-01' };
const cases: readonly (readonly Retained[])[] = [['texts'], ['names'], ['texts', 'names']];
const marksOf = (kinds: readonly Retained[]): Marks => Object.fromEntries(kinds.map((kept) => [kept, '2100-01-01']));

const leftRows = (rows: DecodedChat, kinds: readonly Retained[]): DecodedChat =>
  rowsLeft(rows, ({ tells = 'names' }) => tells === 'both' || kinds.includes(tells));

describe.each(cases.map((kinds) => ({ kinds })))('of a record that loses $kinds', ({ kinds }) => {
  const old = oldBy(marksOf(kinds));

  it('the rows are those that the warehouse makes of what it has, in both archives, and losing it again changes nothing', () => {
    expect(chats.length).toBeGreaterThan(300);
    // Every third; with the drill all of them.
    for (const chat of partOf(chats, 3)) {
      const day = dayOf(chat.started);
      const [v2, v3] = [v2Of(chat), v3Of(chat)];
      const [old2, old3] = [old.record('default', v2, day), old.record('default', v3, day)];
      const left2 = decodeChat(archivedChat.parse(old2), from);
      const left3 = decodeThread(threadedChat.parse(old3), from);
      expect([chat.id, left2]).toEqual([chat.id, leftRows(decodeChat(archivedChat.parse(v2), from), kinds)]);
      expect([chat.id, left3]).toEqual([chat.id, leftRows(decodeThread(threadedChat.parse(v3), from), kinds)]);
      expect([chat.id, differencesOf(left2, left3)]).toEqual([chat.id, []]);
      expect(old.record('default', old2, day)).toBe(old2);
      expect(old.record('default', old3, day)).toBe(old3);
    }
  });
});

it('of somebody who is erased as well it comes to the same in either order', () => {
  const erased = erasedBy({
    isEmpty: false,
    pseudonymOf: () => 'erased-0123456789abcdef0123',
    isErased: () => false,
    pseudonymFor: () => '',
  });
  for (const kinds of cases)
    for (const chat of partOf(chats.slice(0, 60), 2))
      for (const record of [v2Of(chat), v3Of(chat)]) {
        const old = oldBy(marksOf(kinds));
        const day = dayOf(chat.started);
        const one = old.record('default', erased.record('default', record, day), day);
        expect(erased.record('default', old.record('default', record, day), day)).toEqual(one);
      }
});

describe('the boundary', () => {
  const v2 = (second: number) => ({ id: 'K', visitor: { id: 'v', name: 'Ann' }, started_timestamp: second });
  const v3 = (second: number) => ({
    users: [{ id: 'v', type: 'customer', name: 'Ann' }],
    thread: { id: 'K', created_at: new Date(second * 1000).toISOString() },
  });

  it('is the second at which the day of the mark begins (UTC), whatever local day was asked', () => {
    const second = fc.integer({ min: 1_500_000_000, max: 1_900_000_000 });
    fc.assert(
      fc.property(second, fc.integer({ min: -1, max: 2 }), fc.integer({ min: -40, max: 40 }), (began, near, days) => {
        const mark = dayOf(began + days * 43_200);
        const isOld = began < Date.parse(mark) / 1000;
        const asked = dayOf(began + near * 86_400);
        const old = oldBy({ names: mark });
        for (const record of [v2(began), v3(began)])
          expect(old.record('default', record, asked) !== record).toBe(isOld);
      }),
    );
  });

  it('of a record without a time, or with one far from the day that was asked, is that day', () => {
    const day = '2026-05-05';
    const begins = Date.parse(day);
    for (const record of [{ id: 'K' }, v2(0), { ...v2(0), started_timestamp: 'soon' }, { thread: { id: 'K' } }])
      expect(begunAt(record, day)).toBe(begins);
    expect(begunAt({ id: 'K' }, '')).toBeNaN();
    const old = oldBy({ names: '2026-05-06' });
    const record = { id: 'K', visitor: { id: 'v', name: 'Ann' } };
    expect(old.record('default', record, day)).toEqual({ id: 'K', visitor: { id: 'v', name: 'erased visitor' } });
    expect(old.record('default', record, '2026-05-06')).toBe(record);
  });
});

describe('an answer that is no page', () => {
  const old = oldBy(all);
  it('is left out when it cannot be read and its day is too old', () => {
    const broken = '{"chats":[{"id":"K1","visitor":{"id":"v","name":"Ann"}}';
    const left = bodyWithout(old, 'default', broken, '2026-05-05');
    expect(left).toBe(`(${broken.length} characters that could not be read, of a day that is too old)`);
    expect(bodyWithout(old, 'default', left, '2026-05-05')).toBe(left);
    expect(bodyWithout(oldBy({ texts: '2026-05-05' }), 'default', broken, '2026-05-05')).toBe(broken);
  });
  it('stays when it holds no chats', () => {
    for (const text of ['{"chats":[],"total":0,"pages":1}', '{"error":"Not found"}', '[]'])
      expect(bodyWithout(old, 'default', text, '2026-05-05')).toBe(text);
    expect(bodyWithout(old, 'default', '{"chats":["Ann"],"total":1}', '2026-05-05')).toBe(
      '{"chats":["···"],"total":1}',
    );
  });
});
