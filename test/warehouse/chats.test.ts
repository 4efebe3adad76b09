// Metrics that count chats: what the definitions say, one sentence a test.
import { describe, expect, it } from 'vitest';
import type { Row } from '#warehouse/engine.ts';
import type { QueryTexts } from '#api/question.ts';
import { account, later, type Chat } from './account.ts';
import { run } from './query-context.ts';

const day = '2026-05-05';
const at = (time: string): string => `${day}T${time}Z`;

async function ask(chats: readonly Chat[], metric: string, question: QueryTexts, zone = 'UTC'): Promise<Row[]> {
  const engine = await account(chats, zone);
  try {
    return (await run(engine, metric, { from: day, to: day, grain: 'total', ...question }, { ...later, zone })).rows;
  } finally {
    await engine.close();
  }
}

describe('counting chats', () => {
  const both: Chat[] = [
    {
      start: at('10:00:00'),
      agents: ['a@x.test', 'b@x.test'],
      groups: [0, 3],
      tags: ['one', 'two'],
      country: 'Poland',
    },
    { start: at('11:00:00'), agents: ['b@x.test'], groups: [3], tags: ['One'] },
  ];

  it('a chat with two tags, two agents and two groups is counted once', async () => {
    expect(
      await ask(both, 'total_chats', { tag: ['one', 'two'], agent: ['a@x.test', 'b@x.test'], group: ['0', '3'] }),
    ).toEqual([{ chats: 1, state: 'complete' }]);
  });

  it('filters of one kind mean any of them, of several kinds all of them; unknown values give zero', async () => {
    const chats = async (question: QueryTexts) => (await ask(both, 'total_chats', question))[0]?.chats;
    expect(await chats({ agent: ['a@x.test', 'b@x.test'] })).toBe(2);
    expect(await chats({ agent: 'b@x.test', tag: 'one' })).toBe(1);
    expect(await chats({ agent: 'a@x.test', tag: 'One' })).toBe(0);
    expect(await chats({ group: '0' })).toBe(1);
    expect(await chats({ group: '77' })).toBe(0);
    expect(await chats({ country: 'Poland' })).toBe(1);
  });

  it('a split counts a chat once in each of its values', async () => {
    expect(await ask(both, 'total_chats', { split: 'agent' })).toEqual([
      { agent: 'a@x.test', chats: 1, state: 'complete' },
      { agent: 'b@x.test', chats: 2, state: 'complete' },
    ]);
    expect(await ask(both, 'total_chats', { split: 'tag,group', group: '3' })).toEqual([
      { tag: 'One', group: 3, chats: 1, state: 'complete' },
      { tag: 'one', group: 3, chats: 1, state: 'complete' },
      { tag: 'two', group: 3, chats: 1, state: 'complete' },
    ]);
    expect(await ask(both, 'total_chats', { split: 'country' })).toEqual([
      { country: 'Poland', chats: 1, state: 'complete' },
      { country: null, chats: 1, state: 'complete' },
    ]);
  });

  it('good, bad and unrated are all chats; a bare rated is neither', async () => {
    const chats: Chat[] = (['rated_good', 'rated_good', 'rated_bad', 'rated', 'not_rated'] as const).map(
      (rate, index) => ({
        start: at(`1${index}:00:00`),
        rate,
      }),
    );
    const [row] = await ask(chats, 'chat_ratings', {});
    expect(row).toMatchObject({ good: 2, bad: 1, chats: 5, rated: 3, csat: 2 / 3, response_rate: 3 / 5 });
    // Wilson score interval, z = 1.96, of 2 out of 3.
    expect(row?.csat_low).toBeCloseTo(0.207654, 5);
    expect(row?.csat_high).toBeCloseTo(0.938509, 5);
  });

  it('an empty period has zero chats and no satisfaction, never zero', async () => {
    expect(await ask([], 'chat_ratings', {})).toEqual([
      {
        good: 0,
        bad: 0,
        chats: 0,
        rated: 0,
        csat: null,
        csat_low: null,
        csat_high: null,
        response_rate: null,
        state: 'complete',
      },
    ]);
    expect(await ask([], 'first_response_time', {})).toEqual([
      { count: 0, seconds: null, p50: null, p90: null, p95: null, state: 'complete' },
    ]);
  });

  it('an unknown engagement counts as begun by the visitor; the three add up', async () => {
    const chats: Chat[] = ['auto_invite', 'manual_invite', 'immediate_start', 'something_new'].map((engagement) => ({
      start: at('10:00:00'),
      engagement,
    }));
    expect(await ask(chats, 'engagement', {})).toEqual([
      { chats_from_auto_invite: 1, chats_from_manual_invite: 1, chats_from_immediate_start: 2, state: 'complete' },
    ]);
  });

  it('not replied is a property of the chat, an agent only narrows which chats', async () => {
    const chats: Chat[] = [
      { start: at('10:00:00'), isReplied: false, agents: ['a@x.test', 'b@x.test'] },
      { start: at('11:00:00'), agents: ['a@x.test'] },
    ];
    expect(await ask(chats, 'not_replied_chats', {})).toEqual([
      { chats: 2, not_replied: 1, share: 0.5, state: 'complete' },
    ]);
    expect((await ask(chats, 'not_replied_chats', { agent: 'b@x.test' }))[0]).toMatchObject({
      not_replied: 1,
      share: 1,
    });
  });
});

