// The raw archive: what is kept of an answer, what is kept once, and what age takes away.
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { openArchive, type RawArchive } from '#etl/raw/archive.ts';
import type { Gathered, ReceivedResponse } from '#etl/fetched.ts';
import type { ReportUnit } from '#etl/unit.ts';
import { gatherKept } from '#etl/raw/gather.ts';
import { putTogether, takeApart } from '#etl/raw/pages.ts';
import { readingsOf } from '#etl/raw/readings.ts';
import type { Row } from '#warehouse/engine.ts';

const at = (instant: string): number => Date.parse(instant) / 1000;
const pull = (pull_id: string) => ({ account: 'default', timezone: 'UTC', pull_id });
const unit = { kind: 'archive', day: '2026-05-04', path: '/chats?date_from=2026-05-04' } as const;

const answer = (body: string, own: Partial<ReceivedResponse> = {}): ReceivedResponse => ({
  ...{ path: unit.path, status: 200, headers: { 'content-type': 'application/json' }, body, bytes: body.length },
  ...{ milliseconds: 5, attempts: 1, asked_at: 0, error: null },
  ...own,
});
const page = (...chats: object[]): string => JSON.stringify({ chats, total: chats.length, pages: 1 });
const gathered = (body: string): Gathered => ({ unit, answers: [answer(body)], bodies: [JSON.parse(body)], total: 1 });

const opened: RawArchive[] = [];
afterEach(async () => {
  for (const archive of opened.splice(0)) await archive.close();
});
async function archiveInMemory(): Promise<RawArchive> {
  const archive = await openArchive(':memory:');
  opened.push(archive);
  return archive;
}
const rowsOf = ({ engine }: RawArchive, what: string): Promise<Row[]> => engine.query(`select ${what}`);

