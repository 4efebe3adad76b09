// What our reports cannot answer they refuse with a sentence in the vendor's words; silence is never zero.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '#api/deps.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { account, insert, pulled } from '../warehouse/account.ts';
import { promisedApi } from '../api/promised-api.ts';

const zone = 'Europe/Warsaw';
const header = { authorization: 'Bearer right-token' };
let engine: Store;

/** Clock at 1 June 2026, first day to be pulled 1 May; the source's availability of 4 and 5 May, by day and hour. */
beforeAll(async () => {
  engine = await account([{ start: '2026-05-04T10:00:00Z', groups: [1], queue: 20 }], zone);
  await engine.exec(
    "delete from ledger.periods where source = 'archive' and (day = date '2026-05-20' or day > date '2026-06-01')",
  );
  await insert(engine, 'account', 'groups', [{ group_id: 1 }, { group_id: 2 }]);
  const at = '2026-06-01T00:00:00Z';
  const days = { '2026-05-04': 7.85, '2026-05-05': 0.5 };
  for (const [table, row] of [
    ['availability', (hours: number) => ({ hours })],
    ['queued_visitors', () => ({ left_queue: 2 })],
  ] as const)
    for (const [split, split_value] of [
      ['account', ''],
      ['group', '1'],
    ] as const) {
      await insert(
        engine,
        'reports',
        table,
        Object.entries(days).map(([day, hours]) => ({
          timezone: zone,
          grain: 'day',
          split,
          split_value,
          period: day,
          day,
          ...row(hours),
        })),
      );
      await pulled(engine, zone, '2026-05-04', '2026-05-05', at, { source: table, grain: 'day', split, split_value });
    }
  await insert(engine, 'reports', 'availability', [
    {
      timezone: zone,
      grain: 'hour',
      split: 'account',
      split_value: '',
      period: '2026-05-04 09:00',
      day: '2026-05-04',
      hours: 0.75,
    },
  ]);
  await pulled(engine, zone, '2026-05-04', '2026-05-04', at, {
    source: 'availability',
    grain: 'hour',
    split: 'account',
    split_value: '',
  });
});
afterAll(() => engine.close());

async function ask(path: string, headers: Record<string, string> = header, differs: Partial<ApiDeps> = {}) {
  const answer = await promisedApi(apiDeps(engine, differs)).request(`http://127.0.0.1:3000/api/reports${path}`, {
    headers,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}
const two = 'date_from=2026-05-04&date_to=2026-05-05';

describe('stored reports', () => {
  it('are hours by day, minutes by hour', async () => {
    expect((await ask(`/availability?${two}`)).body).toEqual({
      '2026-05-04': { hours: 7.85 },
      '2026-05-05': { hours: 0.5 },
    });
    expect((await ask(`/availability?${two}&group_by=month`)).body).toEqual({ '2026-05': { hours: 8.35 } });
    expect((await ask('/availability?date_from=2026-05-04&date_to=2026-05-04')).body?.['09:00']).toEqual({ hours: 45 });
  });
  it.each([
    [`/availability?${two}&timezone=UTC`, 'timezone: ', zone],
    [`/availability?${two}&group=1&group=2`, 'group: ', 'one group or one agent'],
    [`/availability?${two}&agent=a&agent=b`, 'agent: ', 'several at once'],
    [`/availability?${two}&agent=a&group=1`, 'agent: ', 'not by both'],
    ['/availability?date_from=2026-05-04&date_to=2026-05-04&group=1', 'group_by: ', 'by day for each group'],
    [`/tickets/new_tickets?${two}&tag[]=vip`, 'tag: ', 'not by tag'],
    [`/chats/greetings?${two}&greeting=5`, 'greeting: ', 'not by greeting'],
    [`/chats/greetings?${two}&goal=5&tag[]=a`, 'tag: ', 'not by tag'],
    [`/chats/queued_visitors?${two}&timezone=UTC`, 'timezone: ', zone],
    [`/chats/queued_visitors?${two}&group=1&group=2`, 'group: ', 'several at once'],
    [`/tickets/ratings/ranking?${two}&group=1&group=2`, 'group: ', 'for the whole account or one group;'],
  ])('%s is 400: %s%s', async (path, start, words) => {
    const { status, body } = await ask(path);
    expect(status).toBe(400);
    const errors = body?.errors as string[];
    expect(errors[0]).toMatch(new RegExp(`^${start}`));
    expect(errors[0]).toContain(words);
  });
  it('of a group that does not exist are zero; of one that was not pulled yet they are refused', async () => {
    expect((await ask(`/availability?${two}&group=99`)).body).toEqual({
      '2026-05-04': { hours: 0 },
      '2026-05-05': { hours: 0 },
    });
    expect(await ask(`/availability?${two}&group=2`)).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('group 2') },
    });
    expect((await ask(`/chats/queued_visitors?${two}&group=99`)).body?.['2026-05-04']).toMatchObject({
      queued: { count: 0 },
    });
    expect((await ask(`/chats/queued_visitors?${two}&group=2`)).status).toBe(400);
    expect((await ask(`/chats/queued_visitors?${two}&group=1`)).body?.['2026-05-04']).toEqual({
      queued: { count: 3 },
      left_queue: { count: 2 },
      entered_chat: { count: 1 },
    });
  });
});

