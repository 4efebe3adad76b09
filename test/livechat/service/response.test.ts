// Response times worked out by hand: turns, who closed them, attachments without an author, means over chats.
import { describe, expect, it } from 'vitest';
import { readTurns } from '#service/turns.ts';
import { ann, bob, chat, lines, tinyAccount } from './tiny.ts';

const day = '2026-05-04';
const range = `date_from=${day}&date_to=${day}&group_by=day`;
const started = `${day}T10:00:00Z`;
const ended = `${day}T11:00:00Z`;
const both = [
  { display_name: 'Bob', email: bob },
  { display_name: 'Ann', email: ann },
];
const talk = (...codes: string[]) => chat(started, ended, { agents: both, events: lines(started, ...codes) });
const asked = (...codes: string[]) => tinyAccount({ now: '2026-05-05T00:00:00Z', chats: [talk(...codes)] }).ask;

describe('first response time', () => {
  const first = async (...codes: string[]) =>
    (await asked(...codes)('first_response_time', range))[day]!.first_response_time;
  it('runs from the first visitor line to the first agent line after it', async () => {
    expect(await first('a0', 'v10', 'v20', 'a45')).toEqual({ count: 1, seconds: 35 });
  });
  it('is null where nobody answered or nobody asked', async () => {
    expect(await first('a0', 'v10')).toEqual({ count: 0, seconds: null });
    expect(await first('a0', 'a10')).toEqual({ count: 0, seconds: null });
  });
  it('ignores supervisors and counts a file', async () => {
    expect(await first('v10', 's15', 'f25')).toEqual({ count: 1, seconds: 15 });
  });
  it('can be zero: order within a second is the order of the lines', async () => {
    expect(await first('v10', 'a10')).toEqual({ count: 1, seconds: 0 });
    expect(await first('a10', 'v10')).toEqual({ count: 0, seconds: null });
  });
  it('is credited to the agent who sent it', async () => {
    const ask = asked('b0', 'v10', 'a20', 'b30');
    const of = async (agent: string) =>
      (await ask('first_response_time', `${range}&agent=${agent}`))[day]!.first_response_time;
    expect([await of(ann), await of(bob)]).toEqual([
      { count: 1, seconds: 10 },
      { count: 0, seconds: null },
    ]);
  });
});

describe('response time', () => {
  const mean = async (ask: ReturnType<typeof asked>, more = '') =>
    (await ask('response_time', `${range}${more}`))[day]!.avg_response_time;
  it('is the mean of the turns of a chat; an unanswered end is no turn', async () => {
    expect(await mean(asked('v0', 'v5', 'a10', 'a11', 'v20', 'a50', 'v60'))).toEqual({ count: 1, seconds: 20 });
  });
  it('is a mean over chats, not over turns', async () => {
    const chats = [talk('v0', 'a10', 'v20', 'a30', 'v40', 'a50'), talk('v0', 'a30')];
    expect(await mean(tinyAccount({ now: '2026-05-05T00:00:00Z', chats }).ask)).toEqual({ count: 2, seconds: 20 });
  });
  it('of an agent takes only the turns that this agent closed', async () => {
    const ask = asked('v0', 'a10', 'v20', 'b50');
    expect([await mean(ask, `&agent=${ann}`), await mean(ask, `&agent=${bob}`)]).toEqual([
      { count: 1, seconds: 10 },
      { count: 1, seconds: 30 },
    ]);
  });
  it('of a longer period is a mean over its chats, never over its days', async () => {
    const next = chat('2026-05-05T10:00:00Z', '2026-05-05T11:00:00Z', {
      events: lines('2026-05-05T10:00:00Z', 'v0', 'a40'),
    });
    const chats = [talk('v0', 'a10'), talk('v0', 'a10'), next];
    const { ask } = tinyAccount({ now: '2026-05-06T00:00:00Z', chats });
    expect((await ask('response_time', `date_from=${day}&date_to=2026-05-05&group_by=month`))['2026-05']).toEqual({
      avg_response_time: { count: 3, seconds: 20 },
    });
  });
  it('is rounded half up to two digits', async () => {
    const chats = [talk('v0', 'a1'), talk('v0', 'a1'), talk('v0', 'a0')];
    expect((await mean(tinyAccount({ now: '2026-05-05T00:00:00Z', chats }).ask)).seconds).toBe(0.67);
  });
});

describe("an agent's file without an author belongs to", () => {
  const nameless = (...codes: string[]) =>
    lines(started, ...codes).map((line) => (line.type === 'attachment' ? { ...line, author_name: 'Nobody' } : line));
  it('the agent of that display name', async () => {
    expect(readTurns({ agents: both, events: lines(started, 'v0', 'f5') }).first).toEqual({ agent: ann, seconds: 5 });
  });
  it('else the author of the agent line before', async () => {
    expect(readTurns({ agents: both, events: nameless('a0', 'v1', 'f5') }).first?.agent).toBe(ann);
  });
  it('else the first agent of the chat', async () => {
    expect(readTurns({ agents: both, events: nameless('v1', 'f5') }).first?.agent).toBe(bob);
  });
});
