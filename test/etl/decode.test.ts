// Records and answers in odd forms: what is safe to read is read, what is not is told with its reason and hides nothing else.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { archivedChat } from '#contract/archive.ts';
import { decodeList } from '#etl/decode/account.ts';
import { decodeRecord } from '#etl/decode/record.ts';
import { decodeReport } from '#etl/decode/reports.ts';
import type { ReportScope } from '#etl/unit.ts';
import { fits } from '#etl/decode/shape.ts';
import { boundsOf } from '#etl/days.ts';
import { misfitIn, named } from '#etl/decode/coerce.ts';
import { archivedChatOf } from '../../bench/pages.ts';
import { at } from './pulled.ts';

const started = at('2026-05-04T10:00:00Z');
const bounds = boundsOf('2026-05-04', 'UTC');
const from = { account: 'default', pull_id: 'p', content_hash: 'h' };
const good = (): Record<string, unknown> =>
  structuredClone(archivedChatOf(6, started)) as unknown as Record<string, unknown>;
const decoded = (own: Record<string, unknown>): ReturnType<typeof decodeRecord> =>
  decodeRecord(JSON.parse(JSON.stringify({ ...good(), ...own })), from, bounds);
const whole = decodeRecord(good(), from, bounds);
if (typeof whole === 'string') throw new Error(whole);

describe('a chat', () => {
  test.each<[string, Record<string, unknown>]>([
    ['seconds as text', { started_timestamp: String(started), duration: '60' }],
    ['parts of a second', { started_timestamp: started + 0.25 }],
    ['groups as text', { group: ['6'] }],
    ['one group without a list', { group: 6 }],
    [
      'null where a field may be missing',
      { goals: null, queue: good().queue, referrer: good().referrer, custom_variables: null },
    ],
    ['no supervisors', { supervisors: undefined }],
    [
      'supervisors and variables in another shape',
      { supervisors: 'none', custom_variables: 7, integration_variables: {} },
    ],
    ['no messages beside its events', { messages: undefined }],
    ['unknown fields', { added_later: { deep: [1] } }],
    ['no date in words', { started: undefined }],
  ])('with %s is read as it is meant', (_, own) => {
    const rows = decoded(own);
    expect(rows).toEqual({ ...whole, ...('custom_variables' in own && { chat_variables: [] }) });
  });

  test('keeps of its custom variables those that are a name and a plain value, of each name the last', () => {
    const pair = (key: unknown, value: unknown) => ({ key, value });
    const custom_variables = [
      ...[pair('plan', 'free'), pair('__proto__', 'a,b'), pair('seats', 12), pair('trial', true), pair('', '')],
      ...[pair('plan', 'pro'), pair(7, 'x'), pair('deep', {}), pair('none', null), null, 'text'],
    ];
    const rows = decoded({ custom_variables });
    if (typeof rows === 'string') throw new Error(rows);
    expect(rows.chat_variables.map(({ name, value }) => [name, value])).toEqual([
      ...[
        ['plan', 'pro'],
        ['__proto__', 'a,b'],
        ['seats', '12'],
        ['trial', 'true'],
        ['', ''],
      ],
    ]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['without tags', { tags: undefined }, 'tags: Invalid input'],
    ['without events and messages', { events: undefined, messages: undefined }, 'events: Invalid input'],
    ['without a visitor', { visitor: null }, 'visitor: Invalid input'],
    ['without a start', { started_timestamp: null }, 'started_timestamp: Invalid input'],
    [
      'with an author of an unknown kind',
      { events: [{ ...(good().events as object[])[0], user_type: 'robot' }] },
      'user_type',
    ],
    ['that has not ended', { pending: true }, 'has not ended yet'],
    ['that ends before it starts', { ended_timestamp: started - 1 }, 'ended before it started'],
    [
      'from the future',
      { started_timestamp: started + 10 * 365 * 86_400, ended_timestamp: started + 10 * 365 * 86_400 },
      'far from the day',
    ],
    ['with a number that no column holds', { group: [2 ** 40] }, 'chat_groups.group_id cannot be 1099511627776'],
  ])('%s is set aside with the reason', (_, own, reason) => {
    expect(decoded(own)).toContain(reason);
  });

  test('with names of megabytes keeps their beginning, and says that there was more', () => {
    const long = 'tag'.repeat(700_000);
    const rows = decoded({ tags: [long, `${long}!`, 'short'], visitor: { ...(good().visitor as object), name: long } });
    if (typeof rows === 'string') throw new Error(rows);
    const cut = `${long.slice(0, 999)}…`;
    expect(rows.chat_tags.map(({ tag }) => tag)).toEqual([cut, 'short']);
    expect(rows.chats[0]?.visitor_name).toBe(cut);
    // Half of a letter is none.
    expect(named(`${'x'.repeat(998)}😀😀`)).toBe(`${'x'.repeat(998)}\ufffd…`);
  });

  test('without a message is a chat without a message', () => {
    const rows = decoded({ events: [], messages: [] });
    expect(typeof rows === 'string' ? rows : [rows.chats.length, rows.messages.length]).toEqual([1, 0]);
  });

  test.each([
    ['"49.50"', '49.50'],
    ['49.5', '49.5'],
    ['""', null],
    ['"free"', null],
    ['null', null],
  ])('that sold for %s has the price %s', (price, expected) => {
    const goals = [
      {
        id: 5,
        name: 'shop',
        type: 'sales_tracker',
        timestamp: started,
        order: { price: JSON.parse(price) as unknown },
      },
    ];
    const rows = decoded({ goals });
    expect(typeof rows === 'string' ? rows : rows.chat_goals[0]?.price).toBe(expected);
  });

  test('in whatever state either gives rows that the tables hold or a reason, and never an error', () => {
    const keys = Object.keys(good());
    const odd = fc.oneof(fc.constant(undefined), fc.constant(null), fc.anything({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), odd, { maxKeys: 4 }), (own) => {
        const rows = decoded(own);
        const wrong =
          typeof rows === 'string' ? [] : Object.entries(rows).map(([name, each]) => misfitIn('facts', name, each));
        expect(typeof rows === 'string' ? rows.length : wrong.filter(Boolean).length + 1).toBeGreaterThan(0);
        expect(wrong.filter(Boolean)).toEqual([]);
      }),
    );
  });
});

