// A pull as a whole: what it asks, what it leaves out, what it does about sources that give nothing or too much.
import { afterEach, describe, expect, test } from 'vitest';
import { archivePage } from '#contract/archive.ts';
import { isWhole, partOf, tries } from '../chance.ts';
import { daysOf, type GeneratedDay } from '../../bench/account.ts';
import { daysBetween } from '#etl/days.ts';
import type { PullNews } from '#etl/pull.ts';
import { agents_listed, generatedAccount, groups_listed, type Change, type Generated } from './generated.ts';
import { at, type Pulled } from './pulled.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function account(
  days: readonly GeneratedDay[],
  instant: string,
): Promise<{ source: Generated; warehouse: Pulled }> {
  const source = await generatedAccount(days, at(instant));
  const warehouse = await source.warehouse();
  ends.push(
    () => warehouse.close(),
    () => source.close(),
  );
  return { source, warehouse };
}

const day_seconds = 86_400;
/** Where it is about chats, days or lists: the other reports are planned and kept by the same rules. */
const few = new Set(['archive', 'total_chats', 'chat_ranking']);
/** Where it is about reports of every kind: by period, of agents, in hours, of a queue and a ranking; with the drill every report. */
const of_kinds = new Set([
  ...few,
  'chatting_time',
  'response_time',
  'availability',
  'queued_visitors',
  'goals',
  'agents_occupancy',
]);
const kinds = isWhole ? {} : { only: of_kinds };
/** Ten days of twenty chats until the noon of the last. */
const tenDays = () => account(daysOf('2026-05-01', 200, 20), '2026-05-10T12:00:00Z');
/** The last three of them, for every report that there is; with the drill all ten. */
const few_days = tries(3, 10);
const fewDays = () =>
  account(daysOf(`2026-05-${String(11 - few_days).padStart(2, '0')}`, 20 * few_days, 20), '2026-05-10T12:00:00Z');
const reportsAsked = (asked: readonly string[], path: string): string[] =>
  asked.filter((each) => each.startsWith(`/reports${path}?`));

/** Answers with this status wherever the path begins so. */
const refusing =
  (path: string, status: number): Change =>
  (asked) =>
    asked.startsWith(path) ? { status, body: '{"error":"no"}' } : undefined;

describe('a pull with nothing new', () => {
  test('asks one question by day per report and split, one by hour per open day, and writes no row of reports or facts', async () => {
    const { source, warehouse } = await fewDays();
    await warehouse.pull();
    const before = await warehouse.rows('select * from reports.total_chats order by all');
    source.asked.length = 0;
    const outcome = await warehouse.pull(300);
    expect(outcome).toMatchObject({ chats_new: 0, chats_changed: 0, failed: 0, faults: 0 });
    expect(outcome.requests).toBe(source.asked.length);
    const asked = reportsAsked(source.asked, '/chats/total_chats');
    // The account, its groups and its agents; today by hour.
    expect(asked.filter((path) => path.includes('group_by=day')).length).toBe(1 + groups_listed + agents_listed);
    expect(asked.filter((path) => path.includes('group_by=hour')).length).toBe(1);
    // Rows keep the pull that brought them.
    expect(await warehouse.rows('select * from reports.total_chats order by all')).toEqual(before);
    const counted =
      'select sum(rows_new + rows_changed) as news, count(*) as days from ledger.periods where asked_at > first_pulled_at';
    expect(await warehouse.rows(counted)).toEqual([{ news: 0, days: expect.any(Number) as number }]);
  });

  test('is no news, and a chat that ends is', async () => {
    const { source, warehouse } = await tenDays();
    const news: boolean[] = [];
    const publish = ({ has_news }: PullNews): Promise<void> => Promise.resolve(void news.push(has_news));
    await warehouse.pull(0, { publish, only: few });
    await warehouse.pull(300, { publish, only: few });
    source.change((path, body) => {
      if (!path.startsWith('/chats?date_from=2026-05-10')) return undefined;
      const page = archivePage.parse(JSON.parse(body));
      const [chat] = page.chats as { id: string }[];
      return {
        body: JSON.stringify({ ...page, chats: [...page.chats, { ...chat, id: 'ENDEDNOW' }], total: page.total + 1 }),
      };
    });
    const outcome = await warehouse.pull(600, { publish, only: few });
    expect([news, outcome.chats_new]).toEqual([[true, false, true], 1]);
  });
});

