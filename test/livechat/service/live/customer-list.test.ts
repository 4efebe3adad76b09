// Pages of customers in every order and with every filter, against a plain loop over customers and their chats.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { customerOrders, type CustomerFilters } from '#contract/agent-chat/customers.ts';
import { listCustomers } from '#service/agent-chat/customers.ts';
import type { ServiceAccount } from '#service/account.ts';
import { newCustomer } from '#service/live/customers.ts';
import { chatIdOf, customerId, momentOf, secondOf } from '#service/names.ts';
import type { CustomerRecord } from '#service/live-tables.ts';
import { openEnded, type ChatRecord } from '#service/records.ts';
import { tries } from '../../../chance.ts';
import { ann, at, chat, lines, tinyAccount } from '../tiny.ts';

const now = at('2026-05-06T12:00:00Z');
const visitors = ['S1', 'S2', 'S3', 'S4', 'S5'];
/** Two of them have one digest. */
const names = fc.constantFrom('Ann', 'costarring', 'liquid', '');
const minutes = fc.integer({ min: -9, max: 3 });

/** A chat of the simulation, by minutes from now: it may be going on, or lie ahead. */
const planned = fc.record({
  visitor: fc.constantFrom(...visitors),
  started: minutes,
  codes: fc.array(fc.constantFrom('v0', 'v200', 'a0', 'a60', 'a400'), { maxLength: 3 }),
  groups: fc.constantFrom<number[]>([1], [2], [1, 2]),
  name: names,
  country: fc.constantFrom('Poland', 'Peru'),
});
type Planned = typeof planned extends fc.Arbitrary<infer P> ? P : never;

function chatOf({ visitor, started, codes, groups, name, country }: Planned): ChatRecord {
  const from = momentOf(now + 60 * started);
  const record = chat(from, momentOf(now + 60 * started + 420), { events: lines(from, ...codes), groups });
  const country_code = country.slice(0, 2).toUpperCase();
  return {
    ...record,
    visitor: { ...record.visitor, id: visitor, name, email: `${name}@example.com`, country, country_code },
  };
}

const kinds = ['lte', 'lt', 'gte', 'gt', 'eq'] as const;
const range = <T>(value: fc.Arbitrary<T>) =>
  fc.tuple(fc.constantFrom(...kinds), value).map(([kind, asked]) => ({ [kind]: asked }));
const text = (...values: string[]) =>
  fc
    .tuple(fc.constantFrom('values', 'exclude_values'), fc.subarray(values, { minLength: 1 }))
    .map(([kind, asked]) => ({ [kind]: asked }));
const moment = minutes.map((minute) => momentOf(now + 60 * minute));
const filters = {
  name: text('Ann', 'costarring', 'liquid', ''),
  email: text('Ann@example.com', 'ann@example.com', ''),
  country: text('Poland', 'PE'),
  customer_id: text(...visitors.map(customerId), 'nobody'),
  chat_group_ids: fc
    .tuple(fc.constantFrom('values', 'exclude_values'), fc.subarray([1, 2, 3]))
    .map(([kind, asked]) => ({ [kind]: asked })),
  chats_count: range(fc.nat(1)),
  threads_count: range(fc.nat(3)),
  visits_count: range(fc.nat(3)),
  created_at: range(moment),
  agent_last_event_created_at: range(moment),
  customer_last_event_created_at: range(moment),
  include_customers_without_chats: fc.boolean(),
};
const several = fc.record(filters, { requiredKeys: [] }) as fc.Arbitrary<CustomerFilters>;
const one = fc
  .constantFrom(...Object.entries(filters))
  .chain(([name, filter]) => (filter as fc.Arbitrary<unknown>).map((asked): CustomerFilters => ({ [name]: asked })));

interface Asked {
  filters: CustomerFilters;
  sort_by: (typeof customerOrders)[number];
  sort_order: 'asc' | 'desc';
  limit: number;
}

const asking: fc.Arbitrary<Asked> = fc.record({
  filters: fc.oneof(fc.constant<CustomerFilters>({}), one, one, several),
  sort_by: fc.constantFrom(...customerOrders),
  sort_order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 4 }),
});

