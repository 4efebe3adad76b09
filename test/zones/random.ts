// For random small accounts around switches of random zones, the service's report and the metric agree in every cell.
import fc from 'fast-check';
import { deepStrictEqual } from 'node:assert';
import { archivedChat } from '#contract/archive.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { addDays, dayOf, daysBetween } from '#etl/days.ts';
import type { ChatEvent, ChatRecord } from '#service/records.ts';
import { shownChat } from '#service/archive/show.ts';
import { zoneNamed } from '#service/zone.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { ann, bob, chat, tinyAccount } from '../livechat/service/tiny.ts';
import { pairs, type Pair } from './pairs.ts';
import { run } from '../warehouse/query-context.ts';

/** Zones and an instant near one of their switches: forth, back, by half an hour, at midnight, and zones that never switch. */
const switches = [
  ['Europe/Warsaw', '2026-03-29T01:00:00Z'],
  ['Europe/Warsaw', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z'],
  ['America/Havana', '2026-11-01T05:00:00Z'],
  ['Africa/Casablanca', '2018-06-14T02:00:00Z'],
  ['Asia/Kathmandu', '2026-06-15T18:15:00Z'],
  ['Asia/Kolkata', '2001-01-01T18:30:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['UTC', '2000-02-29T00:00:00Z'],
] as const;

const hour = 3600;
const agents = [
  { display_name: 'Ann', email: ann },
  { display_name: 'Bob', email: bob },
];

/** Lines of a chat: who writes, and how many seconds after the line before. */
const lineOf = fc.record({
  who: fc.constantFrom('visitor', 'ann', 'bob', 'supervisor', 'file', 'event'),
  after: fc.constantFrom(0, 1, 7, 59, 600, 2 * hour),
});

const chatOf = fc.record({
  /** Seconds from the switch. */
  start: fc.integer({ min: -40 * hour, max: 40 * hour }),
  tail: fc.constantFrom(0, 0, 30, 900, 3 * hour, 26 * hour),
  lines: fc.array(lineOf, { maxLength: 7 }),
  agents: fc.subarray(agents),
  groups: fc.subarray([0, 1, 2], { minLength: 1 }),
  tags: fc.subarray(['sales', 'Sales', 'vip']),
  rates: fc.array(fc.constantFrom('rated_good', 'rated_bad', 'rated', 'not_rated'), { maxLength: 2 }),
  queue: fc.constantFrom(null, 0, 1, 45, 4000),
  engagement: fc.constantFrom('auto_invite', 'manual_invite', 'immediate_start'),
  goals: fc.array(
    fc.record({
      is_sale: fc.boolean(),
      after: fc.integer({ min: 0, max: 30 * hour }),
      price: fc.constantFrom('10', '0', '49.50', 7.25, '', '-3'),
      currency: fc.constantFrom('USD', 'EUR', ''),
    }),
    { maxLength: 2 },
  ),
});
type Drawn = typeof chatOf extends fc.Arbitrary<infer T> ? T : never;

function recordOf(drawn: Drawn, around: number): ChatRecord {
  const started = around + drawn.start;
  let at = started;
  const events = drawn.lines.map((line): ChatEvent => {
    at += line.after;
    return eventOf(isListed(line.who, drawn) ? line.who : 'visitor', at);
  });
  const iso = (second: number): string => new Date(second * 1000).toISOString();
  return chat(iso(started), iso(at + drawn.tail), {
    ...{ events, agents: drawn.agents, groups: drawn.groups, engagement: drawn.engagement, queue_seconds: drawn.queue },
    tags: drawn.tags.map((tag) => ({ at: started, tag })),
    ratings: drawn.rates.map((rate, place) => ({ at: at + place, rate })),
    goals: drawn.goals.map(({ is_sale, after, price, currency }, place) => ({
      ...{ id: place + 71, name: 'goal', at: started + after, ...(is_sale ? { type: 'sales_tracker' as const } : {}) },
      order: { id: '', description: '', price, currency },
    })),
  });
}

/** Who writes as an agent is listed: an archive that leaves a writer out says nothing of whose chat it was. */
const isListed = (who: string, { agents }: Drawn): boolean =>
  (who !== 'ann' && who !== 'bob') || agents.some(({ email }) => email === (who === 'ann' ? ann : bob));

function eventOf(who: string, at: number): ChatEvent {
  const text = 'text';
  if (who === 'visitor') return { at, text, type: 'message', user_type: 'visitor', author_name: 'Mary' };
  if (who === 'event') return { at, text, type: 'event', user_type: 'visitor', event_type: 'moved' };
  if (who === 'supervisor')
    return { at, text, type: 'message', user_type: 'supervisor', author_name: 'Sue', agent_id: 'sue@example.com' };
  // A file of an agent carries no login: it is found by display name.
  if (who === 'file') return { at, text, type: 'attachment', user_type: 'agent', author_name: 'Bob', files: ['f'] };
  const [author_name, agent_id] = who === 'ann' ? ['Ann', ann] : ['Bob', bob];
  return { at, text, type: 'message', user_type: 'agent', author_name, agent_id };
}

/** The archive of these chats as the service shows it, decoded and loaded, with every day pulled. */
async function warehouseOf(
  chats: readonly ChatRecord[],
  zone: string,
  now: number,
  days: readonly string[],
): Promise<Store> {
  const engine = await openWarehouse(':memory:', { now });
  const provenance = { account: 'default', pull_id: 'p', content_hash: 'h' };
  const shown = chats.filter(({ ended }) => ended <= now).map((record) => shownChat(record, zoneNamed(zone), now));
  const decoded = shown.map((one) => decodeChat(archivedChat.parse(one), provenance));
  for (const name of [
    'chats',
    'messages',
    'chat_agents',
    'chat_turns',
    'chat_groups',
    'chat_tags',
    'chat_goals',
    'chat_surveys',
    'chat_variables',
  ] as const)
    await engine.load(
      tableOf('facts', name),
      decoded.flatMap((rows) => rows[name]),
    );
  const base = {
    account: 'default',
    timezone: zone,
    source: 'archive',
    grain: 'day',
    split: 'account',
    split_value: '',
  };
  const times = { pulled_at: now, first_pulled_at: now, changed_at: now };
  const row = (day: string): Row => ({ ...base, ...times, day, state: 'pulled', hash: '', rows: 0, pull_id: 'p' });
  await engine.load(tableOf('ledger', 'periods'), days.map(row));
  return engine;
}

const filters: Record<'group' | 'agent' | 'tag', readonly string[]> = {
  group: ['0', '2'],
  agent: [ann, bob],
  tag: ['sales', 'Sales'],
};

/** Draws `runs` accounts and compares them; returns the number of cells. @throws with the smallest account that differs. */
export async function agreeAtRandom(runs: number): Promise<number> {
  let cells = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...switches),
      fc.constantFrom('UTC', 'Europe/Warsaw', 'Asia/Kathmandu', 'America/St_Johns'),
      fc.array(chatOf, { minLength: 1, maxLength: 9 }),
      fc.constantFrom('group', 'agent', 'tag', null),
      async ([zone, instant], account_zone, drawn, filter) => {
        const around = Date.parse(instant) / 1000;
        const now = around + 90 * hour;
        const chats = drawn.map((one) => recordOf(one, around));
        const service = tinyAccount({ now: new Date(now * 1000).toISOString(), zone: account_zone, chats });
        const [from, to] = [addDays(dayOf(around, zone), -2), addDays(dayOf(around, zone), 2)];
        const since = addDays(from, -3);
        const engine = await warehouseOf(chats, account_zone, now, daysBetween(since, addDays(to, 3)));
        const where = { from, to, zone, account_zone, since, now };
        try {
          for (const pair of pairs) {
            const asked =
              filter && pair.takes.includes(filter) ? filters[filter].map((value) => ({ [filter]: value })) : [{}];
            for (const narrowed of asked)
              for (const grain of ['day', 'hour'] as const)
                cells += await agree(engine, service, pair, where, grain, narrowed);
          }
        } finally {
          await engine.close();
          service.account.store.close();
        }
      },
    ),
    { numRuns: runs },
  );
  return cells;
}

