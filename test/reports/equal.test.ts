// What we answer in the vendor's shape is what the vendor answers: every report, grouping and filter around a clock change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportIds, reports, type ReportId } from '#contract/reports.ts';
import { isWhole, partOf } from '../chance.ts';
import { filtersOf, subjectOf, type Subject } from '../zones/agree.ts';
import { apiOf, ours, theirs, type Api } from './served.ts';

/** Sixteen days, the clocks of Warsaw go back on one of them: 25 October 2026. The account of `reconciliation.test.ts`. */
const now = Date.parse('2026-10-31T09:13:05Z') / 1000;
const zone = 'Europe/Warsaw';
let subject: Subject;
let api: Api;
let filters: Awaited<ReturnType<typeof filtersOf>>;
beforeAll(async () => {
  subject = await subjectOf(2, zone, 16, now, 'everything');
  api = apiOf(subject);
  filters = await filtersOf(subject, 4);
});
afterAll(() => subject.close());

/** Stored as the source gave it: in the zone, for the account, one group or one agent. */
const stored: readonly ReportId[] = [
  'availability',
  'greetings',
  ...reportIds.filter((id) => reports[id].path.includes('/tickets/')),
];
const queue: readonly ReportId[] = ['queued_visitors', 'waiting_times'];
const isStored = (id: ReportId): boolean => stored.includes(id) || queue.includes(id);
const byPeriod = reportIds.filter((id) => reports[id].keyed === 'period');
const ranges = {
  day: 'date_from=2026-10-19&date_to=2026-11-02&group_by=day',
  hour: 'date_from=2026-10-25&date_to=2026-10-25&group_by=hour',
  month: 'date_from=2026-10-21&date_to=2026-11-02&group_by=month',
  'no dates': '',
};

/** Sums and means of rounded days may be off by the last digit (docs/counting.md). */
const sums: Partial<Record<ReportId, number>> = {
  availability: 0.06,
  waiting_times: 1,
  ticket_first_response_time: 0.0101,
  ticket_resolution_time: 0.0101,
};

function expectClose(one: unknown, other: unknown, apart: number, path: string): void {
  if (typeof one === 'number' && typeof other === 'number') {
    expect(Math.abs(one - other), path).toBeLessThanOrEqual(apart);
    return;
  }
  if (typeof one !== 'object' || one === null) return void expect(other, path).toEqual(one);
  expect(Object.keys(other as object).sort(), path).toEqual(Object.keys(one).sort());
  for (const [key, value] of Object.entries(one))
    expectClose(value, (other as Record<string, unknown>)[key], apart, `${path} ${key}`);
}

async function expectEqual(id: ReportId, query: string, apart = 0): Promise<void> {
  const path = `${reports[id].path}?${query}`;
  const [mine, yours] = await Promise.all([ours(api, path), theirs(subject, path)]);
  expect(yours[0], path).toBe(200);
  expect(mine[0], `${path} ${JSON.stringify(mine[1])}`).toBe(200);
  if (apart > 0) expectClose(yours[1], mine[1], apart, path);
  else expect(mine[1], path).toEqual(yours[1]);
}

/** Two of the four groupings, others for the next report; with the drill all. */
const groupingsOf = (id: ReportId): string[] => partOf(Object.keys(ranges), 2, byPeriod.indexOf(id));

/** Of several everything with the drill; with the tests one, another for each report and grouping. */
function some<T>(of: readonly T[], id: ReportId, grouping: string): readonly T[] {
  const turn = byPeriod.indexOf(id) + Object.keys(ranges).indexOf(grouping);
  return isWhole ? of : of.filter((_, place) => place === turn % of.length);
}

