// Restatements: what two snapshots know differently about the past, and the chats that are the reason.
import { expect, it } from 'vitest';
import { whatChanged } from '#reports/restatements/chats.ts';
import { restatements, type RestatedCell } from '#reports/restatements/restate.ts';
import { wholeFrom } from '#reports/restatements/whole.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { insert, second, type Chat } from '../warehouse/account.ts';
import { twoSnapshots, zone } from './snapshots.ts';

const own = { id: 'default', timezone: zone, since: '2026-05-01' };
const ada = 'a@x.test';
const bob = 'b@x.test';

async function restated(
  before: readonly Chat[],
  after: readonly (Chat | null)[],
  changed: readonly string[],
  metric?: string,
  more: Parameters<typeof twoSnapshots>[3] = [],
): Promise<RestatedCell[]> {
  const { older, newer, open, close } = await twoSnapshots(before, after, changed, more);
  const sides = [
    await contextWhenPublished(localReader, { ...older, engine: await open(older.id) }, own),
    await contextWhenPublished(localReader, { ...newer, engine: await open(newer.id) }, own),
  ] as const;
  const found = await restatements(...sides, metric === undefined ? undefined : [metricOf(metric)]);
  await close();
  return found;
}
const line = ({ period, split, split_value, measure, was, is, difference, chats }: RestatedCell): string =>
  [
    period,
    split,
    split_value,
    measure,
    was,
    is,
    difference,
    ...chats.map(({ chat_id, what }) => `${chat_id}:${what.join('+')}`),
  ].join(' ');

const chat = (start: string, differs: Partial<Chat> = {}): Chat => ({ start, agents: [ada], groups: [1], ...differs });

it('a late rating restates the day of its chat, for the account and whoever took part, and names the chat', async () => {
  const before = [
    chat('2026-05-05T10:00:00Z', { rate: 'rated_good' }),
    chat('2026-05-05T11:00:00Z', { agents: [bob] }),
  ];
  const [first, other] = before as [Chat, Chat];
  const after = [first, { ...other, rate: 'rated_bad' as const }];
  const found = await restated(before, after, ['2026-05-05'], 'chat_ratings');
  const bad = found.filter(({ measure }) => measure === 'bad').map(line);
  expect(bad).toEqual([
    '2026-05-05 account  bad 0 1 1 C000001:rating',
    '2026-05-05 group 1 bad 0 1 1 C000001:rating',
    '2026-05-05 agent b@x.test bad 0 1 1 C000001:rating',
  ]);
  expect(found.filter(({ measure }) => measure === 'csat').map(line)[0]).toContain('csat 1 0.5 -0.5');
});

it('chats that came and went are named, and a day whose chats balance out is not a restatement', async () => {
  const before = [chat('2026-05-04T10:00:00Z'), chat('2026-05-05T10:00:00Z'), chat('2026-05-06T10:00:00Z')];
  const [first, , third] = before as [Chat, Chat, Chat];
  const after = [first, null, third, chat('2026-05-06T12:00:00Z')];
  const found = await restated(before, after, ['2026-05-05', '2026-05-06'], 'total_chats');
  expect(found.filter(({ split }) => split === 'account').map(line)).toEqual([
    '2026-05-05 account  chats 1 0 -1 C000001:gone',
    '2026-05-06 account  chats 1 2 1 C000003:new',
  ]);
});

it('a tag that came later is no reason for ratings, only for tags', async () => {
  const before = [chat('2026-05-05T10:00:00Z', { rate: 'rated_good' }), chat('2026-05-05T12:00:00Z')];
  const [first, other] = before as [Chat, Chat];
  const after = [
    { ...first, tags: ['refund'] },
    { ...other, rate: 'rated_good' as const },
  ];
  const found = await restated(before, after, ['2026-05-05']);
  const reasons = (metric: string): string[] => found.filter((cell) => cell.metric === metric).map(line);
  expect(reasons('tags')).toEqual(expect.arrayContaining(['2026-05-05 tag refund chats 0 1 1 C000000:tags']));
  expect(reasons('chat_ratings')[0]).toBe('2026-05-05 account  good 1 2 1 C000001:rating');
  expect(reasons('total_chats')).toEqual([]);
});