describe('the shape of a chat', () => {
  const wrong = [undefined, null, '', 'x', 0, -1, 1.5, 2 ** 53, Infinity, NaN, true, [], {}, [null], [1], ['x'], [{}]];

  /** Every list and object in a value, with the names or places in it. */
  const placesIn = (value: unknown): [Record<string, unknown>, string][] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]): [Record<string, unknown>, string][] => [
          [value as Record<string, unknown>, name],
          ...placesIn(inner),
        ]);

  test('is looked at as parsing looks at it, wherever something else stands in it', () => {
    const isChat = fits(archivedChat);
    expect(isChat(good())).toBe(true);
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...wrong)), { minLength: 1, maxLength: 2 }),
        (changes) => {
          const chat: Record<string, unknown> = {
            ...good(),
            queue: { duration: 3 },
            goals: [{ id: 1, name: 'g', order: { price: 4 } }],
          };
          for (const [at, value] of changes) {
            const places = placesIn(chat);
            const [holder, name] = places[at % places.length] ?? [chat, 'id'];
            if (value === undefined && !Array.isArray(holder)) delete holder[name];
            else holder[name] = value;
          }
          const { success } = archivedChat.safeParse(chat);
          seen.add(success);
          expect(isChat(chat)).toBe(success);
        },
      ),
      { numRuns: 500 },
    );
    expect(seen.size).toBe(2);
  });

  test('with a schema that it does not know is refused before anything is read', () => {
    expect(() => fits(z.record(z.string(), z.string()))).toThrow('does not know schemas of the type record');
    expect(() => fits(z.string().max(3))).toThrow('does not know the check max_length');
  });

  test('with more in a message than messages have makes the same rows', () => {
    const { events: _, messages, ...chat } = archivedChatOf(6, started);
    const more = messages.map((line) => ({ ...line, type: 'event', event_type: 'closed', files: ['https://x/y'] }));
    expect(decoded({ ...chat, events: [], messages: more })).toEqual(decoded({ ...chat, events: [], messages }));
  });
});

