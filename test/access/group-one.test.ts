// Two accounts that differ in group 1 alone: at every door a reader of group 2 is answered the same bytes by both.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import PQueue from 'p-queue';
import { openAuth, type Auth } from '#auth/auth.ts';
import type { Right, Role } from '#auth/rights.ts';
import { userFrom } from '#auth/user-shape.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { round } from '#digests/scheduler.ts';
import { userAtIn } from '#server/digests.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Engine, Store } from '#warehouse/engine.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, addChats, insert, pulled, second, someHours, type Chat } from '../warehouse/account.ts';
import { digest, digestDeps, monday } from '../digests/deps.ts';
import { isWhole, partOf } from '../chance.ts';
import { openDoors, type Doors } from './api.ts';
import { routes } from './routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'group-one-'));
const range = 'from=2026-05-01&to=2026-05-10&account=default';
const earlier = '2026-05-09T12:00:00Z';
const noon = second('2026-06-01T12:00:00Z') * 1000;

/** Of group 2, some of them of group 1 too; the same in both. */
const common: Chat[] = Array.from({ length: 24 }, (_, index) => ({
  start: `2026-05-0${4 + (index % 5)}T${String(8 + (index % 9)).padStart(2, '0')}:20:00Z`,
  ...{ seconds: 300 + 20 * index, groups: index % 6 ? [2] : [1, 2], agents: [index % 2 ? 'a@x.test' : 'b@x.test'] },
  ...{ tags: index % 3 ? ['refund'] : [], rate: index % 4 ? 'rated_good' : 'rated_bad', country: 'Poland' },
  ...{ visitor: `v${index % 7}`, queue: index * 3, first: [20 + index, index % 2 ? 'a@x.test' : 'b@x.test'] },
  goals: index % 5 ? [] : [{ id: 1, at: '2026-05-09T10:00:00Z', sale: true, price: '19.90', currency: 'EUR' }],
}));

/** Of group 1 alone, at the same hours, with agents, tags, visitors and goals of group 2 and with others. */
const hidden: Chat[] = Array.from({ length: 60 }, (_, index) => ({
  start: `2026-05-0${2 + (index % 8)}T${String(6 + (index % 15)).padStart(2, '0')}:25:00Z`,
  ...{ seconds: 900 + 7 * index, groups: [1], agents: [index % 3 ? 'a@x.test' : 'only.in.one@x.test'] },
  ...{ tags: index % 2 ? ['refund'] : ['merger'], rate: 'rated_bad', country: index % 2 ? 'Poland' : 'Norway' },
  ...{ visitor: index % 2 ? `v${index % 7}` : `w${index}`, queue: 500 + index, engagement: 'missed' },
  ...{ first: [400 + index, 'a@x.test'], turns: { 'a@x.test': [90, 2] } },
  goals: [{ id: 2, at: '2026-05-09T11:00:00Z', sale: true, price: '999.00', currency: 'NOK' }],
}));
/** In what only group 1 says, and in nothing else. */
const marks = ['only.in.one', 'merger', 'Norway', 'NOK', 'acquisition', 'Secret Ones'];

async function messages(writer: Store, first: number, count: number, text: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ chat_id: `C${String(first + index).padStart(6, '0')}`, position: 0, kind: 'message', user_type: 'visitor' },
    ...{ at: noon / 1000, at_second: noon / 1000, text: `${text} ${index}`, author_name: text },
  }));
  await insert(writer, 'facts', 'messages', rows);
}

/** What the source and the ledger say of a group, and of everybody. */
async function reported(writer: Store, group: string, times: number): Promise<void> {
  const [split, day] = [group === '' ? 'account' : 'group', '2026-05-05'];
  const known = { timezone: 'UTC', split, split_value: group };
  await insert(writer, 'ledger', 'reconciliation', [
    ...['total_chats', 'chat_ratings'].map((metric) => ({
      ...{ ...known, metric, grain: 'day', period: day, day, measure: metric, reported: times, recomputed: times - 1 },
      ...{ difference: 1, reason: 'unexplained', checked_at: noon / 1000 },
    })),
  ]);
  await pulled(writer, 'UTC', '2026-05-01', '2026-05-10', '2026-05-10T00:00:00Z', {
    ...{ source: 'queued_visitors', grain: 'day', split, split_value: group },
  });
}

