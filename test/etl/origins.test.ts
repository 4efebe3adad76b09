// What is said of where columns come from is so: each field of a record is changed in turn, and exactly those columns are others.
import { describe, expect, test } from 'vitest';
import { lists, type ListId } from '#contract/account.ts';
import { archivedChat } from '#contract/archive.ts';
import { reportIds, reports } from '#contract/reports.ts';
import { decodeList } from '#etl/decode/account.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { decodeReport } from '#etl/decode/reports.ts';
import { origins, originOf } from '#warehouse/tables/origins.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { existsSync } from 'node:fs';

type Rows = Record<string, Record<string, unknown>[]>;
type Key = string | number;

/** Paths of the scalars of a record, also with the list that holds one. */
function* placesIn(value: unknown, path = '', at: Key[] = []): Generator<{ path: string; at: Key[] }> {
  if (Array.isArray(value)) {
    if (at.length > 0) yield { path: `${path}[]`, at };
    for (const [index, each] of value.entries())
      if (typeof each === 'object') yield* placesIn(each, `${path}[]`, [...at, index]);
  } else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value))
      yield* placesIn(each, path === '' ? key : `${path}.${key}`, [...at, key]);
  else yield { path, at };
}

const others: Record<string, readonly unknown[]> = {
  rate: ['rated_bad', 'not_rated'],
  engagement: ['manual_invite', 'auto_invite'],
  'events[].type': ['message', 'event', 'attachment'],
  'events[].user_type': ['agent', 'visitor', 'supervisor'],
  'goals[].type': ['sales_tracker', 'url'],
  'goals[].order.price': ['7.5'],
  status: ['offline', 'accepting chats'],
  permission: ['normal', 'owner'],
  type: ['url', 'api'],
  active: [0, 1, true, false],
};

function changesOf(path: string, value: unknown): readonly unknown[] {
  if (others[path]) return others[path];
  if (Array.isArray(value)) return [value.slice(1)];
  return typeof value === 'string' ? [`${value}x`] : typeof value === 'number' ? [value + 1, value + 5000] : [null];
}

function changed(record: object, at: readonly Key[], value: unknown): object {
  const copy = JSON.parse(JSON.stringify(record)) as Record<Key, unknown>;
  const holder = at.slice(0, -1).reduce<Record<Key, unknown>>((it, key) => it[key] as Record<Key, unknown>, copy);
  holder[at.at(-1) ?? ''] = value;
  return copy;
}

/** Paths by `table.column`, as changes show them. */
function found(records: readonly object[], decode: (record: object) => Rows): Map<string, Set<string>> {
  const map = new Map<string, Set<string>>();
  // Lines are in the order of their times, which every column of theirs would follow.
  const columnOf = (rows: Rows, table: string, column: string): string => {
    const values = (rows[table] ?? []).map((row) => JSON.stringify(row[column]));
    return (table === 'messages' ? values.sort() : values).join();
  };
  for (const record of records) {
    const before = decode(record);
    for (const { path, at } of placesIn(record)) {
      const value = at.reduce<unknown>((it, key) => (it as Record<Key, unknown>)[key], record);
      for (const other of changesOf(path, value)) {
        const after = tried(() => decode(changed(record, at, other)));
        for (const table of after ? Object.keys(before) : [])
          for (const column of Object.keys(before[table]?.[0] ?? {}))
            if (after && columnOf(before, table, column) !== columnOf(after, table, column))
              map.set(`${table}.${column}`, (map.get(`${table}.${column}`) ?? new Set()).add(path));
      }
    }
  }
  return map;
}

function tried<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A list that is shorter changes every column of its rows: it counts where nothing within it does. */
const telling = (paths: ReadonlySet<string>): string[] =>
  [...paths].filter((path) => ![...paths].some((other) => other.startsWith(`${path}.`))).sort();

