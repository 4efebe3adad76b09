// A source that misbehaves on demand: every fault over HTTP, what it leaves, when it strikes and how it is counted.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archivedChat, type ArchivedChat, type ArchivePage } from '#contract/archive.ts';
import { reports } from '#contract/reports.ts';
import { faults, faultNames, type FaultName } from '#service/chaos/faults.ts';
import { chaosPlan, type ChaosPlan } from '#service/chaos/plan.ts';
import { drilledService } from './chaos-account.ts';
import type { Got } from './wire.ts';

let it_runs: Awaited<ReturnType<typeof drilledService>>;
beforeAll(async () => {
  it_runs = await drilledService();
});
afterAll(() => it_runs.end());

const chaos = () => it_runs.service().chaos;
const quick = { hold_seconds: 0.3, slow_seconds: 0.3, retry_after_seconds: 2 };
const once = (fault: FaultName): ChaosPlan => chaosPlan({ ...quick, script: [{ fault }] });

const page1 = '/chats';
const page2 = '/chats?page=2';
const days = 'date_from=2026-05-04&date_to=2026-05-06&group_by=day';
const ratings = `/reports/chats/ratings?${days}`;
const hours = `/reports/availability?${days}`;
const hoursOfDay = '/reports/availability?date_from=2026-05-04&date_to=2026-05-04&group_by=hour';
const response = `/reports/chats/first_response_time?${days}`;
const goals = `/reports/chats/goals?${days}&sales_tracker=1`;

/** Asked with the fault on: what came (or what broke), and the same without it. */
interface Seen {
  hit: Got | undefined;
  error: { code?: string; message: string } | undefined;
  clean: Got;
}
type Sync = (seen: Seen) => void;
type Check = (seen: Seen) => void | Promise<void>;
const jsonOf = <T>(got: Got | undefined): T => JSON.parse(got?.text ?? '') as T;
const chatsOf = (got: Got | undefined): ArchivedChat[] => jsonOf<ArchivePage>(got).chats;
const idsOf = (got: Got | undefined): string[] => chatsOf(got).map(({ id }) => id);
type Report = Record<string, Record<string, number>>;

const breaks =
  (code: RegExp): Check =>
  ({ hit, error }) => {
    expect(hit).toBeUndefined();
    expect(`${error?.code} ${error?.message}`).toMatch(code);
  };
const refuses =
  (status: number, header?: [string, RegExp | undefined]): Sync =>
  ({ hit }) => {
    expect([hit?.status, header && String(hit?.headers[header[0]])]).toEqual([
      status,
      header && (header[1] ? expect.stringMatching(header[1]) : 'undefined'),
    ]);
  };
const same: Sync = ({ hit, clean }) => expect([hit?.status, hit?.text]).toEqual([200, clean.text]);
const says =
  (pattern: RegExp): Check =>
  ({ hit }) =>
    expect([hit?.status, hit?.text]).toEqual([200, expect.stringMatching(pattern)]);
const isNoJson: Sync = ({ hit }) => {
  expect(hit?.status).toBe(200);
  expect(() => jsonOf(hit)).toThrow(SyntaxError);
};
const dateOff =
  (hoursOff: number): Check =>
  (seen) => {
    same(seen);
    const off = Date.parse(String(seen.hit?.headers.date)) / 3_600_000 - it_runs.clock.now / 3600;
    expect(off).toBeCloseTo(hoursOff, 1);
  };
/** Exactly one record of the page is no longer what the contract says. */
const breaksOneChat: Check = ({ hit }) =>
  expect(chatsOf(hit).filter((each) => !archivedChat.safeParse(each).success)).toHaveLength(1);
const inHttpDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
const unpacked = ({ hit }: Seen): string => gunzipSync(hit!.body).toString('utf8');

