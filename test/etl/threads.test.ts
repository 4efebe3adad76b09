// The second source of facts: a thread of v3.5 gives the same rows as the chat of v2.0, and what it cannot give is listed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOf, tries } from '../chance.ts';
import { archivedChat } from '#contract/archive.ts';
import { threadedChat, type ThreadedChat } from '#contract/threads.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { decodeThread, notGiven } from '#etl/decode/threads.ts';
import { differencesOf, type FieldDifference } from '#etl/load/source-differences.ts';
import { shownChat } from '#service/archive/show.ts';
import type { ChatEvent, ChatRecord } from '#service/records.ts';
import { shownThread } from '#service/threads/show.ts';
import { zoneNamed } from '#service/zone.ts';
import { ann, at, bob, chat, lines, tinyAccount } from '../livechat/service/tiny.ts';
import { simulated } from '../livechat/service/world/simulated.ts';

const from = { account: 'default', pull_id: 'p', content_hash: 'h' };
const { account } = tinyAccount({ now: '2030-01-01T00:00:00Z' });
/** JSON there and back, as over the wire. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const v2Of = (record: ChatRecord, now: number) =>
  decodeChat(archivedChat.parse(sent(shownChat(record, zoneNamed('Europe/Warsaw'), now))), from);
const threadOf = (record: ChatRecord, now: number): ThreadedChat =>
  threadedChat.parse(sent(shownThread(account, record, now, () => true)));
const v3Of = (record: ChatRecord, now: number) => decodeThread(threadOf(record, now), from);
const differences = (record: ChatRecord, now: number): FieldDifference[] =>
  differencesOf(v2Of(record, now), v3Of(record, now));

describe('both sources', () => {
  it.each(partOf([1, 7, 42], 3))(
    'give equal facts for every chat of a simulated account of seed %i, at its end and days later',
    (seed) => {
      const { chats } = simulated(seed, 6);
      expect(chats.length).toBeGreaterThan(500);
      // Every third chat; with the drill all of them.
      for (const record of partOf(chats, 3))
        for (const later of [0, 60, 20 * 3600, 8 * 86_400])
          expect([record.id, differences(record, record.ended + later)]).toEqual([record.id, []]);
    },
  );

  const agents = [
    { display_name: 'Ann', email: ann },
    { display_name: 'Bob', email: bob },
  ];
  const supervisor = { display_name: 'Sue', email: 'sue@example.com' };
  const step = fc.record({
    who: fc.constantFrom('visitor', 'ann', 'bob', 'supervisor', 'file', 'transfer'),
    after: fc.constantFrom(0, 1, 59, 900, 7200),
  });
  const drawn = fc.record({
    steps: fc.array(step, { maxLength: 8 }),
    tail: fc.constantFrom(0, 0, 30, 90_000),
    agents: fc.subarray(agents, { minLength: 1 }),
    groups: fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 1 }),
    tags: fc.subarray(['sales', 'Sales', 'vip']),
    rates: fc.array(fc.constantFrom('rated_good', 'rated_bad', 'rated', 'not_rated'), { maxLength: 3 }),
    queue: fc.constantFrom(null, 0, 1, 4000),
    engagement: fc.constantFrom('auto_invite', 'manual_invite', 'immediate_start'),
    closer: fc.constantFrom('visitor', 'Ann', 'Nobody', null),
    name: fc.constantFrom('Mary', ''),
    survey: fc.array(fc.constantFrom('', 'yes', '0'), { maxLength: 2 }),
    later: fc.integer({ min: 0, max: 200_000 }),
  });
  type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

  const eventOf = (who: string, second: number, { agents: listed, name }: Drawn): ChatEvent => {
    const line = { at: second, type: 'message' as const, text: who };
    if (who === 'transfer') return { ...line, type: 'event', user_type: 'agent', event_type: 'transferred' };
    if (who === 'supervisor')
      return { ...line, user_type: 'supervisor', author_name: 'Sue', agent_id: 'sue@example.com' };
    if (who === 'file')
      return {
        ...line,
        type: 'attachment',
        user_type: 'agent',
        author_name: listed.at(-1)!.display_name,
        files: ['https://f.example/a.png'],
      };
    const agent = listed.find(({ display_name }) => display_name.toLowerCase() === who);
    if (!agent) return { ...line, user_type: 'visitor', author_name: name || 'Visitor' };
    return { ...line, user_type: 'agent', author_name: agent.display_name, agent_id: agent.email };
  };

  function recordOf(each: Drawn): ChatRecord {
    const started = at('2026-03-29T00:59:30Z');
    let now = started;
    const events = each.steps.map(({ who, after }) => eventOf(who, (now += after), each));
    const ended = now + each.tail;
    const iso = (second: number): string => new Date(second * 1000).toISOString();
    const closed: ChatEvent | null = each.closer
      ? {
          at: ended,
          type: 'event',
          event_type: 'closed',
          user_type: each.closer === 'visitor' ? 'visitor' : 'agent',
          text: `${each.closer} closed the chat.`,
        }
      : null;
    const answers = each.survey.map((value, place) => ({ key: `Question ${place}`, value, id: `q${place}` }));
    const record = chat(iso(started), iso(ended), {
      ...{ agents: each.agents, groups: each.groups, engagement: each.engagement, queue_seconds: each.queue },
      greeting_id: each.engagement === 'auto_invite' ? 5 : null,
      supervisors: [supervisor],
      events: closed ? [...events, closed] : events,
      tags: each.tags.map((tag, place) => ({ at: started + place * 3600, tag })),
      ratings: each.rates.map((rate, place) => ({ at: ended + place, rate })),
      prechat_survey: answers,
      postchat_survey: answers.map((answer) => ({ ...answer, at: ended + 5 })),
    });
    return { ...record, visitor: { ...record.visitor, name: each.name } };
  }

  it('give equal facts for chats drawn at random, whenever they are asked', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const record = recordOf(each);
        expect(differences(record, record.ended + each.later)).toEqual([]);
      }),
      { numRuns: tries(500, 2000) },
    );
  });
});

const started = '2026-05-04T10:00:00Z';
const record = chat(started, '2026-05-04T10:20:00Z', {
  supervisors: [{ display_name: 'Sue', email: 'sue@example.com' }],
  events: lines(started, 'a0', 'v10', 'f30', 's31', 'a45'),
  ratings: [{ at: at('2026-05-04T10:21:00Z'), rate: 'rated_bad' }],
  queue_seconds: 12,
});
const thread = (change: (chat: ThreadedChat) => void): ThreadedChat => {
  const made = threadOf(record, at('2026-05-05T00:00:00Z'));
  change(made);
  return made;
};
const chatRow = (made: ThreadedChat) => decodeThread(made, from).chats[0];

describe('a thread', () => {
  it('is named by its own id, tells its end by its closing line, and says which source it came from', () => {
    expect(chatRow(thread(() => undefined))).toMatchObject({
      chat_id: record.id,
      ended_second: at('2026-05-04T10:20:00Z'),
      duration_seconds: 1200,
      rate: 'rated_bad',
      queue_seconds: 12,
      first_response_seconds: 20,
      is_replied: true,
      source: 'agent_v3',
    });
  });
  it('without a closing line ends with its last line, and without lines at its start', () => {
    const open = thread((made) => {
      made.thread.events = made.thread.events!.filter(({ type }) => type !== 'system_message');
    });
    expect(chatRow(open)).toMatchObject({ duration_seconds: 45 });
    expect(chatRow(thread((made) => void (made.thread.events = [])))).toMatchObject({ duration_seconds: 0 });
  });
  it('keeps rating news out of its lines, and lines for agents only are a supervisor’s', () => {
    const { messages } = decodeThread(
      thread(() => undefined),
      from,
    );
    expect(messages.map(({ kind, user_type }) => `${String(kind)} ${String(user_type)}`)).toEqual([
      'message agent',
      'message visitor',
      'attachment agent',
      'message supervisor',
      'message agent',
      'event agent',
    ]);
  });
  it('may lack tags, properties and the writer of a line among its users', () => {
    const poor = thread((made) => {
      delete made.thread.properties;
      made.users = made.users.filter(({ type }) => type === 'customer');
    });
    expect(chatRow(poor)).toMatchObject({ rate: 'not_rated', engagement: 'immediate_start', start_url: null });
    const { messages } = decodeThread(poor, from);
    expect(messages[0]).toMatchObject({ user_type: 'agent', agent: ann, author_name: null });
  });
  it('answers a choice by its label, and several choices one after the other', () => {
    const chosen = thread((made) => {
      const fields = [
        { id: '1', type: 'select', label: 'Which?', answer: { id: 'x', label: 'This' } },
        { id: '2', type: 'checkbox', label: 'And?', answers: [{ label: 'a' }, { label: 'b' }] },
        { id: '3', type: 'question', label: 'Why?' },
      ];
      const properties = { lc2: { form_type: 'prechat' } };
      made.thread.events!.unshift({ ...made.thread.events![0]!, type: 'filled_form', fields, properties });
    });
    expect(decodeThread(chosen, from).chat_surveys.map(({ answer }) => answer)).toEqual(['This', 'a, b', '']);
  });
});

describe('a comparison', () => {
  const now = at('2026-05-05T00:00:00Z');
  it('names the field, what each source says, and a chat that one of them lacks', () => {
    const other = thread((made) => {
      made.thread.queues_duration = 13;
      made.thread.tags = ['vip'];
      made.thread.events![1]!.text = 'something else';
    });
    expect(differencesOf(v2Of(record, now), decodeThread(other, from))).toEqual([
      { field: 'queue_seconds', rest_v2: '12', agent_v3: '13' },
      { field: 'messages[1].text', rest_v2: 'line v10', agent_v3: 'something else' },
      { field: 'tags[0].tag', rest_v2: null, agent_v3: 'vip' },
    ]);
    expect(differencesOf(v2Of(record, now), undefined)).toEqual([{ field: 'chat', rest_v2: 'there', agent_v3: null }]);
    expect(differencesOf(undefined, v3Of(record, now))).toEqual([{ field: 'chat', rest_v2: null, agent_v3: 'there' }]);
    expect(differencesOf(undefined, undefined)).toEqual([]);
  });
  it('leaves out only what is listed with a reason', () => {
    expect(notGiven.every(({ field, reason }) => field.length > 3 && reason.length > 20)).toBe(true);
    const [v2, v3] = [v2Of(record, now), v3Of(record, now)];
    const differing = Object.keys(v2.chats[0]!).filter((name) => v2.chats[0]![name] !== v3.chats[0]![name]);
    expect(differing.sort()).toEqual(['source', 'source_timezone', 'visitor_id']);
  });
});
