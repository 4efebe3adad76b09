// Chats that are put into memory stand in the order, and reach as far, as if all had been loaded at once; and packed none loses anything.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createChats, type Chats } from '#service/chats.ts';
import type { LightChat } from '#service/light.ts';
import { openEnded } from '#service/records.ts';
import { tries } from '../../chance.ts';

const instant = fc.nat(2_000_000_000);
const login = fc.constantFrom('ada@example.com', 'bo@example.com', 'Żaneta');
const ended: fc.Arbitrary<Omit<LightChat, 'number' | 'id' | 'started' | 'ended' | 'first'>> = fc.record(
  {
    agents: fc.array(login, { maxLength: 3 }),
    holders: fc.array(login, { maxLength: 2 }),
    groups: fc.array(fc.nat(300), { maxLength: 3 }),
    client_id: fc.string(),
    country_code: fc.constantFrom('PL', ''),
    engagement: fc.constantFrom('auto_invite', 'manual_invite', 'immediate_start'),
    greeting: fc.option(fc.nat()),
    queue_seconds: fc.option(fc.nat(9000)),
    ratings: fc.array(
      fc.record({
        at: instant,
        rate: fc.constantFrom('rated_good', 'rated_bad', 'rated', 'not_rated'),
        has_comment: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    tags: fc.array(fc.record({ at: instant, tag: fc.string() }), { maxLength: 3 }),
    goals: fc.array(
      fc.record({
        id: fc.nat(),
        at: instant,
        is_sale: fc.boolean(),
        price: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(Infinity, 1e30, 0.5)),
        currency: fc.string({ maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
    is_replied: fc.boolean(),
    turns: fc.array(fc.record({ agent: login, seconds: fc.nat(90_000) }), { maxLength: 4 }),
  },
  {
    requiredKeys: [
      ...(['agents', 'groups', 'engagement', 'greeting', 'queue_seconds', 'ratings', 'tags', 'goals'] as const),
      ...(['is_replied', 'turns'] as const),
    ],
  },
);
const put = fc.record({
  number: fc.integer({ min: 1, max: 40 }),
  started: fc.nat(6),
  lasts: fc.oneof(fc.nat(9), fc.constant(openEnded)),
  rest: ended,
});
type Put = typeof put extends fc.Arbitrary<infer T> ? T : never;

function chatOf({ number, started, lasts, rest }: Put): LightChat {
  const is_open = lasts === openEnded;
  const open = { active_at: started, is_idle: false, awaits_since: started, routed: ['ada@example.com'] };
  return {
    // Some have ten capitals and digits, as ids of the simulation, others have not.
    ...{
      number,
      id: `CHAT${String(number).padStart(number % 3 === 0 ? 2 : 6, '0')}`,
      started,
      ended: is_open ? openEnded : started + lasts,
    },
    ...rest,
    ...(is_open && { open }),
    first: rest.turns[0] ?? null,
  };
}

/** What a loop over all chats in order finds. */
function compare(chats: Chats, expected: readonly LightChat[]): void {
  const sorted = [...expected].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
  expect([...chats]).toEqual(sorted);
  expect(chats.length).toBe(sorted.length);
  for (const chat of expected) expect(chats.of(chat.number)).toEqual(chat);
  for (let at = 0; at < 17; at++) {
    const first = sorted.findIndex(({ started }) => started >= at);
    expect(chats.firstFrom(at)).toBe(first < 0 ? sorted.length : first);
    const reaching = sorted.findIndex((chat) => chat.ended >= at);
    expect(chats.firstReaching(at)).toBe(reaching < 0 ? sorted.length : reaching);
    const span = { from: 2, to: 5, ended_by: at, isAsked: (started: number) => started !== 4 };
    const asked = sorted.filter(({ started, ended }) => [2, 3, 5].includes(started) && ended <= at);
    expect([...chats.numbersIn(span)]).toEqual(asked.map(({ number }) => number));
    const among = sorted.map(({ number }) => number).reverse();
    expect([...chats.numbersAmong(among, span)]).toEqual([...chats.numbersIn(span)]);
    const open = sorted.filter(({ started, ended }) => ended >= at && started < 5);
    expect([...chats.numbersOpen(at, 5)]).toEqual(open.map(({ number }) => number));
    const reached = expected.filter(({ goals }) => goals.some((goal) => goal.at >= at && goal.at < 1e9));
    expect([...chats.numbersWithGoals(at, 1e9)]).toEqual(reached.map(({ number }) => number).sort((a, b) => a - b));
  }
}

it('a chat takes its place, also the one that it had, and tells how far chats reach', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(put, { selector: ({ number }) => number }),
      fc.array(put, { maxLength: 40 }),
      fc.nat(3),
      fc.integer({ min: 1, max: 5 }),
      (added, puts, most_fresh, block) => {
        const chats = createChats(most_fresh, block);
        const expected = new Map<number, LightChat>();
        for (const each of added) {
          chats.add(chatOf(each));
          expected.set(each.number, chatOf(each));
        }
        chats.arrange();
        compare(chats, [...expected.values()]);
        for (const each of puts) {
          chats.put(chatOf(each));
          expected.set(each.number, chatOf(each));
        }
        compare(chats, [...expected.values()]);
      },
    ),
    { numRuns: tries(100, 5000) },
  );
});

it('what is left behind by changes is tidied away', () => {
  const chats = createChats(0);
  const [chat] = fc.sample(put, { numRuns: 1, seed: 1 });
  const words = Array.from({ length: 200 }, (_, at) => ({ at, tag: `tag ${at}` }));
  const long = { ...chatOf({ ...chat!, number: 1, started: 1, lasts: 1 }), tags: words };
  const other = { ...long, number: 2, id: 'OTHER' };
  for (let round = 0; round < 6000; round++) {
    chats.put(round % 2 === 0 ? long : other);
  }
  expect([...chats]).toEqual([long, other]);
  expect(chats.bytes()).toBeLessThan(4 << 20);
});