/** Every fault: where it is met, and what it must look like. One that is missing here does not compile. */
const drills: Record<Exclude<FaultName, 'page_id_repeated'>, [path: string, check: Check]> = {
  silence: [page1, breaks(/UND_ERR_SOCKET|other side closed/)],
  reset: [page1, breaks(/ECONNRESET/)],
  hang_up: [page1, breaks(/UND_ERR_SOCKET|other side closed/)],
  not_http: [page1, breaks(/HPE_|HTTPParser|Expected HTTP/)],
  bad_chunk: [page1, breaks(/HPE_INVALID_CHUNK_SIZE|chunk/)],
  reset_headers: [page1, breaks(/ECONNRESET|terminated|aborted/)],
  reset_body: [page1, breaks(/ECONNRESET|terminated|aborted/)],
  cut_body: [page1, breaks(/other side closed|terminated|aborted|Body Timeout/)],
  stall: [page1, breaks(/other side closed|terminated|aborted/)],
  slow: [
    page1,
    (seen) => {
      same(seen);
      expect(seen.hit!.milliseconds).toBeGreaterThan(250);
    },
  ],
  late: [
    page1,
    (seen) => {
      same(seen);
      expect(seen.hit!.milliseconds).toBeGreaterThan(250);
    },
  ],
  '204': [page1, ({ hit }) => expect([hit?.status, hit?.text]).toEqual([204, ''])],
  '302': [page1, refuses(302, ['location', /login/])],
  '401': [page1, refuses(401)],
  '403': [ratings, refuses(403)],
  '404': [ratings, refuses(404)],
  '408': [page1, refuses(408)],
  '410': [ratings, refuses(410)],
  misdirected_request: [
    page1,
    ({ hit }) =>
      expect([hit?.status, jsonOf(hit)]).toEqual([
        421,
        { error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } } },
      ]),
  ],
  '425': [page1, refuses(425)],
  '429': [page1, refuses(429, ['retry-after', /^2$/])],
  '429_date': [
    page1,
    (seen) => {
      refuses(429, ['retry-after', inHttpDate])(seen);
      const until = Date.parse(String(seen.hit?.headers['retry-after'])) / 1000;
      expect([until, Date.parse(String(seen.hit?.headers.date)) / 1000]).toEqual([
        it_runs.clock.now + 2,
        it_runs.clock.now,
      ]);
    },
  ],
  '429_bare': [page1, refuses(429, ['retry-after', undefined])],
  '500': [page1, refuses(500)],
  '502': [page1, refuses(502, ['content-type', /json/])],
  '503': [page1, refuses(503, ['retry-after', /^2$/])],
  '503_date': [page1, refuses(503, ['retry-after', inHttpDate])],
  '504': [page1, refuses(504)],
  html_502: [page1, refuses(502, ['content-type', /html/])],
  clock_ahead: [page1, dateOff(3)],
  clock_behind: [page1, dateOff(-72)],
  truncated: [
    page1,
    (seen) => {
      isNoJson(seen);
      expect(seen.clean.text.startsWith(seen.hit!.text)).toBe(true);
      expect(seen.hit!.headers['content-length']).toBe(String(seen.hit!.body.length));
    },
  ],
  empty: [page1, says(/^$/)],
  not_json: [page1, says(/^OK$/)],
  html: [page1, says(/^<!doctype html>/)],
  error_200: [page1, says(/^\{"error":/)],
  null_body: [page1, says(/^null$/)],
  junk_after: [page1, isNoJson],
  names_twice: [page1, ({ hit }) => expect(jsonOf(hit)).toMatchObject({ chats: [], total: 0, pages: 0 })],
  not_utf8: [
    page1,
    ({ hit }) => expect(() => new TextDecoder('utf-8', { fatal: true }).decode(hit!.body)).toThrow(TypeError),
  ],
  byte_order_mark: [
    page1,
    (seen) => {
      isNoJson(seen);
      expect(new TextDecoder().decode(seen.hit!.body)).toBe(seen.clean.text);
    },
  ],
  wrong_content_type: [
    page1,
    (seen) => {
      same(seen);
      expect(seen.hit!.headers['content-type']).toBe('text/html');
    },
  ],
  large: [
    page1,
    (seen) => {
      expect(seen.hit!.body.length).toBeGreaterThan(16 * 1024 * 1024);
      expect(jsonOf(seen.hit)).toEqual(jsonOf(seen.clean));
    },
  ],
  gzip: [page1, (seen) => expect(unpacked(seen)).toBe(seen.clean.text)],
  gzip_broken: [page1, (seen) => expect(() => unpacked(seen)).toThrow(/unexpected end/)],
  gzip_bomb: [page1, (seen) => expect(unpacked(seen).length / seen.hit!.body.length).toBeGreaterThan(100)],
  wrong_type: [page1, breaksOneChat],
  null_field: [page1, breaksOneChat],
  missing_field: [page1, breaksOneChat],
  unknown_field: [
    page1,
    ({ hit, clean }) => {
      expect(hit!.text).toContain('added_in_a_later_version');
      expect(chatsOf(hit).map((each) => archivedChat.parse(each))).toEqual(chatsOf(clean));
    },
  ],
  negative_number: [ratings, says(/:-1/)],
  huge_number: [ratings, says(/:9007199254740991/)],
  list_for_object: [goals, says(/"value":\[\]/)],
  minutes: [
    hours,
    ({ hit, clean }) => {
      const [said, meant] = [jsonOf<Report>(hit), jsonOf<Report>(clean)];
      expect(said['2026-05-04']).toEqual({ minutes: expect.closeTo(7.85 * 60, 9) });
      for (const [day, each] of Object.entries(meant)) expect(said[day]!.minutes! / 60).toBe(each.hours);
    },
  ],
  null_seconds: [response, says(/"count":30,"seconds":null/)],
  money_as_text: [goals, says(/"value":"248\.5"/)],
  missing_period: [ratings, ({ hit }) => expect(Object.keys(jsonOf(hit))).toHaveLength(2)],
  unasked_period: [ratings, ({ hit }) => expect(Object.keys(jsonOf(hit)).at(-1)).toBe('2026-05-07')],
  price_as_number: [page1, says(/"price":199,/)],
  price_as_text: [page2, says(/"price":"49\.5"/)],
  no_messages: [
    page1,
    ({ hit }) => {
      const silent = chatsOf(hit).filter(({ messages, events }) => messages.length === 0 && events.length === 0);
      expect(silent).toHaveLength(1);
    },
  ],
  future_times: [page1, says(/"started_timestamp":2093/)],
  ends_before_start: [
    page1,
    ({ hit }) => expect(chatsOf(hit).filter((each) => each.ended_timestamp! < each.started_timestamp)).toHaveLength(1),
  ],
  odd_letters: [page1, says(/\\u0000\\ud83d\u202e/)],
  duplicate_id: [
    page1,
    ({ hit, clean }) => expect(idsOf(hit)).toEqual([...idsOf(clean).slice(0, 24), idsOf(clean)[0]]),
  ],
  page_repeated: [page2, async ({ hit }) => expect(idsOf(hit)).toEqual(idsOf(await it_runs.get(page1)))],
  page_shifted: [page2, ({ hit, clean }) => expect(idsOf(hit)).toEqual(idsOf(clean).slice(1))],
  page_overlaps: [
    page2,
    async ({ hit, clean }) => expect(idsOf(hit)).toEqual([idsOf(await it_runs.get(page1)).at(-1), ...idsOf(clean)]),
  ],
  page_short: [page1, ({ hit, clean }) => expect(idsOf(hit)).toEqual(idsOf(clean).slice(0, -1))],
  total_too_high: [page1, ({ hit }) => expect(jsonOf(hit)).toMatchObject({ total: 31, pages: 2 })],
  total_too_low: [page1, ({ hit }) => expect(jsonOf(hit)).toMatchObject({ total: 29, pages: 2 })],
};

