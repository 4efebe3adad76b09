// The chat reports on hand-made accounts: counting, filters, ratings, engagement and what the clock hides.
import { describe, expect, it } from 'vitest';
import { ann, at, bob, chat, lines, tinyAccount } from './tiny.ts';

const day = '2026-05-04';
const range = `date_from=${day}&date_to=${day}&group_by=day`;
const started = `${day}T10:00:00Z`;
const ended = `${day}T10:10:00Z`;
const both = [
  { display_name: 'Ann', email: ann },
  { display_name: 'Bob', email: bob },
];

describe('filters', () => {
  const { ask } = tinyAccount({
    now: '2026-05-05T00:00:00Z',
    chats: [
      chat(started, ended, {
        agents: both,
        groups: [1, 2],
        tags: [
          { at: at(started), tag: 'x' },
          { at: at(started), tag: 'y' },
        ],
      }),
      chat(started, ended, { groups: [0], tags: [{ at: at(started), tag: 'X' }] }),
    ],
  });
  const total = async (query: string) => (await ask('total_chats', `${range}&${query}`))[day]!.chats;
  const totals = (...queries: string[]) => Promise.all(queries.map(total));
  it('count a chat of two groups, two agents and two tags once', async () => {
    expect(await total('group[]=1&group[]=2')).toBe(1);
    expect(await total(`agent[]=${ann}&agent[]=${bob}`)).toBe(2);
    expect(await total('tag[]=x&tag[]=y')).toBe(1);
  });
  it('count it once in each when asked for one after the other', async () => {
    expect(await totals('group=1', 'group=2', `agent=${bob}`, 'tag[]=x')).toEqual([1, 1, 1, 1]);
  });
  it('of different kinds must all fit', async () => {
    expect(await total(`group=0&agent=${bob}`)).toBe(0);
    expect(await total(`groups[]=0&agents[]=${ann}`)).toBe(1);
  });
  it('take group 0 for a group like any other and tags by their exact letters', async () => {
    expect(await totals('group=0', 'tag[]=X', 'tag[]=x')).toEqual([1, 1, 1]);
  });
  it('give zeros for values that nobody knows', async () => {
    expect(await totals('group=99', 'agent=nobody', 'tag[]=z')).toEqual([0, 0, 0]);
  });
});

describe('the clock', () => {
  it('keeps a pending chat out of every report until it ends; then it counts to the day it started', async () => {
    const { ask, clock } = tinyAccount({
      now: '2026-05-05T00:04:00Z',
      chats: [chat(`${day}T23:55:00Z`, '2026-05-05T00:05:00Z', { events: lines(`${day}T23:55:00Z`, 'v0', 'a5') })],
    });
    expect((await ask('total_chats', range))[day]).toEqual({ chats: 0 });
    expect((await ask('chatting_time', range))[day]).toEqual({ hours: 0 });
    clock.now += 60;
    expect((await ask('total_chats', range))[day]).toEqual({ chats: 1 });
    expect((await ask('chatting_time', range))[day]).toEqual({ hours: 0.08 });
  });
  it('shows a late rating only when it has come, on the day of the chat, and the last one wins', async () => {
    const ratings = [
      { at: at('2026-05-06T10:00:00Z'), rate: 'rated_bad' as const },
      { at: at('2026-05-07T10:00:00Z'), rate: 'rated_good' as const },
      { at: at('2026-05-08T10:00:00Z'), rate: 'not_rated' as const },
    ];
    const { ask, clock } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [chat(started, ended, { ratings })] });
    const seen = [];
    for (const date of ['2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08']) {
      clock.now = at(`${date}T12:00:00Z`);
      const { good, bad, chats } = (await ask('chat_ratings', range))[day]!;
      seen.push([good, bad, chats]);
    }
    expect(seen).toEqual([
      [0, 0, 1],
      [0, 1, 1],
      [1, 0, 1],
      [0, 0, 1],
    ]);
  });
  it('shows a late tag only when it has been put', async () => {
    const { ask, clock } = tinyAccount({
      now: '2026-05-05T00:00:00Z',
      chats: [chat(started, ended, { tags: [{ at: at('2026-05-06T00:00:00Z'), tag: 'x' }] })],
    });
    expect((await ask('total_chats', `${range}&tag[]=x`))[day]).toEqual({ chats: 0 });
    clock.now = at('2026-05-06T00:00:00Z');
    expect((await ask('total_chats', `${range}&tag[]=x`))[day]).toEqual({ chats: 1 });
  });
});

it('a bare rating is neither good nor bad', async () => {
  const ratings = [{ at: at(ended), rate: 'rated' as const }];
  const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [chat(started, ended, { ratings })] });
  expect((await ask('chat_ratings', range))[day]).toEqual({ bad: 0, good: 0, chats: 1 });
});

it('engagement splits all chats into three', async () => {
  const { ask } = tinyAccount({
    now: '2026-05-05T00:00:00Z',
    chats: [
      chat(started, ended, { engagement: 'auto_invite' }),
      chat(started, ended, { engagement: 'manual_invite' }),
      chat(started, ended),
      chat(started, ended),
    ],
  });
  expect(await ask('engagement', range)).toEqual({
    [day]: { chats_from_auto_invite: 1, chats_from_immediate_start: 2, chats_from_manual_invite: 1 },
  });
});

describe('a chat is not replied', () => {
  it.each([
    ['without any message', [], 1],
    ['with only the welcome message', ['a0'], 1],
    ['with a welcome message that a visitor answered in vain', ['a0', 'v5'], 1],
    ['when only a supervisor answered', ['v0', 's5'], 1],
    ['but replied with two agent lines and no visitor line', ['a0', 'a5'], 0],
    ['but replied when the first agent line comes after the visitor', ['v0', 'a5'], 0],
    ['but replied by a file', ['a0', 'v1', 'f5'], 0],
  ])('%s', async (_, codes, not_replied) => {
    const events = lines(started, ...codes);
    const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [chat(started, ended, { events })] });
    expect((await ask('not_replied_chats', range))[day]).toEqual({ not_replied });
  });
  it('as a whole: an agent filter only narrows which chats are looked at', async () => {
    const silent = chat(started, ended, { agents: both, events: lines(started, 'v0', 'a5') });
    const { ask } = tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [silent] });
    expect((await ask('not_replied_chats', `${range}&agent=${bob}`))[day]).toEqual({ not_replied: 0 });
  });
});