describe('days that settle in another time than at the last pull', () => {
  test('are asked so long, are in the row of their pull, and are news when nothing else is', async () => {
    const { source, warehouse } = await tenDays();
    let has_news = false;
    const publish = async (news: PullNews): Promise<void> => void (has_news ||= await Promise.resolve(news.has_news));
    /** The days of the archive that are asked, the earliest first, and whether anything was news. */
    const askedFor = async (later: number, settling_days?: number): Promise<[days: string[], has_news: boolean]> => {
      [source.asked.length, has_news] = [0, false];
      await warehouse.pull(later, { publish, only: new Set(['archive']), ...(settling_days ? { settling_days } : {}) });
      const asked = source.asked.filter((path) => path.startsWith('/chats?'));
      return [asked.map((path) => path.slice('/chats?date_from='.length).slice(0, 10)).sort(), has_news];
    };
    await askedFor(0);
    expect(await askedFor(2 * day_seconds)).toEqual([daysBetween('2026-05-03', '2026-05-12'), true]);
    expect(await askedFor(4 * day_seconds, 2)).toEqual([daysBetween('2026-05-10', '2026-05-14'), true]);
    expect(await askedFor(6 * day_seconds, 30)).toEqual([daysBetween('2026-04-29', '2026-05-16'), true]);
    expect(await askedFor(6 * day_seconds + 60, 30)).toEqual([['2026-05-16'], false]);
    expect(await askedFor(6 * day_seconds + 120)).toEqual([['2026-05-16'], true]);
    expect(await askedFor(6 * day_seconds + 180)).toEqual([['2026-05-16'], false]);
    const set = 'select settling_days as days from ledger.pulls order by started_at';
    expect((await warehouse.rows(set)).map((row) => row.days)).toEqual([null, null, 2, 30, 30, null, null]);
  });
});

