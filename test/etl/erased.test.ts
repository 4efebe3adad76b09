// What is left of records when somebody is erased: what is counted, and nothing that says who it was or what was said.
import { describe, expect, it } from 'vitest';
import { archivedChat } from '#contract/archive.ts';
import { threadedChat } from '#contract/threads.ts';
import { decodeChat, type DecodedChat } from '#etl/decode/chats.ts';
import { decodeThread } from '#etl/decode/threads.ts';
import { erasedBy, type ErasureFilter } from '#etl/erased/erased.ts';
import { subjectOf } from '#etl/erased/subject.ts';
import { differencesOf } from '#etl/load/source-differences.ts';
import { takeApart } from '#etl/raw/pages.ts';
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
/** Every third; with the drill all of them. */
const some = partOf(chats, 3);

const day = '2026-05-05';
const pseudonym = 'erased-0123456789abcdef0123';
/** Everybody with one of these ids, chats or addresses is erased. */
const erasing = (...names: string[]): ErasureFilter =>
  erasedBy({
    isEmpty: names.length === 0,
    pseudonymOf: (_, of, id) => (of === 'default' && names.includes(id) ? pseudonym : undefined),
    isErased: (of, address) => of === 'default' && names.includes(address),
    pseudonymFor: (_, visitor) => `erased-for-${visitor.length}`,
  });
const eraserOf = (record: unknown): ErasureFilter => {
  const { visitor = '' } = subjectOf(record);
  return erasing(visitor);
};

const erasedRows = (rows: DecodedChat): DecodedChat => rowsLeft(rows, () => true, pseudonym);

describe('a record of an erased visitor', () => {
  it('gives the rows that the warehouse makes of those it has, in both archives', () => {
    expect(chats.length).toBeGreaterThan(300);
    for (const chat of some) {
      const [v2, v3] = [v2Of(chat), v3Of(chat)];
      const left2 = decodeChat(archivedChat.parse(eraserOf(v2).record('default', v2, day)), from);
      const left3 = decodeThread(threadedChat.parse(eraserOf(v3).record('default', v3, day)), from);
      expect([chat.id, left2]).toEqual([chat.id, erasedRows(decodeChat(archivedChat.parse(v2), from))]);
      expect([chat.id, left3]).toEqual([chat.id, erasedRows(decodeThread(threadedChat.parse(v3), from))]);
      expect([chat.id, differencesOf(left2, left3)]).toEqual([chat.id, []]);
    }
  });

  it('holds no word of theirs, and erasing it again changes nothing', () => {
    for (const chat of some) {
      const { visitor } = chat;
      const said = chat.events.filter(({ type }) => type !== 'event').map(({ text }) => text);
      const words = [visitor.id, visitor.email, visitor.ip, visitor.user_agent, ...said].filter(
        (word) => word.length > 8,
      );
      for (const record of [v2Of(chat), v3Of(chat)]) {
        const erased = eraserOf(record);
        const left = erased.record('default', record, day);
        const text = JSON.stringify(left);
        expect(words.filter((word) => text.includes(JSON.stringify(word).slice(1, -1)))).toEqual([]);
        expect(erased.record('default', left, day)).toBe(left);
        expect(erasing(subjectOf(record).chat ?? '').record('default', left, day)).toBe(left);
      }
    }
  });

  it('is known by its chat, or by an address before the chat; of another account it stays as it is', () => {
    const record = {
      id: 'K1',
      visitor: { id: 'v', name: 'Ann Lee' },
      prechat_survey: [{ key: 'e', value: ' Ann@X.test', id: '1' }],
    };
    const by = (name: string): unknown => (erasing(name).record('default', record, day) as typeof record).visitor;
    expect(by('K1')).toEqual({ id: pseudonym, name: 'erased visitor' });
    expect(by('ann@x.test')).toEqual({ id: 'erased-for-1', name: 'erased visitor' });
    expect(erasing('v').record('other', record, day)).toBe(record);
  });

  it('loses every field that is not known', () => {
    const record = {
      id: 'K1',
      visitor: { id: 'v', phone: '123' },
      secret: { note: 'Ann', number: 7, list: ['x', true] },
      tags: ['vip'],
    };
    expect(erasing('v').record('default', record, day)).toEqual({
      ...{ id: 'K1', visitor: { id: pseudonym }, tags: ['vip'] },
      secret: { note: '···', number: 0, list: ['·', true] },
    });
  });
});

describe('what somebody else wrote', () => {
  const record = {
    ...{ id: 'K2', visitor: { id: 'w', name: 'Bob' }, tags: ['ann@x.test'] },
    events: [
      { type: 'message', user_type: 'visitor', text: 'ask ann@x.test. or joann@x.test', timestamp: 1, date: '' },
    ],
  };

  it('keeps everything but the address, which is no part of a longer one', () => {
    expect(erasing('ann@x.test').record('default', record, day)).toEqual({
      ...record,
      events: [{ ...record.events[0], text: 'ask ··········. or joann@x.test' }],
    });
    expect(erasing('other@x.test').record('default', record, day)).toBe(record);
  });
});

describe('a page', () => {
  const page =
    '{"chats": [ {"id":"K1","visitor":{"id":"v","name":"Ann"}} , {"id":"K2", "visitor":{"id":"w"}}],\n "total":2}';

  it('keeps its bytes but for the records of the erased', () => {
    expect(bodyWithout(erasing('v'), 'default', page, day)).toBe(
      `{"chats": [ {"id":"K1","visitor":{"id":"${pseudonym}","name":"erased visitor"}} , {"id":"K2", "visitor":{"id":"w"}}],\n "total":2}`,
    );
    expect(bodyWithout(erasing('x'), 'default', page, day)).toBe(page);
    expect(bodyWithout(erasing(), 'default', page, day)).toBe(page);
  });

  it('that breaks off is left out when it names somebody who is erased', () => {
    const broken = page.slice(0, 45);
    expect(takeApart(broken).form).toBe('whole');
    expect(bodyWithout(erasing('v'), 'default', broken, day)).toMatch(/^\(45 characters that could not be read/);
    expect(bodyWithout(erasing('w'), 'default', broken, day)).toBe(broken);
  });
});
