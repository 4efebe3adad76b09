// Metrics about chats that no report of the source gives: duration, tags, repeat contact.
import { describe, expect, it } from 'vitest';
import type { Row } from '#warehouse/engine.ts';
import type { QueryTexts } from '#api/question.ts';
import { account, later, type Chat } from '../account.ts';
import { run } from '../query-context.ts';

const day = '2026-05-05';

async function ask(chats: readonly Chat[], metric: string, question: QueryTexts = {}): Promise<Row[]> {
  const engine = await account(chats);
  try {
    return (await run(engine, metric, { from: day, to: day, grain: 'total', ...question }, later)).rows;
  } finally {
    await engine.close();
  }
}

describe('chat duration', () => {
  it('is a mean over chats and percentiles of the chats themselves; nothing without chats', async () => {
    const chats = [60, 120, 600].map((seconds, hour): Chat => ({ start: `${day}T1${hour}:00:00Z`, seconds }));
    expect(await ask(chats, 'chat_duration')).toEqual([{ seconds: 260, p50: 120, p90: 504, state: 'complete' }]);
    expect(await ask(chats, 'chat_duration', { from: '2026-05-06', to: '2026-05-06' })).toEqual([
      { seconds: null, p50: null, p90: null, state: 'complete' },
    ]);
  });
});

describe('tags', () => {
  const chats: Chat[] = [
    { start: `${day}T10:00:00Z`, tags: ['one', 'two'] },
    { start: `${day}T11:00:00Z`, tags: ['two'], groups: [3] },
    { start: `${day}T12:00:00Z` },
  ];
  it('count a chat once in each of its tags, and chats without one', async () => {
    expect(await ask(chats, 'tags')).toEqual([
      { tag: 'one', chats: 1, state: 'complete' },
      { tag: 'two', chats: 2, state: 'complete' },
      { tag: null, chats: 1, state: 'complete' },
    ]);
  });
  it('can be narrowed and split further', async () => {
    expect(await ask(chats, 'tags', { group: '3' })).toEqual([{ tag: 'two', chats: 1, state: 'complete' }]);
    expect((await ask(chats, 'tags', { split: 'group' })).map(({ tag, group, chats: n }) => [tag, group, n])).toEqual([
      ['one', 0, 1],
      ['two', 0, 1],
      ['two', 3, 1],
      [null, 0, 1],
    ]);
    expect(await ask(chats, 'tags', { tag: 'one' })).toEqual([{ tag: 'one', chats: 1, state: 'complete' }]);
  });
});

describe('repeat contact', () => {
  const chats: Chat[] = [
    { start: '2026-05-04T10:00:00Z', visitor: 'A' },
    { start: `${day}T10:00:00Z`, visitor: 'A', agents: ['a@x.test'] },
    { start: '2026-05-12T10:00:00Z', visitor: 'A', agents: ['b@x.test'] },
    { start: `${day}T10:00:00Z`, visitor: 'B', agents: ['b@x.test'] },
    { start: '2026-05-12T10:00:01Z', visitor: 'B' },
    { start: `${day}T10:00:00Z`, visitor: 'C' },
    { start: `${day}T10:00:00Z`, visitor: 'C' },
    { start: `${day}T11:00:00Z` },
    { start: `${day}T12:00:00Z` },
  ];
  it('counts chats that the same visitor follows up within seven times 24 hours, to the second', async () => {
    // A after exactly 7 days, B a second later, C twice in the same second, two visitors that nobody knows.
    expect(await ask(chats, 'repeat_contact')).toEqual([{ chats: 6, repeated: 2, share: 2 / 6, state: 'complete' }]);
  });
  it('a filter narrows the chats that are counted, not those that follow', async () => {
    expect((await ask(chats, 'repeat_contact', { agent: 'a@x.test', from: '2026-05-04' }))[0]).toMatchObject({
      repeated: 3,
    });
    expect((await ask(chats, 'repeat_contact', { agent: 'b@x.test' }))[0]).toMatchObject({ chats: 1, repeated: 0 });
    expect(
      await ask(chats, 'repeat_contact', { from: '2026-05-04', grain: 'day', timezone: 'Asia/Kathmandu' }),
    ).toMatchObject([
      { chats: 1, repeated: 1 },
      { chats: 6, repeated: 2 },
    ]);
  });
});