describe('a source that names days that nobody asked for', () => {
  test.each(partOf(['9999-11', '0001-01', '2026-99'], 2))(
    '%s: they are set aside, and what is checked are the days of the account',
    async (month) => {
      const { source, warehouse } = await tenDays();
      source.change((path, body) =>
        path.startsWith('/reports/') ? { body: body.replaceAll(/"20\d\d-\d\d-(\d\d)/g, `"${month}-$1`) } : undefined,
      );
      const checked: string[] = [];
      const check = ({ from, to }: { from: string; to: string }): Promise<void> =>
        Promise.resolve(void checked.push(from, to));
      const outcome = await warehouse.pull(0, { check, ...kinds });
      expect(outcome.quarantined).toBeGreaterThan(0);
      expect(checked.filter((day) => !/^2026-(0\d|1[012])/.test(day))).toEqual([]);
      const days = "select min(day) >= date '2026-01-01' and max(day) < date '2027-01-01' as near from ledger.periods";
      expect(await warehouse.rows(days)).toEqual([{ near: true }]);
      expect(await warehouse.rows('select count(*) > 0 as there from facts.chats')).toEqual([{ there: true }]);
    },
  );

  test('a period that is wrong besides does not end the pull', async () => {
    const { source, warehouse } = await tenDays();
    source.change((path, body) =>
      path.startsWith('/reports/chats/total_chats')
        ? { body: body.replace(/^{/, '{"2026-99-99":{"chats":"many"},"9999-12-31":{"chats":null},') }
        : undefined,
    );
    expect((await warehouse.pull(0, { only: few })).quarantined).toBeGreaterThan(0);
    const days = "select max(day) < date '2027-01-01' as near from ledger.periods";
    expect(await warehouse.rows(days)).toEqual([{ near: true }]);
  });
});

describe('a source that gives a report to nobody', () => {
  test.each([
    [403, 'not_in_plan'],
    [410, 'gone'],
  ])('%i: the report is marked %s, hides no other, and is tried once a day', async (status, state) => {
    const { source, warehouse } = await fewDays();
    source.change(refusing('/reports/chats/chatting_time', status));
    const outcome = await warehouse.pull();
    expect(outcome).toMatchObject({ failed: 0, refused: ['chatting_time'] });
    const states = "select distinct source, state from ledger.periods where state <> 'pulled' order by all";
    expect(await warehouse.rows(states)).toEqual([{ source: 'chatting_time', state }]);
    expect(await warehouse.rows('select count(*) > 0 as there from reports.response_time')).toEqual([{ there: true }]);
    // Asked of the account, it was not asked of everybody in it.
    expect(reportsAsked(source.asked, '/chats/chatting_time').length).toBeLessThan(12);
    source.asked.length = 0;
    await warehouse.pull(3600);
    expect(reportsAsked(source.asked, '/chats/chatting_time')).toEqual([]);
    source.change(() => undefined);
    await warehouse.pull(25 * 3600);
    expect(await warehouse.rows(states)).toEqual([]);
    expect(
      await warehouse.rows("select count(distinct day) as days from reports.chatting_time where split = 'agent'"),
    ).toEqual([{ days: few_days + 1 }]);
  });

  test('one split that is refused leaves the others alone', async () => {
    const { source, warehouse } = await tenDays();
    source.change((path) => (path.includes('agent=agent2%40') ? { status: 404, body: '{}' } : undefined));
    await warehouse.pull(0, kinds);
    const states = "select distinct split_value from ledger.periods where state = 'gone'";
    expect(await warehouse.rows(states)).toEqual([{ split_value: 'agent2@example.com' }]);
  });
});

describe('a clock that ran ahead', () => {
  // Every report is planned by the same rules; all of them for 400 days take a minute.
  const only = new Set(['archive', 'total_chats']);
  test.each([2, tries(16, 400)])(
    'by %i days and was set right does not keep open days from being asked',
    async (days) => {
      const { source, warehouse } = await tenDays();
      await warehouse.pull(0, { only });
      await warehouse.pull(days * day_seconds, { only });
      source.asked.length = 0;
      await warehouse.pull(600, { only });
      const asked = reportsAsked(source.asked, '/chats/total_chats');
      expect(asked.filter((path) => path.includes('group_by=hour')).length).toBeGreaterThan(0);
      expect(asked.filter((path) => path.includes('group_by=day')).length).toBe(1 + groups_listed + agents_listed);
      expect(source.asked.some((path) => path.startsWith('/chats?date_from=2026-05-10'))).toBe(true);
      source.asked.length = 0;
      await warehouse.pull(900, { only });
      expect(reportsAsked(source.asked, '/chats/total_chats').length).toBe(1 + groups_listed + agents_listed + 1);
    },
  );
});

describe('a pull that ends early', () => {
  test('by whoever runs it has loaded and counted what came, and the next one does not ask for it again', async () => {
    const { source, warehouse } = await tenDays();
    const stop = new AbortController();
    source.change((path) => {
      if (path.includes('/reports/') && source.asked.length > 200) stop.abort();
      return undefined;
    });
    await expect(warehouse.pull(0, { signal: stop.signal })).rejects.toThrow('the next pull goes on from there');
    const [ended] = await warehouse.rows('select state, requests, chats_new, error from ledger.pulls');
    const [held] = await warehouse.rows('select count(*) as n from facts.chats');
    const [told] = await warehouse.rows('select count(*) as n from ledger.requests');
    expect(ended).toMatchObject({ state: 'failed', requests: told?.n, chats_new: held?.n });
    expect(held?.n).toBeGreaterThan(0);
    expect(await warehouse.rows("select 1 as one from ledger.periods where state <> 'pulled'")).toEqual([]);
    source.change(() => undefined);
    expect(await warehouse.pull(0)).toMatchObject({ chats_new: 0, failed: 0 });
  });

  test('because the address is no account is told so, and marks no report as gone', async () => {
    const { source, warehouse } = await tenDays();
    source.change(() => ({ status: 404, body: '<html>Not found</html>' }));
    await expect(warehouse.pull(0, { only: few })).rejects.toThrow(
      /what answers is not the API of an account .* answered with 404/,
    );
    source.change(() => undefined);
    expect(await warehouse.pull(0, { only: few })).toMatchObject({ failed: 0, refused: [] });
  });
});

describe('what fails', () => {
  test('is asked by the next pull, then more rarely; a day that is here stays here', async () => {
    const { source, warehouse } = await tenDays();
    await warehouse.pull(0, { only: new Set([...few, 'goals']) });
    source.change(refusing('/reports/chats/goals', 400));
    const asked = async (later: number): Promise<number> => {
      source.asked.length = 0;
      await warehouse.pull(later, { only: new Set([...few, 'goals']) });
      return reportsAsked(source.asked, '/chats/goals').length;
    };
    const first = await asked(600);
    // For two stretches of days, and the account by hour besides.
    expect(first).toBeGreaterThan(2 * (1 + groups_listed + agents_listed));
    expect(await asked(900)).toBe(first);
    // Twice in a row: a quarter of an hour.
    expect(await asked(1200)).toBe(0);
    expect(await asked(2000)).toBe(first);
    expect(
      await warehouse.rows(
        "select distinct state, failures from ledger.periods where source = 'goals' and error is not null",
      ),
    ).toEqual([{ state: 'pulled', failures: 3 }]);
    expect(await warehouse.rows('select count(distinct day) as days from reports.goals')).toEqual([{ days: 10 }]);
    source.change(() => undefined);
    await warehouse.pull(3600 * 3, { only: new Set([...few, 'goals']) });
    expect(await warehouse.rows('select count(*) as n from ledger.periods where error is not null')).toEqual([
      { n: 0 },
    ]);
  });

  test('one page of a long day: the other pages are here, nothing is taken for gone, and the day is asked again', async () => {
    const { source, warehouse } = await account(daysOf('2026-05-01', 1500, 750), '2026-05-02T23:00:00Z');
    await warehouse.pull(0, { only: few });
    source.change(refusing('/chats?date_from=2026-05-02&date_to=2026-05-02&timezone=UTC&page=7', 500));
    const outcome = await warehouse.pull(300, { only: few });
    expect(outcome.failed).toBe(1);
    expect(await warehouse.rows('select count(*) as chats from facts.chats')).toEqual([{ chats: 1500 }]);
    const [day] = await warehouse.rows(
      "select state, error from ledger.periods where source = 'archive' and error is not null",
    );
    expect(day).toEqual({
      state: 'pulled',
      error: expect.stringContaining('725 of 750 chats of 2026-05-02 were reached: 1 pages could not be read'),
    });
  });

  test('one agent of the list: the others are here, that one is not taken for removed, and it is told', async () => {
    const { source, warehouse } = await tenDays();
    await warehouse.pull(0, { only: few });
    source.change((path, body) =>
      path === '/agents' ? { body: body.replace('"permission":"normal"', '"permission":7') } : undefined,
    );
    const outcome = await warehouse.pull(300, { only: few });
    expect(outcome.quarantined).toBe(1);
    expect(await warehouse.rows('select count(*) as agents from account.agents where not is_removed')).toEqual([
      { agents: agents_listed },
    ]);
    expect(await warehouse.rows('select source, record_id from ledger.quarantine')).toEqual([
      { source: 'account.agents', record_id: 'agent0@example.com' },
    ]);
    source.change(() => undefined);
    await warehouse.pull(600, { only: few });
    expect(await warehouse.rows('select * from ledger.quarantine')).toEqual([]);
  });
});

describe('chats', () => {
  test('that the source no longer has are no facts any more', async () => {
    const { source, warehouse } = await tenDays();
    await warehouse.pull(0, { only: few });
    source.change((path, body) => {
      if (!path.startsWith('/chats?date_from=2026-05-10')) return undefined;
      const page = archivePage.parse(JSON.parse(body));
      return { body: JSON.stringify({ ...page, chats: page.chats.slice(1), total: page.total - 1 }) };
    });
    await warehouse.pull(300, { only: few });
    const counted = await warehouse.rows(
      'select (select count(*) from facts.chats) as chats, (select count(distinct chat_id) from facts.messages) as spoken',
    );
    expect(counted).toEqual([{ chats: 199, spoken: 199 }]);
  });

  test('that are listed under two days are there once, on the day on which they started', async () => {
    const { source, warehouse } = await tenDays();
    let running: unknown;
    // The first chat of the 9th ran over midnight: the source lists it under the 10th too.
    source.change((path, body) => {
      if (path.startsWith('/chats?date_from=2026-05-09'))
        running = (archivePage.parse(JSON.parse(body)).chats as unknown[])[0];
      if (!path.startsWith('/chats?date_from=2026-05-10') || !running) return undefined;
      const page = archivePage.parse(JSON.parse(body));
      return { body: JSON.stringify({ ...page, chats: [...page.chats, running], total: page.total + 1 }) };
    });
    for (const later of [0, 300, 600]) await warehouse.pull(later, { only: few });
    const counted = await warehouse.rows('select count(*) as rows, count(distinct chat_id) as chats from facts.chats');
    expect(counted).toEqual([{ rows: 200, chats: 200 }]);
  });

  test('of a day of thousands are pulled whole, page by page', async () => {
    const chats = tries(1_500, 26_000);
    const { warehouse } = await account(daysOf('2026-05-01', chats, chats), '2026-05-02T12:00:00Z');
    const outcome = await warehouse.pull(0, { only: new Set(['archive', 'total_chats']) });
    expect(outcome).toMatchObject({ chats_new: chats, failed: 0, quarantined: 0 });
    const [row] = await warehouse.rows(
      `select p.rows, p.total, p.state, p.error, p.rows_new, (select count(distinct chat_id) from facts.chats) as chats
       from ledger.periods as p where source = 'archive' and day = date '2026-05-01'`,
    );
    expect(row).toEqual({ rows: chats, total: chats, state: 'pulled', error: null, rows_new: chats, chats });
  });

  test('that ended between archive and report are read in the same pull', async () => {
    const { source, warehouse } = await account(daysOf('2026-05-01', 40, 20), '2026-05-02T12:00:00Z');
    let readings = 0;
    source.change((path, body) => {
      if (!path.startsWith('/chats?date_from=2026-05-01') || ++readings > 1) return undefined;
      const page = archivePage.parse(JSON.parse(body));
      return { body: JSON.stringify({ ...page, chats: page.chats.slice(1), total: page.total - 1 }) };
    });
    await warehouse.pull(0, { only: few });
    expect(await warehouse.rows('select count(*) as chats from facts.chats')).toEqual([{ chats: 40 }]);
  });
});

describe('complete months', () => {
  const days = daysOf('2026-02-10', 100, 1);
  /** The source gives one report only: all are planned by the same rules, and all of them for 400 days take a minute. */
  const withOneReport =
    (change: Change = () => undefined): Change =>
    (path, body) =>
      path.startsWith('/reports/') && !path.startsWith('/reports/chats/engagement')
        ? { status: 403, body: '{}' }
        : change(path, body);
  const monthsAsked = (asked: readonly string[]): string[] => [
    ...new Set(
      reportsAsked(asked, '/chats/engagement')
        .filter((path) => path.includes('group_by=day') && !path.includes('group=') && !path.includes('agent='))
        .flatMap((path) => {
          const query = new URL(path, 'http://x').searchParams;
          const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? ''];
          return to < '2026-05-01' ? [from.slice(0, 7), to.slice(0, 7)] : [];
        }),
    ),
  ];

  test('are checked again one a day, oldest check first, and a day that changed is read again', async () => {
    const { source, warehouse } = await account(days, '2026-05-20T12:00:00Z');
    source.change(withOneReport());
    await warehouse.pull();
    const months: string[][] = [];
    for (let day = 1; day <= 4; day += 1) {
      source.asked.length = 0;
      if (day === 2)
        source.change(
          withOneReport((path, body) => {
            if (path.startsWith('/reports/chats/engagement') && !path.includes('group_by=hour'))
              return {
                body: body.replace(
                  '"2026-03-15":{"chats_from_auto_invite":0',
                  '"2026-03-15":{"chats_from_auto_invite":5',
                ),
              };
            if (!path.startsWith('/chats?date_from=2026-03-15')) return undefined;
            return { body: body.replace('"rate":"', '"rate":"rated_good","ignored":"') };
          }),
        );
      await warehouse.pull(day * day_seconds);
      months.push(monthsAsked(source.asked));
      const archive = source.asked.filter((path) => path.startsWith('/chats?date_from=2026-03'));
      expect([day, archive.length]).toEqual([day, day === 2 ? 1 : 0]);
      source.asked.length = 0;
      await warehouse.pull(day * day_seconds + 600);
      expect(monthsAsked(source.asked)).toEqual([]);
    }
    expect(months).toEqual([['2026-02'], ['2026-03'], ['2026-04'], ['2026-02']]);
    expect(
      await warehouse.rows(
        "select chats_from_auto_invite as n from reports.engagement where day = date '2026-03-15' and grain = 'day' and split = 'account'",
      ),
    ).toEqual([{ n: 5 }]);
    expect(
      await warehouse.rows(
        "select count(*) as n from ledger.periods where day = date '2026-03-15' and rows_changed > 0 and source = 'archive'",
      ),
    ).toEqual([{ n: 1 }]);
  });
});

describe('the ledger', () => {
  test('says of each day what it took and what it brought', async () => {
    const { warehouse } = await tenDays();
    await warehouse.pull(0, { only: few });
    const [day] = await warehouse.rows(
      "select * from ledger.periods where source = 'archive' and day = date '2026-05-05'",
    );
    expect(day).toMatchObject({
      state: 'pulled',
      rows: 20,
      rows_new: 20,
      rows_changed: 0,
      rows_unchanged: 0,
      attempts: 1,
      failures: 0,
      error: null,
    });
    expect(day?.bytes).toBeGreaterThan(50_000);
    await warehouse.pull(5 * 3600, { only: few });
    const [again] = await warehouse.rows(
      "select rows_new, rows_unchanged from ledger.periods where source = 'archive' and day = date '2026-05-09'",
    );
    expect(again).toEqual({ rows_new: 0, rows_unchanged: 20 });
  });

  test('forgets answered requests after a week and failed ones after ninety days', async () => {
    const { source, warehouse } = await tenDays();
    source.change(refusing('/reports/chats/goals', 400));
    await warehouse.pull(0, { only: new Set(['goals']) });
    source.change(() => undefined);
    const kept = async (): Promise<unknown> =>
      warehouse.rows(
        "select count(*) filter (where error is null) > 0 as answered, count(*) filter (where error is not null) > 0 as failed from ledger.requests where asked_at < timestamptz '2026-05-11'",
      );
    expect(await kept()).toEqual([{ answered: true, failed: true }]);
    await warehouse.pull(8 * day_seconds, { only: new Set(['goals']) });
    expect(await kept()).toEqual([{ answered: false, failed: true }]);
    await warehouse.pull(91 * day_seconds, { only: new Set(['goals']) });
    expect(await kept()).toEqual([{ answered: false, failed: false }]);
  });
});