it('a chat over midnight restates both days, a sale the day on which it was made', async () => {
  const before = [chat('2026-05-04T21:30:00Z', { seconds: 600 }), chat('2026-05-03T10:00:00Z')];
  const [first, other] = before as [Chat, Chat];
  const sale = { id: 2, sale: true, at: '2026-05-06T10:00:00Z', price: '9.99', currency: 'EUR' };
  const after = [
    { ...first, seconds: 7200 },
    { ...other, goals: [sale] },
  ];
  const found = await restated(before, after, ['2026-05-03', '2026-05-04']);
  const account = found.filter(({ split }) => split === 'account');
  expect(
    account
      .filter(({ metric, measure }) => metric === 'chatting_time' && measure === 'hours')
      .map(({ period }) => period),
  ).toEqual(['2026-05-04', '2026-05-05']);
  expect(found.filter(({ metric }) => metric === 'goals').map(line)).toEqual([
    '2026-05-06 account  sales_count 0 1 1 C000001:goals',
    '2026-05-06 group 1 sales_count 0 1 1 C000001:goals',
    '2026-05-06 agent a@x.test sales_count 0 1 1 C000001:goals',
    '2026-05-06 currency EUR sales_count 0 1 1 C000001:goals',
    '2026-05-06 currency EUR value 0 9.99 9.99 C000001:goals',
  ]);
});

it('the day that was still running in the older snapshot is not the past', async () => {
  const after = [chat('2026-05-08T08:00:00Z'), chat('2026-05-09T08:00:00Z')];
  expect(await restated([], after, ['2026-05-08', '2026-05-09'])).toEqual([]);
});

it('a report that the older snapshot did not have for that day is not restated', async () => {
  const ranked = (days: readonly string[]) => async (engine: Store) => {
    const at = second('2026-05-08T00:30:00Z');
    const of = {
      timezone: zone,
      source: 'ticket_ranking',
      grain: 'day',
      split: 'account',
      split_value: '',
      state: 'pulled',
    };
    const times = { first_pulled_at: at, changed_at: at + 3600, pulled_at: at };
    await insert(
      engine,
      'ledger',
      'periods',
      days.map((day) => ({ ...of, ...times, day })),
    );
    await insert(
      engine,
      'reports',
      'ticket_ranking',
      days.map((day) => ({
        ...of,
        period: day,
        day,
        agent: days.length > 1 ? ada : bob,
        good: 1,
        bad: 0,
        total: 1,
        score: 0.2,
      })),
    );
  };
  const first = ranked(['2026-05-05']);
  const both = ranked(['2026-05-04', '2026-05-05']);
  const found = await restated([], [], [], 'ticket_ranking', [first, both]);
  expect(found.filter(({ measure }) => measure === 'good').map(line)).toEqual([
    '2026-05-05 agent a@x.test good 0 1 1',
    '2026-05-05 agent b@x.test good 1 0 -1',
  ]);
});

it('snapshots between which no day changed are not even asked', async () => {
  expect(await restated([chat('2026-05-05T10:00:00Z')], [], [])).toEqual([]);
});

it('a change in what no metric counts is called other', () => {
  const of = {
    times: '',
    rating: '',
    tags: '',
    goals: '',
    messages: '',
    agents: '',
    groups: '',
    queue: '',
    engagement: '',
    visitor: '',
  };
  const version = { content_hash: 'a', of, days: new Set<string>(), agents: [], groups: [], tags: [], currencies: [] };
  expect(whatChanged(version, { ...version, content_hash: 'b' })).toEqual(['other']);
  expect(whatChanged(version, { ...version, of: { ...of, rating: 'x', tags: 'y' } })).toEqual(['rating', 'tags']);
});

it('a snapshot is whole when each day until then had been received; a day that never came keeps none from it', async () => {
  const later = async (engine: Store) => {
    const own = `account = 'default' and source = 'archive'`;
    await engine.exec(
      `update ledger.periods set first_pulled_at = '2026-05-08T12:00:00Z' where ${own} and day = '2026-05-02'`,
    );
    await engine.exec(`update ledger.periods set state = 'failed' where ${own} and day = '2026-05-03'`);
  };
  const none = () => Promise.resolve();
  const { newer, open, close } = await twoSnapshots([], [], [], [none, later]);
  const context = await contextWhenPublished(localReader, { ...newer, engine: await open(newer.id) }, own);
  const isWhole = await wholeFrom(context);
  expect(isWhole('2026-05-08T11:59:00Z')).toBe(false);
  expect(isWhole('2026-05-08T12:00:00Z')).toBe(true);
  const withoutIt = await wholeFrom({ ...context, account: { ...own, since: '2026-05-03' } });
  expect(withoutIt('2026-05-08T11:59:00Z')).toBe(true);
  await close();
});