describe('a report', () => {
  const asked: ReportScope = {
    account: 'default',
    timezone: 'UTC',
    grain: 'day',
    split: 'account',
    split_value: '',
    from: '2026-05-04',
  };
  const days = (...said: unknown[]): Record<string, unknown> =>
    Object.fromEntries(said.map((each, index) => [`2026-05-0${index + 4}`, each]));

  test('with one day that is wrong gives the others', () => {
    const { days: good, misfits } = decodeReport(
      'total_chats',
      days({ chats: 3 }, { chats: 'many' }, { chats: '5' }),
      asked,
    );
    expect([...good.values()].flat().map(({ day, chats }) => [day, chats])).toEqual([
      ['2026-05-04', 3],
      ['2026-05-06', 5],
    ]);
    expect(misfits).toEqual([
      {
        day: '2026-05-05',
        reason: expect.stringContaining('total_chats of 2026-05-05: chats: Invalid input'),
        body: '{"chats":"many"}',
      },
    ]);
  });

  test.each([
    ['hours by day', 'day', { hours: 7.5 }, 7.5],
    ['minutes by day', 'day', { minutes: 450 }, 7.5],
    ['minutes made of rounded hours', 'day', { minutes: 22.28 * 60 }, 22.28],
    ['hours that are minutes, by hour', 'hour', { hours: 30 }, 0.5],
    ['minutes by hour', 'hour', { minutes: 30 }, 0.5],
  ] as const)('of availability with %s is read in hours', (_, grain, each, expected) => {
    const label = grain === 'day' ? '2026-05-04' : '10:00';
    const { days } = decodeReport('availability', { [label]: each }, { ...asked, grain });
    expect(days.get('2026-05-04')?.[0]?.hours).toBe(expected);
  });

  test('with a mean of nothing has none, and with a missing mean of something is wrong', () => {
    const { days: good, misfits } = decodeReport(
      'first_response_time',
      days({ first_response_time: { count: 0, seconds: null } }, { first_response_time: { count: 3, seconds: null } }),
      asked,
    );
    expect(good.get('2026-05-04')?.[0]).toMatchObject({ count: 0, seconds: null });
    expect(misfits.map(({ reason }) => reason)).toEqual([
      'first_response_time of 2026-05-05: a mean over 3 is missing',
    ]);
  });

  test('with a key that is no day beside its days is read; with nothing but such keys it is another answer', () => {
    expect(decodeReport('total_chats', { ...days({ chats: 1 }), summary: { chats: 9 } }, asked).days.size).toBe(1);
    expect(() => decodeReport('total_chats', { '2026-05': { chats: 9 } }, asked)).toThrow(
      "'2026-05' is no label of a day",
    );
    expect(() => decodeReport('chat_ranking', { ranking: {} }, asked)).toThrow('holds no ranking');
  });
});

describe('a list of the account', () => {
  const group = (id: unknown) => ({ id, name: 'Sales', language: 'en', status: 'offline', agents: null });

  test('with one record that is wrong gives the others, and null where a field may be missing', () => {
    const { rows, misfits, good } = decodeList('groups', [group(1), group('two'), group(2 ** 33), 'x']);
    expect(rows.groups?.map(({ group_id }) => group_id)).toEqual([1]);
    expect(good).toEqual(['1']);
    expect(misfits.map(({ record_id, reason }) => [record_id, reason.split(':')[0]])).toEqual([
      ['two', 'id'],
      [String(2 ** 33), 'groups.group_id cannot be 8589934592'],
      ['#3', 'Invalid input'],
    ]);
  });

  test('that is no list is refused as a whole', () => {
    expect(() => decodeList('groups', { error: 'no' })).toThrow('groups: the answer is no list');
    expect(() => decodeList('status', { status: 'perhaps' })).toThrow('status: ');
  });
});