describe('response times', () => {
  const chats: Chat[] = [
    {
      start: at('10:00:00'),
      agents: ['a@x.test', 'b@x.test'],
      first: [10, 'a@x.test'],
      turns: { 'a@x.test': [30, 3], 'b@x.test': [50, 1] },
    },
    { start: at('11:00:00'), agents: ['a@x.test', 'b@x.test'], first: [40, 'b@x.test'], turns: { 'b@x.test': [8, 2] } },
    { start: at('12:00:00'), agents: ['a@x.test'] },
  ];

  it('the first response is credited to who sent it, not to who took part', async () => {
    expect((await ask(chats, 'first_response_time', {}))[0]).toMatchObject({ count: 2, seconds: 25, p50: 25, p90: 37 });
    expect((await ask(chats, 'first_response_time', { agent: 'a@x.test' }))[0]).toMatchObject({
      count: 1,
      seconds: 10,
    });
    expect(await ask(chats, 'first_response_time', { split: 'agent' })).toMatchObject([
      { agent: 'a@x.test', count: 1, seconds: 10 },
      { agent: 'b@x.test', count: 1, seconds: 40 },
    ]);
  });

  it('response time is a mean per chat, then over chats, never over turns', async () => {
    expect((await ask(chats, 'response_time', {}))[0]).toMatchObject({ count: 2, seconds: (80 / 4 + 8 / 2) / 2 });
  });

  it('by agent only the turns that the agent closed count; by two agents the turns of both', async () => {
    expect((await ask(chats, 'response_time', { agent: 'b@x.test' }))[0]).toMatchObject({
      count: 2,
      seconds: (50 + 4) / 2,
    });
    expect((await ask(chats, 'response_time', { agent: ['a@x.test', 'b@x.test'] }))[0]).toMatchObject({
      count: 2,
      seconds: (20 + 4) / 2,
    });
    expect(await ask(chats, 'response_time', { split: 'agent' })).toMatchObject([
      { agent: 'a@x.test', count: 1, seconds: 10 },
      { agent: 'b@x.test', count: 2, seconds: 27 },
    ]);
  });

  it('the mean is the same to the last bit in whatever order the chats were written', async () => {
    const many = Array.from({ length: 300 }, (_, place): Chat => ({
      ...{ start: new Date(Date.parse('2026-05-04T00:00:00Z') + place * 60_000).toISOString(), groups: [place % 3] },
      turns: { 'a@x.test': [1 + ((place * 7919) % 997), 1 + (place % 13)] },
    }));
    const asked = { from: '2026-05-04', to: '2026-05-04', split: 'group' };
    const said = JSON.stringify(await ask(many, 'response_time', asked));
    expect(JSON.stringify(await ask(many.toReversed(), 'response_time', asked))).toBe(said);
    const shuffled = many.toSorted(
      (one, other) => Number(one.turns?.['a@x.test']?.[0]) - Number(other.turns?.['a@x.test']?.[0]),
    );
    expect(JSON.stringify(await ask(shuffled, 'response_time', asked))).toBe(said);
  });

  it('a mean over several days is over chats, not the average of the days', async () => {
    const two: Chat[] = [
      { start: '2026-05-04T10:00:00Z', first: [100, 'a@x.test'] },
      ...[1, 2, 3].map((hour): Chat => ({ start: `2026-05-05T0${hour}:00:00Z`, first: [20, 'a@x.test'] })),
    ];
    expect((await ask(two, 'first_response_time', { from: '2026-05-04' }))[0]).toMatchObject({ count: 4, seconds: 40 });
  });
});

describe('ranking', () => {
  it('every agent of a rated chat is ranked by score, ties by login; agents without ratings are left out', async () => {
    const chats: Chat[] = [
      { start: at('10:00:00'), rate: 'rated_good', agents: ['b@x.test', 'a@x.test'] },
      { start: at('11:00:00'), rate: 'rated_good', agents: ['c@x.test'] },
      { start: at('12:00:00'), rate: 'rated_good', agents: ['c@x.test'] },
      { start: at('13:00:00'), rate: 'rated_bad', agents: ['d@x.test'] },
      { start: at('14:00:00'), rate: 'rated', agents: ['e@x.test'] },
    ];
    const rows = await ask(chats, 'chat_ranking', {});
    expect(rows.map((row) => row.agent)).toEqual(['c@x.test', 'a@x.test', 'b@x.test', 'd@x.test']);
    expect(rows[0]).toMatchObject({ good: 2, bad: 0, total: 2 });
  });
});
