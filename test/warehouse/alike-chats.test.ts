// Chats counted where they are alike: by SQL and by plain loops over the same random chats.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alikeChats } from '#warehouse/read/alike-chats.ts';
import type { AlikeChats, OutcomeSums } from '#warehouse/read/alike-cells.ts';
import { keepCounts } from '#warehouse/store/counts.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { askOf } from '#warehouse/query/ask.ts';
import { arrayOfAnyLength, tries } from '../chance.ts';
import { account, later, type Chat } from './account.ts';
import { frozen } from './frozen.ts';
import { contextOf } from './query-context.ts';

const minute = 60_000;
const begin = Date.parse('2026-03-20T00:00:00Z');
/** In Berlin clocks change on 29 March. */
const zone = 'Europe/Berlin';
const range = { from: '2026-03-26', to: '2026-03-31' };

const agents = ['a@x.test', 'b@x.test'];
const anyChat = fc.record({
  at: fc.integer({ min: 0, max: 14 * 24 * 60 }),
  minutes: fc.integer({ min: 0, max: 200 }),
  agents: fc.subarray(agents, { minLength: 1 }),
  groups: fc.subarray([1, 2, 7]),
  queue: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
  visitor: fc.constantFrom('', 'v1', 'v2', 'v3', 'v4'),
  rate: fc.constantFrom('rated_good', 'rated_bad', 'rated', 'not_rated'),
  first: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  turns: fc.integer({ min: 0, max: 3 }),
});

type Any = typeof anyChat extends fc.Arbitrary<infer One> ? One : never;

const chatOf = ({ at, minutes, first, turns, queue, ...chat }: Any): Chat => ({
  ...{ ...chat, start: new Date(begin + at * minute).toISOString(), seconds: minutes * 60 },
  ...(queue === undefined ? {} : { queue }),
  ...(first === undefined ? {} : { first: [first, chat.agents[0] ?? ''] as const }),
  turns: Object.fromEntries(chat.agents.map((agent, place) => [agent, [turns * 40 + place * 7, turns] as const])),
});

const local = (at: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', hourCycle: 'h23', dateStyle: undefined },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(begin + at * minute);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const weekday = 1 + ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(of('weekday'));
  return { weekday, hour: Number(of('hour')), day: `${of('year')}-${of('month')}-${of('day')}` };
};

/** Circumstances and outcomes of one chat with one agent, as a text to count by. */
function plain(chats: readonly Any[], ofGroup?: number): string[] {
  const quarter = 15;
  return chats.flatMap((chat) => {
    const { weekday, hour, day } = local(chat.at);
    if (day < range.from || day > range.to) return [];
    if (ofGroup !== undefined && !chat.groups.includes(ofGroup)) return [];
    const [low, high] = [Math.min(...chat.groups), Math.max(...chat.groups)];
    const group = chat.groups.length === 0 ? '0' : low === high ? String(low) : `${low}-${high}`;
    const from = Math.floor(chat.at / quarter) * quarter;
    const open = chats.filter(
      ({ at, minutes }) =>
        Math.floor(at / quarter) * quarter < from && Math.floor((at + minutes) / quarter) * quarter >= from,
    ).length;
    const load = open === 0 ? 0 : 1 + Math.floor(Math.log2(open));
    const wait =
      chat.queue === undefined ? -1 : [15, 30, 60, 120, 300].filter((from) => (chat.queue ?? 0) >= from).length;
    const index = chats.indexOf(chat);
    const earlier = chats.filter(
      ({ at, visitor }, other) => visitor === chat.visitor && (at < chat.at || (at === chat.at && other < index)),
    );
    const is_returning = chat.visitor !== '' && earlier.length > 0;
    return chat.agents.map((agent, place) => {
      const first = place === 0 && chat.first !== undefined ? Math.log(1 + chat.first) : null;
      const response = chat.turns > 0 ? Math.log(1 + (chat.turns * 40 + place * 7) / chat.turns) : null;
      const circumstances = { agent, group, weekday, hour, wait, load, is_returning };
      return JSON.stringify([circumstances, chat.rate, first?.toFixed(3) ?? null, response?.toFixed(3) ?? null, day]);
    });
  });
}