test('a page taken apart and put together again is the same text, whatever white space and escapes it has', () => {
  const chat = fc.record({ id: fc.string(), text: fc.string({ unit: 'binary' }), in: fc.jsonValue() });
  const written = fc.record({
    chats: fc.array(fc.oneof({ weight: 5, arbitrary: chat }, fc.jsonValue())),
    rest: fc.jsonValue(),
    indent: fc.constantFrom(undefined, 1, '\t'),
    isFirst: fc.boolean(),
  });
  fc.assert(
    fc.property(written, ({ chats, rest, indent, isFirst }) => {
      const body = JSON.stringify(isFirst ? { chats, rest } : { rest, chats, total: 1 }, null, indent);
      const kept = takeApart(body);
      const stored = new Map(kept.chats.map((each) => [each.hash, each.body]));
      expect(putTogether(kept.form, kept.body, (hash) => stored.get(hash))).toBe(body);
      const objects = chats.filter((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
      expect(kept.chats.map((each) => JSON.parse(each.body) as unknown)).toEqual(
        objects.map((each) => JSON.parse(JSON.stringify(each)) as unknown),
      );
    }),
  );
});

test.each([
  [
    { id: 'CHAT', users: [{ id: 'USER' }], thread: { user_ids: ['x'], id: 'THREAD', events: [{ id: 'EVENT' }] } },
    'THREAD',
  ],
  [{ thread: { events: [{ id: 'EVENT' }], id: 'THREAD' }, id: 'CHAT' }, 'THREAD'],
  [{ id: 'CHAT', thread: 'THREAD', last: { id: 'LAST' } }, 'CHAT'],
  [{ id: 'CHAT', type: 'thread', visitor: { id: 'VISITOR' } }, 'CHAT'],
  [{ id: 'A "CHAT"\\' }, 'A "CHAT"\\'],
])('a record is kept under the id that the facts know it by: %j', (record, id) =>
  expect(takeApart(JSON.stringify({ chats: [record] })).chats.map(({ chat_id }) => chat_id)).toEqual([id]),
);

test.each(['', '<html>no "chats"', '{"chats":[{"id":"a"}', '{"in":{"chats":[{"id":"a"}]}}', '"chats"'])(
  'what is no page is kept whole: %j',
  (body) => expect(takeApart(body)).toMatchObject({ form: 'whole', body, chats: [] }),
);

test('the same answer again on one UTC day is one row, the next day another; its body is stored once', async () => {
  const archive = await archiveInMemory();
  for (const [place, instant] of ['2026-05-04T10:00:00Z', '2026-05-04T10:05:00Z', '2026-05-05T00:05:00Z'].entries())
    await archive.keep(pull(`p${place}`), [gathered(page({ id: 'a' }))], at(instant));
  expect(
    await rowsOf(archive, 'received_at, last_received_at, times, pull_id, last_pull_id from raw.responses order by 1'),
  ).toEqual([
    {
      ...{ received_at: '2026-05-04T10:00:00.000Z', last_received_at: '2026-05-04T10:05:00.000Z', times: 2 },
      ...{ pull_id: 'p0', last_pull_id: 'p1' },
    },
    {
      ...{ received_at: '2026-05-05T00:05:00.000Z', last_received_at: '2026-05-05T00:05:00.000Z', times: 1 },
      ...{ pull_id: 'p2', last_pull_id: 'p2' },
    },
  ]);
  expect(await rowsOf(archive, 'count(*) as bodies from raw.bodies')).toEqual([{ bodies: 1 }]);
});

test('an answer that goes back to what it was is a row of its own', async () => {
  const archive = await archiveInMemory();
  for (const [minute, rate] of ['good', 'bad', 'good'].entries())
    await archive.keep(pull(`p${minute}`), [gathered(page({ id: 'a', rate }))], at(`2026-05-04T10:0${minute}:00Z`));
  expect(await rowsOf(archive, 'count(*) as rows, count(distinct hash) as bodies from raw.responses')).toEqual([
    { rows: 3, bodies: 2 },
  ]);
});

test('every version of a chat is kept, each once, with the pull that brought it first', async () => {
  const archive = await archiveInMemory();
  const bodies = [
    page({ id: 'a', tags: [] }),
    page({ id: 'b' }, { id: 'a', tags: [] }),
    page({ id: 'b' }, { id: 'a', tags: ['x'] }),
  ];
  for (const [minute, body] of bodies.entries())
    await archive.keep(pull(`p${minute}`), [gathered(body)], at(`2026-05-04T10:0${minute}:00Z`));
  expect(await rowsOf(archive, 'chat_id, body, pull_id from raw.chats order by pull_id, chat_id')).toEqual([
    { chat_id: 'a', body: '{"id":"a","tags":[]}', pull_id: 'p0' },
    { chat_id: 'b', body: '{"id":"b"}', pull_id: 'p1' },
    { chat_id: 'a', body: '{"id":"a","tags":["x"]}', pull_id: 'p2' },
  ]);
  const readings = await readingsOf(archive.engine, 'default', '2026-05-04');
  const kept = await Promise.all(
    readings.map(async (each) => Array.fromAsync(gatherKept(archive.engine, 'default', each))),
  );
  expect(kept.flat().map((each) => each.bodies[0])).toEqual(bodies.map((body) => JSON.parse(body) as unknown));
});

test('what failed is kept as received: status, headers, body and why it could not be used', async () => {
  const archive = await archiveInMemory();
  const failed = answer('<html>busy</html>', {
    status: 503,
    headers: { 'retry-after': '7' },
    error: 'answered with 503',
  });
  const silent = answer('', { status: 0, headers: {}, error: 'no answer' });
  const failure = { state: 'failed', status: 0, message: 'no answer' } as const;
  await archive.keep(
    pull('p0'),
    [{ unit, answers: [failed, silent], bodies: [], failure }],
    at('2026-05-04T10:00:00Z'),
  );
  expect(
    await rowsOf(
      archive,
      'status, headers, body, error, state from raw.responses left join raw.bodies using (hash) order by position',
    ),
  ).toEqual([
    {
      ...{ status: 503, headers: '{"retry-after":"7"}', body: '<html>busy</html>' },
      ...{ error: 'answered with 503', state: 'failed' },
    },
    { status: 0, headers: '{}', body: null, error: 'no answer', state: 'failed' },
  ]);
});

test('a long day that comes in parts is one reading, and unfinished until its last part', async () => {
  const archive = await archiveInMemory();
  const parts = [page({ id: 'a' }), page({ id: 'b' }), page({ id: 'c' })].map((body, place) => ({
    unit,
    answers: [answer(body, { path: `${unit.path}&page=${place + 1}` })],
    bodies: [JSON.parse(body) as unknown],
  }));
  const read = async (pull_id: string, instant: string, order: readonly number[]): Promise<void> => {
    for (const [place, part] of order.entries()) {
      const end = place === order.length - 1 ? { total: 3 } : { isPart: true as const };
      await archive.keep(pull(pull_id), [{ ...parts[part]!, ...end }], at(instant));
      const [{ states } = {}] = await rowsOf(
        archive,
        "string_agg(distinct state, ' ' order by state) as states from raw.responses",
      );
      if (pull_id === 'p0') expect(states).toBe(end.total ? 'answered' : 'unfinished');
    }
  };
  await read('p0', '2026-05-04T10:00:00Z', [0, 1, 2]);
  await read('p1', '2026-05-04T10:05:00Z', [0, 2, 1]);
  const readings = await readingsOf(archive.engine, 'default', '2026-05-04');
  expect(readings.map(({ times, usable, outcome }) => [times, usable.length, outcome.total])).toEqual([[2, 3, 3]]);
});

test('after a month only answers that leave a trace stay, and every version of a chat', async () => {
  const archive = await archiveInMemory();
  const report: ReportUnit = {
    ...{ kind: 'report', report: 'total_chats', source: 'total_chats', to: '2026-05-04', path: '/reports/chats/total' },
    asked: { account: 'default', timezone: 'UTC', grain: 'day', split: 'account', split_value: '', from: '2026-05-03' },
  };
  const said = (first: number, second: number): string =>
    JSON.stringify({ '2026-05-03': { chats: first }, '2026-05-04': { chats: second } });
  // The third changes the first day for the last time; of those after it only the last two can be told.
  const versions = [said(1, 1), said(1, 2), said(2, 2), said(2, 3), said(2, 4), said(2, 5), said(2, 6)];
  for (const [minute, body] of versions.entries()) {
    const pages: Gathered = { ...gathered(page({ id: 'a', minute })), unit: { ...unit, day: '2026-05-03' } };
    const asked: Gathered = { unit: report, answers: [answer(body)], bodies: [JSON.parse(body)] };
    await archive.keep(pull(`p${minute}`), [asked, pages], at(`2026-05-04T10:0${minute}:00Z`));
  }
  const failure = { state: 'failed', status: 500, message: 'broken' } as const;
  const broken: Gathered = {
    unit: report,
    answers: [answer('oops', { status: 500, error: 'broken' })],
    bodies: [],
    failure,
  };
  await archive.keep(pull('p8'), [broken], at('2026-05-04T11:00:00Z'));
  const left = async (): Promise<unknown[]> =>
    (
      await rowsOf(
        archive,
        "body from raw.responses join raw.bodies using (hash) where form = 'whole' order by received_at",
      )
    ).map(({ body }) => body);
  await archive.keep(pull('p9'), [gathered('{"v":1}')], at('2026-06-03T10:00:00Z'));
  expect(await left()).toEqual([...versions, 'oops', '{"v":1}']);
  await archive.keep(pull('p10'), [gathered('{"v":2}')], at('2026-06-04T10:00:00Z'));
  const traces = [said(1, 1), said(1, 2), said(2, 2), said(2, 5), said(2, 6)];
  expect(await left()).toEqual([...traces, 'oops', '{"v":1}', '{"v":2}']);
  expect(await rowsOf(archive, 'count(*) as versions from raw.chats')).toEqual([{ versions: 7 }]);
  expect(await rowsOf(archive, "count(*) as pages from raw.bodies where form = 'page'")).toEqual([{ pages: 3 }]);
});

test('it says of which time it has every answer', async () => {
  const archive = await archiveInMemory();
  expect(await archive.held('default')).toEqual({ from: Infinity, to: -Infinity });
  await archive.keep(pull('p0'), [gathered('{}')], at('2026-05-04T10:00:00Z'));
  await archive.keep(pull('p1'), [gathered('{}')], at('2026-05-04T10:05:00Z'));
  expect(await archive.held('default')).toEqual({ from: at('2026-05-04T10:00:00Z'), to: at('2026-05-04T10:05:00Z') });
  expect(await archive.held('other')).toEqual({ from: at('2026-05-04T10:00:00Z'), to: -Infinity });
});
