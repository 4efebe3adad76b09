// Threads, groups and last lines of customers as they are kept, against a loop over all chats, whatever was written while the clock went on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newCustomer } from '#service/live/customers.ts';
import { momentOf } from '#service/names.ts';
import type { ChatRecord } from '#service/records.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { tries } from '../../../chance.ts';
import { at, chat, lines } from '../tiny.ts';

const noon = at('2026-05-06T12:00:00Z');
const minutes = fc.integer({ min: -5, max: 5 });
const codes = fc.array(fc.constantFrom('v0', 'v60', 'v200', 'a0', 'a100', 'a400'), { maxLength: 3 });
const groups = fc.subarray([1, 2, 10], { minLength: 1 });
const visitors = ['S1', 'S2', 'S3'];
const step = fc.oneof(
  fc.record({
    do: fc.constant('rename' as const),
    visitor: fc.constantFrom(...visitors),
    name: fc.constantFrom('Ann', ''),
  }),
  fc.record({ do: fc.constant('queue' as const), visitor: fc.constantFrom(...visitors), is_over: fc.boolean() }),
  fc.record({ do: fc.constant('undo' as const), visitor: fc.constantFrom(...visitors), minute: minutes }),
  fc.record({ do: fc.constant('wait' as const), for: fc.nat(300) }),
  fc.record({ do: fc.constant('list' as const) }),
  fc.record({
    do: fc.constant('add' as const),
    visitor: fc.constantFrom(...visitors),
    minute: minutes,
    codes,
    groups,
  }),
  fc.record({ do: fc.constant('change' as const), which: fc.nat(20), minute: minutes, codes, groups }),
);

function chatOf(visitor: string, started: number, said: readonly string[], of_groups = [1]): ChatRecord {
  const from = momentOf(started);
  const record = chat(from, momentOf(started + 420), { events: lines(from, ...said), groups: of_groups });
  return { ...record, visitor: { ...record.visitor, id: visitor } };
}

const kept = ({ live }: ChatStore): unknown[] =>
  live.rows('select visitor_id, threads, groups, agent_last, customer_last from customers order by visitor_id');

/** The columns in memory, and the same of the rows of the file, by creation. */
function demandSameColumns({ live, customers }: ChatStore): void {
  customers.upToFile();
  const { agent_last, customer_last } = customers.columns.of;
  const places = Array.from({ length: customers.columns.length }, (_, place) => place);
  const anns = new Set(customers.ofTexts('name', ['Ann'], true, Uint32Array.from(places)));
  const others = customers.ofTexts('name', ['Ann'], false, Uint32Array.from(places));
  expect([...others]).toEqual(places.filter((place) => !anns.has(place)));
  const rows = live.rows('select * from customers order by created, id') as Record<string, string | number>[];
  expect(
    places.map((place) => [customers.idAt(place), agent_last[place], customer_last[place], anns.has(place)]),
  ).toEqual(rows.map((row) => [row.id, row.agent_last, row.customer_last, row.name === 'Ann']));
  expect(places.map((place) => customers.kinds[customers.columns.of.kind[place]!])).toEqual(
    rows.map(({ country, country_code, groups: held, threads, chat_id }) => ({
      ...{ country, country_code, groups: JSON.parse(String(held)) as unknown, threads },
      has_chat: Number(threads) > 0 || live.uncountedOfChat(String(chat_id)).length > 0,
    })),
  );
}

function looped(records: readonly ChatRecord[], now: number): unknown[] {
  const visitors = [...new Set(records.map(({ visitor }) => visitor.id))].sort();
  return visitors.map((visitor_id) => {
    const own = records.filter(({ visitor, started }) => visitor.id === visitor_id && started <= now);
    const last = (user_type: string): number =>
      Math.max(
        0,
        ...own
          .map(({ events }) => Math.max(0, ...events.filter((each) => each.user_type === user_type).map((e) => e.at)))
          .filter((instant) => instant <= now),
      );
    const groups_of = [...new Set(own.flatMap((record) => record.groups))].sort((a, b) => a - b);
    return {
      visitor_id,
      threads: own.length,
      groups: JSON.stringify(groups_of),
      agent_last: last('agent'),
      customer_last: last('visitor'),
    };
  });
}

it('threads, groups and last lines are those of a loop over all chats', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = openStore(':memory:');
      const written: { number: number; record: ChatRecord }[] = [];
      let now = noon;
      const demandSame = (): void => {
        store.customerActivity.upTo(now);
        expect(kept(store)).toEqual(
          looped(
            written.map(({ record }) => record),
            now,
          ),
        );
        demandSameColumns(store);
      };
      for (const each of steps) {
        if (each.do === 'wait') now += each.for;
        else if (each.do === 'list') demandSame();
        else if (each.do === 'rename' || each.do === 'queue') {
          const customer = store.live.customerByVisitor(each.visitor);
          if (!customer) continue;
          const { chat_id } = customer;
          if (each.do === 'rename') store.live.putCustomer({ ...customer, name: each.name });
          else if (each.is_over) store.live.dropUncounted(`Q${chat_id}`);
          else {
            const record = chatOf(each.visitor, now, []);
            store.live.putUncounted({ id: `Q${chat_id}`, chat_id, state: 'queued', created: now, record });
          }
        } else if (each.do === 'undo') {
          const action = (): void => {
            store.addChat(chatOf(each.visitor, now + 60 * each.minute, []));
            throw new Error('undone');
          };
          expect(() => store.transact(action)).toThrow('undone');
        } else if (each.do === 'add') {
          const record = chatOf(each.visitor, now + 60 * each.minute, each.codes, each.groups);
          written.push({ number: store.addChat(record).number, record });
        } else if (written.length > 0) {
          const one = written[each.which % written.length]!;
          const { id, visitor } = one.record;
          one.record = { ...chatOf(visitor.id, now + 60 * each.minute, each.codes, each.groups), id };
          store.changeChat(one.number, one.record);
        }
      }
      demandSame();
      store.close();
    }),
    { numRuns: tries(200, 4000) },
  );
});

it('a file of an older version gets them when it is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const file = join(folder, 'service.sqlite');
  const written = openStore(file);
  const records = [chatOf('S1', noon - 600, ['v0', 'a60']), chatOf('S1', noon, ['v0']), chatOf('S2', noon + 60, [])];
  for (const each of records) written.addChat(each);
  written.close();
  const older = new DatabaseSync(file);
  older.exec('drop index customers_due; drop trigger customer_has_chat; drop trigger customer_chat_changes');
  for (const name of ['threads', 'agent_last', 'customer_last', 'due', 'groups'])
    older.exec(`alter table customers drop column ${name}`);
  older.close();
  const store = openStore(file);
  store.customerActivity.upTo(noon);
  expect(kept(store)).toEqual(looped(records, noon));
  store.close();
  rmSync(folder, { recursive: true });
});

it('customers whom another process makes are there too, also those made earlier than the last', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const file = join(folder, 'service.sqlite');
  const [store, other] = [openStore(file), openStore(file)];
  store.addChat(chatOf('S1', noon, ['v0']));
  store.customerActivity.upTo(noon);
  demandSameColumns(store);
  for (const [name, created] of [
    ['Ann', noon],
    ['Bob', noon + 60],
    ['Ann', noon - 86_400],
  ] as const) {
    newCustomer(other, created, { name });
    demandSameColumns(store);
    newCustomer(store, created, { name });
    newCustomer(other, created, { name });
    demandSameColumns(store);
  }
  store.close();
  other.close();
  rmSync(folder, { recursive: true });
});