interface World {
  doors: Doors;
  /** Questions that the engine was put, by those who asked. */
  statements(): number;
  newest: Store;
  close(): Promise<void>;
}

/** Counts what an engine is put, also behind views. */
function counted<Of extends Engine>(engine: Of, count: () => void): Of {
  const behind = new Map<Engine, Engine>();
  return new Proxy(engine, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      const work = found.bind(target) as (...given: unknown[]) => unknown;
      if (name === 'query' || name === 'queryInPieces' || name === 'queryNumbers')
        return (...given: unknown[]) => {
          count();
          return work(...given);
        };
      if (name !== 'narrowed') return work;
      return async (...given: unknown[]) => {
        const made = (await work(...given)) as Engine;
        const known = behind.get(made) ?? counted(made, count);
        behind.set(made, known);
        return known;
      };
    },
  });
}

async function world(name: string, auth: Auth, isFull: boolean): Promise<World> {
  const place = join(folder, name);
  const writer = await account(common);
  await messages(writer, 0, common.length, 'the parcel is late');
  await insert(writer, 'account', 'groups', [
    { group_id: 1, name: isFull ? 'Secret Ones' : 'Ones' },
    { group_id: 2, name: 'Twos' },
  ]);
  const teams: [string, number][] = [
    ...(['a@x.test', 'b@x.test'] as const).map((login): [string, number] => [login, 2]),
    ...(isFull ? [['only.in.one@x.test', 1] as [string, number], ['a@x.test', 1] as [string, number]] : []),
  ];
  await insert(
    writer,
    'account',
    'group_agents',
    teams.map(([login, group_id]) => ({ login, group_id })),
  );
  await insert(
    writer,
    'account',
    'agents',
    [...new Set(teams.map(([login]) => login))].map((login) => ({ login })),
  );
  await reported(writer, '2', 24);
  await reported(writer, '1', isFull ? 777 : 4);
  await reported(writer, '', isFull ? 777 : 24);
  if (isFull) {
    await addChats(writer, hidden, 1000);
    await messages(writer, 1000, hidden.length, 'the acquisition is on');
    const shifts = { mon: ['03:00-04:00'] };
    const own = [{ valid_from: null, timezone: 'Asia/Kathmandu', week: shifts, holidays: [] }];
    await setBusinessHours(writer, 'default', {
      ...someHours,
      groups: [...someHours.groups, { group: 1, hours: own }],
    });
  }
  const older = (await publish(writer, place, Date.parse('2026-05-09T09:00:00Z'))).file;
  // What comes later restates both groups in one account, group 2 alone in the other.
  await addChats(writer, [{ ...common[3], start: '2026-05-06T17:00:00Z' } as Chat], 500);
  if (isFull) await addChats(writer, hidden.slice(0, 9), 2000);
  const newer = (await publish(writer, place, Date.parse('2026-05-11T06:55:00Z'))).file;
  await writer.close();

  let asked = 0;
  const open = async (file: string) => counted(await openWarehouse(file, { readOnly: true }), () => (asked += 1));
  const [old, newest] = [await open(older), await open(newer)];
  const kept = [
    { id: '20260509-090000-000', published_at: '2026-05-09T09:00:00.000Z', engine: old },
    { id: '20260511-065500-000', published_at: '2026-05-11T06:55:00.000Z', engine: newest },
  ] as const;
  const doors = openDoors(newest, {
    ...{
      auth,
      clock: () => noon,
      snapshot: () => kept[1],
      accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-05-01' }],
    },
    snapshots: {
      // Files of other sizes, since they hold more.
      list: () =>
        Promise.resolve(
          kept.map(({ id, published_at }) => ({ id, published_at, bytes: isFull ? 777 : 1, pinned: null })),
        ),
      lost: () => Promise.resolve(null),
      spare: () => Promise.resolve(0),
      open: (id) => Promise.resolve(kept.find((one) => one.id === id) ?? kept[1]),
      space: () => 10e9,
    },
  });
  return {
    ...{ doors, newest, statements: () => asked },
    async close() {
      await old.close();
      await newest.close();
    },
  };
}