/** What a loop finds, in order. */
function looped(account: ServiceAccount, all: readonly CustomerRecord[], asked: Asked): string[] {
  const { filters: given, sort_by, sort_order } = asked;
  const known = all
    .filter(({ created }) => created <= now)
    .map((customer) => {
      const chats = [...account.chats].filter(({ id, started }) => {
        const record = account.store.body(account.store.live.numberOf(id)!);
        return record.visitor.id === customer.visitor_id && started <= now;
      });
      const records = chats.map(({ number }) => account.store.body(number));
      const last = (user_type: string): number | null => {
        const instants = records.flatMap(({ events }) => {
          const own = events.filter((event) => event.user_type === user_type).map((event) => event.at);
          const latest = Math.max(...own);
          return own.length > 0 && latest <= now ? [latest] : [];
        });
        return instants.length > 0 ? Math.max(...instants) : null;
      };
      const has_chat = records.length > 0 || account.store.live.uncountedOfChat(customer.chat_id).length > 0;
      const groups = records.flatMap((record) => record.groups);
      return {
        customer,
        groups,
        threads: records.length,
        chats: Number(has_chat),
        agent: last('agent'),
        guest: last('visitor'),
      };
    });
  const found = known.filter(({ customer, groups, threads, chats, agent, guest }) => {
    const { name = '', email = '', country, country_code, created } = customer;
    const isDated = (asked_range: Record<string, string> | undefined, own: number | null): boolean =>
      isIn(
        asked_range && Object.fromEntries(Object.entries(asked_range).map(([kind, each]) => [kind, secondOf(each)])),
        own,
      );
    return (
      (given.include_customers_without_chats !== false || chats === 1) &&
      isAmong(given.name, [name]) &&
      isAmong(given.email, [email]) &&
      isAmong(given.customer_id, [customer.id]) &&
      isAmong(given.country, [country, country_code]) &&
      isAmong(given.chat_group_ids, groups) &&
      isIn(given.chats_count as never, chats) &&
      isIn(given.threads_count as never, threads) &&
      isIn(given.visits_count as never, threads) &&
      isDated(given.created_at as never, created) &&
      isDated(given.agent_last_event_created_at as never, agent) &&
      isDated(given.customer_last_event_created_at as never, guest)
    );
  });
  const valueOf = ({ threads, agent, guest }: (typeof found)[number]): number => {
    if (sort_by === 'created_at') return 0;
    if (sort_by === 'agent_last_event') return agent ?? 0;
    return sort_by === 'customer_last_event' ? (guest ?? 0) : threads;
  };
  found.sort(
    (a, b) =>
      valueOf(a) - valueOf(b) || a.customer.created - b.customer.created || (a.customer.id < b.customer.id ? -1 : 1),
  );
  if (sort_order === 'desc') found.reverse();
  return found.map(({ customer }) => customer.id);
}

function isAmong<V>(
  filter: { values?: V[] | undefined; exclude_values?: V[] | undefined } | undefined,
  own: V[],
): boolean {
  const { values, exclude_values } = filter ?? {};
  return (!values || own.some((each) => values.includes(each))) && !own.some((each) => exclude_values?.includes(each));
}

function isIn(asked: Record<string, number> | undefined, own: number | null): boolean {
  return Object.entries(asked ?? {}).every(([kind, value]) => {
    if (own === null) return false;
    const is_met = { lte: own <= value, lt: own < value, gte: own >= value, gt: own > value, eq: own === value };
    return is_met[kind as (typeof kinds)[number]];
  });
}

it('the list of customers is that of a loop over all, page by page forth and back', async () => {
  const born = fc.array(fc.record({ minute: minutes, name: names, is_waiting: fc.boolean() }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(planned, { maxLength: 10 }),
      born,
      fc.array(asking, { minLength: 3, maxLength: 8 }),
      async (plans, made, asks) => {
        const { account } = tinyAccount({ now: momentOf(now), chats: plans.map(chatOf) });
        const { store } = account;
        const new_ones = made.map(({ minute, name, is_waiting }) => {
          const customer = newCustomer(store, now + 60 * Math.min(0, minute), name === '' ? {} : { name });
          if (is_waiting) {
            const record = { ...chat(momentOf(now), momentOf(now)), ended: openEnded };
            store.live.putUncounted({
              id: record.id,
              chat_id: customer.chat_id,
              state: 'queued',
              created: now,
              record,
            });
          }
          return customer;
        });
        const all = [...visitors.flatMap((id) => store.live.customerByChat(chatIdOf(id)) ?? []), ...new_ones];
        for (const asked of asks) {
          const expected = looped(account, all, asked);
          const page = async (args: Parameters<typeof listCustomers>[0]['args']) => {
            const answer = await listCustomers({
              ...{ account, args, now, origin: '' },
              caller: { agent: ann, scopes: ['*'] },
              author: { id: ann, type: 'agent', name: 'Ann' },
            });
            return { ...answer, ids: answer.customers.map(({ id }) => id) };
          };
          const pages = [await page(asked)];
          while (pages.at(-1)!.next_page_id) pages.push(await page({ page_id: pages.at(-1)!.next_page_id }));
          expect(pages.flatMap(({ ids }) => ids)).toEqual(expected);
          for (const { ids } of pages.slice(0, -1)) expect(ids).toHaveLength(asked.limit);
          for (const { total_customers } of pages) expect(total_customers).toBe(expected.length);
          for (const [place, { previous_page_id }] of pages.entries())
            expect(previous_page_id && (await page({ page_id: previous_page_id })).ids).toEqual(pages[place - 1]?.ids);
        }
        store.close();
      },
    ),
    { numRuns: tries(100, 2000) },
  );
});
