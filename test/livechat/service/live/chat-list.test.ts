// The list of chats against a plain loop over all threads, whatever was written, changed and begun meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PropertiesFilter } from '#contract/list-archives.ts';
import type { PropertyValues } from '#contract/properties.ts';
import { listChats } from '#service/agent-chat/chats.ts';
import type { ServiceAccount } from '#service/account.ts';
import { findChat, isActive, latestKey, newChatState, threadNamed } from '#service/live/threads.ts';
import { chatIdOf } from '#service/names.ts';
import { openEnded, type ChatRecord } from '#service/records.ts';
import { openStore } from '#service/store.ts';
import { chatProperties } from '#service/threads/show.ts';
import { tries } from '../../../chance.ts';
import { ann, at, bob, chat, tinyAccount } from '../tiny.ts';

const noon = '2026-05-06T12:00:00Z';
const visitors = ['S1', 'S2', 'S3', 'S4'];
const visitor = fc.constantFrom(...visitors);
const groups = fc.constantFrom<number[]>([1], [2], [1, 2], [2, 1]);
const seconds = fc.integer({ min: 0, max: 5 });

/** How a thread began. */
interface Origin {
  engagement: ChatRecord['engagement'];
  client_id: string | undefined;
}
const origin = {
  engagement: fc.constantFrom('immediate_start' as const, 'manual_invite' as const),
  client_id: fc.constantFrom(undefined, 'agent-application', 'mine'),
};
const color = fc.constantFrom('red', 'blue');
const ownProperties = fc.constantFrom<PropertyValues>(
  {},
  { shop: { color: 'red' } },
  { shop: { color: 'blue', size: 2 } },
);

type Step =
  | { do: 'wait'; for: number }
  | ({ do: 'plan'; visitor: string; groups: number[]; after: number; for: number } & Origin)
  | ({ do: 'queue'; visitor: string; groups: number[] } & Origin)
  | { do: 'serve' | 'end' | 'touch'; visitor: string }
  | { do: 'own'; visitor: string; groups: number[] | null }
  | { do: 'set'; visitor: string; properties: PropertyValues; is_continuous: boolean }
  | { do: 'among agents'; id: string; groups: number[]; for: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), for: seconds }),
  fc.record({ do: fc.constant('plan' as const), visitor, groups, after: seconds, for: seconds, ...origin }),
  fc.record({ do: fc.constant('queue' as const), visitor, groups, ...origin }),
  fc.record({ do: fc.constantFrom('serve' as const, 'end' as const, 'touch' as const), visitor }),
  fc.record({ do: fc.constant('own' as const), visitor, groups: fc.option(groups) }),
  fc.record({ do: fc.constant('set' as const), visitor, properties: ownProperties, is_continuous: fc.boolean() }),
  fc.record({
    do: fc.constant('among agents' as const),
    id: fc.constantFrom('AGENTS0001', 'AGENTS0002'),
    groups,
    for: seconds,
  }),
);

type World = ReturnType<typeof tinyAccount>;

function take({ account, clock }: World, each: Step): void {
  const { store } = account;
  const now = clock.now;
  if (each.do === 'wait') {
    clock.now += each.for;
    return;
  }
  if (each.do === 'among agents') {
    const record = begun('', each.groups, now, now + each.for);
    const thread = { id: record.id, chat_id: each.id, state: 'without customer' as const, created: now, record };
    store.live.putChatState(newChatState(each.id, null));
    store.live.putUncounted(thread);
    return;
  }
  const chat_id = chatIdOf(each.visitor);
  const known = findChat(account, chat_id);
  const last = known && latestKey(account, known);
  const thread = last && threadNamed(account, known, last.id);
  if (each.do === 'plan') {
    store.addChat(begun(each.visitor, each.groups, now + each.after, now + each.after + each.for, each));
  } else if (each.do === 'queue' && thread && !isActive(thread, now)) {
    const record = begun(each.visitor, each.groups, now, openEnded, each);
    store.live.putUncounted({ id: record.id, chat_id, state: 'queued', created: now, record });
  } else if (each.do === 'own' && known) {
    store.live.putChatState({ ...known.state, groups: each.groups });
  } else if (each.do === 'set' && known) {
    const { properties, is_continuous } = each;
    store.live.putChatState({ ...known.state, properties, is_continuous });
  } else if (each.do === 'serve' && thread?.state === 'queued') {
    store.addChat({ ...thread.record, started: now });
    store.live.dropUncounted(thread.record.id);
  } else if (each.do === 'end' && thread?.state === 'queued') {
    const record = { ...thread.record, ended: now };
    store.live.putUncounted({ id: record.id, chat_id, state: 'left', created: thread.created, record });
  } else if ((each.do === 'end' || each.do === 'touch') && thread?.number !== undefined) {
    const touched = { groups: [2], engagement: 'auto_invite' as const };
    const change = each.do === 'end' ? { ended: now } : { ...touched, ended: isActive(thread, now) ? openEnded : now };
    store.changeChat(thread.number, { ...thread.record, ...change });
  }
}