interface Where {
  from: string;
  to: string;
  zone: string;
  account_zone: string;
  /** First day that the account was pulled for. */
  since: string;
  now: number;
}

async function agree(
  engine: Store,
  service: ReturnType<typeof tinyAccount>,
  pair: Pair,
  { from, to, zone, account_zone, since, now }: Where,
  grain: 'day' | 'hour',
  filter: Record<string, string>,
): Promise<number> {
  const question = { from, to, grain, timezone: zone, ...filter, ...(pair.split ? { split: pair.split } : {}) };
  const { rows } = await run(engine, pair.metric, question, { account: 'default', zone: account_zone, since, now });
  const ours = Map.groupBy(rows, (row) => String(row.period));
  const ranges = grain === 'day' ? [[from, to]] : daysBetween(from, to).map((day) => [day, day]);
  let cells = 0;
  for (const [date_from = '', date_to = ''] of ranges) {
    const query = new URLSearchParams({
      date_from,
      date_to,
      timezone: zone,
      group_by: grain,
      ...filter,
      ...pair.query,
    });
    const theirs = (await service.ask(pair.report, query.toString())) as Record<string, never>;
    for (const [label, each] of Object.entries(theirs)) {
      const period = grain === 'day' ? label : `${date_from} ${label}`;
      const where = `${pair.metric} ${period} ${zone} ${JSON.stringify(filter)}`;
      deepStrictEqual([where, pair.ours(ours.get(period) ?? [])], [where, pair.theirs(each)]);
      cells += 1;
    }
  }
  return cells;
}