describe.each(Object.entries(ranges))('grouped by %s', (grouping, range) => {
  it.each(byPeriod)('%s equals the report for the account, each group and agent', async (id) => {
    const apart = grouping === 'month' ? (sums[id] ?? 0) : 0;
    await expectEqual(id, range, apart);
    if ((grouping === 'hour' && isStored(id)) || !groupingsOf(id).includes(grouping)) return;
    const { takes } = reports[id];
    for (const kind of takes) {
      if (kind === 'tag' && isStored(id)) continue;
      const name = kind === 'tag' ? 'tag[]' : kind;
      for (const value of [...some(filters[kind], id, grouping), kind === 'group' ? '987654321987' : 'nobody'])
        await expectEqual(id, `${range}&${name}=${encodeURIComponent(value)}`, apart);
    }
  });
});

describe('recomputed reports', () => {
  const recomputed = byPeriod.filter((id) => !isStored(id));
  it.each(recomputed)('%s honours any zone', async (id) => {
    const others = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    for (const grouping of groupingsOf(id))
      for (const other of some(others, id, grouping))
        await expectEqual(id, `${ranges[grouping as keyof typeof ranges]}&timezone=${other}`);
  });
  it.each(recomputed)('%s of several groups, agents and tags is of any of each', async (id) => {
    const [tags, agents] = [filters.tag, filters.agent].map((list) => list.map(encodeURIComponent));
    const [one, two, three] = filters.group;
    await expectEqual(id, `${ranges.day}&group=${one}&groups[]=${two}&group=${two}`);
    await expectEqual(id, `${ranges.day}&agents[0]=${agents?.[0]}&agents[1]=${agents?.[1]}&group=${three}`);
    await expectEqual(id, `${ranges.day}&tag[]=${tags?.[0]}&tag[]=${tags?.[1]}&agent=${agents?.[2]}`);
  });
  it('goals and sales by goal and currency, tracked and not', async () => {
    const ids = (await subject.engine.query('select distinct goal_id from facts.chat_goals order by 1')).slice(0, 6);
    for (const tracker of ['', '&sales_tracker=0', '&sales_tracker=1'])
      for (const which of [
        '',
        '&currency=EUR',
        '&currency=XXX',
        ...ids.map(({ goal_id }) => `&goal=${String(goal_id)}`),
      ])
        for (const range of partOf([ranges.day, ranges.month], 2))
          await expectEqual('goals', `${range}${tracker}${which}`);
  });
  it('chats at once on the last four of each weekday', async () => {
    for (const weekday of partOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 3))
      for (const other of ['', '&timezone=Asia/Kathmandu'])
        await expectEqual('agents_occupancy', `weekday=${weekday}${other}`);
  });
});

describe('rankings', () => {
  it.each(['chat_ranking', 'ticket_ranking'] as const)('%s over any days, of each group', async (id) => {
    const days = ['', 'date_from=2026-10-25&date_to=2026-10-25', 'date_from=2026-10-21&date_to=2026-10-28'];
    for (const range of days) {
      await expectEqual(id, range);
      for (const group of [...filters.group, '77']) await expectEqual(id, `${range}&group=${group}`);
    }
  });
  it('of chats, by tag, several groups and in any zone', async () => {
    const [one, two] = filters.group;
    await expectEqual('chat_ranking', `group=${one}&group=${two}&timezone=America/New_York`);
    await expectEqual('chat_ranking', `tag[]=${encodeURIComponent(filters.tag[0] ?? '')}`);
  });
});

describe('errors', () => {
  it.each(reportIds)('%s refuses wrong arguments in the same words', async (id) => {
    for (const query of [
      'date_from=INVALID&date_to=1999-12-31',
      'date_from=2026-10-28&date_to=2026-10-20',
      'date_from=2027-01-01',
      'timezone=Nowhere/Here&group=x&weekday=someday&group_by=week',
      'callback=alert(1)',
    ]) {
      const path = `${reports[id].path}?${query}`;
      const [mine, yours] = await Promise.all([ours(api, path), theirs(subject, path)]);
      // TRICKY: chats at once take no dates; without a wrong weekday the source does not look at them.
      if (id !== 'agents_occupancy') expect(mine, path).toEqual(yours);
      else expect(mine[0], path).toBe(400);
    }
  });
});