function begun(
  id: string,
  own: number[],
  started: number,
  ended: number,
  { engagement, client_id }: Origin = { engagement: 'immediate_start', client_id: undefined },
): ChatRecord {
  const record = chat(noon, noon);
  const nothing = { members: [], properties: {}, event_properties: {}, last_event: 0, active_at: started };
  const live = client_id !== undefined && { live: { ...nothing, chat_id: chatIdOf(id), client_id } };
  return { ...record, ...live, visitor: { ...record.visitor, id }, groups: own, started, ended, engagement };
}

interface Asked {
  login: string;
  group_ids: number[] | undefined;
  include_active: boolean;
  properties: PropertiesFilter | undefined;
  sort_order: 'asc' | 'desc';
  limit: number;
}

/** Every chat that fits, found by a loop. */
function looped(
  account: ServiceAccount,
  { login, group_ids, include_active, properties, sort_order }: Asked,
): string[] {
  const now = account.now();
  const ids = [...visitors.map((each) => chatIdOf(each)), 'AGENTS0001', 'AGENTS0002'];
  const found = ids.flatMap((id) => {
    const known = findChat(account, id);
    const last = known && latestKey(account, known);
    if (!last) return [];
    const thread = threadNamed(account, known, last.id);
    const own = known.state.groups ?? thread.record.groups;
    const is_seen = login === bob || own.includes(1);
    const is_asked = !group_ids || own.some((group) => group_ids.includes(group));
    const fits = !properties || hasAll(chatProperties(thread.record, known.state), properties);
    return fits && is_seen && is_asked && (include_active || !isActive(thread, now))
      ? { id, created: last.created }
      : [];
  });
  found.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  if (sort_order === 'desc') found.reverse();
  return found.map(({ id }) => id);
}

const hasAll = (own: Record<string, Record<string, unknown>>, asked: PropertiesFilter): boolean =>
  Object.entries(asked).every(([namespace, names]) =>
    Object.entries(names).every(([name, { exists, values, exclude_values }]) => {
      const value = own[namespace]?.[name];
      if (exists !== undefined) return (value !== undefined) === exists;
      if (exclude_values) return !exclude_values.includes(value as string);
      return values === undefined || values.includes(value as string);
    }),
  );

function page(account: ServiceAccount, login: string, args: Parameters<typeof listChats>[0]['args']) {
  const answer = listChats({
    ...{ account, args, now: account.now(), origin: '' },
    caller: { agent: login, scopes: ['chats--access:rw'] },
    author: { id: login, type: 'agent', name: login },
  });
  if (answer instanceof Promise) throw new Error('the list waits for nothing');
  return answer;
}

const asking: fc.Arbitrary<Asked> = fc.record({
  login: fc.constantFrom(ann, bob),
  group_ids: fc.constantFrom(undefined, [1], [2], [1, 2], [3]),
  include_active: fc.boolean(),
  properties: fc.option(
    fc.oneof(
      fc.record({ shop: fc.record({ color: fc.record({ values: fc.array(color) }) }) }),
      fc.record({ shop: fc.record({ size: fc.record({ exists: fc.boolean() }) }) }),
      fc.record({ source: fc.record({ client_id: fc.record({ exclude_values: fc.constant<string[]>(['mine']) }) }) }),
      fc.record({ routing: fc.record({ continuous: fc.record({ values: fc.constant<boolean[]>([true]) }) }) }),
      fc.constant<PropertiesFilter>({
        source: { customer_client_id: { values: ['customer-widget'] } },
        shop: { color: { exists: false } },
      }),
    ),
    { nil: undefined },
  ),
  sort_order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 4 }),
});