/** One cell of the columns, as `plain` tells of chats. */
function cellAt(logins: readonly string[], columns: AlikeChats, at: number) {
  const [low = 0, high = 0, hourOfWeek = 0] = [columns.firstGroup[at], columns.lastGroup[at], columns.hourOfWeek[at]];
  const measured = ({ count, sum }: OutcomeSums) => ({ count: count[at] ?? 0, sum: sum[at] ?? 0 });
  return {
    ...{ agent: logins[columns.agent[at] ?? -1], group: low === high ? String(low) : `${low}-${high}` },
    ...{ weekday: 1 + Math.floor(hourOfWeek / 24), hour: hourOfWeek % 24 },
    ...{ wait: columns.wait[at], load: columns.load[at], is_returning: columns.isReturning[at] === 1 },
    ...{ chats: columns.chats[at], good: columns.good[at], bad: columns.bad[at] },
    ...{ first: measured(columns.first), response: measured(columns.response) },
  };
}

/** `said`: texts of `plain`. */
function expectAlike({ agents: logins, cells: columns, days }: Awaited<ReturnType<typeof alikeChats>>, said: string[]) {
  const cells = [...columns.agent.keys()].map((at) => cellAt(logins, columns, at));
  const lines = said.map((line) => JSON.parse(line) as [object, string, string | null, string | null, string]);
  const byCell = Map.groupBy(lines, ([circumstances]) => JSON.stringify(circumstances));
  expect(cells.length).toBe(byCell.size);
  for (const { agent, group, weekday, hour, wait, load, is_returning, ...counted } of cells) {
    const own = byCell.get(JSON.stringify({ agent, group, weekday, hour, wait, load, is_returning })) ?? [];
    const numbers = own.flatMap(([, , first]) => (first === null ? [] : [Number(first)]));
    expect([counted.chats, counted.good, counted.bad, counted.first.count, counted.response.count]).toEqual([
      own.length,
      own.filter(([, rate]) => rate === 'rated_good').length,
      own.filter(([, rate]) => rate === 'rated_bad').length,
      numbers.length,
      own.filter(([, , , response]) => response !== null).length,
    ]);
    expect(counted.first.sum).toBeCloseTo(
      numbers.reduce((sum, it) => sum + it, 0),
      1,
    );
  }
  const byDay = new Set(
    lines.map(([circumstances, , , , day]) => `${(circumstances as { agent: string }).agent} ${day}`),
  );
  expect(days.agent.length).toBe(byDay.size);
  expect([...days.chats].reduce((sum, chats) => sum + chats, 0)).toBe(lines.length);
}

it('counts each chat once with each of its agents, in its own circumstances, of one group too, and the same of what is kept', async () => {
  await fc.assert(
    fc.asyncProperty(arrayOfAnyLength(anyChat, { minLength: 1, maxLength: 40 }), async (all) => {
      const chats = all.map((chat) => ({ ...chat, groups: chat.groups.length > 0 ? chat.groups : [0] }));
      const engine = await account(chats.map(chatOf), zone);
      try {
        const context = contextOf(engine, { ...later, zone });
        const asked = { ...range, timezone: zone, grain: 'total' };
        const ask = askOf(metricOf('total_chats'), asked, context);
        const ofGroup = askOf(metricOf('total_chats'), { ...asked, filters: { group: [7] } }, context);
        expectAlike(await alikeChats(ofGroup, context), plain(chats, 7));
        const found = await alikeChats(ask, context);
        expectAlike(found, plain(chats));
        await keepCounts(engine);
        expect(
          await alikeChats(ask, { ...context, snapshot: { ...context.snapshot, engine: frozen(engine) } }),
        ).toEqual(found);
      } finally {
        await engine.close();
      }
    }),
    { numRuns: tries(4, 15) },
  );
});