describe('a fault', () => {
  it.each(Object.entries(drills))(
    '%s does what it says once, and the next try is answered',
    async (name, [path, check]) => {
      chaos().follow(null);
      const clean = await it_runs.get(path);
      chaos().follow(once(name as FaultName));
      const seen: Seen = { hit: undefined, error: undefined, clean };
      try {
        seen.hit = await it_runs.get(path);
      } catch (error) {
        seen.error = error as NonNullable<Seen['error']>;
      }
      expect(chaos().told().faults).toEqual({ [name]: 1 });
      await check(seen);
      expect((await it_runs.get(path)).text).toBe(clean.text);
      const { arrived, reached, kept_away, hit } = chaos().told();
      expect([arrived, hit]).toEqual([reached + kept_away, 1]);
    },
  );
  it('that the service never heard of is told apart from one that damaged its answer', async () => {
    for (const [fault, reached, kept_away] of [
      ['500', 0, 1],
      ['reset', 0, 1],
      ['reset_body', 1, 0],
      ['html', 1, 0],
      ['page_repeated', 1, 0],
    ] as const) {
      chaos().follow(once(fault));
      const before = it_runs.service().requests();
      await it_runs.get(page2).catch(() => undefined);
      expect([fault, chaos().told()]).toEqual([
        fault,
        { arrived: 1, reached, kept_away, hit: 1, faults: { [fault]: 1 } },
      ]);
      expect(it_runs.service().requests() - before).toBe(reached);
    }
  });
  it('that finds nothing to damage is not counted and changes nothing', async () => {
    chaos().follow(null);
    const clean = await it_runs.get(ratings);
    chaos().follow(chaosPlan({ script: [{ fault: 'list_for_object', times: 9 }] }));
    expect((await it_runs.get(ratings)).text).toBe(clean.text);
    expect(chaos().told()).toEqual({ arrived: 1, reached: 1, kept_away: 0, hit: 0, faults: {} });
  });
  it('breaks any report where it says so, and minutes by hour are what /availability means by hours', async () => {
    for (const fault of ['wrong_type', 'null_field', 'missing_field'] as const) {
      chaos().follow(once(fault));
      const broken = Object.values(jsonOf<Report>(await it_runs.get(ratings)));
      expect(broken.filter((each) => !reports.chat_ratings.each.safeParse(each).success)).toHaveLength(1);
    }
    chaos().follow(once('minutes'));
    expect(jsonOf<Report>(await it_runs.get(hoursOfDay))).toMatchObject({
      '08:00': { minutes: 60 },
      '15:00': { minutes: 51 },
    });
  });
  it('speaks v3 to a v3 path', async () => {
    chaos().follow(once('429'));
    expect(jsonOf(await it_runs.get('/v3.5/agent/action/list_archives'))).toEqual({
      error: { type: 'too_many_requests', message: 'Too many requests' },
    });
  });
  it('is one of more than thirty, in four kinds of harm, and the page on drills names it', () => {
    const page = readFileSync('docs/drills.md', 'utf8');
    expect(new Set(faultNames).size).toBeGreaterThan(60);
    expect(faults.filter(({ name, fault }) => !page.includes(`| \`${name}\``) || !page.includes(fault.what))).toEqual(
      [],
    );
  });
});