describe('what was not pulled', () => {
  it('a missing day in the past is refused, also within a month', async () => {
    const missing = { status: 503, body: { error: '/reports/chats/total_chats: 2026-05-20 is not pulled yet' } };
    expect(await ask('/chats/total_chats?date_from=2026-05-19&date_to=2026-05-21')).toMatchObject(missing);
    expect((await ask('/chats/total_chats?date_from=2026-05-01&group_by=month')).status).toBe(503);
    expect((await ask(`/availability?date_from=2026-05-04&date_to=2026-05-06`)).status).toBe(503);
  });
  it('days before the first one to be pulled and days to come are zero; no dates begin at the first', async () => {
    const { body } = await ask('/chats/total_chats?date_from=2026-04-29&date_to=2026-05-04');
    expect(Object.entries(body ?? {})).toEqual([
      ...['04-29', '04-30', '05-01', '05-02', '05-03'].map((day) => [`2026-${day}`, { chats: 0 }]),
      ['2026-05-04', { chats: 1 }],
    ]);
    expect(Object.keys((await ask('/chats/total_chats?date_to=2026-05-04')).body ?? {})[0]).toBe('2026-05-01');
    const future = await ask('/chats/total_chats?date_from=2026-05-30&date_to=2026-06-09');
    expect(Object.keys(future.body ?? {})).toHaveLength(11);
    expect((await ask('/chats/total_chats?date_from=2026-05-01&date_to=9999-12-31')).body?.errors).toBeDefined();
  });
  it('after midnight, until the first pull of the day, the day is to come; two days later it is missing', async () => {
    const at = (instant: string) => ({ clock: () => Date.parse(instant) });
    const path = '/chats/total_chats?date_from=2026-06-01';
    expect((await ask(path, header, at('2026-06-01T22:03:00Z'))).body).toEqual({
      '2026-06-01': { chats: 0 },
      '2026-06-02': { chats: 0 },
    });
    expect((await ask(path, header, at('2026-06-03T22:03:00Z'))).status).toBe(503);
  });
  it('without a snapshot the answer is 503 in the words of the vendor', async () => {
    const { status, body } = await ask('/chats/total_chats', header, { snapshot: () => null });
    expect([status, typeof body?.error]).toEqual([503, 'string']);
  });
});

describe('callers', () => {
  it('JSONP is answered to an Authorization header only, also when it is an error', async () => {
    const path = `/chats/total_chats?${two}`;
    expect(await ask(`${path}&callback=a.b`)).toMatchObject({
      status: 200,
      type: 'application/javascript; charset=utf-8',
      text: 'a.b({"2026-05-04":{"chats":1},"2026-05-05":{"chats":0}});',
    });
    const open = await ask(`${path}&callback=a.b`, {});
    expect(open).toMatchObject({ status: 401, body: { error: expect.stringContaining('Authorization header only') } });
    expect(open.text).not.toContain('2026');
    expect((await ask(`${path}&callback=a.b`, { cookie: 'session=1' })).status).toBe(401);
    expect(await ask(`${path}&callback=alert(1)`)).toMatchObject({
      status: 400,
      body: { errors: ['callback: must be the name of a function'] },
    });
    expect((await ask('/chats/total_chats?group=x&callback=f')).text).toMatch(/^f\(\{"errors":\["group/);
    expect((await ask(path, {})).status).toBe(200);
  });
  it('a wrong token, another version, an unknown report and a foreign page are refused as the vendor does', async () => {
    const path = `/chats/total_chats?${two}`;
    const rights = 'You have no rights to access this data. Check your API Key and/or username';
    expect(await ask(path, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401, body: { error: rights } });
    expect(await ask(path, { ...header, 'x-api-version': '3.3' })).toMatchObject({
      status: 400,
      body: { errors: ['X-API-Version: must be 2, not 3.3'] },
    });
    expect(await ask('/chats/nothing')).toMatchObject({ status: 404, body: { error: 'Not Found' } });
    expect(await ask(path, { ...header, origin: 'https://elsewhere.test' })).toMatchObject({
      status: 403,
      body: { error: expect.any(String) },
    });
  });
  it('the same question again is 304 with its ETag, and /v2 before the path is another way to say the version', async () => {
    const api = promisedApi(apiDeps(engine));
    const get = (path: string, more = {}) =>
      api.request(`http://127.0.0.1:3000/api${path}`, { headers: { ...header, ...more } });
    const first = await get(`/reports/chats/total_chats?${two}`);
    const again = await get(`/reports/chats/total_chats?${two}`, { 'if-none-match': first.headers.get('etag') });
    expect(again.status).toBe(304);
    expect(await (await get(`/v2/reports/chats/total_chats?${two}`)).json()).toEqual(await first.json());
  });
});