const line = (timestamp: number, user_type: string, text: string, own: object = {}) => ({
  ...{ author_name: `name of ${user_type}`, text, date: '', timestamp, user_type, type: 'message', ...own },
});
const agent = (name: string) => ({ display_name: name, email: `${name}@example.com` });
const start = 1_780_000_000;
const chat = (own: object) => ({
  ...{
    type: 'chat',
    id: 'C1',
    agents: [agent('ann'), agent('bob')],
    supervisors: [],
    rate: 'rated_good',
    duration: 600,
  },
  visitor: {
    ...{ id: 'V1', name: 'Vera', ip: '10.0.0.1', city: 'Wien', country: 'Austria', country_code: 'AT' },
    ...{ timezone: 'Europe/Vienna', region: 'Wien' },
  },
  ...{ chat_start_url: 'https://example.com/', referrer: 'https://example.org/', group: [1, 2], started: '' },
  ...{ started_timestamp: start, ended_timestamp: start + 600, timezone: 'UTC', engagement: 'immediate_start' },
  prechat_survey: [{ key: 'What', value: 'this', id: 'q1' }],
  postchat_survey: [{ key: 'How', value: 'so', id: 'q2' }],
  custom_variables: [{ key: 'plan', value: 'gold' }],
  goals: [
    {
      ...{ id: 3, name: 'Sale', type: 'sales_tracker', timestamp: start + 700 },
      order: { id: 'O1', description: 'shoes', price: '12.50', currency: 'EUR' },
    },
  ],
  ...{ queue: { duration: 30 }, tags: ['sales', 'late'], messages: [] },
  events: [
    line(start, 'agent', 'Hello', { agent_id: 'ann@example.com' }),
    line(start + 10, 'visitor', 'A question'),
    line(start + 40, 'agent', 'An answer', { agent_id: 'ann@example.com' }),
    line(start + 50, 'visitor', 'Another', { type: 'attachment', files: ['https://example.com/a.png'] }),
    line(start + 90, 'agent', 'One more', { agent_id: 'bob@example.com' }),
    line(start + 600, 'agent', 'closed', { type: 'event', event_type: 'closed', agent_id: 'ann@example.com' }),
  ],
  ...own,
});
const answered = [
  line(start + 10, 'visitor', 'A question'),
  line(start + 40, 'agent', 'An answer', { agent_id: 'ann@example.com' }),
];
const chats = [
  chat({}),
  chat({ ended_timestamp: undefined, goals: [{ id: 3, name: 'Page', order: {} }], agents: [agent('ann')] }),
  chat({ events: answered }),
  chat({ events: [line(start, 'visitor', 'Hello'), line(start + 5, 'agent', 'Yes')], agents: [agent('ann')] }),
  chat({
    events: [
      ...answered,
      line(start + 50, 'agent', 'and', { agent_id: 'bob@example.com' }),
      line(start + 60, 'visitor', 'More'),
      line(start + 70, 'agent', 'All'),
    ],
  }),
  chat({ events: [line(start, 'visitor', 'Hello'), line(start + 5, 'agent', 'Yes', { author_name: 'bob' })] }),
];

/** Of rows, not of the source. */
const own = new Set([
  'account',
  'position',
  'source',
  'content_hash',
  'pull_id',
  'redaction',
  'is_removed',
  'pulled_at',
]);
const base = new Set(['chat_id', 'started_at', 'started_quarter', 'rate', 'queue_seconds', 'is_replied']);

test('columns of chats come from the fields that are named, and from no others', () => {
  const from = { account: 'a', pull_id: 'p', content_hash: 'h' };
  const shown = found(chats, (record) => decodeChat(archivedChat.parse(record), from) as unknown as Rows);
  const wrong = [...shown].flatMap(([name, paths]) => {
    const [table = '', column = ''] = name.split('.');
    const said = originOf(`facts.${table}`, column)?.fields ?? [];
    // What bridges repeat changes with the rows that they have, too.
    const isRepeated = table !== 'chats' && (base.has(column) || /^(first_)?response_seconds$/.test(column));
    const real = telling(paths).filter((path) => !isRepeated || said.includes(path));
    const all = [...said].sort();
    return own.has(column) || real.join() === all.join()
      ? []
      : [`${name}: ${real.join(' ')} instead of ${all.join(' ')}`];
  });
  expect(wrong).toEqual([]);
  expect(shown.size).toBeGreaterThan(75);
});

const listed: Record<ListId, object> = {
  agents: { login: 'ann@example.com', name: 'Ann', permission: 'owner', avatar: '', status: 'offline' },
  groups: { id: 1, name: 'Sales', language: 'en', status: 'offline', agents: ['ann@example.com'] },
  tags: {
    name: 'late',
    author: 'ann@example.com',
    creation_date: start,
    count: { inChats: 1, inTickets: 2 },
    group: 0,
  },
  goals: { id: 3, name: 'Sale', active: 1, type: 'url' },
  greetings: { id: 4, name: 'Hi', active: true, rules: [], properties: { active: '1', 'greeting-message_text': 'Hi' } },
  canned_responses: {
    ...{ id: 5, group: 0, text: 'Hi', tags: ['hi'], creation_date: start, created_by: 'ann@example.com' },
    modification_date: start,
  },
};