describe('rates', () => {
  const questions = Array.from({ length: 120 }, (_, index) => `/chats?group=${index}`);
  /** The names of what hit each question, in the order of the questions. */
  const hits = async (plan: string, order: readonly string[] = questions): Promise<(string | undefined)[]> => {
    const found = new Map<string, string>();
    chaos().follow(chaosPlan(plan));
    for (const path of order) {
      const before = { ...chaos().told().faults };
      await it_runs.get(path).catch(() => undefined);
      const name = Object.entries(chaos().told().faults).find(([each, count]) => count !== (before as never)[each]);
      if (name) found.set(path, name[0]);
    }
    return questions.map((path) => found.get(path));
  };

  it('hit the asked share of the questions, the same ones for the same seed, whatever the order', async () => {
    const first = await hits('seed=7,500=0.2,html=0.1,reset=0.1');
    expect(await hits('seed=7,reset=0.1,html=0.1,500=0.2', [...questions].reverse())).toEqual(first);
    expect(await hits('seed=8,500=0.2,html=0.1,reset=0.1')).not.toEqual(first);
    const share = first.filter((name) => name !== undefined).length / questions.length;
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.52);
    expect(new Set(first)).toEqual(new Set([undefined, '500', 'html', 'reset']));
  });
  it('spare the next try of a question, unless the fault is sticky', async () => {
    chaos().follow(chaosPlan('500=1'));
    const tries = async (): Promise<number[]> => [
      (await it_runs.get(page1)).status,
      (await it_runs.get(page1)).status,
      (await it_runs.get(page1)).status,
    ];
    expect(await tries()).toEqual([500, 200, 500]);
    chaos().follow(chaosPlan('500=1,sticky=500+html'));
    expect(await tries()).toEqual([500, 500, 500]);
    chaos().follow(chaosPlan('500=1,sticky'));
    expect(await tries()).toEqual([500, 500, 500]);
    chaos().follow(chaosPlan('500=1,sticky=html'));
    expect(await tries()).toEqual([500, 200, 500]);
  });
  it('of a group are shared by its faults that fit, and hold for the asked paths only', async () => {
    chaos().follow(chaosPlan('content=1,path=/reports/*'));
    for (const path of [page1, page2, '/agents']) await it_runs.get(path);
    expect(chaos().told().hit).toBe(0);
    for (const group of [1, 2, 3, 4, 5, 6, 7, 8]) await it_runs.get(`${goals}&group=${group}`);
    const { faults: told } = chaos().told();
    expect(Object.keys(told).length).toBeGreaterThan(2);
    expect(Object.keys(told).filter((name) => name.startsWith('page_'))).toEqual([]);
  });
});