/** The same people in both. */
const people = {
  owner: { role: 'admin' },
  'a manager of group 2': { role: 'manager', rows: { groups: [2] } },
  'a viewer of group 2': { role: 'viewer', rows: { groups: [2] } },
  'a viewer of group 2 who reads chats without names': {
    ...{ role: 'viewer', rows: { groups: [2] }, extra_rights: ['agents:read', 'chats:read'] },
  },
  'an agent of group 2': { role: 'agent', rows: { agent: 'b@x.test' } },
} as const satisfies Record<string, { role: Role; rows?: object; extra_rights?: readonly Right[] }>;
type Person = keyof typeof people;
const readers = (Object.keys(people) as Person[]).filter((name) => name !== 'owner');

let worlds: World[];
/** Of the same people, who have signed in to both. */
const cookies: Partial<Record<Person, string>> = {};
const shownBy = (who: Person): { cookie: string } => ({ cookie: cookies[who] ?? '' });
beforeAll(async () => {
  const auth = openAuth(new DatabaseSync(':memory:'), {
    ...{ url: 'http://127.0.0.1:3000', clock: () => noon, hasSharing: true },
  });
  const both = [await world('plain', auth, false), await world('full', auth, true)] as const;
  worlds = [...both];
  for (const [name, { role, ...about }] of Object.entries(people))
    cookies[name as Person] = (await both[0].doors.userWith(role, { ...about } as never)).cookie;
  for (const { doors } of both) await settings(doors, doors === both[1].doors);
});
afterAll(async () => {
  await Promise.all(worlds.map((one) => one.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** Targets, goals and boards: those of group 2 in both, those of group 1 and of all chats in one. */
async function settings({ ask }: Doors, isFull: boolean): Promise<void> {
  const put = async (path: string, body: object, method = 'PUT') => {
    const answer = await ask(path, shownBy('owner'), { method, body });
    expect([path, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([path, 200, '']);
  };
  const panels = ['overview/volume', 'queue/waiting', 'ratings/agents'].map((panel) => ({ panel, size: 'full' }));
  await put('/boards', { title: 'Everybody', is_shared: true, panels }, 'POST');
  const target = { kind: 'first_response', share: 0.9, seconds: 60, valid_from: '2026-05-01' };
  const goal = { kind: 'chats', from: '2026-04-01', to: '2026-06-30', amount: 18_500 };
  for (const group of [2, ...(isFull ? [1, null] : [])]) {
    await put('/targets', { ...target, group });
    await put('/period-goals', { ...goal, group });
  }
}

const panelFiles = dashboards.flatMap(({ id, panels }) => panels.map((panel) => `/panels/${id}/${panel.id}`));
const filtered = (path: string): string[] => [
  ...[path, `${path}&group=1`, `${path}&group=1&group=2`, `${path}&agent=only.in.one%40x.test`],
  ...[`${path}&agent=a%40x.test`, `${path}&tag=merger`, `${path}&as_of=${earlier}`],
];
const reportPaths = contract.filter(({ path }) => path.startsWith('/reports/')).map(({ path }) => path);
const of = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** By the names of the issue: what one could try to find the numbers of group 1 by. */
const ofFigures: ReadonlySet<string> = new Set(['numbers:read', 'agents:read', 'chats:read']);
const every_route = 'routes, each as the table of them asks it';
const doorsOf: Record<string, string[]> = {
  'a URL and its filters': [
    ...metrics.flatMap(({ id }) => [`/metrics/${id}?${range}&compare=previous`, `/metrics/${id}?${range}&group=1`]),
    ...['total_chats', 'waiting_times', 'repeat_contact', 'goals'].flatMap((id) =>
      filtered(`/metrics/${id}?${range}&grain=day`),
    ),
    ...metrics.map(({ id }) => `/metrics/${id}?${range}&grain=total&country=Norway`),
  ],
  'a split': metrics.flatMap(({ id, splits }) =>
    [...splits, 'group,agent'].map((split) => `/metrics/${id}?${range}&grain=total&split=${split}`),
  ),
  'as_of and what was restated': [
    ...['as_of=2026-05-09T12:00:00Z', 'as_of=2026-05-01T00:00:00Z', 'as_of=2030-01-01T00:00:00Z'].flatMap((past) =>
      ['/metrics/total_chats', '/metrics/waiting_times', '/receipts/total_chats', '/agents/expected', '/chats'].map(
        (path) => of(path, `${range}&${past}${path.includes('receipt') ? '&grain=total' : ''}`),
      ),
    ),
    ...['/restatements', '/restatements?metric=total_chats', '/restatements?from_snapshot=20260509-090000-000'],
    '/snapshots',
  ],
  'a receipt': metrics.flatMap(({ id }) =>
    ['', '&group=1'].map((what) => `/receipts/${id}?${range}&grain=total${what}`),
  ),
  'a search, a transcript and chats as rows': [
    ...['', '&query=acquisition', '&query=parcel', '&survey=comment', '&rate=rated_bad', '&country=Norway'].flatMap(
      (what) => filtered(`/chats?${range}${what}`),
    ),
    ...['C000001', 'C001000', 'C001003', 'C009999'].map((id) => `/chats/${id}?account=default`),
    ...filtered(`/chat-rows?${range}`),
    ...['csv', 'xlsx', 'parquet'].flatMap((kind) => [
      `/chat-rows.${kind}?${range}`,
      `/chat-rows.${kind}?${range}&group=1`,
    ]),
  ],
  'a PDF': [
    ...(isWhole ? ['overview', 'queue'] : ['overview']).map((id) => `/dashboards/${id}.pdf?${range}`),
    `/dashboards/ratings.pdf?${range}&group=1`,
    '/boards/id-1/page.pdf?from=2026-05-01&to=2026-05-10',
    `/agents.pdf?${range}&compare=previous`,
  ],
  'a CSV': [
    ...metrics.flatMap(({ id }) => [`/metrics/${id}.csv?${range}&grain=day`, `/metrics/${id}.csv?${range}&group=1`]),
    ...panelFiles.map((path) => `${path}.csv?${range}`),
    ...['overview/volume.csv', 'queue/waiting.csv', 'chats/volume.xlsx'].map(
      (path) => `/panels/${path}?${range}&split=group`,
    ),
    ...['csv', 'xlsx'].map((kind) => `/agents.${kind}?${range}&compare=previous`),
  ],
  'error texts, choices and lists': [
    ...['/accounts', '/accounts?account=default&tags=true', '/accounts?find=mer', '/accounts?find=only', '/metrics'],
    ...['/metrics/nothing', '/metrics/total_chats?group=x', `/metrics/total_chats?${range}&group=3`],
    ...['/health', '/ready', '/me', '/boards', '/boards/id-1', '/pins', '/views', '/shares'],
    ...['/annotations?account=default', '/business-hours?account=default', '/targets?account=default'],
    ...['/variables?account=default', '/period-goals?account=default', ...filtered(`/targets/days?${range}`)],
    ...['', '&split=group', '&split=agent', '&reason=unexplained', '&metric=total_chats'].map(
      (what) => `/reconciliation?${range}${what}`,
    ),
    ...['/digests', '/pulls', '/users', '/audit', '/erasures', '/snapshots/current/file', '/own-figures/reads'],
  ],
  'agents beside what is expected, and own figures': [
    ...filtered(`/agents/expected?${range}`),
    ...['', '&group=1', '&group=2', '&tag=refund'].map((what) => `/agents/team?${range}&agent=a%40x.test${what}`),
    '/own-figures?from=2026-05-01&to=2026-05-10&account=default',
  ],
  // Without documents, which take the longest to make: all of them are asked for above.
  [every_route]: Object.entries(routes).flatMap(([route, { needs, asked }]) =>
    route.startsWith('GET ') && !route.endsWith('.pdf') && ofFigures.has(needs) && asked !== undefined ? [asked] : [],
  ),
  'reports in the shape of the vendor': reportPaths.flatMap((path) =>
    ['', '&group=1', '&group=2', '&agent=a%40x.test', '&weekday=mon'].map((what) =>
      `${path}?date_from=2026-05-01&date_to=2026-05-10${what}`.replace(/\?.*(&weekday)/, '?$1').replace('?&', '?'),
    ),
  ),
};

interface Told {
  status: number;
  headers: [string, string][];
  body: string;
}

/** Beside other work a document may not be made in time: whoever is told to ask again does so. */
async function told({ ask }: Doors, path: string, headers: Record<string, string>): Promise<Told> {
  let answer = await ask(path, headers);
  for (let times = 1; answer.status === 503 && times < 5; times += 1) answer = await ask(path, headers);
  const said = [...answer.headers].filter(([name]) => !['date', 'server-timing'].includes(name));
  return { status: answer.status, headers: said, body: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
}

it('every question that may be asked of figures, agents and chats is walked below', () => {
  const walked = Object.values(doorsOf)
    .flat()
    .map((path) => path.split('?')[0] ?? '');
  const missing = contract
    .filter(({ method, needs }) => method === 'get' && ofFigures.has(needs))
    .filter(({ path }) => path !== '/events')
    .filter(({ path }) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !walked.some((address) => pattern.test(address));
    })
    .map(({ path }) => path);
  expect(missing).toEqual([]);
});

it('the two accounts differ at all of these doors for whoever sees everything', async () => {
  for (const [name, paths] of Object.entries(doorsOf)) {
    let others = 0;
    for (const path of paths.slice(0, 40)) {
      if (others > 0) break;
      const [plain, full] = await Promise.all(worlds.map(({ doors }) => told(doors, path, shownBy('owner'))));
      if (plain?.body !== full?.body) others += 1;
    }
    expect([name, others > 0]).toEqual([name, true]);
  }
});

/**
 * With the drill everybody asks everything. With the tests half of it is asked at each door, by manager and viewer in turns, and all routes;
 * others ask less.
 */
const turns: Partial<Record<Person, readonly [each: number, from: number]>> = {
  'a manager of group 2': [4, 0],
  'a viewer of group 2': [4, 2],
};
const askedBy = (who: Person, door: string, paths: readonly string[]): string[] => {
  const [each, from] = turns[who] ?? [13, 1];
  const isOfRoutes = door === every_route && each < 13;
  return isOfRoutes ? partOf(paths, 2, from / 2) : partOf(paths, each, from);
};

describe.each(readers)('%s', (who) => {
  // Files are typeset alike for all who see the same rows.
  const walked = Object.entries(doorsOf).filter(([name]) => name !== 'a PDF' || who === 'a viewer of group 2');

  it.each(walked)('finds nothing of group 1 by %s', async (door, paths) => {
    const found: [path: string, why: unknown][] = [];
    const queue = new PQueue({ concurrency: 3 });
    await queue.addAll(
      (door === 'a PDF' ? partOf(paths, 2) : askedBy(who, door, paths)).map((path) => async () => {
        const [plain, full] = await Promise.all(worlds.map(({ doors }) => told(doors, path, shownBy(who))));
        const words = decodeURIComponent(path);
        const named = marks.filter((mark) => full?.body.includes(mark) && !words.includes(mark));
        if (named.length > 0) found.push([path, named]);
        if (JSON.stringify(plain) !== JSON.stringify(full)) found.push([path, differenceOf(plain, full)]);
      }),
    );
    expect(found).toEqual([]);
  });
});

/** Where they part, in a few words around it. */
function differenceOf(one: unknown, other: unknown): string[] {
  const [ours, theirs] = [JSON.stringify(one), JSON.stringify(other)];
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  return [ours, theirs].map((text) => text.slice(Math.max(0, at - 80), at + 80));
}

describe('a shared link of group 2', () => {
  const pages = ['overview', 'queue', 'chats', 'ratings', 'responses'];

  it.each(pages)('shows nothing of group 1: %s', async (page) => {
    const filters = { from: '2026-05-01', to: '2026-05-10', compare: 'previous', split: [] };
    const shown = await Promise.all(
      worlds.map(async ({ doors }) => {
        const made = await doors.ask('/shares', shownBy('a manager of group 2'), {
          method: 'POST',
          body: { title: page, page, filters, days: 30, has_agents: true },
        });
        const { key } = (await made.json()) as { key: string };
        const headers = { authorization: `Bearer ${key}` };
        const about = await told(doors, '/share', headers);
        const { panels } = JSON.parse(about.body) as { panels: string[] };
        const all = await Promise.all(panels.map((id) => told(doors, `/share/panels/${id}`, headers)));
        return [about, ...all];
      }),
    );
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[0]?.length).toBeGreaterThan(3);
    expect(shown[0]?.every(({ status }) => status === 200)).toBe(true);
    expect(marks.filter((mark) => shown[1]?.some(({ body }) => body.includes(mark)))).toEqual([]);
  });
});

it('a digest to a viewer of group 2 has the same bytes, whatever it is about', async () => {
  const sent = await Promise.all(
    worlds.map(async ({ newest }) => {
      const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: () => noon });
      for (const [email, role, rows] of [
        ['olga@x.test', 'admin', {}],
        ['vera@x.test', 'viewer', { groups: [2] }],
      ] as const)
        await auth.users.add(
          userFrom({ email, name: email, role, rows, extra_rights: [] }),
          'a bicycle for two or three',
        );
      const readers = [{ name: 'Vera', address: 'vera@x.test' }];
      const about = { readers, content: ['overview'], channels: [{ kind: 'folder' }] };
      const deps = digestDeps(
        newest,
        [digest({ ...about, formats: ['pdf', 'csv', 'xlsx'], when_incomplete: 'stamp' })],
        {
          ...{ userAt: userAtIn(auth.users), folder: mkdtempSync(join(folder, 'sent-')), now: monday + 60 },
        },
      );
      await round(deps);
      const files = readdirSync(deps.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      return files.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name)).toString('latin1')]);
    }),
  );
  expect(sent[0]?.length).toBeGreaterThanOrEqual(3);
  expect(sent[1]?.map(([name]) => name)).toEqual(sent[0]?.map(([name]) => name));
  for (const [index, [name, bytes]] of (sent[0] ?? []).entries())
    expect([name, sent[1]?.[index]?.[1] === bytes]).toEqual([name, true]);
});

it('an answer that was kept for somebody else is neither sent nor told apart by its time', async () => {
  const paths = ['total_chats', 'waiting_times', 'chat_ratings'].map(
    (id) => `/metrics/${id}?${range}&grain=week&tag=refund`,
  );
  const [one] = worlds;
  const [owner, viewer] = [shownBy('owner'), shownBy('a viewer of group 2')];
  if (!one) throw new Error('there is no account');
  const costOf = async (path: string, cookie: object, headers = {}) => {
    const before = one.statements();
    const answer = await one.doors.ask(path, { ...cookie, ...headers });
    await answer.arrayBuffer();
    return { cost: one.statements() - before, status: answer.status, etag: answer.headers.get('etag') ?? '' };
  };
  for (const path of paths) {
    const known = await costOf(path, owner);
    expect(known.cost).toBeGreaterThan(0);
    expect((await costOf(path, owner)).cost).toBe(0);
    // Other filters: nobody asked this before.
    const unasked = await costOf(path.replace('refund', 'never'), viewer);
    const asked = await costOf(path, viewer, { 'if-none-match': known.etag });
    expect([path, asked.cost, asked.status]).toEqual([path, unasked.cost, 200]);
    expect(asked.etag).not.toBe(known.etag);
  }
});
