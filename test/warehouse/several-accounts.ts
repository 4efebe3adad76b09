// Three accounts with the same ids for everything in one warehouse, and one account that holds the chats of all of them under ids of their own.
import fc from 'fast-check';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { Store } from '#warehouse/engine.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { addChats, pulled, second, type Chat } from './account.ts';

interface Member {
  id: string;
  zone: string;
  chats: readonly Chat[];
}

const logins = ['a@x.test', 'b@x.test'] as const;

/** Chats around the spring switch. */
const chatsOf = (seed: number, count: number, currencies: readonly string[]): Chat[] => {
  const chat = fc.record(
    {
      start: fc
        .integer({ min: second('2026-03-20T00:00:00Z'), max: second('2026-04-05T23:59:59Z') })
        .map((at) => new Date(at * 1000).toISOString()),
      seconds: fc.integer({ min: 0, max: 20_000 }),
      queue: fc.integer({ min: 0, max: 60 }),
      first: fc.tuple(fc.integer({ min: 0, max: 90 }), fc.constantFrom(...logins)),
      turns: fc.dictionary(
        fc.constantFrom(...logins),
        fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 7 })),
      ),
      rate: fc.constantFrom('rated_good', 'rated_bad', 'not_rated'),
      agents: fc.subarray([...logins, 'c@x.test'], { minLength: 1 }),
      groups: fc.subarray([0, 3, 4], { minLength: 1 }),
      tags: fc.subarray(['one', 'two']),
      country: fc.constantFrom('Poland', 'Spain'),
      visitor: fc.constantFrom('', 'V1', 'V2', 'V3', 'V4'),
      engagement: fc.constantFrom('auto_invite', 'immediate_start'),
      goals: fc.array(
        fc.record({
          ...{ id: fc.constantFrom(1, 2), sale: fc.boolean(), price: fc.constantFrom('0', '0.1', '12.5') },
          at: fc.constantFrom('2026-03-28T12:00:00Z', '2026-03-29T01:10:00Z', '2026-04-03T00:00:00Z'),
          currency: fc.constantFrom(...currencies),
        }),
        { maxLength: 2 },
      ),
      isReplied: fc.boolean(),
    },
    { requiredKeys: ['start'] },
  );
  return fc.sample(chat, { seed, numRuns: count }) as Chat[];
};

export const members: readonly Member[] = [
  { id: 'a', zone: 'Europe/Warsaw', chats: chatsOf(1, 130, ['EUR', 'PLN']) },
  { id: 'b', zone: 'America/St_Johns', chats: chatsOf(2, 90, ['CAD']) },
  { id: 'c', zone: 'UTC', chats: chatsOf(3, 150, ['EUR', 'USD']) },
];

const tables = ['chats', 'chat_agents', 'chat_turns', 'chat_groups', 'chat_tags', 'chat_goals'] as const;
const spread = 1000;
const groupsOfAll = [0, 3, 4] as const;

/** What each account calls open differs; in group 3 of the second it differs once more. */
const openOf = (place: number): string => ['08:00-12:00', '10:00-20:00', '00:00-23:00'][place] ?? '09:00-10:00';
const everyDay = (shift: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [shift]]));
const entry = (shift: string) => ({ valid_from: null, timezone: 'UTC', week: everyDay(shift), holidays: [] });
const shiftOf = (place: number, group: number): string => (place === 1 && group === 3 ? '22:00-23:30' : openOf(place));

const hoursOf = (place: number): BusinessHours => ({
  hours: [entry(openOf(place))],
  groups: place === 1 ? [{ group: 3, hours: [entry(shiftOf(1, 3))] }] : [],
});

/** Each under its own name in the one that holds all. */
export const merged = {
  id: 'default',
  group: (place: number, group: number): number => group + place * 100,
  agent: (place: number, login: string): string => `${place}-${login}`,
};

async function add(engine: Store, account: string, zone: string, chats: readonly Chat[]): Promise<void> {
  await addChats(engine, chats);
  for (const table of tables)
    await engine.exec(`update facts.${table} set account = '${account}' where account = 'default'`);
  await pulled(engine, zone, '2025-12-28', '2027-01-05', '2027-02-01T00:00:00Z');
  await engine.exec(`update ledger.periods set account = '${account}' where account = 'default'`);
}

export async function separate(members: readonly Member[]): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  for (const [place, { id, zone, chats }] of members.entries()) {
    await add(engine, id, zone, chats);
    await setBusinessHours(engine, id, hoursOf(place));
  }
  return engine;
}

/** As it would be in the account of all. */
function renamed(chat: Chat, place: number): Chat {
  const agent = (login: string): string => merged.agent(place, login);
  const { agents = ['a@x.test'], groups = [0], first, turns, visitor, goals } = chat;
  return {
    ...chat,
    groups: groups.map((group) => merged.group(place, group)),
    agents: agents.map(agent),
    ...(first ? { first: [first[0], agent(first[1])] as const } : {}),
    ...(turns ? { turns: Object.fromEntries(Object.entries(turns).map(([login, its]) => [agent(login), its])) } : {}),
    ...(visitor ? { visitor: `${place}-${visitor}` } : {}),
    ...(goals ? { goals: goals.map((goal) => ({ ...goal, id: goal.id + place * 100 })) } : {}),
  };
}

export async function together(members: readonly Member[]): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  for (const [place, { chats }] of members.entries())
    await addChats(
      engine,
      chats.map((chat) => renamed(chat, place)),
      place * spread,
    );
  await pulled(engine, 'UTC', '2025-12-28', '2027-01-05', '2027-02-01T00:00:00Z');
  await setBusinessHours(engine, merged.id, {
    hours: [entry('09:00-10:00')],
    groups: members.flatMap((_, place) =>
      groupsOfAll.map((group) => ({ group: merged.group(place, group), hours: [entry(shiftOf(place, group))] })),
    ),
  });
  return engine;
}