describe('a scripted fault', () => {
  it('hits the named requests of its path, counted from one, and no others', async () => {
    chaos().follow(chaosPlan('500@/chats#2x2,html@/chats?page=2'));
    const statuses: (number | string)[] = [];
    for (const path of ['/agents', page1, page1, '/reports/chats/ratings', '/chats?group=1', page1, page2]) {
      const { status, text } = await it_runs.get(path);
      statuses.push(text.startsWith('<') ? 'html' : status);
    }
    expect(statuses).toEqual([200, 200, 500, 200, 500, 200, 'html']);
  });
});

describe('a plan', () => {
  it('means the same as a line and as an object', () => {
    expect(
      chaosPlan('seed=7, reset=0.05,500=0.1,path=/chats*,sticky=html+empty,html@/chats*#3x2,403@*,slow_seconds=1'),
    ).toEqual(
      chaosPlan({
        seed: 7,
        rates: { reset: 0.05, '500': 0.1 },
        path: '/chats*',
        sticky: ['html', 'empty'],
        script: [{ fault: 'html', path: '/chats*', nth: 3, times: 2 }, { fault: '403' }],
        slow_seconds: 1,
      }),
    );
  });
  it.each([
    ['rest=0.1', /'rest' is no fault.*choose from silence, reset, .*page_short.*--chaos help/],
    ['silenc@/chats', /script\.0\.fault: 'silenc' is no fault; choose from silence/],
    ['500=2', /rates\.500: must be a number from 0 to 1/],
    ['500=often', /rates\.500: must be a number from 0 to 1/],
    ['500=0.6,html=0.6', /rates: must not add up to more than 1/],
    ['seed=x', /seed: must be a whole number/],
    ['500@chats', /script\.0\.path: must be a path like/],
    [{ rate: { '500': 1 } }, /rate/],
    [[], /expected object/],
    [{ hold_seconds: -1 }, /hold_seconds: must be a number from 0 to 3600/],
  ])('like %j is refused with what it must be', (given, words) => {
    expect(() => chaosPlan(given)).toThrow(words);
  });
});

describe('without a plan', () => {
  it('requests are counted all the same', async () => {
    chaos().follow(null);
    await it_runs.get(page1);
    expect(chaos().told()).toEqual({ arrived: 1, reached: 1, kept_away: 0, hit: 0, faults: {} });
  });
});