test.each(Object.entries(listed))('columns of the list %s come from the fields that are named', (id, record) => {
  const shown = found([record], (each) => {
    const { rows, misfits } = decodeList(id as ListId, [each]);
    if (misfits.length > 0) throw new Error(misfits[0]?.reason);
    return rows as Rows;
  });
  for (const [name, paths] of shown) {
    const [table = '', column = ''] = name.split('.');
    const said = originOf(`account.${table}`, column);
    const all = table === 'group_agents' ? [...paths] : telling(paths);
    if (!own.has(column))
      expect([name, said?.request, all]).toEqual([
        name,
        `GET ${lists[id as ListId].path}`,
        expect.arrayContaining([...(said?.fields ?? ['none'])]),
      ]);
    if (!own.has(column) && table !== 'group_agents') expect([name, ...all]).toEqual([name, ...(said?.fields ?? [])]);
  }
  expect(shown.size).toBeGreaterThan(2);
});

const seconds = { min: { seconds: 1 }, max: { seconds: 9 }, average: { seconds: 5 } };
const answers: Record<string, object | number> = {
  first_response_time: { first_response_time: { count: 2, seconds: 5 } },
  response_time: { avg_response_time: { count: 2, seconds: 5 } },
  queued_visitors: { queued: { count: 1 }, entered_chat: { count: 2 }, left_queue: { count: 3 } },
  waiting_times: {
    queued: { count: 1, ...seconds },
    entered_chat: { count: 2, ...seconds },
    left_queue: { count: 3, ...seconds },
  },
  engagement: { chats_from_auto_invite: 1, chats_from_manual_invite: 2, chats_from_immediate_start: 3 },
  ticket_sources: { tickets_from_chat_window: 1, tickets_from_mail: 2, tickets_from_chat: 3 },
  goals: { goals: 1, value: {} },
};
const plain = {
  ...{ chats: 3, not_replied: 1, good: 1, bad: 1, displayed: 3, accepted: 2, goals: 1, new_tickets: 4 },
  ...{ solved_tickets: 2, count: 2, hours: 0.5, minutes: 30 },
};

describe('reports', () => {
  test.each(reportIds.filter((id) => reports[id].keyed !== 'ranking' && id !== 'agents_occupancy'))(
    'columns of %s come from the fields that are named',
    (id) => {
      const asked = {
        account: 'a',
        timezone: 'UTC',
        grain: 'day',
        split: 'account',
        split_value: '',
        from: '2026-05-04',
        to: '2026-05-04',
      };
      const key = new Set(['sales_tracker', 'currency', 'period', 'day', ...Object.keys(asked)]);
      const decode = (each: object): Rows => ({
        [id]: decodeReport(id, { '2026-05-04': each }, asked as never).days.get('2026-05-04') ?? [],
      });
      const shown = found([(answers[id] ?? plain) as object], decode);
      for (const [name, paths] of shown) {
        const [, column = ''] = name.split('.');
        if (key.has(column) || (id === 'goals' && column !== 'goals')) continue;
        const said = originOf(`reports.${id}`, column);
        expect([name, said?.request]).toEqual([name, `GET /reports${reports[id].path.replace('/reports', '')}`]);
        expect([name, [...paths].filter((path) => !said?.fields.includes(path))]).toEqual([name, []]);
      }
      expect(shown.size).toBeGreaterThan(0);
    },
  );
});

test('what has an origin is a column, its decoder is a file, and each column of a pulled report or list has one', () => {
  const columns = new Map(tables.map(({ schema, name, columns: own_ }) => [`${schema}.${name}`, Object.keys(own_)]));
  for (const { tables: read, decoder } of origins) {
    expect([decoder, existsSync(decoder)]).toEqual([decoder, true]);
    for (const [table, fields] of Object.entries(read))
      expect([table, Object.keys(fields).filter((name) => !columns.get(table)?.includes(name))]).toEqual([table, []]);
  }
  for (const id of reportIds)
    expect([id, columns.get(`reports.${id}`)?.some((name) => originOf(`reports.${id}`, name) !== null)]).toEqual([
      id,
      true,
    ]);
});