it('the list of chats is that of a loop over all threads, page by page forth and back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(step, fc.option(asking)), { minLength: 5, maxLength: 40 }),
      asking,
      (steps, at_last) => {
        const world = tinyAccount({ now: noon });
        for (const [each, asked] of [...steps, [{ do: 'wait', for: 1 }, at_last] as const]) {
          take(world, each);
          if (asked) demandSame(world.account, asked);
        }
        world.account.store.close();
      },
    ),
    { numRuns: tries(150, 3000) },
  );
});

function demandSame(account: ServiceAccount, asked: Asked): void {
  const expected = looped(account, asked);
  const { login, group_ids, include_active, properties, sort_order, limit } = asked;
  const filters = { include_active, ...(group_ids && { group_ids }), ...(properties && { properties }) };
  const pages = [page(account, login, { filters, sort_order, limit })];
  while (pages.at(-1)!.next_page_id) pages.push(page(account, login, { page_id: pages.at(-1)!.next_page_id }));
  const shown = pages.map(({ chats_summary }) => chats_summary.map(({ id }) => id));
  expect(shown.flat()).toEqual(expected);
  for (const each of shown.slice(0, -1)) expect(each).toHaveLength(limit);
  for (const { found_chats } of pages) expect(found_chats).toBe(expected.length);
  expect(pages[0]!.previous_page_id).toBeUndefined();
  for (let place = pages.length - 1; place > 0; place--) {
    const back = page(account, login, { page_id: pages[place]!.previous_page_id });
    expect(back.chats_summary.map(({ id }) => id)).toEqual(shown[place - 1]);
  }
}

it('many kinds are read as few are', () => {
  const many = Array.from({ length: 60 }, (_, index) => `[[1],["",null],[false,{"shop":{"size":${index}}}]]`);
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), asking, (steps, { sort_order, limit }) => {
      const world = tinyAccount({ now: noon });
      for (const each of steps) take(world, each);
      const { chatList } = world.account.store;
      chatList.upTo(world.clock.now);
      const few = [...chatList.kinds().keys()].filter((_, index) => index % 2 === 0);
      const options = { order: sort_order, count: limit };
      expect(chatList.readKinds(new Set([...few, ...many]), options)).toEqual(
        chatList.readKinds(new Set(few), options),
      );
      world.account.store.close();
    }),
    { numRuns: tries(100, 2000) },
  );
});

it('a file of an older version gets the list when it is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const file = join(folder, 'service.sqlite');
  const written = openStore(file);
  for (const id of visitors) written.addChat(begun(id, [1], at(noon), at(noon) + 60));
  written.live.putChatState({ ...newChatState(chatIdOf('S1'), 'S1'), groups: [2] });
  written.addChat(begun('S5', [3], at(noon), at(noon) + 60, { engagement: 'manual_invite', client_id: 'mine' }));
  const record = begun('', [1], at(noon), openEnded);
  written.live.putUncounted({ ...record, chat_id: 'AGENTS0001', state: 'without customer', created: at(noon), record });
  written.close();
  const older = new DatabaseSync(file);
  const made = older.prepare(
    "select type, name from sqlite_schema where sql like '%list%' and type in ('trigger', 'table')",
  );
  for (const { type, name } of made.all()) older.exec(`drop ${String(type)} if exists ${String(name)}`);
  older.exec('drop table chat_groups; drop table chat_kinds; drop view threads_of_chats');
  older.exec("update chats set light = json_remove(light, '$.client_id')");
  older.close();
  const store = openStore(file);
  store.chatList.upTo(at(noon));
  expect(store.chatList.counts()).toEqual(
    new Map([
      ['[1]', 4],
      ['[2]', 1],
      ['[3]', 1],
    ]),
  );
  expect([...store.chatList.kinds()]).toContainEqual(['[[3],["manual_invite","mine"],[false,{}]]', 1]);
  expect(store.chatList.counts(at(noon) + 60)).toEqual(new Map([['[1]', 1]]));
  store.close();
  rmSync(folder, { recursive: true });
});

it('a file whose list was written with every change of a chat is written with changes of its place only, once it is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const file = join(folder, 'service.sqlite');
  openStore(file).close();
  const older = new DatabaseSync(file);
  const written = () => older.prepare("select sql from sqlite_schema where name = 'chat_changes_in_list'").get()?.sql;
  const now_written = written();
  older.exec(`drop trigger chat_changes_in_list; drop index chat_list_by_time;
    create trigger chat_changes_in_list after update of light on chats begin select 1; end`);
  openStore(file).close();
  expect(written()).toBe(now_written);
  older.close();
  rmSync(folder, { recursive: true });
});
